// A position on the felt, and its choices: before the answer with what they bet, afterwards with what they are worth.

import { card } from "../../../kit/card.js";
import { h } from "../../../kit/dom.js";
import { withCardSigns } from "../../../kit/words.js";

/**
 * Draw the felt of a position. Before the answer, `hand` is empty.
 *
 * @param {api.PracticeSpot | null} spot
 * @param {string} hand
 */
export function spotFelt(spot, hand) {
  const { cards = [], board = [], wagers = "", badge = "", street = "" } = spot ?? {};
  return h("div", { class: "spot-felt", "data-key": "felt" }, h("div", { class: "cloth" },
    h("p", { class: "spot-head" }, h("span", { class: "caps" }, street), badge && h("span", { class: "badge" }, badge)),
    board.length > 0 && h("div", { class: "spot-cards on-board", role: "group", "aria-label": "Board" },
      board.map((one) => card(one, { "data-key": one }))),
    h("div", { class: "spot-own" },
      h("div", { class: cards.length > 2 ? "spot-cards own four" : "spot-cards own", role: "group", "aria-label": "Your cards" },
        cards.map((one, n) => card(one, { "data-key": `${one}${n}` }))),
      h("p", { class: "spot-words" }, hand && h("strong", {}, hand), h("span", {}, wagers)))));
}

/**
 * Draw the choices. Before the answer they are equal buttons; afterwards each shows its value.
 *
 * @param {api.PracticeSpot | null} spot
 * @param {api.SpotAnalysis | null} analysis
 * @param {{ off: boolean, choose: (choice: string) => void }} acts
 */
export function spotChoices(spot, analysis, { off, choose }) {
  const choices = spot?.choices ?? [];
  return h("div", { class: `spot-choices of-${Math.min(choices.length, 4)}`, role: "group", "data-key": analysis ? "values" : "choices",
    "aria-label": analysis ? "What each choice is worth" : "Your choices" },
  choices.map((option) => (analysis ? valueBox(option, analysis) : h("button", { type: "button", class: "spot-choice",
    "data-key": option.choice, "aria-disabled": String(off), "aria-keyshortcuts": option.key, onclick: () => choose(option.choice) },
  h("span", { class: "what" }, h("strong", {}, withCardSigns(option.title)), h("span", {}, option.effect)),
  h("kbd", { "data-sign": option.key, "aria-hidden": "true" })))));
}

/**
 * @param {api.SpotChoice} option
 * @param {api.SpotAnalysis} analysis
 */
function valueBox({ choice, title, effect }, { values, verdict, unit }) {
  const value = values.find((one) => one.choice === choice);
  if (!value) return null;
  const missed = value.yours && verdict === "wrong";
  return h("div", { class: `spot-choice value ${value.best ? "is-best" : missed ? "is-missed" : ""}`, "data-key": choice, "data-choice": choice },
    h("p", { class: "what" }, h("strong", {}, withCardSigns(title)),
      value.best && h("span", { class: "tag-best" }, "best"), value.yours && h("span", { class: "tag-yours" }, "yours")),
    h("p", { class: "spot-value" }, value.text, h("span", { class: "unseen" }, ` ${unit}s`)),
    h("p", { class: "small" }, effect));
}
