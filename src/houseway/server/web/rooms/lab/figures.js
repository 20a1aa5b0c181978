// The lab's four figures, each with what it is compared with.

import { h } from "../../kit/dom.js";

/** A share as a percentage with a true minus sign. */
export const percent = (share, digits = 4) =>
  `${share < 0 ? "−" : ""}${Math.abs(100 * share).toFixed(digits)} %`;

const forWhom = (edge) => (edge < 0 ? "for the player" : "for the house");

/** An edge and whose it is. */
export const sided = (edge) => `${percent(Math.abs(edge))} ${forWhom(edge)}`;

const number = (value) => value.toFixed(4);

/** `more` stands with the figure, `base` is what both are compared with. */
function figure(title, value, after, base, { stale, turned, more }) {
  return h("section", { class: `measure box${turned ? " turned" : ""}${stale ? " stale" : ""}`,
    "data-key": title },
    h("h2", {}, title),
    h("p", { class: "figure" }, value, after && h("span", { class: "after" }, after)),
    more && h("p", { class: "more" }, more),
    h("p", { class: "small" }, stale ? "of the last setting" : base));
}

/** Edge, element of risk, standard deviation, average bet. */
export function figures({ now, base, found, foundBase, stale, rough, named }) {
  const beside = (value) => (value ? `${named} ${value}` : "at best play");
  // A game without a table of outcomes has them with its value.
  const [risk, riskBase] = [now.edge.risk ?? found?.risk, base?.edge.risk ?? foundBase?.risk];
  const bet = now.average_bet ?? found?.average_bet;
  const betBase = base?.average_bet ?? foundBase?.average_bet;
  const later = rough && found && now.edge.risk === null;
  const turned = base && base.edge.ante !== now.edge.ante;
  return h("div", { class: "measures", "data-key": "figures" },
    figure("Edge, per ante", percent(Math.abs(now.edge.ante)), forWhom(now.edge.ante),
      beside(base && sided(base.edge.ante)), { stale, turned }),
    figure("Element of risk, per unit bet", risk === undefined ? "…" : percent(risk), "",
      risk === undefined ? "being counted" : beside(riskBase !== undefined && percent(riskBase)),
      { stale: stale || later }),
    now.grid.length > 0 && figure("Standard deviation, antes", found ? number(found.sd) : "…", "", found
      ? beside(foundBase && `${number(foundBase.sd)}, variance ${foundBase.variance.toFixed(3)}`)
      : "being counted", { stale: found && rough, more: found && `variance ${found.variance.toFixed(3)}` }),
    figure("Average total bet, antes", bet === undefined ? "…" : number(bet), "",
      bet === undefined ? "being counted" : beside(betBase !== undefined && number(betBase)),
      { stale: stale || later }));
}
