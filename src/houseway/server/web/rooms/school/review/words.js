// The words of a round review: choices, values, streets and the round itself.

import { h } from "../../../kit/dom.js";
import { asTitle, money, tableTitle, withCardSigns } from "../../../kit/words.js";
import { timeText } from "../../record/lists.js";

const DIGITS = 4;

/**
 * Return the title of a choice with its cards as symbols: "Check", "Play 4×", "Keep A♠ A♦".
 *
 * @param {{ title?: string }} choice
 */
export const choiceWords = ({ title = "" }) => withCardSigns(title);

/**
 * Return a value with its sign: "+0.2746", "−0.5167".
 *
 * @param {number} value
 * @param {number} [digits]
 */
export function signed(value, digits = DIGITS) {
  const figure = Math.abs(value).toFixed(digits);
  const zero = Number(figure) === 0;
  return `${zero ? "" : value < 0 ? "−" : "+"}${figure}`;
}

/** @param {api.PlayedReview} review */
export const roundName = ({ round, source }) => (source === "import" ? `Imported round ${round}` : `Round ${round}`);

/**
 * Return where and when a round was played, and what its values are.
 *
 * @param {api.PlayedReview} review
 */
export function roundNote({ source, name, rulebook, at, stake, unit, seat }) {
  const place = source === "import" ? name : tableTitle(name);
  const when = at ? timeText(at) : "";
  const first = [place, rulebook, `seat ${seat}`, when].filter(Boolean).join(", ");
  return `${first}. ${stake ? `${asTitle(unit)} ${money(stake)}. ` : ""}`
    + `Exact values in ${unit}s, averaged over every card you could not see.`;
}

/**
 * Return the path of practice with one kind of position.
 *
 * @param {string} rulebook
 * @param {string} kind
 */
export const practicePath = (rulebook, kind) => `/school/practice?${new URLSearchParams({ rulebook, mode: "endless", kind })}`;

/**
 * Create the link to a position: a starting hand opens in the lab, another position opens alone.
 *
 * @param {string} rulebook
 * @param {api.ReviewedChoice} decision
 */
export function positionLink(rulebook, decision) {
  const { start: hand } = decision;
  return hand ? h("a", { class: "lab-link", href: `/lab?${new URLSearchParams({ rulebook, hand })}` }, "Open in the lab")
    : h("a", { class: "lab-link", href: `/school/position/${encodeURIComponent(decision.position ?? "")}` }, "Open the position");
}

const NUMBERS = ["No", "One", "Two", "Three"];

/**
 * Return the number of decisions in words: "Three decisions".
 *
 * @param {number} count
 */
export const decisionCount = (count) => `${NUMBERS[count] ?? count} decision${count === 1 ? "" : "s"}`;
