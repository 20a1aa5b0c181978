// The panels of "Your play": rating, loss, luck, practice and side bets.

import { h, picture, s } from "../../../kit/dom.js";
import { asTitle, money } from "../../../kit/words.js";
import { signed } from "../review/words.js";

/** The width and height of the picture of luck. */
const [WIDE, HIGH] = [280, 70];
/** The least number of standard deviations that the picture shows on each side. */
const SPREADS = 3;
const POINTS = 60;
const LEAST_DECISIONS = 100;
/** The least number of rounds for an interval or a chart. */
export const LEAST_ROUNDS = 30;

/** @param {number} value */
const two = (value) => value.toFixed(2);

/** @param {api.YourPlay} play */
export function ratingPanel({ rating }) {
  if (!rating) return null;
  const { decisions, skill, low, high } = rating;
  const known = skill !== undefined && skill !== null;
  return h("section", { class: "box rating", "data-key": "rating", "aria-labelledby": "rating-title" },
    h("h2", { id: "rating-title" }, "Rating"),
    known ? [h("p", {}, h("strong", { class: "big-figure" }, two(skill)), " ",
      h("span", {}, high === undefined || high === null ? `95 % interval: ${two(low ?? 0)} or more` : `95 % interval: ${two(low ?? 0)} to ${two(high)}`)),
    h("p", { class: "small" }, `The whole game, from ${decisions.toLocaleString("en-US")} decisions at this server’s tables. `
      + "If you only guess, your rating is 0. At a rating of 3, a player picks the better of two choices that differ by 0.05 antes 95 % of the time.")]
      : [h("p", {}, `Not enough decisions yet: ${decisions} of ${LEAST_DECISIONS}`),
        h("p", { class: "small" }, "Only decisions at this server’s tables count. Close calls do not.")]);
}

/** @param {api.PlayTotals} totals */
export function lossPanel({ rounds, loss_per_100: loss, streets, close, lost_cents: cents, errors, decisions }) {
  const most = Math.max(...streets.map(({ loss_per_100: one }) => one.value), 0) || 1;
  return h("section", { class: "box loss", "data-key": "loss", "aria-labelledby": "loss-title" },
    h("h2", { id: "loss-title" }, "Lost to choices"),
    h("p", {}, h("strong", { class: "big-figure" }, two(loss.value)), " ",
      h("span", {}, rounds < LEAST_ROUNDS ? `antes per 100 rounds. ${LEAST_ROUNDS} rounds are needed for an interval.`
        : `antes per 100 rounds; ${two(loss.low)} to ${two(loss.high)} with 95 % confidence`)),
    h("ul", {}, streets.map(({ street, loss_per_100: one }) => h("li", { "data-key": street },
      h("span", {}, asTitle(street)),
      h("span", { class: "loss-bar", "aria-hidden": "true" }, h("span", { vars: { "--wide": `${(100 * one.value) / most}%` } })),
      h("strong", {}, two(one.value))))),
    h("p", { class: "small" }, `${errors.toLocaleString("en-US")} of ${decisions.toLocaleString("en-US")} choices cost ${money(Math.round(cents.value))} in all. `
      + `${close.toLocaleString("en-US")} close call${close === 1 ? "" : "s"} (choices that differ by less than 0.01 antes), counted as neither right nor wrong.`));
}

/** @param {api.LuckPart} luck */
export function luckPanel({ rounds, result, expected, luck, spread, deviations }) {
  const known = spread !== undefined && spread !== null && spread > 0;
  return h("section", { class: "box luck-panel", "data-key": "luck", "aria-labelledby": "luck-title" },
    h("header", { class: "row" }, h("h2", { id: "luck-title" }, "Luck"), h("span", {}, `${signed(luck.value, 1)} antes`)),
    rounds === 0 ? h("p", { class: "small" }, "No round in this period has a known result.") : [
      known && bell(result.value, expected.value, spread),
      h("dl", { class: "luck-figures" }, h("div", {}, h("dt", {}, "expected"), h("dd", {}, signed(expected.value, 1))),
        h("div", {}, h("dt", {}, "your result"), h("dd", {}, signed(result.value, 1)))),
      h("p", { class: "small" }, known && deviations !== undefined && deviations !== null
        ? `Your result is ${two(Math.abs(deviations))} standard deviations ${deviations < 0 ? "worse" : "better"} than your choices earn on average.`
        : "The spread of luck is not known for this game.")]);
}

/**
 * Draw the spread of results around the expectation.
 *
 * @param {number} result
 * @param {number} expected
 * @param {number} spread
 */
function bell(result, expected, spread) {
  const far = Math.max(SPREADS, Math.abs(result - expected) / spread + 0.3);
  /** @param {number} z */
  const x = (z) => (WIDE / 2) * (1 + z / far);
  /** @param {number} z */
  const y = (z) => HIGH - 4 - (HIGH - 10) * Math.exp(-z * z / 2);
  const line = Array.from({ length: POINTS + 1 }, (_, n) => {
    const z = far * ((2 * n) / POINTS - 1);
    return `${x(z).toFixed(1)} ${y(z).toFixed(1)}`;
  }).join("L");
  const at = x((result - expected) / spread).toFixed(1);
  return picture(`0 0 ${WIDE} ${HIGH}`, { class: "bell" },
    s("path", { class: "area", d: `M0 ${HIGH - 4}L${line}L${WIDE} ${HIGH - 4}Z` }), s("path", { class: "line", d: `M${line}` }),
    s("path", { class: "expected", d: `M${WIDE / 2} ${HIGH - 4}V4` }), s("path", { class: "result", d: `M${at} ${HIGH - 4}V18` }),
    s("circle", { cx: at, cy: 16, r: 4 }));
}

/**
 * @param {api.PlayTotals} totals
 * @param {string} rulebook
 */
export function practicePanel({ leaks }, rulebook) {
  return h("section", { class: "practice-panel", "data-key": "practice", "aria-labelledby": "practice-title" },
    h("h2", { id: "practice-title" }, leaks.length ? "Practise what costs most" : "Practice"),
    h("p", {}, leaks.length ? "Most positions come from your leaks; you are not told which." : "Mixed positions, chosen by how often they occur and what they cost."),
    h("p", { class: "acts" }, h("a", { class: "button main", href: `/school/practice?${new URLSearchParams({ rulebook, mode: leaks.length ? "leaks" : "mixed" })}` }, "Practice")));
}

/** @param {api.SideBetTotal[]} bets */
export const sideBetsPanel = (bets) => h("section", { class: "box side-bets-panel", "data-key": "side", "aria-labelledby": "side-title" },
  h("h2", { id: "side-title" }, "Side bets"),
  h("table", {}, h("thead", {}, h("tr", {}, ["Wager", "Staked", "Result", "Expected"].map((one) => h("th", { scope: "col" }, one)))),
    h("tbody", {}, bets.map(({ wager, title = "", staked, net, expected }) => h("tr", { "data-key": wager },
      h("th", { scope: "row" }, asTitle(title)), h("td", {}, money(staked)),
      h("td", {}, money(net, { signed: true })),
      h("td", {}, expected ? money(Math.round(expected.value), { signed: true }) : "depends on the meter"))))));
