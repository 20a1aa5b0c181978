// Controls for choosing one of several values.

import { h } from "./dom.js";

/**
 * Create a row of buttons for a few values.
 *
 * @template {string | number} V
 * @param {string} label
 * @param {[V, Child][]} choices
 * @param {V | null} chosen
 * @param {(value: V) => void} choose
 */
export function segmented(label, choices, chosen, choose) {
  return h("div", { class: "segmented", role: "group", "aria-label": label },
    choices.map(([value, words]) => h("button", { type: "button", "data-key": String(value),
      "aria-pressed": String(value === chosen), onclick: () => choose(value) }, words)));
}

/**
 * Create a drop-down list for many values.
 *
 * @param {string} label
 * @param {[string, string][]} choices
 * @param {string | undefined} chosen
 * @param {(value: string) => void} choose
 */
export function select(label, choices, chosen, choose) {
  return h("select", { "aria-label": label, 
    onchange: (/** @type {Event & { target: HTMLSelectElement }} */ { target }) => choose(target.value) },
    choices.map(([value, words]) => h("option", { value, ".selected": value === chosen }, words)));
}
