// The chart of net results, with a table of exact counts.

import { offChart, isCharted, chancesByNet, signedNet } from "./chances.js";
import { h, painted } from "./dom.js";

const LABELLED = 0.05;
const SEEN = 0.0005;

/** @type {(share: number, digits: number) => string} */
const percent = (share, digits) => `${(100 * share).toFixed(digits)} %`;

/** @param {api.Outcome | undefined} outcome */
const percentOf = (outcome) => (outcome ? percent(outcome.chance, 4) : "–");

/** @type {(one: api.Outcome[], other: api.Outcome[]) => boolean} */
const sameChances = (one, other) => one.length === other.length
  && one.every(({ net, count }, n) => other[n].net === net && other[n].count === count);

/** Properties: `bars`, the outcomes; `base`, the outcomes to compare with, and their name, `named`. */
export class HwOutcomes extends painted([], { bars: /** @type {api.Outcome[]} */ ([]),
  base: /** @type {api.Outcome[] | null} */ (null), named: "" }) {
  drawn() {
    const [chances, base] = [chancesByNet(this.bars), chancesByNet(this.base)];
    if (!chances.size) return h("p", { class: "quiet" }, "Calculating the outcomes…");
    const near = [...chances.keys(), ...base.keys()].filter(isCharted);
    const [low, high] = [Math.min(...near), Math.max(...near)];
    const nets = Array.from({ length: high - low + 1 }, (_, n) => low + n);
    const most = Math.max(...nets.map((net) => Math.max(chances.get(net) ?? 0, base.get(net) ?? 0)));
    const step = most > 0.3 ? 0.1 : 0.05;
    const top = Math.ceil((most + 0.001) / step) * step;
    const lines = Array.from({ length: Math.round(top / step) + 1 }, (_, n) => n * step);
    /** @param {number} net */
    const differs = (net) => Boolean(this.base) && Math.abs((base.get(net) ?? 0) - (chances.get(net) ?? 0)) > SEEN;
    return h("div", { class: "outcomes" },
      h("div", { class: "plot", "aria-hidden": "true" },
        h("div", { class: "chart-scale" }, lines.map((at) => h("span", { vars: { "--at": at / top } },
          `${Math.round(100 * at)}%`))),
        h("div", { class: "bars" }, nets.map((net) => this.bar(net, chances, base, top, differs(net))))),
      this.summary(chances, nets.some(differs), this.base !== null && sameChances(this.bars, this.base)),
      this.table());
  }

  /**
   * @param {number} net
   * @param {Map<number, number>} chances
   * @param {Map<number, number>} base
   * @param {number} top
   * @param {boolean} differs
   */
  bar(net, chances, base, top, differs) {
    const chance = chances.get(net) ?? 0;
    const kind = net < 0 ? "lose" : net > 0 ? "win" : "push";
    const written = Math.abs(net) <= 6 || net % 3 === 0;
    return h("div", { class: "chart-slot", "data-key": String(net) },
      h("div", { class: "column" },
        h("span", { class: `chart-bar ${kind}`, vars: { "--at": chance / top } },
          chance >= LABELLED && h("span", { class: "said" }, (100 * chance).toFixed(1))),
        differs && h("span", { class: "base", vars: { "--at": (base.get(net) ?? 0) / top } })),
      h("span", { class: written ? (net % 3 ? "net minor" : "net") : "net unwritten" }, signedNet(net)));
  }

  /**
   * @param {Map<number, number>} chances
   * @param {boolean} differs
   * @param {boolean} same
   */
  summary(chances, differs, same) {
    /** @param {(net: number) => boolean} test */
    const sum = (test) => [...chances].reduce((all, [net, chance]) => all + (test(net) ? chance : 0), 0);
    const far = offChart(chances);
    return h("div", { class: "summary" },
      h("p", {}, `lose ${percent(sum((n) => n < 0), 2)}, push ${percent(sum((n) => n === 0), 2)}, `
        + `win ${percent(sum((n) => n > 0), 2)}`,
      differs && h("span", { class: "key" }, h("span", { class: "dash", "aria-hidden": "true" }),
        `${this.named}, if different`)),
      same && h("p", {}, `no difference from ${this.named}`),
      far.length > 0 && h("p", {}, `off the chart: ${far.join("; ")}`));
  }

  table() {
    const base = new Map((this.base ?? []).map((one) => [one.net, one]));
    return h("details", { class: "counts" }, h("summary", {}, "Exact counts"),
      h("table", {}, h("thead", {}, h("tr", {}, ["net, antes", "deals", "chance", this.base && this.named]
        .filter(Boolean).map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, this.bars.map(({ net, count, chance }) => h("tr", {},
        h("th", { scope: "row" }, net.replace("-", "−")),
        h("td", {}, BigInt(count).toLocaleString("en-US")),
        h("td", {}, percent(chance, 4)),
        this.base && h("td", {}, percentOf(base.get(net))))))));
  }
}
customElements.define("hw-outcomes", HwOutcomes);
