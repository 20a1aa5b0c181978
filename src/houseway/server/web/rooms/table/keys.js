// The keyboard at the table; one-letter keys never work in a field, and can be switched off.

import { h } from "../../kit/dom.js";
import { setting } from "../../settings.js";

const LIST = [
  ["C, F", "check; fold"], ["1 2 3 4", "play that many times the ante, or choose that card"],
    ["K, S", "keep; split"],
  ["R", "ready"], ["arrows", "walk the circles or the seats"], ["+ −", "add or take a chip on the circle"],
    ["[ ]", "other chip"],
  ["Space", "settlement: show all"], ["X, Esc", "open the newest clause; close it"], ["W", "where am I"],
    ["?", "this list"],
];

/** The list of keys. */
export const keyList = () => h("div", { id: "keys", popover: "auto", class: "box" }, h("h2", {}, "Keys"),
  h("dl", { class: "keys" }, LIST.map(([keys, does]) => [h("dt", {}, h("kbd", {}, keys)),
    h("dd", {}, does)])));

const inField = (target) => target.closest?.("input, select, textarea, [contenteditable]");

/** Hear the keys of a table; `does` says what each does there. Gives back what ends it. */
export function listen(does) {
  const hear = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || inField(event.target)) return;
    const { key } = event;
    const focused = event.target.closest?.("button, a, [role=radio]");
    const ring = event.target.closest?.("button.ring");
    let done = false;
    // Who walks or puts chips down may hold a key; everything else is done once.
    if (key === "Enter") done = event.repeat && !ring;
    else if (key === "Escape") done = does.close();
    else if (key.startsWith("Arrow")) done = does.walk(key, event.target);
    else if (key === " ") done = !focused && does.space();
    else if (setting("keys") === "on") {
      if (key === "+" || key === "=") done = does.chips(ring?.dataset.wager, 1);
      else if (key === "-" || key === "−") done = does.chips(ring?.dataset.wager, -1);
      else if (key === "[" || key === "]") done = does.other(key === "]" ? 1 : -1);
      else if (key === "?") done = event.repeat || does.list();
      else if (/^[a-z0-9]$/i.test(key)) done = event.repeat || does.letter(key.toLowerCase());
    }
    if (done) event.preventDefault();
  };
  document.addEventListener("keydown", hear);
  return () => document.removeEventListener("keydown", hear);
}

/** Move the focus among elements in a row. */
export function step(elements, target, key) {
  const at = elements.findIndex((element) => element === target || element.contains(target));
  if (at < 0) return false;
  const by = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  elements[(at + by + elements.length) % elements.length].focus();
  return true;
}
