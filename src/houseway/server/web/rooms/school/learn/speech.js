// A page of the lesson for a screen reader. No drawing.

import { cardName } from "../../../kit/words.js";

/**
 * Return the cards that the learner sees, in words.
 *
 * @param {api.View} view
 */
function cardsSpeech({ table, yours }) {
  /** @type {(title: string, cards: readonly string[]) => string} */
  const named = (title, cards) => (cards.length ? `${title}: ${cards.map(cardName).join(", ")}.` : "");
  return [named("Your cards", (yours.cards ?? []).flat()), named("Board", table.board ?? []), named("Dealer", table.dealer ?? [])]
    .filter(Boolean).join(" ");
}

/**
 * Return a page in words, without its title: the explanation, the cards and the choices with what they cost.
 *
 * @param {api.LessonPageReply} page
 * @param {api.View} view
 */
export function pageSpeech({ says, choices = [], chosen }, view) {
  const offered = chosen ? "" : choices.map((one) => `${one.title}: ${one.effect}`).join("; ");
  return [says, cardsSpeech(view), offered && `Choices: ${offered}.`].filter(Boolean).join(" ");
}
