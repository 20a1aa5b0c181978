// The lab's four figures, each with its base value.

import { h } from "../../kit/dom.js";

/**
 * Format a share as a percentage, with a true minus sign.
 *
 * @param {number} share
 */
export const percent = (share, digits = 4) =>
  `${share < 0 ? "−" : ""}${Math.abs(100 * share).toFixed(digits)} %`;

/** @param {number} edge */
const forWhom = (edge) => (edge < 0 ? "for the player" : "for the house");

/**
 * Format an edge and the side that has it.
 *
 * @param {number} edge
 */
export const edgeText = (edge) => `${percent(Math.abs(edge))} ${forWhom(edge)}`;

/** @param {number} value */
const number = (value) => value.toFixed(4);

/**
 * Create a figure with its base value; `more` is shown below it.
 *
 * @param {string} title
 * @param {string} value
 * @param {string} after
 * @param {string} base
 * @param {{ stale?: boolean, turned?: boolean, more?: string | null }} options
 */
function figure(title, value, after, base, { stale, turned, more }) {
  return h("section", { class: `measure box${turned ? " turned" : ""}${stale ? " stale" : ""}`,
    "data-key": title },
    h("h2", {}, title),
    h("p", { class: "figure" }, value, after && h("span", { class: "after" }, after)),
    more && h("p", { class: "more" }, more),
    h("p", { class: "small" }, stale ? "from the previous settings" : base));
}

/**
 * Create the figures: edge, element of risk, standard deviation and average bet.
 *
 * @param {{ now: api.Lab, base: api.Lab | null, outcomes: api.LabOutcomes | null,
 *   outcomesBase: api.LabOutcomes | null, stale: boolean, rough: boolean, named: string }} options
 */
export function figures({ now, base, outcomes, outcomesBase, stale, rough, named }) {
  /** @param {string | false | null | undefined} value */
  const beside = (value) => (value ? `${named} ${value}` : "with best play");
  // If a game has no outcomes, its risk and its average bet are sent with its value.
  const [risk, riskBase] = [now.edge.risk ?? outcomes?.risk, base?.edge.risk ?? outcomesBase?.risk];
  const bet = now.average_bet ?? outcomes?.average_bet;
  const betBase = base?.average_bet ?? outcomesBase?.average_bet;
  const later = rough && outcomes !== null && now.edge.risk === null;
  const turned = base !== null && base.edge.ante !== now.edge.ante;
  return h("div", { class: "measures", "data-key": "figures" },
    figure("Edge, per ante", percent(Math.abs(now.edge.ante)), forWhom(now.edge.ante),
      beside(base && edgeText(base.edge.ante)), { stale, turned }),
    figure("Element of risk, per unit bet", risk === undefined ? "…" : percent(risk), "",
      risk === undefined ? "calculating…" : beside(riskBase !== undefined && percent(riskBase)),
      { stale: stale || later }),
    now.grid.length > 0 && figure("Standard deviation, antes", outcomes ? number(outcomes.sd) : "…", "", outcomes
      ? beside(outcomesBase && `${number(outcomesBase.sd)}, variance ${outcomesBase.variance.toFixed(3)}`)
      : "calculating…",
    { stale: outcomes !== null && rough, more: outcomes && `variance ${outcomes.variance.toFixed(3)}` }),
    figure("Average total bet, antes", bet === undefined ? "…" : number(bet), "",
      bet === undefined ? "calculating…" : beside(betBase !== undefined && number(betBase)),
      { stale: stale || later }));
}
