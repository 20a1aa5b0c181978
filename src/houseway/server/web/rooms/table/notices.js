// The texts of notices about acts for an absent player, void rounds and refusals.

import { asTitle, ended, joinWords, money, rankNames, withCardSigns } from "../../kit/words.js";
import { ownBets } from "./state.js";

/**
 * A notice. If its kind is "time", `done` lists the acts on behalf of seat `of`. A notice that `stays` is shown until it is closed,
 * a notice about `bets` until betting closes, and a notice in `doubt` until the next event.
 *
 * @typedef {{ kind: string, head: string, text: string, clause?: string | null, stays?: boolean, bets?: boolean,
 *   doubt?: boolean, of?: number, done?: string[] }} Notice
 */

/** The sender in the record when the table acts because a player's time ran out. */
const DEADLINE = "deadline";
/** @type {Record<string, string>} */
const ACTS = { Checked: "checked", Folded: "folded", HandSet: "kept" };
/** @type {Record<string, string>} */
const ROLES = { rail: "a spectator", floor: "the floor supervisor", dealer: "the dealer" };

/**
 * True if betting closed because this seat's time ran out.
 *
 * @param {number | undefined} seat
 * @param {api.Waits | null} waits
 * @param {string} dealer
 * @param {api.Update[]} updates
 */
export function betsTimedOut(seat, waits, dealer, updates) {
  const ran = waits?.why === "bets" && waits.seconds !== null && waits.seconds !== undefined;
  return Boolean(seat) && ran && (waits.seats ?? []).includes(seat ?? 0) && dealer === "machine"
    && updates.some(({ event }) => event?.type === "BettingClosed");
}

/**
 * Return the notice that betting closed before the player was ready.
 *
 * @param {Record<string, number>} bets
 * @returns {Notice}
 */
export function betsTimedOutNotice(bets) {
  return { kind: "time", head: "Your time ran out.", text: Object.keys(bets).length
    ? "Betting is closed. Your bets are in play." : "Betting is closed. You sit this round out." };
}

/**
 * Return the notice that the deck was discarded and the round starts again; null if it was not.
 *
 * @param {api.Update[]} updates
 * @param {number | undefined} own
 * @param {(seat: number) => string} name
 * @returns {Notice | null}
 */
export function discardedNotice(updates, own, name) {
  const discarded = updates.find(({ event }) => event?.type === "DeckDiscarded")?.event;
  if (!discarded) return null;
  /** @type {number[]} */
  const seats = discarded.seats;
  const whose = joinWords(seats.map((seat) => (seat === own ? "your" : `${name(seat)}'s`)));
  const late = seats.length > 1 ? "browsers did not send their shares" : "browser did not send its share";
  return { kind: "plain", stays: true, head: "The round starts again.", text: `${asTitle(whose)} ${late} of the players' cut `
    + "(the random bytes that help to shuffle) in time, so the deck was discarded unseen. All bets were returned." };
}

/** The codes of refusals to let a person join a table in the role, or at the seat, that they asked for. */
export const ROLE_REFUSALS = new Set(["not-your-seat", "not-your-role", "no-role", "plays"]);

/**
 * Return the notice that a role was refused; `own` is the person's seat, if any.
 *
 * @param {api.Bye} bye
 * @param {{ role: string, seq: number | null }} place
 * @param {{ own: string | null, seats: api.Place[] }} options
 * @returns {Notice}
 */
export function roleRefusedNotice({ code, message }, { role, seq }, { own, seats }) {
  const notice = { kind: "plain", stays: true };
  if (code !== "not-your-seat" || seq === null) {
    return { ...notice, head: `You cannot join as ${ROLES[role] ?? role}:`, text: ended(message) };
  }
  if (own) return { ...notice, head: `You have ${own} now.`, text: "" };
  return { ...notice, head: "You have no seat.", text: seats.some(({ kind }) => !kind)
    ? "Your seat was released while you were away. Press a free seat to sit down."
    : "Your seat was released while you were away, and no other seat is free." };
}

/**
 * Return the notice of a refusal, or of a missing answer.
 *
 * @param {import("../../api_client.js").Refused} refused
 * @returns {Notice}
 */
export function refusedNotice({ message, clause, doubt }) {
  return { kind: "refused", clause, doubt, head: doubt ? "No answer:" : "Refused:",
    text: `${ended(message)} ${doubt ? "If nothing happens, press again; it will count only once."
      : "No chips were taken."}` };
}

/**
 * Return the notice that an invitation failed.
 *
 * @param {string} message
 * @returns {Notice}
 */
export const noInvitation = (message) => ({ kind: "refused", head: "The invitation failed:",
  text: ended(message) });

/**
 * Return the notice that the roles could not be shown or changed.
 *
 * @param {string} message
 * @returns {Notice}
 */
export const rolesFailed = (message) => ({ kind: "refused", head: "The roles did not change:",
  text: ended(message) });

/**
 * List acts: "checked twice and folded".
 *
 * @param {string[]} acts
 */
const actsText = (acts) => joinWords([...new Set(acts)].map((act) =>
  `${act}${acts.filter((one) => one === act).length > 1 ? " twice" : ""}`));

/**
 * Return the notice of an act on a player's behalf. It also lists earlier acts for that player in this round.
 * `name` is empty for the viewer's own seat.
 *
 * @param {Record<string, any>} event
 * @param {string | null | undefined} clause
 * @param {Notice | null} before
 * @param {string} name
 * @returns {Notice}
 */
function actedForNotice({ type, seat, stage, face, by }, clause, before, name) {
  const what = type === "HandSet" ? `${ACTS[type]} ${name ? "" : "your "}${rankNames(face ?? [])}` : ACTS[type];
  const done = [...(before?.of === seat ? before?.done ?? [] : []), what];
  const late = by === DEADLINE;
  const head = late ? `${name ? `${name}'s` : "Your"} time ran out.` : name ? `${name} is away.`
    : "You were away.";
  return { kind: "time", of: seat, done, clause, head,
    text: `${late ? "The table" : asTitle(`the ${by}`)} ${done.length > 1 ? actsText(done)
      : [what, stage].filter(Boolean).join(" ")} for ${name || "you"}.` };
}

/**
 * Describe which wagers of a void round were returned, and which still count.
 *
 * @param {Record<string, number>} back
 * @param {Record<string, number>} stakes
 * @param {(wager: string) => string} title
 */
function returnedText(back, stakes, title) {
  /** @param {string[]} wagers */
  const names = (wagers) => joinWords(wagers.map((name) => title(name).toLowerCase()));
  const stays = Object.keys(stakes).filter((wager) => !(wager in back));
  const sum = Object.values(back).reduce((all, cents) => all + cents, 0);
  const count = stays.length > 1 ? "bets still count" : "bet still counts";
  return [`${asTitle(names(Object.keys(back)))} returned: ${money(sum)}.`,
    ...(stays.length ? [`Your ${names(stays)} ${count} and will be settled.`] : [])];
}

/**
 * Return the notice after some updates: an act on a player's behalf or a void round. The viewer's own seat comes
 * first.
 *
 * @param {Notice | null} before
 * @param {api.Update[]} updates
 * @param {{ view: api.View, title: (wager: string) => string, name: (seat: number) => string }} scene
 */
export function noticeAfter(before, updates, { view, title, name }) {
  const { seat } = view.yours;
  let notice = before;
  for (const { event, sentences, clause } of updates) {
    if (!event) continue;
    const own = Boolean(seat) && event.seat === seat;
    const free = own || !notice || (notice.kind === "time" && notice.of !== seat);
    if (free && ACTS[event.type] && event.by) {
      notice = actedForNotice(event, clause, notice, own ? "" : name(event.seat));
    }
    if (event.type === "RoundVoided") {
      notice = { kind: "void", head: `Round ${view.table.round} is void.`,
        text: `${withCardSigns((sentences ?? []).join(". "))}.`, clause };
    }
    if (event.type === "WagersReturned" && own && notice?.kind === "void") {
      notice = { ...notice, text: [notice.text, ...returnedText({ ...event.wagers, ...event.taken }, ownBets(view), title)].join(" ") };
    }
  }
  return notice;
}
