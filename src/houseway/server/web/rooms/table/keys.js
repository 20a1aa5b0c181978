// Listens for keys at a table, calls their handlers (`presses.js`) and lists the keys that work now.
// Keys are ignored in text fields. Shortcuts made of one character can be turned off in the settings.

import { h, isCovered } from "../../kit/dom.js";
import { withCardSigns, asTitle } from "../../kit/words.js";
import { setting } from "../../settings.js";

/** @typedef {import("../table.js").TableRoom} TableRoom */

/**
 * Handlers for each kind of key; each returns true if it did something.
 *
 * @typedef {{ close: () => boolean, move: (key: string, target: Element) => boolean, space: () => boolean,
 *   chips: (wager: string | undefined, by: number) => boolean, otherChip: (by: number) => boolean,
 *   keyList: () => boolean, letter: (key: string) => boolean }} KeyHandlers
 */

/**
 * Return the keys that work now, and what they do.
 *
 * @param {TableRoom} room
 * @returns {[keys: string, does: string][]}
 */
function working({ decision, betting, player, panels, view }) {
  const { busy } = player;
  const { options, picking, turn } = decision;
  const open = !busy && betting.open;
  return /** @type {[string, string][]} */ ([
    ...options.map(({ key, says }) => key && [key.toUpperCase(), asTitle(withCardSigns(says))]),
    picking && turn && [`1 to ${view.yours.cards?.flat().length}`, "Choose that card"],
    open && betting.stakes.laid && ["R", "Ready"],
    open && betting.repeatable && ["S", "Same as last round"],
    open && betting.stakes.tipSpots.length && ["T", "Tip the dealer, or stop tipping"],
    decision.mayTip && ["T", "Add or remove the tip play"],
    open && ["+ −", "Add a chip to the selected circle or the main wager, or remove one"], open && ["[ ]", "Previous or next chip"],
    !busy && view.waits.why === "next" && view.yours.seat && ["R", "Next round"],
    busy && ["Space", "Skip ahead"],
    ["arrows", "Move between circles, choices or seats"],
    ["X", "Open the newest clause"], panels.clause && ["Esc", "Close the clause"],
    ["W", "Read out the state of the round"], ["G", "Show the hands and the words of the game"], ["?", "Show this list"],
  ].filter(Boolean));
}

/**
 * Create the list of the keys that work now.
 *
 * @param {TableRoom} room
 */
export const keyList = (room) => h("div", { id: "keys", popover: "auto", class: "box", role: "dialog",
  "aria-label": "Keys" }, h("h2", {}, "Keys"),
setting("keys") !== "on" && h("p", { class: "small" }, "Keyboard shortcuts are turned off in the settings."),
h("dl", { class: "keys" }, working(room).map(([keys, does]) => [h("dt", {}, h("kbd", {}, keys)),
  h("dd", {}, does)])));

/** @param {Element} target */
const inField = (target) => target.closest?.("input, select, textarea, [contenteditable]");

/**
 * Listen for keys and call `handlers`. Returns a function that stops listening.
 *
 * @param {KeyHandlers} handlers
 */
export function listen(handlers) {
  /** @param {KeyboardEvent} event */
  const hear = (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || inField(target)) return;
    const { key } = event;
    if (isCovered() && !["g", "G", "?", "Escape"].includes(key)) return;
    const focused = target.closest?.("button, a, [role=radio]");
    const ring = /** @type {HTMLElement | null} */ (target.closest?.("button.ring"));
    let done = false;
    // Moving and adding chips repeat while a key is held; everything else happens once.
    if (key === "Enter") done = event.repeat && !ring;
    else if (key === "Escape") done = handlers.close();
    else if (key.startsWith("Arrow")) done = handlers.move(key, target);
    else if (key === " ") done = !focused && handlers.space();
    else if (setting("keys") === "on") {
      if (key === "+" || key === "=") done = handlers.chips(ring?.dataset.wager, 1);
      else if (key === "-" || key === "−") done = handlers.chips(ring?.dataset.wager, -1);
      else if (key === "[" || key === "]") done = handlers.otherChip(key === "]" ? 1 : -1);
      else if (key === "?") done = event.repeat || handlers.keyList();
      else if (/^[a-z0-9]$/i.test(key)) done = event.repeat || handlers.letter(key.toLowerCase());
    }
    if (done) event.preventDefault();
  };
  document.addEventListener("keydown", hear);
  return () => document.removeEventListener("keydown", hear);
}

/**
 * Move the focus within a row of elements.
 *
 * @param {HTMLElement[]} elements
 * @param {Element} target
 * @param {string} key
 */
export function step(elements, target, key) {
  const at = elements.findIndex((element) => element === target || element.contains(target));
  if (at < 0) return false;
  const by = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  elements[(at + by + elements.length) % elements.length].focus();
  return true;
}
