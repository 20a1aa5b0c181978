// The marks of a judgement. Shape, glyph and word always go together, so colour alone never carries the judgement.

import { h, picture, s } from "../../kit/dom.js";

/** @typedef {"right" | "late" | "wrong" | "open"} Judged */

/** @type {Record<Judged, [word: string, () => SVGElement[]]>} */
const MARKS = {
  right: ["right", () => [s("circle", { cx: 12, cy: 12, r: 11, class: "shape" }), s("path", { d: "M6.8 12.4l3.6 3.6 6.8-7.4", class: "glyph" })]],
  late: ["late", () => [s("rect", { x: 4, y: 4, width: 16, height: 16, rx: 2.5, transform: "rotate(45 12 12)", class: "shape" }),
    s("path", { d: "M12 7.4v4.9l3.2 2", class: "glyph" })]],
  wrong: ["wrong", () => [s("rect", { x: 1.5, y: 1.5, width: 21, height: 21, rx: 5, class: "shape" }),
    s("path", { d: "M8 8l8 8M16 8l-8 8", class: "glyph" })]],
  open: ["not judged", () => [s("circle", { cx: 12, cy: 12, r: 10, class: "ring" })]],
};

/**
 * Draw the mark of a judgement.
 *
 * @param {Judged} judged
 */
export function markOf(judged, word = MARKS[judged][0]) {
  return h("span", { class: `verdict-mark ${judged}` }, picture("0 0 24 24", {}, MARKS[judged][1]()),
    h("span", { class: "unseen" }, word));
}

/**
 * Return the judgement of a verdict.
 *
 * @param {{ kind: string, right: boolean }} verdict
 * @returns {Judged}
 */
export function judgedAs({ kind, right }) {
  if (kind === "disputed") return "open";
  return right ? "right" : kind === "late" ? "late" : "wrong";
}

/**
 * Return a time as the chair shows it: "1:47".
 *
 * @param {number} ms
 */
export function clockText(ms, tenths = false) {
  const total = Math.max(0, ms) / 1000;
  const minutes = Math.floor(total / 60);
  const seconds = tenths ? (Math.floor((total % 60) * 10) / 10).toFixed(1).padStart(4, "0") : String(Math.floor(total % 60)).padStart(2, "0");
  return `${minutes}:${seconds}`;
}
