// The felt at any step of a replay, its phases, and the amounts of a report.

import { mispaidWord } from "../../../kit/words.js";

/** @typedef {{ hands: Map<string, api.WatchedHand>, board: string[], dealer: string[] }} Layout */

/**
 * Return the key of a hand.
 *
 * @param {{ seat: number, hand?: number }} hand
 */
export const handKey = ({ seat, hand = 1 }) => `${seat}-${hand}`;

/**
 * Return everything on the felt after a number of steps.
 *
 * @param {api.WatchStep[]} steps
 * @param {number} count
 * @returns {Layout}
 */
export function layoutAfter(steps, count) {
  /** @type {Layout} */
  const layout = { hands: new Map(), board: [], dealer: [] };
  for (const step of steps.slice(0, count)) {
    for (const hand of step.hands ?? []) layout.hands.set(handKey(hand), hand);
    layout.board = step.board ?? layout.board;
    layout.dealer = step.dealer ?? layout.dealer;
  }
  return layout;
}

/**
 * Return the phases of a replay, each with its first and last step, counted from 0.
 *
 * @param {api.WatchStep[]} steps
 */
export function phasesOf(steps) {
  /** @type {{ name: string, from: number, to: number }[]} */
  const phases = [];
  steps.forEach(({ phase }, at) => {
    const last = phases.at(-1);
    if (last?.name === phase) last.to = at;
    else phases.push({ name: phase, from: at, to: at });
  });
  return phases;
}

/**
 * Return how long each step is shown, in milliseconds at normal speed.
 *
 * @param {api.WatchStep[]} steps
 */
export const holdsOf = (steps) => steps.map(({ time }, at) => (steps[at + 1]?.time ?? time) - time);

/**
 * Return a time as minutes and seconds.
 *
 * @param {number} milliseconds
 */
export function clockText(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * The fields of the amount for a family: their labels, and the sign of the difference.
 *
 * @param {string} family
 * @returns {{ first: string, second: string, bet: boolean }}
 */
export function amountFields(family) {
  const bet = family === "late bet" || family === "changed bet";
  return bet ? { first: "The bet was", second: "It is now", bet } : { first: "The dealer paid", second: "It should be", bet };
}

/**
 * Return the amount of a report: what was paid beyond the right amount, or how much more was bet.
 *
 * @param {string} family
 * @param {number | null} first
 * @param {number | null} second
 */
export function difference(family, first, second) {
  if (first === null || second === null) return null;
  return amountFields(family).bet ? second - first : first - second;
}

/**
 * Return the direction of a difference: "overpaid", or "more" for a bet.
 *
 * @param {string} family
 * @param {number} cents
 */
export function directionWord(family, cents) {
  if (!cents) return "No difference";
  return amountFields(family).bet ? (cents > 0 ? "more" : "less") : mispaidWord(cents);
}

/**
 * Mark the steps up to the current one as shown; the time of a step that was shown before stays.
 *
 * @param {number[]} shown
 * @param {number} at
 * @param {number} now
 */
export function markShown(shown, at, now) {
  for (let step = 0; step <= at; step += 1) if (shown[step] < 0) shown[step] = now;
}
