// The keys of the chair. Letters choose acts, digits take chips from the tubes (columns) of the tray or enter counts, and arrow keys
// move between places on the felt.

import { setting } from "../../settings.js";
import { neighbour } from "./geometry.js";

/**
 * Handlers; each returns true if it did something.
 *
 * @typedef {{ digit: (digit: number) => boolean, act: (key: string) => boolean, find: () => boolean, enter: (target: Element) => boolean,
 *   back: () => boolean, escape: () => boolean, sign: (sign: string) => boolean, list: () => boolean, felt: () => HTMLElement }} Handlers
 */

/** @param {Element} target */
const inField = (target) => target.closest?.("input, select, textarea, [contenteditable]");

/**
 * Listen for keys. Returns a function that stops listening.
 *
 * @param {Handlers} handlers
 */
export function listen(handlers) {
  /** @param {KeyboardEvent} event */
  const hear = (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const field = inField(target);
    let done = false;
    if (key === "Escape") done = handlers.escape();
    else if (field) done = key === "Enter" && target.matches("input.count") && handlers.enter(target);
    else if (target.closest("dialog, [popover]:popover-open")) return;
    else if (key.startsWith("Arrow")) done = walk(handlers.felt(), target, key);
    else if (key === "Enter") done = event.repeat || handlers.enter(target);
    else if (key === "Backspace") done = handlers.back();
    else if (setting("keys") === "on" && !event.repeat) {
      if (key === "/") done = handlers.find();
      else if (key === "?") done = handlers.list();
      else if (/^\d$/.test(key)) done = handlers.digit(Number(key));
      else if (/^[a-z]$/i.test(key)) done = handlers.act(key.toUpperCase());
      else if (key === "+" || key === "-" || key === "=") done = handlers.sign(key);
    }
    if (done) event.preventDefault();
  };
  document.addEventListener("keydown", hear);
  return () => document.removeEventListener("keydown", hear);
}

/**
 * Return the things of a felt that can be pressed.
 *
 * @param {HTMLElement} felt
 */
export const things = (felt) => [...felt.querySelectorAll("[data-thing]")].map((one) =>
  /** @type {HTMLElement} */ (one.matches("hw-circle") ? one.querySelector("button.ring") : one))
  .filter((one) => one?.matches("button") && one.checkVisibility());

/**
 * Move the focus on the felt.
 *
 * @param {HTMLElement} felt
 * @param {Element} target
 * @param {string} key
 */
function walk(felt, target, key) {
  // Inside the panel and the palette, the arrows move between the choices of a group.
  const group = target.closest(".options, .group .acts, .segmented, .pills");
  if (group) {
    const buttons = /** @type {HTMLElement[]} */ ([...group.querySelectorAll("button")]);
    const at = buttons.findIndex((one) => one === target);
    const by = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
    buttons[(at + by + buttons.length) % buttons.length]?.focus();
    return true;
  }
  const all = things(felt);
  if (!all.length) return false;
  const at = all.findIndex((one) => one === target);
  if (at < 0) {
    if (target !== document.body && !target.matches("main")) return false;
    all[0].focus();
    return true;
  }
  const centres = all.map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return /** @type {[number, number]} */ ([x + width / 2, y + height / 2]);
  });
  all[neighbour(centres, at, key)].focus();
  return true;
}
