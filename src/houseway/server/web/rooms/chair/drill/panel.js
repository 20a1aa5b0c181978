// The panel beside the felt: a mark for each answer, the figures, the kinds, the last miss and the keys.

import { clauseTag } from "../../../kit/clause.js";
import { h, picture, s } from "../../../kit/dom.js";
import { JUDGEMENTS, judgementMark } from "../../../kit/judgement.js";
import { asTitle, countOf, plural } from "../../../kit/words.js";
import { clockTime, seconds } from "./answers.js";

const ROW = 30;
const KINDS = 6;

/** @type {Record<string, [one: string, each: string]>} */
const ANSWERS = { payouts: ["Payment", "payments"], hands: ["Hand", "hands"], order: ["Order", "orders"],
  next: ["Question", "questions"], rulings: ["Ruling", "rulings"], chips: ["Question", "questions"] };

/** The words for the marks of practice that are no judgements. @type {Record<string, string>} */
const OTHER_MARKS = { close: "close call", answered: "answered" };

/** @param {string} drill */
export const answerName = (drill) => ANSWERS[drill][0];

/**
 * Draw one small mark: a circle, a diamond, a square, a ring for the current answer or a close call, or a dot.
 *
 * @param {string} judgement
 * @param {number} n
 */
function dot(judgement, n) {
  const at = `translate(${5 + (n % ROW) * 10.4} ${6 + Math.floor(n / ROW) * 14})`;
  const shape = judgement === "right" ? s("circle", { r: 3.6 })
    : judgement === "late" ? s("path", { d: "M0-5 5 0 0 5-5 0z" })
      : judgement === "wrong" ? s("rect", { x: -3.8, y: -3.8, width: 7.6, height: 7.6, rx: 1 })
        : judgement === "now" || judgement === "close" ? s("circle", { r: 3.8, class: "ring" })
          : s("circle", { r: judgement === "answered" ? 3 : 1.6 });
  return s("g", { transform: at, class: `mark-${judgement}` }, shape);
}

/**
 * Draw the marks in order, and list them for screen readers.
 *
 * @param {readonly string[]} marks
 * @param {number} count
 * @param {boolean} finished
 */
export function marksOf(marks, count, finished) {
  const rows = Math.ceil(count / ROW);
  const all = Array.from({ length: count }, (_, n) => marks[n] ?? (n === marks.length && !finished ? "now" : "none"));
  return h("div", { class: "marks-box" },
    picture(`0 0 312 ${rows * 14}`, { class: "marks" }, all.map(dot)),
    h("ol", { class: "unseen", "aria-label": "Marks in order" }, marks.map((mark) =>
      h("li", {}, JUDGEMENTS[/** @type {"right"} */ (mark)] ?? OTHER_MARKS[mark]))));
}

/**
 * @param {api.DrillFigures} figures
 */
export function figureRow(figures) {
  const share = figures.answered ? (100 * figures.right) / figures.answered : 0;
  return h("dl", { class: "figure-row" },
    h("div", {}, h("dd", { class: "figure" }, figures.answered ? `${share.toFixed(1)} %` : "–"),
      h("dt", {}, figures.answered ? `right, ${countOf(figures.right, figures.answered)}` : "right, none yet")),
    h("div", {}, h("dd", { class: "figure" }, figures.answered ? seconds(figures.median) : "–"), h("dt", {}, "median")),
    h("div", {}, h("dd", { class: "figure" }, figures.answered ? figures.per_minute.toFixed(1) : "–"),
      h("dt", {}, "a minute")));
}

/**
 * @param {api.DrillFigures} figures
 * @param {number} most The most kinds that are listed.
 */
export function kindRows({ groups }, most = KINDS) {
  if (!groups.length) return null;
  const rest = groups.length - most;
  return h("section", { "data-key": "kinds" }, h("h2", {}, "By kind"),
    h("table", { class: "kinds" }, h("thead", { class: "unseen" }, h("tr", {},
      ["Kind", "Right", "Median"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, groups.slice(0, most).map((row) => h("tr", { "data-key": row.group },
      h("th", { scope: "row" }, asTitle(row.group)), h("td", { class: "of" }, countOf(row.right, row.answered)),
      h("td", {}, seconds(row.median)))))),
    rest > 0 && h("p", { class: "small quiet" }, `and ${plural(rest, "other kind")}`));
}

/**
 * @param {api.DrillMiss | null | undefined} miss
 * @param {string} drill
 */
export function lastMiss(miss, drill) {
  if (!miss) return null;
  return h("section", { class: "miss", "data-key": "miss" }, h("h2", {}, "Last miss"),
    h("p", { class: "miss-title" }, judgementMark("wrong"),
      h("strong", {}, `${answerName(drill)} ${miss.number}: ${miss.title}`)),
    h("p", { class: "small" }, `${miss.sentence} This kind of question will come back soon.`),
    clauseTag(miss.clause));
}

/** @type {(...keys: string[]) => Child} */
const keys = (...names) => names.map((name) => (name === "to" ? " to " : h("kbd", {}, name)));

/**
 * Return the keys of a form of answer, and what they do.
 *
 * @param {string} form
 * @param {boolean} wholeTable
 */
function keyRows(form, wholeTable) {
  /** @type {[Child, string][]} */
  const speak = [[keys("S"), form === "payment" ? "speak the hand and wagers" : "speak the question"]];
  /** @type {[Child, string][]} */
  const chips = [[keys("1", "to", "7"), "cut out a chip, 50¢ to $1,000"], [keys("⇧ 1", "to", "7"), "put that chip back"],
    [keys("⌫"), "put all back"]];
  if (form === "payment") {
    return [...chips, [keys("↵", "H", "T"), "pay, push, take"], [keys("A"), "type the amount"],
      ...(wholeTable ? [[keys("←", "→"), "choose a wager"]] : []), ...speak];
  }
  if (form === "stack") return [...chips, [keys("↵"), "answer"], ...speak];
  if (form === "amount") return [[keys("↵"), "answer"]];
  if (form === "sequence") {
    return [[keys("A", "to", "P"), "add an act to the order, or take it out"], [keys("⌫"), "start the order again"],
      [keys("↵"), "answer"], ...speak];
  }
  return [[keys("A", "to", "K"), "choose in the marked row"], [keys("↑", "↓"), "other row"], [keys("↵"), "answer"],
    ...speak];
}

/** Explain the marks. */
export const legend = () => h("p", { class: "legend" }, /** @type {const} */ (["right", "late", "wrong"]).map((judgement) =>
  h("span", {}, judgementMark(judgement, { words: "" }), JUDGEMENTS[judgement])));

/**
 * Draw the panel.
 *
 * @param {{ state: api.DrillState, progress: api.DrillProgress, elapsed: number, form: string, off: boolean,
 *   wholeTable: boolean, retrying: boolean }} given `retrying` is true while a wager can be answered once more.
 */
export function panel({ state, progress, elapsed, form, off, wholeTable, retrying }) {
  const { marks, figures, miss } = progress;
  const finished = !state.question;
  const now = Math.min(marks.length + (retrying ? 0 : 1), state.count);
  return [
    h("section", { "data-key": "marks" },
      h("header", {}, h("h2", {}, finished ? `${plural(state.count, answerName(state.drill).toLowerCase())} done`
        : `${answerName(state.drill)} ${now} of ${state.count}`),
      h("span", { class: "quiet small", id: "drill-elapsed", "aria-hidden": "true" }, clockTime(elapsed))),
      marksOf(marks, state.count, finished || retrying),
      legend()),
    h("section", { "data-key": "figures" }, figureRow(figures)),
    kindRows(figures),
    lastMiss(miss, state.drill),
    !finished && h("section", { class: "key-list", "data-key": "keys" }, h("h2", {}, "Keys"),
      off && h("p", { class: "small" }, "Keyboard shortcuts are turned off in the settings."),
      h("dl", {}, keyRows(form, wholeTable).map(([key, does]) => h("div", {}, h("dt", {}, key), h("dd", {}, does))))),
  ].filter(Boolean);
}
