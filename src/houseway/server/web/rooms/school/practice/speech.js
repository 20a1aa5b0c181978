// The words of a position for a screen reader, and the keys of its choices. No drawing.

import { asTitle, cardName } from "../../../kit/words.js";

/**
 * Replace the cards in a phrase with their names.
 *
 * @param {string} text
 */
const inWords = (text) => text.replace(/\b[2-9TJQKA][shdc]\b/g, cardName);

/**
 * Return a position for a screen reader: the street, the cards, the board and the choices.
 *
 * @param {api.PracticeSpot} spot
 */
export function spotSpeech({ street, cards, board, choices }) {
  /** @param {readonly string[]} held */
  const named = (held) => held.map(cardName).join(", ");
  return [`${asTitle(street)}.`, `Your cards: ${named(cards)}.`,
    board.length ? `Board: ${named(board)}.` : "", `Choices: ${choices.map(({ title }) => inWords(title)).join(", ")}.`].filter(Boolean).join(" ");
}

/**
 * Return the choice that a key takes; empty if none.
 *
 * @param {api.PracticeSpot | null} spot
 * @param {string} key
 */
export const choiceOfKey = (spot, key) =>
  spot?.choices.find((option) => option.key.toLowerCase() === key.toLowerCase())?.choice ?? "";
