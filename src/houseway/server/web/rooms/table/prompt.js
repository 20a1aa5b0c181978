// @ts-nocheck
// How the dealer asks a seat for its decision.

import { numberSaid } from "../../kit/words.js";

/** The line that asks a seat, in the dealer's voice, with the clause of its first answer. */
export function prompt(seat, answers) {
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
