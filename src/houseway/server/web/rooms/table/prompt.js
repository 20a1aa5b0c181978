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
 * Return the quoted words of a script line; if nothing is quoted, the whole line.
 *
 * @param {string} says
 */
export function spoken(says) {
  const quoted = says.match(/“([^”]+)”/g);
  return { says: withCardSigns(quoted ? quoted.map((part) => part.slice(1, -1)).join(" ") : says),
    voice: Boolean(quoted) };
}

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
  if (todo) return { ...spoken(todo.says), clause: todo.clause };
  if (turn) return prompt(seat, splitChoices(view).answers);
  const last = updates.flatMap(({ script }) => script ?? []).at(-1);
  return last ? { ...spoken(last.says), clause: last.clause } : before;
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
