// Parts shared by several rooms.

import "../kit/drawer.js";
import "../kit/notice.js";
import { localLinkNote } from "../local_link.js";
import { h, morph } from "../kit/dom.js";
import { asTitle } from "../kit/words.js";

/**
 * Create a notice for each reason of a refusal.
 *
 * @param {unknown} error
 */
export function refusals(error) {
  const refused = /** @type {(Error & { refused?: api.Refusal[] }) | null} */ (error);
  const reasons = refused?.refused?.length ? refused.refused
    : refused ? [{ message: refused.message, clause: null }] : [];
  return reasons.map(({ message, clause }) =>
    h("hw-notice", { kind: "refused", role: "alert", head: "That failed. Try again.", text: asTitle(message),
      clause: clause || null }));
}

/**
 * Announce something to screen readers.
 *
 * @param {string} words
 */
export function announce(words) {
  document.getElementById("polite")?.append(h("p", {}, words));
}

/**
 * Create a drawer for the clauses pressed in an element; the caller appends it to that element.
 *
 * @param {HTMLElement} element
 * @param {import("../api_client.js").ApiClient} client
 */
export function reader(element, client, table = "") {
  const drawer = h("hw-drawer", { class: "reader" });
  Object.assign(drawer, { client, table });
  element.addEventListener("clause", (event) => {
    const { detail } = /** @type {CustomEvent} */ (event);
    drawer.open(detail.clause, detail);
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && drawer.hasAttribute("clause")) drawer.close();
  });
  return drawer;
}

/** Create a button that copies a link, by default to the current page. */
export function copyLink(path = "") {
  return h("button", { type: "button", class: "button", 
    onclick: async (/** @type {Event & { currentTarget: HTMLElement }} */ { currentTarget: button }) => {
    const link = new URL(path || location.href, location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      morph(button, [h("span", {}, localLinkNote() ? "Copied; works only on this computer" : "Copied")]);
    } catch {
      button.after(h("input", { class: "link-field", readonly: true, value: link, "aria-label": "Link" }));
    }
  } }, h("span", {}, "Copy link"));
}

/**
 * Return a short name for each rulebook, by ID: its place or, if another rulebook has the same place, its game.
 *
 * @param {api.RulebookEntry[]} books
 */
export function shortNames(books) {
  /** @type {(key: "place" | "game_title", text: string) => boolean} */
  const many = (key, text) => books.filter((book) => book[key] === text).length > 1;
  return new Map(books.map(({ id, place, game_title: game }) =>
    [id, many("place", place) && !many("game_title", game) ? game : place]));
}

/**
 * Return the rulebook with the most clauses, which is the default for newcomers.
 *
 * @param {api.RulebookEntry[]} books
 */
export const fullest = (books) => books.reduce((a, b) => (b.clauses > a.clauses ? b : a));
