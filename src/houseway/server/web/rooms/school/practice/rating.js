// The rating: three ladders, each with its uncertainty. Below 100 decisions there is no number.

import { h, picture, s } from "../../../kit/dom.js";
import { asTitle } from "../../../kit/words.js";

const WIDTH = 240;
/** The largest skill on the scale. */
const TOP = 6;

/** @type {(skill: number) => number} */
const at = (skill) => (WIDTH * Math.max(0, Math.min(TOP, skill))) / TOP;

/**
 * Draw a person's rating on every ladder.
 *
 * @param {readonly api.RatingReply[]} ratings
 */
export function ratingBox(ratings) {
  return h("section", { class: "ratings box", "data-key": "ratings" }, h("h2", {}, "Your rating"),
    h("dl", {}, ratings.map((one) => h("div", { "data-key": one.ladder },
      h("dt", {}, asTitle(one.ladder)), h("dd", {}, one.words, interval(one)), h("dd", { class: "small quiet" }, asTitle(one.about))))),
    h("p", { class: "small" }, "If you only guess, your rating is 0; the reference player, a model player who usually avoids costly mistakes, has 1. "
      + "At a rating of 3, a player picks the better of two choices that differ by 0.05 antes 95 % of the time. Mixed practice and exams count."));
}

/**
 * Draw the 95 % interval of a rating on a scale from 0 to 6.
 *
 * @param {api.RatingReply} rating
 */
function interval({ skill, low, high }) {
  if (skill === undefined || skill === null) return null;
  const [from, to] = [at(low ?? 0), at(high ?? TOP)];
  return picture(`0 0 ${WIDTH} 14`, { class: "interval" }, s("path", { class: "scale", d: `M0 7H${WIDTH}` }),
    s("path", { class: "range", d: `M${from} 7H${to}` }), s("circle", { class: "point", cx: at(skill), cy: 7, r: 5 }));
}
