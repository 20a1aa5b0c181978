// What several rooms are made of.

import "../kit/drawer.js";
import "../kit/notice.js";
import { onlyHere } from "../here.js";
import { h, morph } from "../kit/dom.js";
import { titled } from "../kit/words.js";

/**
 * Notices of why the house refused something, each reason with its clause.
 *
 * @param {unknown} error
 */
export function refusals(error) {
  const refused = /** @type {(Error & { refused?: api.Refusal[] }) | null} */ (error);
  const reasons = refused?.refused?.length ? refused.refused
    : refused ? [{ message: refused.message, clause: null }] : [];
  return reasons.map(({ message, clause }) =>
    h("hw-notice", { kind: "refused", role: "alert", head: "That failed. Try again.", text: titled(message),
      clause: clause || null }));
}

/**
 * Say something in the polite log.
 *
 * @param {string} words
 */
export function announce(words) {
  document.getElementById("polite")?.append(h("p", {}, words));
}

/**
 * A drawer that opens the clauses pressed in an element; it is to be put into that element.
 *
 * @param {HTMLElement} element
 * @param {import("../house.js").House} house
 */
export function reader(element, house, table = "") {
  const drawer = h("hw-drawer", { class: "reader" });
  Object.assign(drawer, { house, table });
  element.addEventListener("clause", (event) => {
    const { detail } = /** @type {CustomEvent} */ (event);
    drawer.open(detail.clause, detail);
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && drawer.hasAttribute("clause")) drawer.close();
  });
  return drawer;
}

/** Copy the address of what is shown; the button says that it was done. */
export function copyLink(path = "") {
  return h("button", { type: "button", class: "button", 
    onclick: async (/** @type {Event & { currentTarget: HTMLElement }} */ { currentTarget: button }) => {
    const link = new URL(path || location.href, location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      morph(button, [h("span", {}, onlyHere() ? "Copied; it works on this machine only" : "Copied")]);
    } catch {
      button.after(h("input", { class: "link-field", readonly: true, value: link, "aria-label": "Link" }));
    }
  } }, h("span", {}, "Copy link"));
}

/**
 * A short name for each rulebook, by id: where it comes from, or its game where two come from there.
 *
 * A title is "place, game"; a game that only one rulebook has tells it apart. "A casino's rules card" is
 * the rules card.
 *
 * @param {api.RulebookEntry[]} books
 */
export function shortNames(books) {
  /** @param {string} title */
  const plain = (title) => titled(title.replace(/^An? \S+'s /, ""));
  const parts = books.map(({ id, title }) => [id, ...plain(title).split(/,\s*/)]);
  /** @type {(n: number, text: string) => boolean} */
  const many = (n, text) => parts.filter((part) => part[n] === text).length > 1;
  return new Map(parts.map(([id, place, game = ""]) =>
    [id, many(1, place) && game && !many(2, game) ? game : place]));
}

/**
 * The rulebook a newcomer meets first: the fullest one.
 *
 * @param {api.RulebookEntry[]} books
 */
export const fullest = (books) => books.reduce((a, b) => (b.clauses > a.clauses ? b : a));
