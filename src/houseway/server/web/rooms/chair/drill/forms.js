// Answers other than payments: choices in rows, an order of acts, an amount.

import { clauseTag } from "../../../kit/clause.js";
import { h } from "../../../kit/dom.js";
import { judgementMark } from "../../../kit/judgement.js";
import { asTitle } from "../../../kit/words.js";
import { LETTERS } from "./answers.js";

/** @typedef {import("./answers.js").Answer} Answer */

/**
 * @param {api.DrillPartGrade} grade
 * @returns {import("../../../kit/judgement.js").Judgement}
 */
const judgementOf = (grade) => (grade.judged === false ? "none" : grade.is_right ? (grade.late ? "late" : "right")
  : "wrong");

/**
 * @param {string} choice
 * @param {api.DrillPartGrade | undefined} grade
 * @param {boolean} chosen
 */
function tags(choice, grade, chosen) {
  return grade && [chosen && h("span", { class: "yours" }, "yours"),
    grade.judged !== false && choice === grade.right && h("span", { class: "right-tag" }, "right")];
}

/**
 * Draw a row of choices for each part. After the answer, each row marks the trainee's choice
 * ("yours") and the right choice ("right"), and shows the clause.
 *
 * @param {Answer} answer
 * @param {Map<string, api.DrillPartGrade>} graded
 * @param {(part: string, choice: string) => void} choose
 */
export function choiceRows(answer, graded, choose) {
  const one = answer.parts.length === 1;
  return h("div", { class: `choice-rows ${one ? "one" : ""}` }, answer.parts.map((part, row) => {
    const grade = graded.get(part.name);
    const current = !grade && row === answer.row;
    const judgement = grade && judgementOf(grade);
    return h("div", { class: `choice-row ${current ? "current" : ""} ${judgement ?? ""}`, role: "radiogroup",
      "aria-label": part.title, "data-key": part.name },
    h("div", { class: "row-head" }, judgement ? judgementMark(judgement) : h("span", { class: "dot" }),
      h("strong", {}, asTitle(part.title))),
    h("div", { class: "options" }, (part.choices ?? []).map((choice, n) => {
      const chosen = answer.chosen.get(part.name) === choice;
      const right = grade && grade.judged !== false && choice === grade.right;
      return h("button", { type: "button", class: `option ${chosen ? "chosen" : ""} ${right ? "is-right" : ""}`,
        role: "radio", "aria-checked": String(chosen), "data-key": choice, "aria-disabled": grade ? "true" : null,
        onclick: () => !grade && choose(part.name, choice) },
      current && h("kbd", { "aria-hidden": "true" }, LETTERS[n].toUpperCase()), h("span", {}, asTitle(choice)),
      tags(choice, grade, chosen));
    })),
    grade && h("div", { class: "row-clause" }, grade.judged === false ? h("span", { class: "small quiet" }, "not judged")
      : clauseTag(grade.clause)));
  }));
}

/**
 * Draw the acts of an order, and the order so far.
 *
 * @param {Answer} answer
 * @param {Map<string, api.DrillPartGrade>} graded
 * @param {{ pick: (position: number) => void, move: (position: number, by: number) => void }} acts
 */
export function orderForm(answer, graded, { pick, move }) {
  const [part] = answer.parts;
  const choices = part.choices ?? [];
  const grade = graded.get(part.name);
  const rightOrder = grade && !grade.is_right ? grade.order ?? [] : [];
  return h("div", { class: "order-form" },
    h("section", { "aria-label": "Acts" }, h("h2", {}, "Acts"),
      h("ul", { class: "acts-list" }, choices.map((act, n) => {
        const at = answer.picked.indexOf(n);
        return h("li", { "data-key": act }, h("button", { type: "button", class: `act ${at >= 0 ? "taken" : ""}`,
          "aria-pressed": String(at >= 0), "data-position": n, "aria-disabled": grade ? "true" : null,
          onclick: () => !grade && pick(n) },
        h("kbd", { "aria-hidden": "true" }, LETTERS[n].toUpperCase()), h("span", {}, asTitle(act)),
        at >= 0 && h("span", { class: "place" }, at + 1, h("span", { class: "unseen" }, " in your order"))));
      }))),
    h("section", { "aria-label": "Your order" }, h("h2", {}, grade && !grade.is_right ? "Your order, and the right one"
      : "Your order"),
    h("ol", { class: "your-order" }, choices.map((_, n) => {
      const position = answer.picked[n];
      const act = position === undefined ? "" : choices[position];
      const wrong = rightOrder.length > 0 && act !== rightOrder[n];
      return h("li", { "data-key": `place-${n}`, class: wrong ? "differs" : "" },
        h("span", { class: "number" }, n + 1),
        h("span", { class: "act-name" }, act ? asTitle(act) : h("span", { class: "quiet" }, "–")),
        act && !grade && h("span", { class: "moves" },
          h("button", { type: "button", "aria-label": `Move ${act} up`, onclick: () => move(position, -1) }, "↑"),
          h("button", { type: "button", "aria-label": `Move ${act} down`, onclick: () => move(position, 1) }, "↓")),
        wrong && h("span", { class: "instead" }, judgementMark("right", { words: "Should be:" }),
          asTitle(rightOrder[n])));
    }))));
}

/**
 * Draw the field for the amount of a stack.
 *
 * @param {Answer} answer
 * @param {() => void} send
 */
export function amountForm(answer, send) {
  return h("form", { class: "amount-form", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    send();
  } }, h("label", { class: "field" }, h("span", { class: "label" }, "The stack is worth"),
    h("input", { class: "stack-amount", inputmode: "decimal", autocomplete: "off", maxlength: 14,
      placeholder: "22.50", ".value": answer.typed, autofocus: true,
      oninput: (/** @type {Event & { target: HTMLInputElement }} */ { target }) => { answer.typed = target.value; } })));
}
