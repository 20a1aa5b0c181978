// Below the felt of a ruling: the last events of the round, and the money that is returned.

import { h } from "../../../kit/dom.js";
import { asTitle, cardName, joinWords, money, withCardSigns } from "../../../kit/words.js";
import { wagerName } from "../held_panel.js";
import { clockText } from "../marks.js";

/** @typedef {import("../ruling.js").RulingSheet} RulingSheet */

/** The number of events before the report that the timeline shows. */
const EARLIER = 2;

/**
 * Create what is shown below the felt: the last events, and the money by your ruling and by the rulebook.
 *
 * @param {RulingSheet} sheet
 */
export function belowRuling(sheet) {
  const { judged, form, view, history } = sheet;
  const told = history.filter(({ words }, n, all) => words && words !== all[n - 1]?.words);
  const earlier = told.map(({ time, words }) => /** @type {[number, string]} */ ([time, words]));
  /** @type {[number, string][]} */
  const points = [...earlier.slice(-EARLIER), [form.time, "You reported it"]];
  if (judged) points.push([judged.view.clock, "You ruled"]);
  return h("div", { class: "ruling-below", "data-key": "ruling-below" },
    h("ol", { class: "points", vars: { "--n": points.length } }, points.map(([time, words], n) => h("li", { "data-key": String(n), class: n >= points.length - (judged ? 2 : 1) ? "yours" : "" },
      h("span", { class: "at-time" }, clockText(time, true)), h("span", {}, words)))),
    judged && h("div", { class: "sums box" },
      h("div", {}, h("h2", {}, "By your ruling"), h("p", {}, h("strong", {}, money(judged.returned_yours ?? 0)), " is returned to the players.")),
      h("span", { class: "to", "aria-hidden": "true" }, "→"),
      h("div", {}, h("h2", {}, "By the rulebook"), h("p", {}, h("strong", {}, money(judged.returned ?? 0)), " is returned. ",
        difference(judged), completed(view, judged)), settledWagers(judged))));
}

/**
 * The cards that complete the board of a void round.
 *
 * @param {api.ChairView} view
 * @param {api.RulingAnswer} judged
 */
function completed(view, { board = [], settled = [] }) {
  if (!board.length) return "";
  const up = new Set(view.felt.board.filter(Boolean));
  const rest = board.filter((face) => !up.has(face));
  const wagers = [...new Set(settled.map(({ wager }) => wagerName(view, wager)))];
  const then = wagers.length ? `${joinWords(wagers)} ${wagers.length === 1 ? "is" : "are"} settled:` : "";
  if (!rest.length) return then ? ` ${asTitle(then)}` : "";
  return [" The board is completed with ", h("strong", { class: "rest" }, withCardSigns(rest.join(" "))),
    h("span", { class: "unseen" }, ` (${rest.map(cardName).join(", ")})`), then ? `, then ${then}` : "."];
}

/**
 * The wagers that a void round still settles: seat, hand and result.
 *
 * @param {api.RulingAnswer} judged
 */
function settledWagers({ settled = [] }) {
  return settled.length > 0 && h("ul", { class: "ruled-wagers" }, settled.map(({ seat, wager, hand, cents }) =>
    h("li", { "data-key": `${seat} ${wager}` }, `Seat ${seat}, ${hand} `, h("hw-money", { cents, signed: true }))));
}

/** @param {api.RulingAnswer} judged */
function difference({ returned = 0, returned_yours: yours = 0, happened }) {
  if (happened) return "The report named something else, so nothing changed.";
  if (returned === yours) return "Both amounts are the same.";
  return yours > returned ? `Your ruling returns ${money(yours - returned)} too much.` : `Your ruling returns ${money(returned - yours)} too little.`;
}
