// The form that asks a guest for a name, and the notice for a missing table.

import { h } from "../../kit/dom.js";
import { tableTitle } from "../../kit/words.js";
import { company } from "../lobby/cards.js";

/**
 * Create the form for a guest's name; `come(person)` is called once the server has accepted it.
 *
 * @param {import("../../api_client.js").ApiClient} client
 * @param {api.TableCard} card
 * @param {(person: api.Person) => void} come
 */
export function guestForm(client, card, come) {
  const field = h("input", { name: "handle", required: true, maxlength: 24, autocomplete: "nickname" });
  const wrong = h("p", { class: "small", role: "alert" });
  /** @param {Event} event */
  const enter = async (event) => {
    event.preventDefault();
    try {
      const { person } = await client.post("/api/session", { handle: field.value.trim() });
      come(person);
    } catch (refused) {
      wrong.textContent = /** @type {Error} */ (refused).message;
    }
  };
  return h("form", { class: "welcome box", onsubmit: enter }, h("h1", {}, `Join ${tableTitle(card.name)}`),
    h("p", {}, `${card.title}, ${card.limits}, ${company(card.seats)}.`),
    h("p", { class: "small" }, "You join as a spectator. Press a free seat to sit down. Play chips only."),
    h("label", { class: "field" }, h("span", { class: "label" }, "Your name at the table"), field),
    h("button", { class: "button main", type: "submit" }, "Join"), wrong);
}

/**
 * Create the notice for a missing table.
 *
 * @param {{ message: string }} refused
 */
export function noTable({ message }) {
  return h("div", { class: "welcome box" }, h("h1", {}, "No such table"), h("p", {}, message),
    h("a", { class: "button", href: "/" }, "Go to the lobby"));
}
