// Screen reader announcements: the viewer's turn and refusals at once, other events in order.

import { withCardSigns } from "../../kit/words.js";

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
 * Announce something immediately.
 *
 * @param {string} text
 */
export const assertive = (text) => text && say("assertive", text, 3);

/**
 * Announce something when the screen reader is idle.
 *
 * @param {string} text
 */
export const polite = (text) => text && say("polite", text, 30);

/**
 * Announce events in the server's words, and the dealer's spoken lines.
 *
 * @param {api.Update[]} updates
 */
export function announceUpdates(updates) {
  for (const { aloud = [], script = [] } of updates) {
    const dealer = script.flatMap(({ spoken }) => (spoken ? [withCardSigns(spoken)] : []));
    for (const text of [...aloud, ...dealer]) polite(text);
  }
}
