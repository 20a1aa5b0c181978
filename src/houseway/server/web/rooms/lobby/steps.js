// The game in a few steps, told from its rules card.

import { clauseTag } from "../../kit/clause.js";
import { h } from "../../kit/dom.js";
import { listed, titled } from "../../kit/words.js";

const clauseOf = ({ clause }) => (clause && typeof clause === "object" ? Object.values(clause).at(-1) : clause);
const lower = (text) => text.toLowerCase();

/** The steps of a round as [words, clause]. */
export function steps(card) {
  const { wagers, stages, options, entry } = card;
  const title = (name) => lower(wagers[name]?.title ?? name);
  const needed = entry.value[0];
  const made = needed.filter((name) => wagers[name]?.equals);
  const aside = Object.values(wagers).filter((wager) => wager.optional && wager.looks === "hand").map((wager) => lower(wager.title));
  const found = [[`Put down ${listed(needed.map((name) => `the ${title(name)}`))}`
    + `${made.length ? `, ${listed(made.map(title))} as much as ${title(wagers[made[0]].equals.value)}` : ""}.`
    + `${aside.length ? ` Beside ${needed.length > 1 ? "them" : "it"}, if you like: ${listed(aside)}.` : ""}`, clauseOf(entry)]];
  for (const name of ["keep", "split"]) {
    if (options[name]) found.push([`${options[name].title}: ${options[name].value}.`, clauseOf(options[name])]);
  }
  for (const stage of stages) {
    const sizes = listed([...stage.play.value].sort((a, b) => b - a).map((size) => (size === 1 ? "once" : `${size} times`))).replace(" and ", " or ");
    const other = stage.check ? "check and bet nothing" : "fold";
    found.push([`${titled(stage.name)}, play ${sizes} the ${title(needed[0])}, or ${other}.`, clauseOf(stage.play)]);
  }
  if (options.qualifier && options.qualifier.value !== "none") {
    found.push([`The dealer's hand is turned up; it qualifies with a ${options.qualifier.value} or better.`, clauseOf(options.qualifier)]);
  }
  const paid = Object.values(wagers).flatMap((wager) => wager.rows.filter((row) => row.when.contest === "win" && row.odds)
    .map((row) => [`${lower(wager.title)} ${row.pays}`, clauseOf(row)]));
  if (paid.length) found.push([`The better five-card hand wins: ${listed(paid.map(([words]) => words))}; the rest by its pay table.`, paid[0][1]]);
  return found;
}

/** The steps on paper. */
export function stepsOnPaper(card, close) {
  return h("section", { class: "steps paper", "aria-label": "The game in steps", tabindex: "-1" },
    h("header", {}, h("h2", {}, card.title), h("button", { type: "button", class: "close", "aria-label": "Close", onclick: close }, "×")),
    h("ol", {}, steps(card).map(([words, clause]) => h("li", {}, h("p", {}, words), clauseTag(clause)))));
}
