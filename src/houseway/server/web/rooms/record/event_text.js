// The words for an event of a replay, and the dealer's line at that moment.

import { stepWords } from "../../kit/words.js";

/**
 * Describe an event by its sentences; if it has none, by the dealer's step.
 *
 * @param {api.Update} update
 */
export function eventText({ event, sentences, script }) {
  if (sentences?.length) return sentences.join(". ");
  if (event?.step) return `Dealer's step: ${stepWords(event.step)}`;
  return event?.what ? `To the discard rack: ${event.what}` : script?.at(-1)?.says ?? "";
}

/**
 * Return the last line of the script up to an event.
 *
 * @param {{ updates: api.Update[] }[]} steps
 * @param {number} at
 */
export function scriptUpTo(steps, at) {
  const last = steps.slice(0, at + 1).flatMap(({ updates }) => updates[0].script ?? []).at(-1);
  return last ? { ...last, voice: false } : null;
}
