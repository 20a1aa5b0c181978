// The keys of the room.

import { KEYS } from "./panel.js";

/** @typedef {import("../find.js").Finder} Finder */

/**
 * @param {Finder} finder
 * @param {KeyboardEvent} event
 */
export function pressKey(finder, event) {
  const { round, watch } = finder;
  if (!round || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = /** @type {HTMLElement} */ (event.target);
  const typing = target.matches("input:not([type=range]), select, textarea");
  const button = target.matches("button, a");
  if (event.key === "Enter" && !button) finder.opened ? finder.next() : finder.report();
  else if (typing) return;
  else if (event.key === " " && !button && !finder.opened) watch.toggle();
  else if (event.key === "ArrowRight" && !target.matches("[type=range]")) finder.seek(watch.at + 1);
  else if (event.key === "ArrowLeft" && !target.matches("[type=range]")) finder.seek(watch.at - 1);
  else if (event.key === "End" && !target.matches("[type=range]")) finder.seek(watch.last);
  else if (event.key.toLowerCase() === "n" && !finder.judged) finder.none();
  else if (KEYS.includes(event.key) && !finder.judged) {
    finder.change({ family: round.families[KEYS.indexOf(event.key)]?.key ?? "" });
  } else return;
  event.preventDefault();
}
