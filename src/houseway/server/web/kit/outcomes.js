// What a round returns: a bar for each net result, with the exact counts in a table behind it.

import { h, Part } from "./dom.js";

const FARTHEST = 15;
const NEAR = 10;
const LABELLED = 0.05;
const SEEN = 0.0005;

const exact = (net) => {
  const [over, under = 1] = net.split("/").map(Number);
  return over / under;
};

/** A net result with its sign. */
export const signedNet = (net) => (net > 0 ? `+${net}` : net < 0 ? `−${-net}` : "0");

const percent = (share, digits) => `${(100 * share).toFixed(digits)} %`;

/** Chances by whole number of antes; a half joins the whole number below. */
function gathered(outcomes) {
  const found = new Map();
  for (const { net, chance } of outcomes ?? []) {
    const whole = Math.floor(exact(net));
    found.set(whole, (found.get(whole) ?? 0) + chance);
  }
  return found;
}

/** The results too far out to be drawn, near ones together. */
function beyond(chances) {
  const groups = [];
  for (const net of [...chances.keys()].filter((n) => Math.abs(n) > FARTHEST).sort((a, b) => a - b)) {
    const last = groups.at(-1);
    const chance = chances.get(net);
    if (last && net - last.to <= NEAR) Object.assign(last, { to: net, chance: last.chance + chance });
    else groups.push({ from: net, to: net, chance });
  }
  return groups.map(({ from, to, chance }) => {
    const range = from === to ? signedNet(from) : `${signedNet(from)} to ${signedNet(to)}`;
    return `${range}, one round in ${Math.round(1 / chance).toLocaleString("en-US")}`;
  });
}

/** `bars` the outcomes as {net, count, chance}; `base` those compared with, under the name `named`. */
export class HwOutcomes extends Part {
  drawn() {
    const [chances, base] = [gathered(this.bars), gathered(this.base)];
    if (!chances.size) return h("p", { class: "quiet" }, "Counting the outcomes.");
    const near = [...chances.keys(), ...base.keys()].filter((net) => Math.abs(net) <= FARTHEST);
    const [low, high] = [Math.min(...near), Math.max(...near)];
    const nets = Array.from({ length: high - low + 1 }, (_, n) => low + n);
    const most = Math.max(...nets.map((net) => Math.max(chances.get(net) ?? 0, base.get(net) ?? 0)));
    const step = most > 0.3 ? 0.1 : 0.05;
    const top = Math.ceil((most + 0.001) / step) * step;
    const lines = Array.from({ length: Math.round(top / step) + 1 }, (_, n) => n * step);
    const differs = (net) => this.base && Math.abs((base.get(net) ?? 0) - (chances.get(net) ?? 0)) > SEEN;
    return h("div", { class: "outcomes" },
      h("div", { class: "plot", "aria-hidden": "true" },
        h("div", { class: "chart-scale" }, lines.map((at) => h("span", { vars: { "--at": at / top } },
          `${Math.round(100 * at)}%`))),
        h("div", { class: "bars" }, nets.map((net) => this.bar(net, chances, base, top, differs(net))))),
      this.summary(chances, nets.some(differs)),
      this.table());
  }

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

  summary(chances, differs) {
    const sum = (test) => [...chances].reduce((all, [net, chance]) => all + (test(net) ? chance : 0), 0);
    const far = beyond(chances);
    return h("div", { class: "summary" },
      h("p", {}, `lose ${percent(sum((n) => n < 0), 2)}, push ${percent(sum((n) => n === 0), 2)}, `
        + `win ${percent(sum((n) => n > 0), 2)}`,
      differs && h("span", { class: "key" }, h("span", { class: "dash", "aria-hidden": "true" }),
        `${this.named}, where it differs`)),
      far.length > 0 && h("p", {}, `beyond the chart: ${far.join("; ")}`));
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
        this.base && h("td", {}, base.has(net) ? percent(base.get(net).chance, 4) : "–"))))));
  }
}
HwOutcomes.declare("hw-outcomes", [], ["bars", "base", "named"]);
