// The door of a table: by which name somebody comes in, and what is said where there is no table.

import { h } from "../../kit/dom.js";

/** The form a guest fills in; `come(person)` is called once the house knows them. */
export function door(house, come) {
  const field = h("input", { name: "handle", required: true, maxlength: 24, autocomplete: "nickname" });
  const wrong = h("p", { class: "small", role: "alert" });
  const enter = async (event) => {
    event.preventDefault();
    try {
      const { person } = await house.post("/api/session", { handle: field.value.trim() });
      come(person);
    } catch (refused) {
      wrong.textContent = refused.message;
    }
  };
  return h("form", { class: "welcome box", onsubmit: enter }, h("h1", {}, "Come to the table"),
    h("p", {}, "Say by which name the others know you. Chips are for play only."),
    h("label", { class: "field" }, h("span", { class: "label" }, "Your name at the table"), field),
    h("button", { class: "button main", type: "submit" }, "Come in"), wrong);
}

/** What is shown where there is no such table. */
export function noTable({ message }) {
  return h("div", { class: "welcome box" }, h("h1", {}, "No such table"), h("p", {}, message),
    h("a", { class: "button", href: "/" }, "To the lobby"));
}
