// The score sheet of a session: what was given up, the mistakes and the rating.

import { card } from "../../../kit/card.js";
import { h } from "../../../kit/dom.js";
import { asTitle, countOf, plural, withCardSigns } from "../../../kit/words.js";
import { seconds } from "../../chair/drill/answers.js";
import { ratingBox } from "./rating.js";

/**
 * @param {{ state: api.PracticeState, result: api.PracticeResult, marks: Child, again: () => void, leave: () => void }} given
 */
export function scoreSheet({ state, result, marks, again, leave }) {
  const { graded, right, answered, lost, reference, unit, median, streets, mistakes, ratings, edge } = result;
  const close = answered - graded;
  const name = state.mode === "exam" ? "Exam" : "Practice";
  return h("div", { class: "practice-finished" },
    h("header", {}, h("h1", {}, answered ? `${name}: ${countOf(right, graded, "only close calls")}${graded ? " right" : ""}` : `${name}: no answers`),
      h("p", { class: "small" }, [state.rulebook, state.topic, close > 0 && `${plural(close, "close call")}, counted as neither right nor wrong`]
        .filter(Boolean).join(", "), ".")),
    h("div", { class: "finished-columns" },
      h("div", { class: "finished-column" },
        h("section", { class: "box" }, answered > 0 && marks,
          h("dl", { class: "sheet-figures" },
            h("div", {}, h("dd", { class: "figure" }, lost), h("dt", {}, `${unit}s given up`)),
            h("div", {}, h("dd", { class: "figure" }, reference), h("dt", {}, `${unit}s the reference player would give up on average`)),
            answered > 0 && h("div", {}, h("dd", { class: "figure" }, seconds(median)), h("dt", {}, "median time"))),
          streets.length > 0 && h("table", { class: "sheet-streets" }, h("thead", {}, h("tr", {}, ["Street", "Right", `${asTitle(unit)}s given up`].map((one) =>
            h("th", { scope: "col" }, one)))), h("tbody", {}, streets.map((row) => h("tr", {}, h("th", { scope: "row" }, asTitle(row.street)),
            h("td", {}, countOf(row.right, row.graded)), h("td", {}, row.lost)))))),
        h("p", { class: "acts" }, h("button", { type: "button", class: "button main", autofocus: true, onclick: again }, "Again", h("kbd", {}, "↵")),
          h("button", { type: "button", class: "button", onclick: leave }, "Other practice")),
        h("p", { class: "small edge" }, edge)),
      h("section", { class: "box sheet-mistakes" }, h("h2", {}, "Mistakes, costliest first"),
        mistakes.length ? h("ol", {}, mistakes.map(mistakeRow)) : h("p", {}, answered ? "None." : "You answered no positions.")),
      ratingBox(ratings)));
}

/** @param {api.SpotMistake} mistake */
function mistakeRow({ number, cards, board, yours, best, lost, link }) {
  return h("li", { "data-key": String(number) }, h("a", { href: `/school/position/${link}`, "aria-label": `Position ${number}: open its analysis` },
    h("span", { class: "sheet-cards", "aria-hidden": "true" }, cards.map((one) => card(one, { size: "small" })),
      board.length > 0 && h("i", {}), board.map((one) => card(one, { size: "small" })))),
  h("p", {}, h("strong", {}, lost), ` ${withCardSigns(yours)}; best: ${withCardSigns(best)}`));
}
