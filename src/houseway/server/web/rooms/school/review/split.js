// The panel beside a review: what the choices cost, and the result split into house edge, luck and choices.

import { h } from "../../../kit/dom.js";
import { asTitle, cardSigns, money } from "../../../kit/words.js";
import { barOf } from "./values.js";
import { choiceWords, decisionCount, signed } from "./words.js";

const DIGITS = 4;

/**
 * Create the panel.
 *
 * @param {api.PlayedReview} review
 */
export function splitPanel(review) {
  return [costs(review), review.split ? luckApart(review, review.split) : withoutSplit(review)];
}

/** @param {api.PlayedReview} review */
function costs({ decisions, loss, loss_cents: cents, stake, unit, outcome }) {
  const own = decisions.filter(({ by }) => !by);
  const wrong = own.filter(({ loss: { value }, close }) => value > 0 && !close).length;
  const close = own.filter((one) => one.close);
  const lost = wrong === 0 ? `${unit}s lost to your choices` : `${unit}s lost to ${wrong === 1 ? "one choice" : `${wrong} choices`}`;
  const calls = close.length === 0 ? "No close calls."
    : close.map((one) => `Close call: ${one.loss.value.toFixed(DIGITS - 1)} ${unit}s.`).join(" ");
  return h("section", { class: "review-costs", "data-key": "costs" },
    h("h2", {}, decisionCount(own.length)),
    h("p", {}, h("strong", { class: "big-figure" }, loss.value.toFixed(DIGITS)), " ", lost),
    h("p", { class: "small" }, stake ? `${money(-Math.round(cents.value))} at a ${money(stake, { short: true })} ${unit}. ` : "", calls),
    outcome?.void && h("p", { class: "small" }, "In a void round, your choices count, but there is no result."));
}

/**
 * Return the label of a step, with its cards.
 *
 * @param {api.SplitPart} step
 * @param {api.PlayedReview} review
 * @param {api.ReviewedChoice | undefined} decision The decision of a choice.
 * @returns {[words: string, note: string, cards: string[]]}
 */
function labelOf({ cause, title }, { decisions, outcome }, decision) {
  const board = outcome?.board ?? decisions.at(-1)?.board ?? [];
  switch (cause) {
    case "house edge": return ["Before the cards", "the house edge", []];
    case "your cards": return [`Your ${decisions[0]?.hole.length === 4 ? "four" : "two"} cards`, "", [...decisions[0]?.hole ?? []]];
    case "flop": return ["The flop", "", board.slice(0, 3)];
    case "turn and river": return ["Turn and river", "", board.slice(3)];
    case "board": return ["The board", "", board];
    case "dealer": return [decisions[0]?.hole.length === 4 ? "Board and dealer" : "The dealer’s cards", outcome?.dealer_reads ?? "",
      outcome?.dealer ?? []];
    case "limits": return ["Payout limits", "and rounding to coins", []];
    default: return [choiceWords({ title }), decision?.street ?? "", []];
  }
}

/**
 * Create the steps from the start of the round to its result. They add up exactly.
 *
 * @param {api.PlayedReview} review
 * @param {api.ResultParts} split
 */
function luckApart(review, split) {
  const { unit, stake } = review;
  let [total, low, high, made] = [0, 0, 0, 0];
  const steps = split.steps.map((step) => {
    const from = total;
    total += step.value;
    [low, high] = [Math.min(low, total), Math.max(high, total)];
    const decision = step.cause === "choice" ? review.decisions[made++] : undefined;
    return { step, from, to: total, label: labelOf(step, review, decision) };
  });
  const axis = { low, high: high === low ? low + 1 : high, ticks: [] };
  const kinds = /** @type {Record<string, string>} */ ({ "house edge": "of-edge", choice: "of-choice", limits: "of-limits" });
  return h("section", { class: "luck-apart", "data-key": "luck" },
    h("h2", {}, "Luck and skill"),
    h("p", { class: "small" }, `Where the result of ${signed(split.result.value)} ${unit}s came from.`),
    h("ol", {}, steps.map(({ step, from, to, label: [words, note, cards] }, n) =>
      h("li", { class: kinds[step.cause] ?? "of-luck", "data-key": String(n) },
        h("span", {}, h("strong", {}, words), " ", cards.map((face) => `${cardSigns(face)} `), note && h("span", { class: "small" }, note)),
        h("span", { class: "step-value" }, signed(step.value)),
        h("span", { class: "step-track", "aria-hidden": "true" }, h("span", { class: "tick zero", vars: { "--left": barOf(axis, low, 0)["--wide"] } }),
          step.value === 0 ? h("span", { class: "diamond", vars: { "--left": barOf(axis, low, from)["--wide"] } })
            : h("span", { class: "step-bar", vars: barOf(axis, from, to) }))))),
    sums(split, stake, unit),
    split.side_bets.length > 0 && sideBets(split.side_bets),
    split.other !== 0 && h("p", { class: "small" }, `${money(split.other, { signed: true })} came from tips, coupons or corrected payments.`));
}

/**
 * Create the sums. The sums are rounded to cents, and luck is the remainder, so that the parts add up to the result.
 *
 * @param {api.ResultParts} split
 * @param {number} stake
 * @param {string} unit
 */
function sums({ choices, house_edge: edge, limits, result }, stake, unit) {
  /** @param {api.ExactNumber} part */
  const cents = ({ value }) => Math.round(value * stake);
  const rest = cents(result) - cents(choices) - cents(edge) - cents(limits);
  /** @type {(kind: string, words: string, sum: number) => HTMLElement} */
  const row = (kind, words, sum) => h("div", { class: kind, "data-key": words }, h("dt", {}, words),
    h("dd", {}, money(sum, { signed: true })));
  return h("dl", { class: "sums", "aria-label": `Parts of the result, in dollars and ${unit}s` },
    row("of-luck", "Luck", rest), row("of-choice", "Your choices", cents(choices)), row("of-edge", "House edge", cents(edge)),
    limits.value !== 0 && row("of-limits", "Payout limits", cents(limits)),
    row("of-result", "Result", cents(result)));
}

/** @param {api.SideBetPart[]} bets */
const sideBets = (bets) => h("section", { class: "round-side-bets" }, h("h3", {}, "Side bets"),
  h("ul", {}, bets.map(({ wager, title = "", stake, net, expected }, n) => h("li", { "data-key": `${n} ${wager}` },
    `${asTitle(title)}, ${money(stake, { short: true })}: ${money(net, { signed: true })}`,
    h("span", { class: "small" }, expected ? `, expected ${money(Math.round(expected.value), { signed: true })}` : "")))));

/** @param {api.PlayedReview} review */
function withoutSplit({ outcome, unknown, decisions, stake }) {
  const why = outcome?.void ? "A void round has no result to split."
    : !outcome ? "The end of this round is not known, so luck cannot be split from your choices."
      : unknown ? "Some cards of this round are not known, so luck cannot be split from your choices."
        : !stake || !decisions.length ? "You had no main wager and no decision in this round."
          : "The game as a whole is not solved on this server, so luck cannot be split from your choices.";
  return h("section", { class: "luck-apart", "data-key": "no-split" }, h("h2", {}, "Luck and skill"), h("p", {}, why));
}
