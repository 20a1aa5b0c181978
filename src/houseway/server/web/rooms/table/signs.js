// The sign beside the board: the payouts of a wager that depends on all hands at the table, such as Cover All.

import { h } from "../../kit/dom.js";
import { bareOdds } from "../../kit/odds.js";
import { asTitle } from "../../kit/words.js";

/**
 * List hands and odds in one row, for a small felt: "royal flush 70 · full house 4 to 1".
 *
 * @param {[hand: string, odds: string][]} pays
 */
function inOneRow(pays) {
  const allToOne = pays.every(([, odds]) => bareOdds(odds) !== odds);
  const parts = pays.map(([hand, odds]) => `${hand} ${allToOne ? bareOdds(odds) : odds}`.replaceAll(" ", "\u00A0"));
  return `${parts.join(" · ")}${allToOne ? "\u00A0to\u00A01" : ""}`;
}

/**
 * Create the sign with the payouts of this round.
 *
 * @param {string} title
 * @param {[hand: string, odds: string][]} pays
 */
export function roundSign(title, pays) {
  return h("div", { class: "sign", "data-key": "sign" },
    h("span", { class: "caps" }, `${title}, this round`),
    h("table", {}, h("tbody", {}, pays.map(([hand, odds]) => h("tr", {},
      h("th", { scope: "row" }, hand), h("td", {}, odds))))),
    h("span", { class: "shortly", "aria-hidden": "true" }, inOneRow(pays)));
}

/**
 * Create the sign of the house way: how it works, or the line that decided in this round. The whole list is in the
 * panel.
 *
 * @param {api.HouseLine[]} lines
 * @param {string} decided
 */
export function houseWaySign(lines, decided) {
  return h("div", { class: "sign house-sign", "data-key": "sign" }, h("span", { class: "caps" }, "House way"),
    decided ? h("strong", {}, asTitle(decided))
      : h("span", {}, `The dealer keeps the two cards of the first of ${lines.length} lines that fits.`),
    h("span", {}, decided ? "This round’s line" : "The list is under Payouts."));
}

/**
 * Create the sign shown before a round: one column of odds for each number of hands. The first heading is
 * "7 hands", the others are only numbers.
 *
 * @param {string} title
 * @param {[heading: string, lines: api.PayLine[]][]} columns
 */
export function postedSign(title, columns) {
  const [[, first]] = columns;
  return h("div", { class: "sign matrix", "data-key": "sign" },
    h("span", { class: "caps shortly", "aria-hidden": "true" }, `${title}, by hands dealt`),
    h("span", { class: "shortly", "aria-hidden": "true" }, ranges(columns.map(([, lines]) => lines))),
    h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "caps" }, title),
        columns.map(([heading], n) => h("th", { scope: "col" }, n ? leadingNumber(heading) : heading)))),
      h("tbody", {}, first.map(({ hand }, row) => h("tr", {}, h("th", { scope: "row" }, hand),
        columns.map(([, lines], n) => h("td", {}, n ? bareOdds(lines[row].pays) : lines[row].pays)))))));
}

/**
 * List each hand with its odds for the most and the fewest hands dealt, for a small felt: "royal flush 70–200".
 *
 * @param {api.PayLine[][]} columns
 */
function ranges(columns) {
  const [first, last] = [columns[0], columns[columns.length - 1]];
  return first.map(({ hand, pays }, row) => h("span", { class: "range" },
    hand, " ", bareOdds(pays), "–", bareOdds(last[row].pays), row < first.length - 1 ? " ·" : " to 1"));
}

/** @param {string} heading */
const leadingNumber = (heading) => Number.parseInt(heading, 10) || heading;
