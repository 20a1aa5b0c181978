// Before and after a drill: choose one, see what is due, or see the result.

import { segmented, select } from "../../../kit/choices.js";
import { h } from "../../../kit/dom.js";
import { asTitle, countOf, money, plural } from "../../../kit/words.js";
import { shortNames } from "../../parts.js";
import { figureRow, kindRows, lastMiss, legend, marksOf } from "./panel.js";

/** The drills that a first visit offers; the others are below them. */
const FIRST = ["payouts", "hands", "next"];
/** The most kinds that the result lists. */
const MOST_KINDS = 16;

/**
 * @typedef {{ books: api.RulebookEntry[], rulebook: string, mode: string, menu: api.DrillMenu,
 *   take: (rulebook: string) => void, setMode: (mode: string) => void,
 *   start: (drill: string, scope?: string) => void }} MenuState
 */

/**
 * Return when the next kind is due, in words.
 *
 * @param {string} iso
 * @param {number} now
 */
export function dueWords(iso, now) {
  const minutes = Math.max(1, Math.round((Date.parse(iso) - now) / 60000));
  if (minutes < 60) return `in ${plural(minutes, "minute")}`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `in ${plural(hours, "hour")}` : `in ${plural(Math.round(hours / 24), "day")}`;
}

/**
 * @param {api.DrillChoice} choice
 * @param {MenuState} state
 * @param {boolean} first
 */
function drillCard({ drill, title, about, count, known = 0, due = 0, weak = [], level = 1 }, { start }, first) {
  return h("article", { class: "drill-card", "data-key": drill, "data-drill": drill },
    h("h2", {}, title), h("p", {}, about),
    !first && known > 0 && h("p", { class: "small quiet" },
      `Level ${level}. ${due ? `${plural(due, "kind")} of question to repeat.` : "Nothing to repeat."}`),
    !first && weak.length > 0 && h("p", { class: "small quiet" }, `Last wrong: ${weak.slice(0, 2).join("; ")}.`),
    h("p", { class: "acts" }, drill === "payouts"
      ? [["wager", "One wager"], ["hand", "Whole hand"], ["table", "Whole table"]].map(([scope, words]) =>
        h("button", { type: "button", class: "button", "data-key": scope, onclick: () => start(drill, scope) }, words))
      : h("button", { type: "button", class: "button", "aria-label": `Start ${title}`, onclick: () => start(drill) },
        `Start (${count} ${count === 1 ? "question" : "questions"})`)));
}

/**
 * Draw the choice of a drill. A first visit shows three drills and no figures.
 *
 * @param {MenuState} state
 */
export function drillMenu(state) {
  const { books, rulebook, mode, menu, take, setMode } = state;
  const names = shortNames(books);
  const known = menu.drills.reduce((sum, one) => sum + (one.known ?? 0), 0);
  const due = menu.drills.reduce((sum, one) => sum + (one.due ?? 0), 0);
  const first = known === 0;
  const [main, more] = [menu.drills.filter(({ drill }) => !first || FIRST.includes(drill)),
    menu.drills.filter(({ drill }) => first && !FIRST.includes(drill))];
  return h("div", { class: "drill-menu" },
    h("header", {}, h("div", {}, h("h1", {}, "Drills"),
      h("p", { class: "small" }, "Short questions from a rulebook, a few minutes each. Questions you get wrong come back.")),
    h("div", { class: "picks" },
      select("Rulebook", books.map(({ id }) => [id, `${names.get(id)}, ${id}`]), rulebook, take),
      menu.modes.length > 1 && segmented("Deal mode", /** @type {[string, Child][]} */ ([["", "Both modes"],
        ...menu.modes.map((one) => [one, one === "device" ? "Machine" : "By hand"])]), mode, setMode))),
    !first && !due && h("hw-notice", { class: "nothing-due", head: "Nothing to repeat now.",
      text: menu.next_due ? `The next repeat is due ${dueWords(menu.next_due, Date.now())}. You can always get new questions.`
        : "You can always get new questions." }),
    h("div", { class: "drill-cards" }, main.map((choice) => drillCard(choice, state, first))),
    more.length > 0 && h("section", { class: "more-drills" }, h("h2", {}, "More drills"),
      h("div", { class: "drill-cards" }, more.map((choice) => drillCard(choice, state, first)))));
}

/**
 * Draw the result of a drill.
 *
 * @param {{ state: api.DrillState, progress: api.DrillProgress, summary: api.DrillSummary, again: () => void,
 *   leave: () => void }} given
 */
export function finished({ state, progress, summary, again, leave }) {
  const { figures, marks, miss } = progress;
  return h("div", { class: "drill-finished" },
    h("header", {}, h("h1", {}, `${state.title}: ${figures.answered ? `${countOf(figures.right, figures.answered)} right` : "no answers"}`),
      h("p", { class: "small" }, `${state.rulebook}, level ${summary.level} of 3.`)),
    h("div", { class: "finished-column" },
      h("div", { class: "box" }, marksOf(marks, state.count, true), legend(), figureRow(figures),
        (summary.over > 0 || summary.short > 0) && h("p", {},
          `Paid ${money(summary.over)} too much and ${money(summary.short)} too little.`)),
      h("p", { class: "acts" }, h("button", { type: "button", class: "button main", autofocus: true, onclick: again },
        "Again", h("kbd", {}, "↵")),
      h("button", { type: "button", class: "button", onclick: leave }, "Other drills"))),
    h("div", { class: "box" }, kindRows(figures, MOST_KINDS)),
    h("div", { class: "finished-column" },
      h("section", { class: "box" }, h("h2", {}, "Practise more"), summary.weak.length
        ? h("ul", { class: "weak" }, summary.weak.slice(0, 8).map((kind) => h("li", {}, asTitle(kind))))
        : h("p", {}, "Nothing: for every kind of question, your last answer was right.")),
      miss && h("div", { class: "box" }, lastMiss(miss, state.drill))));
}
