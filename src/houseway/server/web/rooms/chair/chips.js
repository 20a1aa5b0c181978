// The chips that the dealer has taken up, as values in cents, in the order taken.

import { money } from "../../kit/words.js";

/** @typedef {number[]} Cut */

/**
 * Return the sum of a cut in cents.
 *
 * @param {Cut} cut
 */
export const sum = (cut) => cut.reduce((total, value) => total + value, 0);

/**
 * Return the chips of a cut by value, as an act sends them.
 *
 * @param {Cut} cut
 * @returns {Record<number, number>}
 */
export function counted(cut) {
  /** @type {Record<number, number>} */
  const stack = {};
  for (const value of cut) stack[value] = (stack[value] ?? 0) + 1;
  return stack;
}

/**
 * Return the stacks of a cut, the largest chips first.
 *
 * @param {Cut} cut
 * @returns {[value: number, count: number][]}
 */
export const stacksOf = (cut) => Object.entries(counted(cut))
  .map(([value, count]) => /** @type {[number, number]} */ ([Number(value), count])).sort((a, b) => b[0] - a[0]);

/**
 * Return the value of a chip as it is written under its tube: "50¢", "$25", "$1K".
 *
 * @param {number} cents
 */
export function chipLabel(cents) {
  if (cents < 100) return `${cents}¢`;
  return cents >= 100000 && cents % 100000 === 0 ? `$${cents / 100000}K` : money(cents, { short: true });
}

/**
 * Return a cut in words: "4 × $5, 1 × 50¢".
 *
 * @param {Cut} cut
 */
export const cutText = (cut) => stacksOf(cut).map(([value, count]) => `${count} × ${chipLabel(value)}`).join(", ");

/**
 * Return the tubes of a tray from left to right: the smallest chips first.
 *
 * @param {number[]} values
 */
export const tubesOf = (values) => [...values].sort((a, b) => a - b);
