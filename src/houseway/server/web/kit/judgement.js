// Marks for judgements: shape, glyph and word always go together.

import { h, picture, s } from "./dom.js";

/** @typedef {"right" | "late" | "wrong" | "none"} Judgement */

/**
 * The word for each judgement.
 *
 * @type {Record<Judgement, string>}
 */
export const JUDGEMENTS = { right: "right", late: "right, slow", wrong: "wrong", none: "not judged" };

/** @param {Judgement} judgement */
function glyph(judgement) {
  if (judgement === "right") return [s("circle", { cx: 8, cy: 8, r: 7.5 }), s("path", { d: "M4.6 8.3l2.3 2.4 4.4-5" })];
  if (judgement === "late") {
    return [s("rect", { x: 2.4, y: 2.4, width: 11.2, height: 11.2, rx: 1.6, transform: "rotate(45 8 8)" }),
      s("path", { d: "M8 4.8V8.2l2.2 1.5" })];
  }
  if (judgement === "wrong") {
    return [s("rect", { x: 1, y: 1, width: 14, height: 14, rx: 3 }), s("path", { d: "M5.2 5.2l5.6 5.6M10.8 5.2l-5.6 5.6" })];
  }
  return [s("circle", { cx: 8, cy: 8, r: 6.8, class: "dashed" })];
}

/**
 * Draw a judgement with its word for screen readers; `words` replaces the usual word.
 *
 * @param {Judgement} judgement
 */
export const judgementMark = (judgement, { words = JUDGEMENTS[judgement] } = {}) =>
  h("span", { class: `judgement ${judgement}` }, picture("0 0 16 16", {}, glyph(judgement)),
    h("span", { class: "unseen" }, words));
