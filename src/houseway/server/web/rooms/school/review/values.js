// The axis of a review: all streets share it, so their values can be compared.

import { h } from "../../../kit/dom.js";

/** The least width of the axis to each side, in antes. */
const LEAST = 1;
const STEPS = [1, 2, 5, 10];
const MOST_TICKS = 8;

/** @typedef {{ low: number, high: number, ticks: number[] }} Axis */

/**
 * Return the axis for all values of a round.
 *
 * @param {api.PlayedReview} review
 * @returns {Axis}
 */
export function axisOf({ decisions }) {
  const values = decisions.flatMap(({ choices }) => choices.map(({ value }) => value));
  const low = Math.min(-LEAST, ...values);
  const high = Math.max(LEAST, ...values);
  const step = STEPS.find((one) => (high - low) / one <= MOST_TICKS) ?? 10;
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) ticks.push(tick);
  return { low, high, ticks };
}

/**
 * Return a place on the axis in percent.
 *
 * @param {Axis} axis
 * @param {number} value
 */
export const placeOf = ({ low, high }, value) => (100 * (value - low)) / (high - low);

/**
 * Return the left end and the width of a bar between two values.
 *
 * @param {Axis} axis
 * @param {number} from
 * @param {number} to
 */
export function barOf(axis, from, to) {
  const left = placeOf(axis, Math.min(from, to));
  return { "--left": `${left}%`, "--wide": `${placeOf(axis, Math.max(from, to)) - left}%` };
}

/**
 * Draw the numbers above the rows.
 *
 * @param {Axis} axis
 */
export function axisRow(axis) {
  return h("div", { class: "review-axis", "aria-hidden": "true", "data-key": "axis" },
    h("div", { class: "axis-track" }, axis.ticks.map((tick) => h("span", { "data-key": String(tick),
      vars: { "--left": `${placeOf(axis, tick)}%` } }, tick === 1 ? "+1 ante" : tick < 0 ? `−${-tick}` : tick ? `+${tick}` : "0"))));
}

/**
 * Draw the vertical lines of the axis behind a track.
 *
 * @param {Axis} axis
 */
export const axisLines = (axis) => axis.ticks.map((tick) => h("span", { class: tick ? "tick" : "tick zero",
  "data-key": `tick ${tick}`, vars: { "--left": `${placeOf(axis, tick)}%` } }));
