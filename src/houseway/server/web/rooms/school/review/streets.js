// The rows of a review: one for each street, with the cards, the choices and the reason; the outcome comes last.

import { card } from "../../../kit/card.js";
import { clauseTags } from "../../../kit/clause.js";
import { h } from "../../../kit/dom.js";
import { judgementMark } from "../../../kit/judgement.js";
import { amount } from "../../../kit/money.js";
import { asTitle } from "../../../kit/words.js";
import { axisLines, barOf } from "./values.js";
import { choiceWords, positionLink, signed } from "./words.js";

/** @typedef {import("./values.js").Axis} Axis */
/** The number of community cards. */
const BOARD = 5;

/**
 * Create the row of a street.
 *
 * @param {{ review: api.PlayedReview, street: string, n: number, axis: Axis }} options
 */
export function streetRow({ review, street, n, axis }) {
  const decision = review.decisions.find((one) => one.street === street);
  const lost = decision && decision.loss.value > 0 && !decision.close && !decision.by;
  return h("section", { class: `street${lost ? " lost" : ""}${decision ? "" : " none"}`, id: `street-${n}`, "data-key": street,
    "aria-labelledby": `street-title-${n}` },
    h("div", { class: "street-cards" },
      h("h2", { id: `street-title-${n}`, tabindex: "-1" }, asTitle(street)),
      h("p", { class: "small" }, decision?.hand ?? ""),
      decision && h("div", { class: "cards" }, decision.hole.map((face) => card(face, { size: "small" }))),
      decision && decision.hole.length === 2 && boardOf(decision.board)),
    decision ? [choices(decision, axis), verdict(review, decision)]
      : h("p", { class: "no-decision" }, whyNone(review, street)));
}

/** @param {string[]} board */
function boardOf(board) {
  return h("div", { class: "cards street-board" }, board.map((face) => card(face, { size: "small" })),
    Array.from({ length: BOARD - board.length }, (_, n) => h("span", { class: "slot", "aria-hidden": "true", "data-key": `slot ${n}` })));
}

/**
 * Return the reason there is no decision on a street.
 *
 * @param {api.PlayedReview} review
 * @param {string} street
 */
function whyNone({ decisions, streets = [], unknown = 0, outcome }, street) {
  const last = decisions.findLast((one) => streets.indexOf(one.street) < streets.indexOf(street));
  const times = last?.choices.find(({ choice }) => choice === last.choice)?.times;
  if (times) return `You had played ${times}×.`;
  if (last?.choice === "fold") return "You had folded.";
  if (outcome?.void) return "The round was void.";
  return unknown ? "The file does not have the cards of this decision." : "You had no decision here.";
}

/**
 * Create the list of the choices, in the order of the buttons.
 *
 * @param {api.ReviewedChoice} decision
 * @param {Axis} axis
 */
function choices(decision, axis) {
  const bestValue = Math.max(...decision.choices.map(({ value }) => value));
  return h("ul", { class: "choice-values", "aria-label": "Choices" }, decision.choices.map(({ choice, value, title }) => {
    const [best, yours] = [choice === decision.best, choice === decision.choice];
    const kind = `${best ? " best" : ""}${yours ? " yours" : ""}`;
    return h("li", { class: `choice-value${kind}`, "data-key": choice },
      h("span", { class: "choice-name" }, h("strong", {}, choiceWords({ title })),
        best && h("span", { class: "best-tag" }, "best"), yours && h("span", { class: "yours-tag" }, "yours")),
      h("span", { class: "track", "aria-hidden": "true" }, axisLines(axis),
        h("span", { class: "value-bar", vars: barOf(axis, 0, value) }),
        yours && !best && h("span", { class: "hatch", vars: barOf(axis, value, bestValue) })),
      h("span", { class: "choice-number" }, signed(value)));
  }));
}

/**
 * Create the verdict of a decision, with its reason and the link to the position.
 *
 * @param {api.PlayedReview} review
 * @param {api.ReviewedChoice} decision
 */
function verdict(review, decision) {
  const { close, by, loss, verdict: words, because } = decision;
  const judgement = by || close ? "none" : loss.value > 0 ? "wrong" : "right";
  const said = by ? "You did not make this decision" : words;
  return h("div", { class: "street-verdict" },
    h("h3", {}, judgementMark(judgement, { words: "" }), h("span", {}, said)),
    by && h("p", {}, "The table acted for you, so it does not count as your choice."),
    h("p", {}, because),
    h("p", {}, positionLink(review.rulebook, decision)));
}

/**
 * Create the row with the outcome. It comes last, and no verdict uses it.
 *
 * @param {api.PlayedReview} review
 */
export function outcomeRow({ outcome }) {
  if (!outcome) {
    return h("section", { class: "outcome", "data-key": "outcome", "aria-labelledby": "outcome-title" },
      h("div", { class: "outcome-title" }, h("h2", { id: "outcome-title" }, "The outcome"),
        h("p", { class: "small" }, "not known")),
      h("p", {}, "The file does not have the end of this round."));
  }
  const { dealer, dealer_reads: reads = "", reads: own = "", wagers } = outcome;
  return h("section", { class: "outcome", "data-key": "outcome", "aria-labelledby": "outcome-title" },
    h("div", { class: "outcome-title" }, h("h2", { id: "outcome-title" }, "The outcome"),
      h("p", { class: "small" }, "shown last")),
    dealer.length > 0 && h("div", { class: "cards" }, dealer.map((face) => card(face, { size: "small" }))),
    h("div", { class: "outcome-words" },
      h("p", {}, outcome.void ? "The round was void." : dealer.length === 0 ? "The dealer’s cards were not turned up."
        : reads ? `Dealer: ${reads}` : "The dealer’s cards"),
      own && !outcome.void && h("p", { class: "small" }, `You: ${own}`)),
    h("dl", { class: "outcome-wagers" }, wagers.map(({ wager, title = "", hand, net, clause }, n) =>
      h("div", { "data-key": `${n} ${wager}` }, h("dt", {}, `${asTitle(title || wager)}${hand > 1 ? `, hand ${hand}` : ""}`),
        h("dd", {}, amount(net, { signed: true }), h("span", { class: "tags" }, clauseTags(clause)))))));
}
