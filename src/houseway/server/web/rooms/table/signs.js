// The sign beside the board: what a wager on the whole table pays, hand by hand.

import { h } from "../../kit/dom.js";

/** @param {string} odds */
const bare = (odds) => odds.replace(/ to 1$/, "");

/**
 * Hands and odds in a row, for a felt without room for a table: "royal flush 70 · full house 4 to 1".
 *
 * @param {[hand: string, odds: string][]} pays
 */
function shortly(pays) {
  const alike = pays.every(([, odds]) => / to 1$/.test(odds));
  const said = pays.map(([hand, odds]) => `${hand} ${alike ? bare(odds) : odds}`.replaceAll(" ", "\u00A0"));
  return `${said.join(" · ")}${alike ? "\u00A0to\u00A01" : ""}`;
}

/**
 * What is paid in the round under way.
 *
 * @param {string} title
 * @param {[hand: string, odds: string][]} pays
 */
export function roundSign(title, pays) {
  return h("div", { class: "sign", "data-key": "sign" },
    h("span", { class: "caps" }, `${title}, this round`),
    h("table", {}, h("tbody", {}, pays.map(([hand, odds]) => h("tr", {},
      h("th", { scope: "row" }, hand), h("td", {}, odds))))),
    h("span", { class: "shortly", "aria-hidden": "true" }, shortly(pays)));
}

/**
 * What is posted before a round is known: a column for each number of hands, headed "7 hands"; only the
 * first column says its unit, the others follow it.
 *
 * @param {string} title
 * @param {[heading: string, lines: api.PayLine[]][]} columns
 */
export function postedSign(title, columns) {
  const [[, first]] = columns;
  return h("div", { class: "sign matrix", "data-key": "sign" },
    h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "caps" }, title),
        columns.map(([heading], n) => h("th", { scope: "col" }, n ? leading(heading) : heading)))),
      h("tbody", {}, first.map(({ hand }, row) => h("tr", {}, h("th", { scope: "row" }, hand),
        columns.map(([, lines], n) => h("td", {}, n ? bare(lines[row].pays) : lines[row].pays)))))));
}

/** @param {string} heading */
const leading = (heading) => Number.parseInt(heading, 10) || heading;
