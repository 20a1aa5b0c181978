// The panel of a judged ruling: each row with your answer, the right one and the clause.

import { clauseTag } from "../../../kit/clause.js";
import { h } from "../../../kit/dom.js";
import { asTitle, firstSentence, joinWords, sourceOf } from "../../../kit/words.js";
import { markOf } from "../marks.js";
import { CARD, QUESTIONS, answerTitle, questionTitle, rightAnswers } from "./questions.js";

/** @typedef {import("../ruling.js").RulingSheet} RulingSheet */

/**
 * Draw a reading: its first sentence, which opens the rest. The other rulebooks below stay visible.
 *
 * @param {string} text
 * @param {string} key
 */
function readingOf(text, key) {
  const [first, rest] = firstSentence(text);
  const start = [h("b", {}, "Reading"), " ", first];
  return rest ? h("details", { class: "reading", "data-key": key }, h("summary", {}, start, h("span", { class: "more" }, " Read more")), h("p", {}, rest))
    : h("p", { class: "reading", "data-key": key }, start);
}

/**
 * Create the panel of a judged ruling: each row with your answer, the right one and the clause.
 *
 * @param {RulingSheet} sheet
 * @param {api.RulingAnswer} judged
 */
export function judgedPanel(sheet, judged) {
  const rows = judged.rows ?? [];
  const all = rows.every(({ judged: counts, is_right: right }) => !counts || right);
  const row = rows.find(({ question }) => question === sheet.open);
  return [
    h("header", { class: "panel-head", "data-key": "head" }, h("h2", {}, "Your ruling"),
      h("p", { class: "outcome" }, markOf(all && !judged.happened ? "right" : "wrong"), h("strong", {}, sheet.score))),
    h("div", { class: "ruling-rows judged-rows", "data-key": "rows" }, merged(sheet, rows.filter(({ question }) => question !== CARD || judged.happened)).map((group) => judgedRow(sheet, group)),
      rows.some(({ judged: counts }) => !counts) && h("p", { class: "small not-judged", "data-key": "silent" },
        judged.happened ? "Rows are not judged, because the report named something that had not happened."
          : "Rows that are not judged count neither for you nor against you.")),
    h("section", { class: "paper ruling-paper", "data-key": "paper", "aria-label": "Clause" },
      row?.clause ? [h("header", {}, h("b", { class: "id" }, row.clause.clause), h("span", {}, sourceOf(row.clause))),
        cited(rows, row.clause).map((one) => h("p", { class: one.clause === row.clause?.clause ? "hit" : "also", "data-key": one.clause },
          one.says, " ", clauseTag(one.clause))),
        cited(rows, row.clause).map((one) => one.reading && readingOf(one.reading, `r-${one.clause}`)),
        row.clause.borrowed && h("p", { class: "reading" }, h("b", {}, "Borrowed. "), "This rulebook does not cover this; the rule comes from another document.")]
        : h("p", { class: "quiet" }, "Press a row's clause to read it."),
      (judged.others ?? []).length > 0 && [h("h3", {}, "The same irregularity in other rulebooks"),
        h("dl", { class: "others" }, (judged.others ?? []).map(({ rulebook, place, words, clause }) => [
          h("dt", { "data-key": rulebook }, place ?? ""), h("dd", {}, h("span", {}, asTitle(words)), clauseTag(clause))]))]),
    h("footer", { class: "panel-foot paper ruling-foot", "data-key": "foot" },
      sheet.history.length > 1 && h("button", { type: "button", class: "button", "data-key": "replay", onclick: () => sheet.replay() }, "Replay the moment"),
      h("a", { class: "button", "data-key": "drill", href: `/chair/drills?drill=rulings&rulebook=${encodeURIComponent(sheet.view.rulebook)}` }, "Drill rulings"),
      h("button", { type: "button", class: "button main", "data-key": "continue", onclick: () => sheet.continue() },
        h("span", {}, "Continue"), h("kbd", {}, "↵"))),
  ];
}

/**
 * Return the clauses of a judged ruling that come from the same section as the open one, in the order of the rows.
 *
 * @param {api.JudgedRow[]} rows
 * @param {api.CitedClause} open
 */
function cited(rows, open) {
  const all = new Map(rows.map(({ clause }) => [clause?.clause, clause]));
  return [...all.values()].filter((one) => one && (one.clause === open.clause
    || (open.section !== "" && one.document === open.document && one.section === open.section))).map((one) => one ?? open);
}

/**
 * Return the rows of a ruling; wagers of one kind with the same answers and the same clause share a row.
 *
 * @param {RulingSheet} sheet
 * @param {api.JudgedRow[]} rows
 * @returns {api.JudgedRow[][]}
 */
function merged(sheet, rows) {
  /** @type {Map<string, api.JudgedRow[]>} */
  const groups = new Map();
  for (const row of rows) {
    // The progressive has a row of its own: the machine holds it, and it is not on the layout.
    const apart = row.question in QUESTIONS || sheet.view.spots.some(({ wager, shape }) => wager === row.question && shape === "sensor");
    // Questions on which the document is silent share a row. If nothing is judged, every question keeps its own row.
    const key = !row.judged && !row.clause && !sheet.judged?.happened ? "silent" : apart ? row.question : [row.given, row.right, row.judged, row.clause?.clause].join(" ");
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const order = sheet.view.spots.map(({ wager }) => wager);
  return [...groups.values()].map((group) => group.sort((a, b) => order.indexOf(a.question) - order.indexOf(b.question)));
}

/** @type {(sheet: RulingSheet, rows: api.JudgedRow[]) => HTMLElement} */
function judgedRow(sheet, rows) {
  const [{ question, given, judged, is_right: isRight, clause }] = rows;
  const best = judged ? rightAnswers(rows[0]) : [];
  const title = rows.length === 1 ? questionTitle(sheet.view, question)
    : asTitle(joinWords(rows.map(({ question: one }) => QUESTIONS[one]?.[1] ?? questionTitle(sheet.view, one).toLowerCase())));
  const open = rows.some((row) => row.question === sheet.open);
  const kind = !judged ? "open" : isRight ? "right" : "wrong";
  const answers = sheet.form.questions.find((one) => one.question === question)?.answers ?? [];
  // A row without room for every answer shows yours and the right one.
  const short = answers.length > 3 || kind === "wrong";
  const yours = rows.map((row) => row.given);
  const shown = !judged && rows.length > 1 ? yours
    : short ? answers.filter((answer) => answer === given || best.includes(answer)) : answers;
  return h("div", { class: `ruling-row ${kind}${open ? " opened" : ""}${judged && rows.length > 1 ? " merged" : ""}`, role: "group", "aria-label": title, "data-key": question },
    markOf(kind), h("span", { class: "question" }, title),
    h("div", { class: "options" }, shown.map((answer) => h("span", { "data-key": answer,
      class: `answer${yours.includes(answer) ? " yours" : ""}${best.includes(answer) ? " is-right" : ""}` }, answerTitle(answer),
    yours.includes(answer) && h("small", {}, "yours"), best.includes(answer) && !isRight && h("small", { class: "best" }, "right")))),
    clause ? h("button", { type: "button", class: "tag", "aria-expanded": String(open), "aria-label": `Clause ${clause.clause}`,
      onclick: () => {
        sheet.open = question;
        sheet.changed();
      } }, clause.clause) : h("span", { class: "small" }, "not judged"));
}
