// The house rules of an exam's table: what a trainee must know besides the document.

import { clauseTag } from "../../kit/clause.js";
import { h } from "../../kit/dom.js";

/**
 * Create the list of house rules, which is closed at first.
 *
 * @param {api.HouseRules} rules
 */
export function houseRules({ topics }) {
  const count = topics.reduce((sum, { rules }) => sum + rules.length, 0);
  return h("details", { class: "house-rules", "data-key": "house-rules" },
    h("summary", {}, `House rules (${count}): read them first`),
    topics.map(({ heading, rules }) => h("section", { "data-key": heading }, h("h3", {}, heading),
      h("ul", {}, rules.map(({ rule, clause }) => h("li", {}, `${rule} `, clause && !clause.startsWith("house.") ? clauseTag(clause) : null))))));
}

/**
 * @param {string} rulebook
 * @param {string} mode
 * @param {string} exam
 */
export const houseRulesPath = (rulebook, mode, exam) =>
  `/api/exams/house-rules?${new URLSearchParams({ rulebook, mode, exam })}`;
