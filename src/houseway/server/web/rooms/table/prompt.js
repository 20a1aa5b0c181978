// Chooses the line of the dealer's script to show: spoken words, the dealer's next step, or a question to a seat.

import { joinWords, numberWord, withCardSigns } from "../../kit/words.js";
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
 * Return the line to show after some updates: the next step for the dealer, the question for the seat whose `turn` it
 * is, the seat that decides for everyone else, and otherwise the dealer's last words. Players and spectators do not
 * see the steps of the dealer's procedure.
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
  const deciding = decidingSeats(view);
  if (deciding.length) return { says: decidesText(deciding), voice: false };
  const last = updates.flatMap(({ script }) => script ?? [])
    .filter(({ spoken }) => spoken || notes || view.table.closed).at(-1);
  if (last) return shownLine(last);
  // A question that has its answer is not asked any longer.
  return before?.asked ? null : before;
}

/**
 * Return the seats that decide now.
 *
 * @param {api.View} view
 */
function decidingSeats({ table, waits, yours }) {
  if (waits.why !== "decision" || yours.notes) return [];
  return [table.turn ?? 0, ...(table.turns ?? [])].filter((seat, n, all) => seat && seat !== yours.seat
    && all.indexOf(seat) === n);
}

/** @param {number[]} deciding */
const decidesText = (deciding) => (deciding.length === 1 ? `Seat ${numberWord(deciding[0])} decides.`
  : `Seats ${joinWords(deciding.map(numberWord))} decide.`);

/**
 * Return the dealer's question to a seat, with the clause of its first answer.
 *
 * @param {number} seat
 * @param {api.Choice[]} answers
 */
export function prompt(seat, answers) {
  /** @param {string} words */
  const asks = (words) => ({ says: `Seat ${numberWord(seat)}: ${words}.`, voice: true, asked: true,
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
