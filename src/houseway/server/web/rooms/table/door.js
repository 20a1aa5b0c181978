// The door of a table: by which name somebody comes in, and what is said where there is no table.

import { h } from "../../kit/dom.js";
import { tableSaid } from "../../kit/words.js";
import { company } from "../lobby/cards.js";

/**
 * The form a guest fills in before coming to a table; `come(person)` is called once the house knows them.
 *
 * @param {import("../../house.js").House} house
 * @param {api.TableCard} card
 * @param {(person: api.Person) => void} come
 */
export function door(house, card, come) {
  const field = h("input", { name: "handle", required: true, maxlength: 24, autocomplete: "nickname" });
  const wrong = h("p", { class: "small", role: "alert" });
  /** @param {Event} event */
  const enter = async (event) => {
    event.preventDefault();
    try {
      const { person } = await house.post("/api/session", { handle: field.value.trim() });
      come(person);
    } catch (refused) {
      wrong.textContent = /** @type {Error} */ (refused).message;
    }
  };
  return h("form", { class: "welcome box", onsubmit: enter }, h("h1", {}, `Join ${tableSaid(card.name)}`),
    h("p", {}, `${card.title}, ${card.limits}, ${company(card.seats)}.`),
    h("p", { class: "small" }, "You join as a spectator. Press a free seat to take it. Play chips only."),
    h("label", { class: "field" }, h("span", { class: "label" }, "Your name at the table"), field),
    h("button", { class: "button main", type: "submit" }, "Join"), wrong);
}

/**
 * The notice that there is no such table.
 *
 * @param {{ message: string }} refused
 */
export function noTable({ message }) {
  return h("div", { class: "welcome box" }, h("h1", {}, "No such table"), h("p", {}, message),
    h("a", { class: "button", href: "/" }, "Go to the lobby"));
}
