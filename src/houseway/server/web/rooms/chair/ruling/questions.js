// The questions of a ruling and their answers, in words.

import { asTitle } from "../../../kit/words.js";
import { wagerName } from "../held_panel.js";

/** The questions that are not about a wager: the title of each, and its name in a list. @type {Record<string, [title: string, name: string]>} */
export const QUESTIONS = { hands: ["The hands", "hands"], board: ["The board", "board"], card: ["The card in question", "card"], call: ["Call", "call"] };
/** Clearer words for answers. @type {Record<string, string>} */
const ANSWERS = { "goes back": "is returned", "take the deck off": "take the deck off the table",
  "turn it back": "turn it back over" };
export const CARD = "card";

/** @param {string} answer */
export const answerText = (answer) => ANSWERS[answer] ?? answer;

/** @param {string} answer */
export const answerTitle = (answer) => asTitle(answerText(answer));

/**
 * Return the title of a question: a wager, or one of the questions that are not about a wager.
 *
 * @param {api.ChairView} view
 * @param {string} question
 */
export const questionTitle = (view, question) => QUESTIONS[question]?.[0] ?? asTitle(wagerName(view, question));

/**
 * Return the right answers to a question of a ruling.
 *
 * @param {api.JudgedRow} row
 */
export const rightAnswers = ({ right, also = [] }) => [right, ...also];
