// The line of the dealer's script: what the dealer says, does next, or asks a seat.

import { numberSaid, signed } from "../../kit/words.js";
import { sorted } from "./state.js";

/** @typedef {import("./felt.js").Script} Script */

/**
 * The words spoken in a line of the script, or else the line itself.
 *
 * @param {string} says
 */
export function spoken(says) {
  const quoted = says.match(/“([^”]+)”/g);
  return { says: signed(quoted ? quoted.map((part) => part.slice(1, -1)).join(" ") : says),
    voice: Boolean(quoted) };
}

/**
 * The line to show after some updates: the dealer's next step to the dealer, the question to a seat whose
 * `turn` it is, and to everyone else what was said last.
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
  if (turn) return prompt(seat, sorted(view).answers);
  const last = updates.flatMap(({ script }) => script ?? []).at(-1);
  return last ? { ...spoken(last.says), clause: last.clause } : before;
}

/**
 * The line that asks a seat, in the dealer's voice, with the clause of its first answer.
 *
 * @param {number} seat
 * @param {api.Choice[]} answers
 */
export function prompt(seat, answers) {
  /** @param {string} words */
  const asks = (words) => ({ says: `Seat ${numberSaid(seat)}: ${words}.`, voice: true,
    clause: answers[0]?.clause });
  if (answers.some(({ command }) => command.type === "Keep")) {
    const split = answers.some(({ command }) => command.type === "Split");
    return asks(`play two, discard two${split ? ", or split" : ""}`);
  }
  const sizes = answers.filter(({ command }) => command.type === "Play")
    .map(({ command }) => numberSaid(command.times));
  const play = sizes.length
    && `play ${sizes.join() === "one" ? "once" : `${sizes.join(" or ")} times`} your ante`;
  const rest = answers.filter(({ command }) => command.type !== "Play").map(({ says }) => says);
  return asks([...rest, play].filter(Boolean).join(", or "));
}
