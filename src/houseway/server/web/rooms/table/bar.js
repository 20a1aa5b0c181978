// The bar below the felt: choices, chips, the progress of the settlement, or what the table is waiting for.

import { h } from "../../kit/dom.js";
import { REFERENCE } from "../../kit/reference.js";
import { shortSeal } from "../../kit/seal.js";
import { asTitle, joinWords, stepWords, tableTitle } from "../../kit/words.js";
import { roundPath } from "../record/lists.js";
import { roleText } from "./role_notes.js";
import { invitableRoles } from "./invite.js";
import { newestLine, reviewPath } from "./settle.js";
import { chipRail } from "./chip_rail.js";
import { ownSeats, settledWagers, splitChoices, stallingSeats, takenSeats } from "./state.js";

/** @typedef {import("../table.js").TableRoom} TableRoom */
/** @typedef {import("./state.js").Seat} Seat */

/** Return the path of the rules card of a table. @param {api.TableCard} card */
const cardPath = ({ rulebook, table }) => `/rulebooks/${encodeURIComponent(rulebook)}/card?table=${encodeURIComponent(table)}`;
/** The roles in words, after "View as". @type {Record<string, string>} */
const ROLES = { rail: "a spectator", floor: "the floor", dealer: "the dealer" };
const UNAVAILABLE = "The server cannot save the game at the moment. Nothing is lost; play continues once it can.";

/**
 * Describe what the table is waiting for.
 *
 * @param {api.View} view
 * @param {Map<number, string>} names
 */
export function waitingText(view, names) {
  const { waits, table } = view;
  const own = ownSeats(view);
  const seats = (waits.seats ?? []).filter((seat) => !(waits.ready ?? []).includes(seat));
  /** @param {number} seat */
  const name = (seat) => (own.includes(seat) ? "you" : names.get(seat) ?? `seat ${seat}`);
  const who = joinWords([...new Set(seats.map(name))]);
  switch (waits.why) {
    case "decision": return who
      ? asTitle(`${who} ${seats.length > 1 || who === "you" ? "decide" : "decides"}`) : "Waiting for a decision";
    case "bets": return who ? `Waiting for ${who} to bet` : "Betting is open";
    case "next": return who ? `Waiting for ${who} to continue` : "The next round is about to start";
    case "players": return Object.keys(table.seats ?? {}).length > 0
      ? "The round starts with the first wager" : "Waiting for the first player";
    case "closed": return "This table is closed";
    case "dealer":
      if (waits.openings?.length) return "The players' cut: the undealt cards are rearranged";
      if (table.challenged) return "Waiting for the dealer to answer the challenge";
      if (table.section === "idle") return "Waiting for the dealer to resume play";
      return `Waiting for the dealer: ${table.emptied ? "spread the cards" : stepWords(table.step ?? "")}`;
    case "floor": return "Waiting for the floor supervisor";
    default: return "Waiting for the table";
  }
}

/**
 * Create the bar below the felt.
 *
 * @param {TableRoom} room
 * @param {Seat | undefined} own
 */
export function bar(room, own) {
  const { decision, deadline, sheet, player } = room;
  const clock = deadline.until && decision.awaited ? h("hw-clock", { "data-key": "clock",
    ".until": deadline.until, ".whole": sheet.card.clock || 30 }) : null;
  return h("div", { class: "bar" },
    h("div", { class: "middle" },
      room.view.waits.unavailable && h("p", { class: "waits", "data-key": "unavailable", role: "status" }, UNAVAILABLE),
      decision.turn && !player.busy ? room.coach.strip(() => room.panels.show(true)) : newestLine(own, sheet),
      decision.mayTip && h("label", { class: "tip-play", "data-key": "tip-play" },
        h("input", { type: "checkbox", ".checked": decision.tipping, onchange: () => decision.toggleTip() }),
        h("span", {}, "Add a tip play", h("span", { class: "long" }, " for the dealer"))),
      decision.asksCount !== null && h("label", { class: "tip-play count", "data-key": "count" },
        h("span", {}, "Number of cards"), h("input", { type: "number", inputmode: "numeric", min: "0",
          placeholder: String(decision.asksCount), ".value": decision.count,
          oninput: (/** @type {Event & { target: HTMLInputElement }} */ { target }) => { decision.count = target.value; } })),
      stalledLine(room),
      h("div", { class: "now" }, clock, now(room, own)),
      room.reports.buttons(room.view)),
    h("div", { class: "corner left" }, cornerLeft(room)),
    h("div", { class: "corner right" }, cornerRight(room)));
}

/**
 * Say why a stalled table does not continue, and what happens next.
 *
 * @param {TableRoom} room
 */
function stalledLine({ view, connection: { role } }) {
  const { stalled } = view.waits;
  if (!stalled) return null;
  const next = role === "floor" ? "Refund the round with “Ruling…”." : "If this continues, the round will be void and every wager returned.";
  return h("p", { class: "waits stalled", role: "status", "data-key": "stalled" }, `${asTitle(stalled)}. ${next}`);
}

/**
 * @param {TableRoom} room
 * @param {Seat | undefined} own
 */
function now(room, own) {
  const { view, decision, betting, connection: { offline, role }, player: { busy } } = room;
  const { waits, table, yours: { seat = 0 } } = view;
  const { options } = decision;
  const ready = (waits.ready ?? []).includes(seat);
  if (busy && own && settledWagers(view).length > 0) return settling(room);
  if (options.length) {
    return h("hw-actions", { id: "choices", tabindex: "-1", "data-key": "actions", ".options": options,
      ".sent": decision.sent, ".off": offline,
      ".act": (/** @type {import("../../kit/actions.js").Option} */ option) => decision.act(option) });
  }
  if (!busy && waits.why === "bets" && betting.stakes.broke) {
    return h("div", { class: "next", id: "choices", tabindex: "-1" },
      h("p", {}, "You are out of play chips."),
      h("button", { type: "button", class: "button", onclick: () => room.seating.freshChips(seat) },
        "Get more play chips"));
  }
  if (!busy && waits.why === "bets" && betting.open) {
    const leave = splitChoices(view).seatChoices.find(({ command }) => command.type === "Leave");
    return chipRail(betting, { ready: () => room.ready(), waiting: ready, offline,
      others: ownSeats(view).filter((other) => other !== seat), goTo: room.goTo,
      seatBot: takenSeats(view).length === 1 && (() => room.seating.seatBot()),
      watch: leave !== undefined && (() => room.seating.go(leave, view, { watch: true })) });
  }
  if (!busy && waits.why === "next" && seat) {
    return h("div", { class: "next", id: "choices", tabindex: "-1" },
      own && own.lines.length > 0 && h("p", {}, h("span", { class: "round-sum" }, `Round ${table.round}: `,
        h("hw-money", { class: "amount", cents: own.net, signed: true })),
      h("a", { class: "review-short", href: reviewPath(room.table, table.round, seat) }, "Review this round")),
      h("button", { type: "button", class: "button main", "aria-disabled": String(ready || offline),
        onclick: () => room.ready() },
        ready ? "Ready, waiting" : "Next round", h("kbd", { "aria-hidden": "true" }, "R")));
  }
  return h("p", { class: "waits", id: "choices", tabindex: "-1" },
    busy ? "The dealer is dealing" : waitingText(view, room.names),
    !seat && role === "rail" && h("span", { class: "small" },
      "You are watching. Press a free seat to sit down."));
}

/** @param {TableRoom} room */
function settling({ view, player }) {
  const order = takenSeats(view).sort((a, b) => b - a);
  const lines = settledWagers(view);
  const at = lines.at(-1)?.seat;
  const folded = new Set(order.filter((seat) => view.table.seats?.[seat].hands[1]?.folded));
  return h("div", { class: "settling", id: "choices", tabindex: "-1" },
    h("span", { class: "label" }, "Settling"),
    h("ol", { "aria-hidden": "true" }, order.map((seat) => h("li",
      { class: [seat === at && "current", folded.has(seat) && "out",
      lines.some((line) => line.seat === seat) && "done"].filter(Boolean).join(" ") }, seat))),
    h("button", { type: "button", class: "choice", onclick: () => player.finish() },
      h("span", { class: "what" }, h("strong", {}, "Skip ahead")),
        h("kbd", { "aria-hidden": "true" }, "Space")));
}

/** @param {TableRoom} room */
function cornerLeft(room) {
  const { sheet, view, connection: { role } } = room;
  const { card } = sheet;
  return [
    h("strong", { class: "serif" }, tableTitle(card.name)),
    h("span", {}, `${card.place}, ${card.limits}`),
    h("span", {}, h("a", { href: `/rulebooks/${card.rulebook}` }, card.rulebook),
      ` · seats ${takenSeats(view).length} of ${sheet.positions}`),
    roleText(role) && h("span", { class: "role" }, roleText(role)),
    h("span", { class: "corner-links" },
      h("button", { type: "button", class: "link menu-button", popovertarget: "menu" }, "Table menu"), handsButton()),
    h("div", { id: "menu", popover: "auto", class: "box" }, tableMenu(room)),
  ];
}

/** Create the button for the hands and words; phones have it in the other corner. */
const handsButton = () => h("button", { type: "button", class: "link hands-button", popovertarget: REFERENCE, "aria-keyshortcuts": "g" },
  "Hands and words");

/**
 * Create the table menu: roles, seats, bots, invitations, the link and the keys.
 *
 * @param {TableRoom} room
 */
export function tableMenu({ view, sheet, connection, seating, invitations, roles: grants, names }) {
  const leaving = splitChoices(view).seatChoices.filter(({ command }) => command.type !== "TakeBack");
  const roles = view.yours.seat || !connection.roles.length ? [] : ["rail", ...connection.roles];
  /** @type {(words: string, act: () => void) => HTMLElement} */
  const item = (words, act) => h("button", { type: "button", class: "button text", "data-key": words,
    popovertarget: "menu", popovertargetaction: "hide", onclick: act }, words);
  return [
    roles.filter((role) => role !== connection.role)
      .map((role) => item(`View as ${ROLES[role] ?? role}`, () => connection.enter(role))),
    leaving.map((choice) => item(menuLabel(choice), () => seating.go(choice, view))),
    takenSeats(view).length < sheet.positions && item("Seat a bot", () => seating.seatBot()),
    removableSeats(view, connection.roles).map((seat) =>
      item(`Remove ${names.get(seat)}`, () => seating.freeSeat(seat))),
    stallingSeats(view, connection.roles).map((seat) =>
      item(`Remove ${names.get(seat)} for holding up the table`, () => seating.remove(seat))),
    invitableRoles({ roles: connection.roles, sheet }).map(([role, words]) =>
      item(words, () => invitations.give(role))),
    connection.roles.includes("floor") && item("Roles at this table", () => grants.show()),
    item("Copy the table's link", () => seating.copyLink()),
    h("button", { type: "button", class: "button text", "data-key": "hands", popovertarget: REFERENCE }, "Hands and words"),
    h("a", { class: "button text", "data-key": "card", href: cardPath(sheet.card) }, "Rules card"),
    h("button", { type: "button", class: "button text keys-button", "data-key": "keys",
      popovertarget: "keys" }, "Keys"),
  ];
}

/**
 * Return the seats the viewer may free: seats of bots and, for the floor supervisor, seats of absent players.
 *
 * @param {api.View} view
 * @param {string[]} roles
 */
function removableSeats(view, roles) {
  const floor = roles.includes("floor");
  if (!(view.yours.seat || floor)) return [];
  return takenSeats(view).filter((seat) => {
    const sitter = view.people?.[seat];
    return !sitter?.leaves && (sitter?.kind === "bot" || (floor && sitter?.here === false));
  });
}

/**
 * Return a menu label.
 *
 * @param {api.Choice} choice
 */
function menuLabel({ says }) {
  return says === "leave" ? "Leave the table" : asTitle(says);
}

/** @param {TableRoom} room */
function cornerRight({ view, sheet, table, connection, panels }) {
  const { round, seal } = view.table;
  const short = seal ? shortSeal(seal) : "";
  const role = connection.seat ? "coach" : connection.role === "rail" ? "" : "your role";
  return [
    h("strong", { class: "serif" }, round ? `Round ${round}` : "No round yet"),
    short && h("span", {}, "Shuffle sealed before betting"),
    h("span", {}, `${sheet.card.mode === "device" ? "Dealt by device" : "Dealt by hand"}`),
    short && h("a", { href: roundPath(table, round) }, short),
    handsButton(),
    h("button", { type: "button", class: "link panel-button", onclick: () => panels.show(true) },
    asTitle([role, "payouts, rounds, table"].filter(Boolean).join(", "))),
  ];
}

