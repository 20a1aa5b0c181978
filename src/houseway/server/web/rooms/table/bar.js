// @ts-nocheck
// What stands below the felt: choices, chip rail, the settlement so far, or whom the table waits for.

import { h } from "../../kit/dom.js";
import { listed, tableSaid, titled } from "../../kit/words.js";
import { roleSaid } from "./chair.js";
import { inviting } from "./invite.js";
import { newest } from "./settle.js";
import { sorted, standing } from "./state.js";

/** Whom or what the table waits for, in words. */
export function waiting({ waits, layout, yours }, names) {
  const seats = (waits.seats ?? []).filter((seat) => !(waits.ready ?? []).includes(seat));
  const name = (seat) => (seat === yours.seat ? "you" : names.get(seat) ?? `seat ${seat}`);
  const who = listed(seats.map(name));
  switch (waits.why) {
    case "decision": return who
      ? titled(`${who} ${seats.length > 1 || who === "you" ? "decide" : "decides"}`) : "A seat decides";
    case "bets": return who ? `Waiting for ${who} to wager` : "Wagers are taken";
    case "next": return who ? `Waiting for ${who} to go on` : "The next round opens";
    case "players": return "The round starts when somebody has wagered";
    case "closed": return "This table is closed";
    case "dealer": return `Waiting for the dealer: ${layout.step}`;
    case "floor": return "The floor is asked";
    default: return "Waiting for the table";
  }
}

/** The bar below the felt. */
export function bar(room, own) {
  const { sight, options } = room;
  const offline = room.line !== "there";
  const clock = room.until && room.asked ? h("hw-clock", { "data-key": "clock", ".until": room.until,
    ".whole": room.sheet.card.clock || 30 }) : null;
  return h("div", { class: "bar" },
    h("div", { class: "middle" },
      room.showing.busy ? newest(own, room.sheet) : room.turn ? room.coach.strip(() => room.openPanel(true))
        : newest(own, room.sheet),
      h("div", { class: "now" }, clock, now(room, own, { sight, options, offline }))),
    h("div", { class: "corner left" }, cornerLeft(room)),
    h("div", { class: "corner right" }, cornerRight(room)));
}

function now(room, own, { sight, options, offline }) {
  const { waits, seen } = sight;
  if (room.showing.busy && own?.lines.length + (seen.lines?.length ?? 0) > 0) return settling(room);
  if (options.length) {
    return h("hw-actions", { id: "choices", tabindex: "-1", "data-key": "actions", ".options": options,
      ".sent": room.sent, ".off": offline,
      ".act": (option) => room.act(option) });
  }
  if (!room.showing.busy && waits.why === "bets" && room.betting.broke(sight.yours.chips ?? 0)) {
    return h("div", { class: "next", id: "choices", tabindex: "-1" },
      h("p", {}, "Your play chips are used up."),
      h("button", { type: "button", class: "button", onclick: () => room.freshChips() },
        "Take fresh play chips"));
  }
  if (!room.showing.busy && waits.why === "bets" && room.betting.open) {
    const leave = sorted(sight.yours.choices ?? []).goings.find(({ command }) => command.type === "Leave");
    return room.betting.rail({ ready: () => room.ready(), waiting: (waits.ready
      ?? []).includes(sight.yours.seat), offline, seatBot: taken(room) === 1 && (() => room.seatBot()),
    watch: leave && (() => room.go(leave, { watch: true })) });
  }
  if (!room.showing.busy && waits.why === "next" && sight.yours.seat) {
    const said = (waits.ready ?? []).includes(sight.yours.seat);
    return h("div", { class: "next", id: "choices", tabindex: "-1" },
      own?.lines.length > 0 && h("p", {}, `Round ${seen.number}: `,
        h("hw-money", { class: "amount", cents: own.net, signed: true })),
      h("button", { type: "button", class: "button main", "aria-disabled": String(said || offline),
        onclick: () => room.ready() },
        said ? "Ready, waiting" : "Next round", h("kbd", { "aria-hidden": "true" }, "R")));
  }
  return h("p", { class: "waits", id: "choices", tabindex: "-1" },
    room.showing.busy ? "The dealer goes on" : waiting(sight, room.names),
    !sight.yours.seat && room.role === "rail" && h("span", { class: "small" },
      "You watch. A free seat is yours when you press it."));
}

function settling(room) {
  const order = room.sight.layout.seats.map(({ seat }) => seat).sort((a, b) => b - a);
  const lines = room.sight.seen.lines ?? [];
  const at = lines.at(-1)?.seat;
  const folded = new Set(room.sight.layout.seats.filter(({ hands }) => hands[0]?.folded)
    .map(({ seat }) => seat));
  return h("div", { class: "settling", id: "choices", tabindex: "-1" },
    h("span", { class: "label" }, "Settling"),
    h("ol", { "aria-hidden": "true" }, order.map((seat) => h("li",
      { class: [seat === at && "current", folded.has(seat) && "out",
      lines.some((line) => line.seat === seat) && "done"].filter(Boolean).join(" ") }, seat))),
    h("button", { type: "button", class: "choice", onclick: () => room.showing.rush() },
      h("span", { class: "what" }, h("strong", {}, "Show all at once")),
        h("kbd", { "aria-hidden": "true" }, "Space")));
}

function cornerLeft(room) {
  const { card } = room.sheet;
  return [
    h("strong", { class: "serif" }, tableSaid(card.name)),
    h("span", {}, `${card.title.split(",")[0]}, ${card.limits}`),
    h("span", {}, h("a", { href: `/rulebooks/${card.rulebook}` }, card.rulebook),
      ` · seats ${taken(room)} of ${room.sheet.positions}`),
    roleSaid(room.role) && h("span", { class: "role" }, roleSaid(room.role)),
    h("button", { type: "button", class: "link menu-button", popovertarget: "menu" }, "Table menu"),
    h("div", { id: "menu", popover: "auto", class: "box" }, goings(room)),
  ];
}

/** What has to do with coming and going: roles, invitations, the link, standing up, leaving, bots, keys. */
export function goings(room) {
  const { yours } = room.sight;
  const leaving = sorted(yours.choices ?? []).goings.filter(({ command }) => command.type !== "TakeBack");
  const roles = yours.seat || !room.roles.length ? [] : ["rail", ...room.roles];
  const one = (words, act) => h("button", { type: "button", class: "button text", "data-key": words,
    popovertarget: "menu", popovertargetaction: "hide", onclick: act }, words);
  return [
    roles.filter((role) => role !== room.role).map((role) => one(`As ${role}`, () => room.enter(role))),
    leaving.map((choice) => one(goingSaid(choice, standing(room.sight, room.sheet)),
      () => room.go(choice))),
    taken(room) < room.sheet.positions && one("Seat a bot", () => room.seatBot()),
    leavable(room).map((seat) => one(`Send ${room.names.get(seat)} away`, () => room.freeSeat(seat))),
    inviting(room).map(([role, words]) => one(words, () => room.invitations.give(role))),
    one("Copy the link", () => room.copyLink()),
    h("button", { type: "button", class: "button text keys-button", "data-key": "keys",
      popovertarget: "keys" }, "Keys"),
  ];
}

/** The seats one may free: of bots, and for the floor of those who are gone. */
function leavable({ sight, roles }) {
  const { yours, people, layout } = sight;
  const floor = roles.includes("floor");
  if (!(yours.seat || floor)) return [];
  return layout.seats.map(({ seat }) => seat).filter((seat) => !people[seat]?.leaves
    && (people[seat]?.kind === "bot" || (floor && people[seat]?.here === false)));
}

const taken = ({ sight }) => sight.layout.seats.length;

/** What a way to go says; who stands up in mid-round may not wager on the hand any more. */
function goingSaid({ says, command }, hand) {
  if (command.type === "Stand" && hand) return "Stand up: no more wagers on this hand";
  return says === "leave" ? "Leave the table" : titled(says);
}

function cornerRight(room) {
  const { seen } = room.sight;
  const short = seen.seal ? `${seen.seal.slice(0, 4)} ${seen.seal.slice(4, 8)} … ${seen.seal.slice(-2)}`
    : "";
  return [
    h("strong", { class: "serif" }, seen.number ? `Round ${seen.number}` : "No round yet"),
    short && h("span", {}, "Deck sealed before bets"),
    h("span", {}, `${room.sheet.card.mode === "device" ? "Dealt by device" : "Dealt by hand"}`),
    short && h("a", { href: `/table/${encodeURIComponent(room.table)}/round/${seen.number}` }, short),
    h("button", { type: "button", class: "link panel-button", onclick: () => room.openPanel(true) },
      titled([{ seat: "coach", rail: "" }[room.role.split(" ")[0]] ?? "your chair", "pays, rounds, table"]
        .filter(Boolean).join(", "))),
  ];
}

