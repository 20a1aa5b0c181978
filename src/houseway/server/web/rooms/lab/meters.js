// The amount on the meter at which the edge of a progressive is stated.

import { joinWords, money } from "../../kit/words.js";

/** @param {string} dollars */
const cents = (dollars) => Math.round(100 * Number(dollars));

/**
 * Return the line under a progressive: the meters of its edge and, if it has one meter, where the house has no edge.
 *
 * @param {api.SideBet} bet
 */
export function meterText({ seeds = {}, break_even: even = {} }) {
  const meters = Object.entries(seeds);
  const at = joinWords(meters.map(([name, dollars]) =>
    `the ${meters.length > 1 ? `${name} meter` : "meter"} at ${money(cents(dollars))}`));
  const [none] = meters.length === 1 ? even[meters[0][0]] ?? [] : [];
  const house = none && cents(none) > cents(meters[0][1]);
  return `This is the edge with ${at}.${house ? ` From ${money(cents(none))}, the house has no edge.` : ""}`;
}
