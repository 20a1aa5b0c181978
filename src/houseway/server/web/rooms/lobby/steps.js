// The game in a few steps, told from its rules card.

import { clauseTag } from "../../kit/clause.js";
import { h } from "../../kit/dom.js";
import { listed, numberSaid, titled } from "../../kit/words.js";

/** The clause something rests on; of one for each deal mode, the last. */
const clauseOf = ({ clause }) => (typeof clause === "object" ? Object.values(clause ?? {}).at(-1) : clause);
const lower = (text) => text.toLowerCase();

/** The steps of a round as [words, clause]. */
export function steps(card) {
  const { wagers, stages, options, entry } = card;
  const title = (name) => lower(wagers[name]?.title ?? name);
  const needed = entry.value[0];
  const made = needed.filter((name) => wagers[name]?.equals);
  const aside = Object.values(wagers).filter((wager) => wager.optional && wager.looks === "hand")
    .map((wager) => lower(wager.title));
  const equal = made.map((name) => `${title(name)} as much as ${title(wagers[name].equals.value)}`);
  const down = [listed(needed.map((name) => `the ${title(name)}`)), ...equal].join(", ");
  const beside = needed.length > 1 ? "them" : "it";
  const more = aside.length ? ` Beside ${beside}, if you like: ${listed(aside)}.` : "";
  const found = [[`Put down ${down}.${more}`, clauseOf(entry)]];
  found.push(...setting(options, title(needed[0])));
  for (const stage of stages) {
    const sizes = [...stage.play.value].sort((a, b) => b - a)
      .map((size) => (size === 1 ? "once" : `${size} times`)).join(" or ");
    const other = stage.check ? "check and bet nothing" : "fold";
    found.push([`${titled(stage.name)}, play ${sizes} the ${title(needed[0])}, or ${other}.`,
      clauseOf(stage.play)]);
  }
  if (options.qualifier && options.qualifier.value !== "none") {
    found.push([`The dealer's hand is turned up; it qualifies with a ${options.qualifier.value} or better.`,
      clauseOf(options.qualifier)]);
  }
  const paid = Object.values(wagers).flatMap((wager) => wager.rows
    .filter((row) => row.when.contest === "win" && row.odds)
    .map((row) => [`${lower(wager.title)} ${row.pays}`, clauseOf(row)]));
  if (paid.length) {
    const said = listed(paid.map(([words]) => words));
    const tie = wagers[needed[0]].rows.find((row) => row.when.contest === "tie" && row.result === "lose");
    found.push([`The better five-card hand wins: ${said}${tie ? ", and a tie loses" : ""}; the rest by its `
      + "pay table.", paid[0][1]]);
  }
  for (const name of options.offered.value.filter((one) => wagers[one]?.looks === "table")) {
    found.push([`${wagers[name].title}, if you like, is a wager on the highest hand at the table, whosever `
      + "it is, the dealer's too; a sign says what each hand pays.", clauseOf(wagers[name])]);
  }
  return found;
}

/** Where hands are set: what one keeps, when one may split, what the dealer does and what comes then. */
function setting({ keep, split, dealer_splits: apart, flop }, wager) {
  if (!keep) return [];
  const dealt = keep.title.split(" of ").at(-1);
  return [
    [`Of ${dealt} cards keep ${numberSaid(keep.value)}; the others are out of play.`, clauseOf(keep)],
    split && [`With ${split.value} you may split instead: two hands, each with a ${wager} of its own.`,
      clauseOf(split)],
    apart && [`The dealer keeps ${numberSaid(keep.value)} of ${dealt} by the house way${apart.value ? ""
      : " and never splits"}.`, clauseOf(apart)],
    flop && [`Then come the common cards, ${flop.value}.`, clauseOf(flop)],
  ].filter(Boolean);
}

/** The steps on paper. */
export function stepsOnPaper(card, close) {
  return h("section", { class: "steps paper", "aria-label": "The game in steps", tabindex: "-1" },
    h("header", {}, h("h2", {}, card.title),
      h("button", { type: "button", class: "close", "aria-label": "Close", onclick: close }, "×")),
    h("ol", {}, steps(card).map(([words, clause]) => h("li", {}, h("p", {}, words), clauseTag(clause)))));
}
