// The form that asks a newcomer for a handle.

import { h } from "../../kit/dom.js";
import { refusals } from "../parts.js";

/**
 * Create the form that asks for a handle.
 *
 * @param {import("./arrivals.js").Arrivals} arrivals
 * @param {string} act
 */
export function handleForm(arrivals, act) {
  return h("form", { class: "handle", "data-key": "handle", onsubmit: (/** @type {SubmitEvent & { target: HTMLFormElement }} */ event) => {
    event.preventDefault();
    arrivals.introduce(event.target.handle.value.trim());
  } },
  h("label", { class: "field" }, h("span", {}, "What should we call you?"),
    h("input", { name: "handle", maxlength: 24, autocomplete: "nickname", required: true })),
  h("button", { class: "button main" }, act),
  h("button", { type: "button", class: "button text",
    onclick: () => arrivals.cancel() }, "Not now"),
  refusals(arrivals.asking?.refused));
}
