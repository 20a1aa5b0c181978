// The form that asks for a name before the first drill. The server stores the trainee's levels, and the kinds of question that they get
// wrong, under this name.

import { h } from "../../../kit/dom.js";

/**
 * @param {import("../../../house.js").House} house
 * @param {(person: api.Person) => void} come
 */
export function nameForm(house, come) {
  const field = h("input", { name: "handle", required: true, maxlength: 24, autocomplete: "nickname" });
  const wrong = h("p", { class: "small", role: "alert" });
  /** @param {Event} event */
  const enter = async (event) => {
    event.preventDefault();
    try {
      come((await house.post("/api/session", { handle: field.value.trim() })).person);
    } catch (refused) {
      wrong.textContent = /** @type {Error} */ (refused).message;
    }
  };
  return h("form", { class: "welcome box", onsubmit: enter }, h("h1", {}, "Drills"),
    h("p", {}, "Your levels, and the kinds of question that you get wrong, are kept under your name."),
    h("label", { class: "field" }, h("span", { class: "label" }, "Your name"), field),
    h("button", { class: "button main", type: "submit" }, "Continue"), wrong);
}
