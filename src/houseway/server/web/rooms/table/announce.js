// @ts-nocheck
// What a reader is told: one's turn and refusals at once, the rest in order.

import { cardSaid, listed, money, moneySaid, signed, titled } from "../../kit/words.js";
import { shown } from "./log.js";

const GROUPED = { Checked: "checked", Folded: "folded", HandSet: "set the hand", HandSplit: "split" };

function say(id, text, most) {
  const log = document.getElementById(id);
  const line = document.createElement("p");
  line.textContent = text;
  log.append(line);
  while (log.childElementCount > most) log.firstElementChild.remove();
}

/** Say something at once. */
export const assertive = (text) => text && say("assertive", text, 3);
/** Say something when there is time. */
export const polite = (text) => text && say("polite", text, 30);

/** What is spoken in a line of the script, or else the line itself. */
export function spoken(says) {
  const quoted = says.match(/“([^”]+)”/g);
  return { says: signed(quoted ? quoted.map((part) => part.slice(1, -1)).join(" ") : says),
    voice: Boolean(quoted) };
}

function ownLine(event, { sheet, sight }) {
  const title = titled(sheet.circles.find(({ wager }) => wager === event.wager)?.title ?? event.wager);
  const line = (sight.seen.lines ?? []).find((one) => one.seat === event.seat && one.wager === event.wager
    && one.hand === (event.hand ?? 1));
  return `${title} ${moneySaid((event.back ?? 0) - event.stake)}. ${line?.why ?? ""}`;
}

/** Tell moments: acts of others grouped, the board in one phrase, one's own settlement line by line. */
export function tell(moments, { sight, sheet, names }) {
  const own = sight.yours.seat;
  const acts = new Map();
  const flush = () => {
    for (const [what, all] of acts) polite(`${all.length > 1 ? "Seats" : "Seat"} ${listed(all)} ${what}.`);
    acts.clear();
  };
  for (const { event, script } of moments) {
    const times = event.times === 1 ? "once" : `${event.times} times`;
    const act = event.type === "PlayMade" ? `played ${times} the ante` : GROUPED[event.type];
    if (act && event.seat !== own) {
      acts.set(act, [...(acts.get(act) ?? []), event.seat]);
      continue;
    }
    if (event.type !== "StepTaken") flush();
    const board = shown(event);
    if (board.length) polite(`The board: ${board.map(cardSaid).join(", ")}.`);
    const held = event.type === "PlayersLooked" ? sight.yours.cards?.flat() ?? [] : [];
    if (held.length) polite(`Your cards: ${listed(held.map(cardSaid))}.`);
    if (event.type === "WagerSettled" && event.seat === own) polite(ownLine(event, { sheet, sight }));
    if (event.type === "RoundClosed") closed(event, own, names);
    for (const { says } of script ?? []) {
      const line = spoken(says);
      if (line.voice) polite(line.says);
    }
  }
  flush();
}

function closed({ net }, own, names) {
  for (const [seat, cents] of Object.entries(net ?? {})) {
    if (Number(seat) === own) polite(`The round is over. In all ${moneySaid(cents) || "nothing"}.`);
    else polite(`${names.get(Number(seat)) ?? `Seat ${seat}`}: ${moneySaid(cents)}.`);
  }
}

/** Say that it is one's turn, with the choices and their amounts. */
export function turn(options) {
  assertive(`Your turn. ${listed(options.map(({ says, costs }) =>
    `${titled(signed(says))}${costs ? `, bets ${money(costs)}` : ", bets nothing"}`))}.`);
}
