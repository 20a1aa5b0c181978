// The chart of the loss per 100 rounds over time, with its 95 % band.

import { h, picture, s } from "../../../kit/dom.js";
import { LEAST_ROUNDS } from "./panels.js";

const HIGH = 180;
const [LEFT, RIGHT, TOP, BOTTOM] = [44, 12, 10, 26];
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const MOST_LINES = 6;
/** The band of the first rounds is so wide that it would hide the rest. */
const FEWEST = 5;

/**
 * Return a step so that at most six lines fit below a value.
 *
 * @param {number} most
 */
const stepOf = (most) => STEPS.find((step) => most / step <= MOST_LINES) ?? most;

/** @param {api.ChartPoint[]} series */
export function chartPanel(series) {
  const last = series.at(-1);
  if (!last || last.rounds < LEAST_ROUNDS) {
    return h("section", { class: "box play-chart", "data-key": "chart", "aria-labelledby": "chart-title" },
      h("h2", { id: "chart-title" }, "Loss per 100 rounds, over time"), h("p", {}, `The chart starts after ${LEAST_ROUNDS} rounds.`));
  }
  const points = series.length > 2 * FEWEST ? series.slice(FEWEST) : series;
  const most = Math.max(...points.map(({ loss_per_100: { value, high } }) => Math.min(high, 2 * value + 1)), 0.4);
  const rounds = last.rounds;
  // On a phone, the picture is narrower, so that its numbers stay readable.
  const wide = matchMedia("(max-width: 699px)").matches ? 360 : 900;
  /** @param {number} n */
  const x = (n) => LEFT + ((wide - LEFT - RIGHT) * n) / rounds;
  /** @param {number} value */
  const y = (value) => HIGH - BOTTOM - ((HIGH - TOP - BOTTOM) * Math.min(value, most)) / most;
  /** @param {(point: api.ChartPoint) => number} of */
  const line = (of) => points.map((point) => `${x(point.rounds).toFixed(1)} ${y(of(point)).toFixed(1)}`);
  const band = [...line(({ loss_per_100: one }) => one.high), ...line(({ loss_per_100: one }) => one.low).reverse()].join("L");
  const step = stepOf(most);
  const marks = Array.from({ length: Math.floor(most / step) + 1 }, (_, n) => n * step);
  const across = rounds >= 4 ? [0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * rounds)) : [0, rounds];
  const { value, low, high } = last.loss_per_100;
  return h("section", { class: "box play-chart", "data-key": "chart", "aria-labelledby": "chart-title" },
    h("header", { class: "row" }, h("h2", { id: "chart-title" }, "Loss per 100 rounds, over time"),
      h("span", { class: "small" }, "antes, all rounds so far, with the 95 % band")),
    h("p", { class: "unseen" }, `After ${rounds} rounds: ${value.toFixed(2)} antes per 100 rounds, ${low.toFixed(2)} to ${high.toFixed(2)}. `
      + `After ${points[0].rounds}: ${points[0].loss_per_100.value.toFixed(2)}.`),
    picture(`0 0 ${wide} ${HIGH}`, { class: "chart" },
      marks.map((mark) => [s("path", { class: "grid", d: `M${LEFT} ${y(mark)}H${wide - RIGHT}` }),
        s("text", { class: "up", x: LEFT - 10, y: y(mark) + 4 }, String(Number(mark.toFixed(1))))]),
      across.map((n) => s("text", { class: n === rounds ? "end" : n ? "across" : "start", x: x(n), y: HIGH - 6 }, n.toLocaleString("en-US"))),
      s("path", { class: "band", d: `M${band}Z` }), s("path", { class: "line", d: `M${line(({ loss_per_100: one }) => one.value).join("L")}` }),
      s("circle", { cx: x(rounds), cy: y(value), r: 4.5 })));
}
