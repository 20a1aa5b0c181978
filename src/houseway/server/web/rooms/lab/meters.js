// The amount on the meter at which the edge of a progressive is stated.

import { h } from "../../kit/dom.js";
import { joinWords, money } from "../../kit/words.js";

/** @param {string} dollars */
const cents = (dollars) => Math.round(100 * Number(dollars));

/**
 * Create the line under a progressive: the meters of its edge, and where the house has no edge.
 *
 * @param {api.SideBet} bet
 */
export function priceOfMeter({ seeds = {}, break_even: even = {} }) {
  const meters = Object.entries(seeds);
  /** @param {string} name */
  const called = (name) => (meters.length > 1 ? `${name} meter` : "meter");
  const at = joinWords(meters.map(([name, dollars]) => `${called(name)} at ${money(cents(dollars))}`));
  const none = Object.entries(even).map(([name, [alone]]) =>
    `no edge with the ${called(name)} at ${money(cents(alone))}`);
  return h("span", { class: "small" }, [at, ...none].join("; "));
}
