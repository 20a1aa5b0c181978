// The 169 starting hands: the cell of each in the 13 by 13 grid, its name and its best play.

import { RANK_NAMES } from "./words.js";

/** The ranks in grid order. */
export const RANKS = "AKQJT98765432";

/** @type {Record<string, [down: number, right: number]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * Return the hand in a cell: suited above the diagonal, offsuit below.
 *
 * @param {number} row
 * @param {number} column
 */
export function handAt(row, column) {
  const [high, low] = [RANKS[Math.min(row, column)], RANKS[Math.max(row, column)]];
  return high + low + (row === column ? "" : row < column ? "s" : "o");
}

/**
 * Return the row and column of a hand.
 *
 * @param {string} hand
 */
export function cellOf(hand) {
  const [high, low] = [RANKS.indexOf(hand[0]), RANKS.indexOf(hand[1])];
  return hand[2] === "o" ? [low, high] : [high, low];
}

/**
 * Return the hand in the cell that a key moves to, or "" if the key does not move the selection.
 *
 * @param {string} hand
 * @param {string} key
 */
export function handAfterKey(hand, key) {
  const [row, column] = cellOf(hand);
  if (key === "Home") return handAt(row, 0);
  if (key === "End") return handAt(row, RANKS.length - 1);
  const step = STEPS[key];
  /** @param {number} n */
  const within = (n) => Math.max(0, Math.min(RANKS.length - 1, n));
  return step ? handAt(within(row + step[0]), within(column + step[1])) : "";
}

/**
 * Return the name of a starting hand: "king two, suited".
 *
 * @param {string} hand
 */
export function handName(hand) {
  const [high, low] = [RANK_NAMES[hand[0]], RANK_NAMES[hand[1]]];
  if (high === low) return `pair of ${high === "six" ? "sixe" : high}s`;
  return `${high} ${low}, ${hand[2] === "s" ? "suited" : "offsuit"}`;
}

/**
 * Compare the choices of a cell: the best play, the best choice without a bet, and the difference.
 *
 * @param {api.GridCell} cell
 */
export function compareChoices({ values }) {
  const plays = Object.keys(values).filter((name) => Number.parseInt(name, 10) > 0);
  const rests = Object.keys(values).filter((name) => !plays.includes(name));
  /** @param {string[]} names */
  const best = (names) => names.reduce((a, b) => (values[b] > values[a] ? b : a));
  const [play, rest] = [best(plays), best(rests)];
  return { play, rest, by: values[play] - values[rest] };
}
