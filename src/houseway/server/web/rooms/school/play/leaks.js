// The leaks: kinds of position that cost more than chance alone would explain, sorted by cost.

import { h } from "../../../kit/dom.js";
import { asTitle } from "../../../kit/words.js";
import { choiceWords, practicePath } from "../review/words.js";

/** @param {number} value */
const two = (value) => value.toFixed(2);

/**
 * Create the list of leaks. Only the first bar is coloured.
 *
 * @param {api.PlayTotals} totals
 * @param {string} rulebook
 */
export function leaksPanel({ leaks }, rulebook) {
  const most = Math.max(...leaks.map(({ high }) => high), 0) || 1;
  /** @param {number} value */
  const share = (value) => `${Math.max(0, (100 * value) / most)}%`;
  return h("section", { class: "box leaks", "data-key": "leaks", "aria-labelledby": "leaks-title" },
    h("header", { class: "row" }, h("h2", { id: "leaks-title" }, "Leaks, by cost"),
      h("span", { class: "small" }, "antes per 100 rounds, 95 % interval")),
    leaks.length === 0 ? h("p", {}, "No leak is certain yet. A kind of position is listed here when it costs more than chance explains.")
      : h("ol", {}, leaks.map(({ kind, street, words, does_title: does = "", should_title: should = "", seen, cost_per_100: cost, low, high }, n) =>
        h("li", { class: n ? "leak" : "leak first", "data-key": kind },
          h("span", { class: "leak-number", "aria-hidden": "true" }, String(n + 1)),
          h("div", { class: "leak-words" }, h("strong", {}, asTitle(words)),
            h("p", { class: "small" }, `${asTitle(street)}: “${choiceWords({ title: does })}” costs you most; “${choiceWords({ title: should })}” is better. Seen ${seen} times.`)),
          h("span", { class: "interval", "aria-hidden": "true" }, h("span", { class: "cost", vars: { "--wide": share(cost) } }),
            h("span", { class: "range", vars: { "--left": share(low), "--wide": share(high - low) } })),
          h("p", { class: "leak-cost" }, h("strong", {}, two(cost)), h("span", { class: "small" }, `${two(low)} to ${two(high)}`)),
          h("a", { class: "button", href: practicePath(rulebook, kind), "aria-label": `Practice: ${words}` }, "Practice")))));
}
