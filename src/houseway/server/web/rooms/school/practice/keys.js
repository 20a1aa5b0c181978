// The keys of a position. Shortcuts made of one character can be turned off in the settings.

import { isCovered } from "../../../kit/dom.js";
import { setting } from "../../../settings.js";

/**
 * Listen for keys. `press` takes a character and returns true if it did something; `next` is called for Enter.
 *
 * @param {{ press: (key: string) => boolean, next: () => boolean }} acts
 * @returns {() => void} a function that stops listening
 */
export function listen({ press, next }) {
  /** @param {KeyboardEvent} event */
  const hear = (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (target.closest?.("input, select, textarea")) return;
    if (isCovered() && event.key.toLowerCase() !== "g") return;
    // Enter on a button or a link presses it.
    const done = event.key === "Enter" ? !target.closest?.("button, a, summary") && next()
      : event.key.length === 1 && setting("keys") === "on" && press(event.key);
    if (done) event.preventDefault();
  };
  document.addEventListener("keydown", hear);
  return () => document.removeEventListener("keydown", hear);
}
