// The form that asks for a name before the first drill or the first practice. The server stores answers under this name.

import { h } from "../kit/dom.js";

/**
 * @param {import("../api_client.js").ApiClient} client
 * @param {{ title: string, text: string }} words
 * @param {(person: api.Person) => void} come
 */
export function nameForm(client, { title, text }, come) {
  const field = h("input", { name: "handle", required: true, maxlength: 24, autocomplete: "nickname" });
  const wrong = h("p", { class: "small", role: "alert" });
  /** @param {Event} event */
  const enter = async (event) => {
    event.preventDefault();
    try {
      come((await client.post("/api/session", { handle: field.value.trim() })).person);
    } catch (refused) {
      wrong.textContent = /** @type {Error} */ (refused).message;
    }
  };
  return h("form", { class: "welcome box", onsubmit: enter }, h("h1", {}, title), h("p", {}, text),
    h("label", { class: "field" }, h("span", { class: "label" }, "Your name"), field),
    h("button", { class: "button main", type: "submit" }, "Continue"), wrong);
}
