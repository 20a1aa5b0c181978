// What a screen reader says: the viewer's turn and refusals at once, the server's sentences in order.

import { spoken } from "./prompt.js";

/**
 * @param {string} id
 * @param {string} text
 * @param {number} most
 */
function say(id, text, most) {
  const log = /** @type {HTMLElement} */ (document.getElementById(id));
  const line = document.createElement("p");
  line.textContent = text;
  log.append(line);
  while (log.childElementCount > most) log.firstElementChild?.remove();
}

/**
 * Say something at once.
 *
 * @param {string} text
 */
export const assertive = (text) => text && say("assertive", text, 3);

/**
 * Say something when there is time.
 *
 * @param {string} text
 */
export const polite = (text) => text && say("polite", text, 30);

/**
 * Say what happened, as the server puts it, and what the dealer says.
 *
 * @param {api.Update[]} updates
 */
export function tell(updates) {
  for (const { aloud = [], script = [] } of updates) {
    const dealer = script.map(({ says }) => spoken(says)).filter(({ voice }) => voice).map(({ says }) => says);
    for (const text of [...aloud, ...dealer]) polite(text);
  }
}
