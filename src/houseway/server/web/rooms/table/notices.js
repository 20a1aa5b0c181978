// Notices to a player: what was done in the player's place, what is void, what went wrong.

import { listed, money, ranksSaid, signed, titled } from "../../kit/words.js";
import { ownBets } from "./state.js";

/**
 * A notice. One of kind "time" tells what was `done` in the place of the seat it is `of`; one that `stays`
 * is there until it is closed; one about `bets` until the wagers are closed; one in `doubt` until the table
 * has gone on.
 *
 * @typedef {{ kind: string, head: string, text: string, clause?: string | null, stays?: boolean, bets?: boolean,
 *   doubt?: boolean, of?: number, done?: string[] }} Notice
 */

/** The deadline, as the record names who acted. */
const DEADLINE = "deadline";
/** @type {Record<string, string>} */
const ACTS = { Checked: "checked", Folded: "folded", HandSet: "set" };

/**
 * True if the wagers closed on a seat because its time ran out, before it was ready.
 *
 * @param {number | undefined} seat
 * @param {api.Waits | null} waits
 * @param {string} dealer
 * @param {api.Update[]} updates
 */
export function closedOn(seat, waits, dealer, updates) {
  const ran = waits?.why === "bets" && waits.seconds !== null && waits.seconds !== undefined;
  return Boolean(seat) && ran && (waits.seats ?? []).includes(seat ?? 0) && dealer === "machine"
    && updates.some(({ event }) => event?.type === "BettingClosed");
}

/**
 * The notice that the wagers closed on a player, with the wagers that were made.
 *
 * @param {Record<string, number>} bets
 * @returns {Notice}
 */
export function closedNotice(bets) {
  return { kind: "time", head: "Your time ran out.", text: Object.keys(bets).length
    ? "Betting is closed; your wagers count as placed." : "Betting is closed; you sit this round out." };
}

/** The codes of a house that does not let a person in as what was asked. */
export const AWAY = new Set(["not-your-seat", "not-your-role", "no-role", "plays"]);

/** @param {string} words */
const sentence = (words) => `${words}${/[.!?]$/.test(words) ? "" : "."}`;

/**
 * Why a person is let in as something else than the role asked for; `own` is a seat they have.
 *
 * @param {api.Bye} bye
 * @param {{ role: string, seq: number | null }} place
 * @param {{ own: string | null, seats: api.Place[] }} given
 * @returns {Notice}
 */
export function turnedAway({ code, message }, { role, seq }, { own, seats }) {
  const notice = { kind: "plain", stays: true };
  if (code !== "not-your-seat" || seq === null) {
    return { ...notice, head: `Not as ${role}:`, text: sentence(message) };
  }
  if (own) return { ...notice, head: `You have ${own} now.`, text: "" };
  return { ...notice, head: "You have no seat.", text: seats.some(({ kind }) => !kind)
    ? "Your seat was given up while you were away; take a free one."
    : "Your seat was given up while you were away, and every other one is taken." };
}

/**
 * The notice that the house refused something, or did not say whether it did.
 *
 * @param {import("../../house.js").Refused} refused
 * @returns {Notice}
 */
export function refusedNotice({ message, clause, doubt }) {
  return { kind: "refused", clause, doubt, head: doubt ? "No answer:" : "Refused:",
    text: `${sentence(message)} ${doubt ? "If nothing happens, press again: it counts once."
      : "No chips were taken."}` };
}

/**
 * The notice that no one can be invited, and why.
 *
 * @param {string} message
 * @returns {Notice}
 */
export const noInvitation = (message) => ({ kind: "refused", head: "The invitation failed:",
  text: sentence(message) });

/**
 * Acts in a row: "checked twice and folded".
 *
 * @param {string[]} acts
 */
const often = (acts) => listed([...new Set(acts)].map((act) =>
  `${act}${acts.filter((one) => one === act).length > 1 ? " twice" : ""}`));

/**
 * What was done in a seat's place, joined to what was done there before in the same round; `name` is whose
 * seat it is, empty if it is the viewer's own.
 *
 * @param {Record<string, any>} event
 * @param {string | null | undefined} clause
 * @param {Notice | null} before
 * @param {string} name
 * @returns {Notice}
 */
function instead({ type, seat, stage, face, by }, clause, before, name) {
  const what = type === "HandSet" ? `${ACTS[type]} ${ranksSaid(face ?? [])}` : ACTS[type];
  const done = [...(before?.of === seat ? before?.done ?? [] : []), what];
  const late = by === DEADLINE;
  const head = late ? `${name ? `${name}'s` : "Your"} time ran out.` : name ? `${name} is away.`
    : "You were away.";
  return { kind: "time", of: seat, done, clause, head,
    text: `${late ? "The table" : titled(`the ${by}`)} ${done.length > 1 ? often(done)
      : [what, stage].filter(Boolean).join(" ")} for ${name || "you"}.` };
}

/**
 * Which of the viewer's wagers went back from a void round, and which are settled all the same.
 *
 * @param {Record<string, number>} back
 * @param {Record<string, number>} stakes
 * @param {(wager: string) => string} title
 */
function returned(back, stakes, title) {
  /** @param {string[]} wagers */
  const titles = (wagers) => titled(listed(wagers.map((name) => title(name).toLowerCase())));
  const stays = Object.keys(stakes).filter((wager) => !(wager in back));
  const sum = Object.values(back).reduce((all, cents) => all + cents, 0);
  return [`${titles(Object.keys(back))} returned: ${money(sum)}.`,
    ...(stays.length ? [`${titles(stays)} ${stays.length > 1 ? "are" : "is"} settled.`] : [])];
}

/**
 * The notice after some updates: what the table did in somebody's place, the viewer's own before all others,
 * or that the round is void.
 *
 * @param {Notice | null} before
 * @param {api.Update[]} updates
 * @param {{ view: api.View, title: (wager: string) => string, name: (seat: number) => string }} scene
 */
export function noticed(before, updates, { view, title, name }) {
  const { seat } = view.yours;
  let notice = before;
  for (const { event, sentences, clause } of updates) {
    if (!event) continue;
    const own = Boolean(seat) && event.seat === seat;
    const free = own || !notice || (notice.kind === "time" && notice.of !== seat);
    if (free && ACTS[event.type] && event.by) {
      notice = instead(event, clause, notice, own ? "" : name(event.seat));
    }
    if (event.type === "RoundVoided") {
      notice = { kind: "void", head: `Round ${view.table.round} is void.`,
        text: `${signed((sentences ?? []).join(". "))}.`, clause };
    }
    if (event.type === "WagersReturned" && own && notice?.kind === "void") {
      notice = { ...notice, text: [notice.text, ...returned(event.wagers, ownBets(view), title)].join(" ") };
    }
  }
  return notice;
}
