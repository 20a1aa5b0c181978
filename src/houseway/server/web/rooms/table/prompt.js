// Chooses the line of the dealer's script to show: spoken words, the dealer's next step, or a question to a seat.

import { numberWord, withCardSigns } from "../../kit/words.js";
import { splitChoices } from "./state.js";

/** @typedef {import("./felt.js").Script} Script */

/**
 * Replacements for “one times” and “two times”, used if a seat may play only that multiple of the ante.
 *
 * @type {Record<string, string>}
 */
const MULTIPLES = { one: "1×", two: "twice" };

/**
 * Return what to show of a script line: the words that the dealer speaks or, if there are none, the whole line.
 *
 * @param {{ says: string, spoken?: string, clause?: string | null }} line
 */
export const shownLine = ({ says, spoken, clause }) => ({ says: withCardSigns(spoken || says), voice: Boolean(spoken), clause });

/**
 * Return the line to show after some updates: the next step for the dealer, the question for the seat whose
 * `turn` it is, and the last spoken line for everyone else.
 *
 * @param {Script | null} before
 * @param {api.View} view
 * @param {api.Update[]} updates
 * @param {boolean} turn
 * @returns {Script | null}
 */
export function scriptAfter(before, view, updates, turn) {
  const { seat = 0, notes } = view.yours;
  const [todo] = notes?.script ?? [];
  if (todo) return shownLine(todo);
  if (turn) return prompt(seat, splitChoices(view).answers);
  const last = updates.flatMap(({ script }) => script ?? []).at(-1);
  return last ? shownLine(last) : before;
}

/**
 * Return the dealer's question to a seat, with the clause of its first answer.
 *
 * @param {number} seat
 * @param {api.Choice[]} answers
 */
export function prompt(seat, answers) {
  /** @param {string} words */
  const asks = (words) => ({ says: `Seat ${numberWord(seat)}: ${words}.`, voice: true,
    clause: answers[0]?.clause });
  if (answers.some(({ command }) => command.type === "Keep")) {
    const split = answers.some(({ command }) => command.type === "Split");
    return asks(`play two, discard two${split ? ", or split" : ""}`);
  }
  const sizes = answers.filter(({ command }) => command.type === "Play" && !command.tip)
    .map(({ command }) => numberWord(command.times));
  const play = sizes.length
    && `play ${MULTIPLES[sizes.join()] ?? `${sizes.join(" or ")} times`} your ante`;
  const rest = answers.filter(({ command }) => command.type !== "Play").map(({ says }) => says);
  return asks([...rest, play].filter(Boolean).join(", or "));
}
