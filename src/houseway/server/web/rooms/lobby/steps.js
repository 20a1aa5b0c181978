// The game in a few steps, generated from its rules card.

import { clauseTag } from "../../kit/clause.js";
import { h } from "../../kit/dom.js";
import { joinWords, numberWord, asTitle } from "../../kit/words.js";

/** @typedef {[words: string, clause: string | null | undefined]} Step */

/**
 * Return the clause of a rule; if each deal mode has its own clause, the last one.
 *
 * @param {{ clause?: string | Record<string, string> | null }} cited
 */
const clauseOf = ({ clause }) => (typeof clause === "object" ? Object.values(clause ?? {}).at(-1) : clause);
/**
 * Replacements for “of 1 times” and “of 2 times”, used if only that multiple of the ante is offered.
 *
 * @type {Record<string, string>}
 */
const MULTIPLES = { 1: "equal to", 2: "of twice" };
/**
 * The names of the community cards that complete a board of this size.
 *
 * @type {Record<number, string>}
 */
const DEALT = { 3: "the flop", 5: "the turn and river" };
/** @param {string} text */
const lower = (text) => text.toLowerCase();

/**
 * Return the steps of a round.
 *
 * @param {api.RulesCard} card
 * @returns {Step[]}
 */
export function steps(card) {
  const { wagers, stages, options, entry } = card;
  /** @param {string} name */
  const title = (name) => lower(wagers[name]?.title ?? name);
  const needed = entry.value[0];
  const sideBets = Object.values(wagers).filter((wager) => wager.optional && wager.on_own_cards);
  const equal = needed.flatMap((name) => {
    const twin = wagers[name]?.equals;
    return twin ? [`The ${title(name)} must equal the ${title(twin.value)}.`] : [];
  });
  const bet = `Bet ${joinWords(needed.map((name) => `the ${title(name)}`))}.`;
  const optional = sideBets.length ? [`Optional: ${joinWords(sideBets.map((wager) => lower(wager.title)))}.`,
    ...sideBets.flatMap(sideBetWords)] : [];
  /** @type {Step[]} */
  const list = [[[bet, ...equal, ...optional].join(" "), clauseOf(entry)]];
  if (stages.length) list.push(dealStep(card));
  list.push(...settingSteps(options, title(needed[0]), card.hand_size));
  for (const stage of stages) {
    const sizes = [...stage.play.value].sort((a, b) => b - a).join(" or ");
    const size = MULTIPLES[sizes] ?? `of ${sizes} times`;
    const other = stage.check ? "check" : "fold";
    list.push([`${asTitle(stage.name)}, make a play bet ${size} the ${title(needed[0])}, or ${other}.`,
      clauseOf(stage.play)]);
  }
  if (options.qualifier && options.qualifier.value !== "none") {
    const returned = Object.values(wagers).filter((wager) => wager.rows.some((row) =>
      row.when.dealer_qualifies === false && row.result === "push")).map((wager) => lower(wager.title));
    const otherwise = returned.length ? `; otherwise your ${joinWords(returned)} ${returned.length > 1 ? "are" : "is"} `
      + "returned, and the other bets are settled as usual" : "";
    list.push([`The dealer's hand is turned up. With a ${options.qualifier.value} or better it qualifies${otherwise}.`,
      clauseOf(options.qualifier)]);
  }
  const paid = Object.values(wagers).flatMap((wager) => wager.rows
    .filter((row) => row.when.contest === "win" && row.odds)
    .map((row) => ({ wager: lower(wager.title), pays: row.pays, clause: clauseOf(row) })));
  if (paid.length) {
    const payments = [...Map.groupBy(paid, ({ pays }) => pays)].map(([pays, rows]) =>
      `The ${joinWords(rows.map((row) => row.wager))} ${rows.length > 1 ? "pay" : "pays"} ${pays}.`);
    const tie = wagers[needed[0]].rows.find((row) => row.when.contest === "tie" && row.result === "lose");
    list.push([["The better five-card hand wins.", ...payments, tie ? "A tie loses." : "",
      "The other wagers pay according to their pay tables."].filter(Boolean).join(" "), paid[0].clause]);
  }
  for (const name of /** @type {string[]} */ (options.offered.value).filter((one) => wagers[one]?.on_whole_table)) {
    list.push([`${wagers[name].title} is an optional wager on the highest hand at the table, including the `
      + "dealer's. A sign shows what each hand pays.", clauseOf(wagers[name])]);
  }
  return list;
}

/**
 * Return the hands on which a side bet on the player's own hand pays; nothing if its pay table alone decides.
 *
 * @param {api.CardWager} wager
 */
function sideBetWords({ title, rows }) {
  const [{ when: { hand, ...other }, result }, ...rest] = rows;
  return hand && result !== "lose" && !Object.keys(other).length && rest.every((row) => row.result === "lose")
    ? [`${asTitle(lower(title))} pays on your own hand (${hand}), whatever the dealer has.`] : [];
}

/**
 * Return the step that says which cards are dealt.
 *
 * @param {api.RulesCard} card
 * @returns {Step}
 */
function dealStep({ hand_size: handSize, stages, options: { deal_by_hand: byHand, deal_by_device: byDevice } }) {
  const boards = stages.map(({ board }) => board);
  const total = Math.max(...boards);
  const parts = boards.flatMap((board, n) => {
    const more = board - (boards[n - 1] ?? 0);
    return more ? [`${numberWord(more)}${DEALT[board] ? ` (${DEALT[board]})` : ""}`] : [];
  });
  return [`You and the dealer get ${numberWord(handSize)} cards each, face down. All hands share ${numberWord(total)} `
    + `community cards, the board: first ${parts.join(", then ")}.`, clauseOf(byHand?.value === "not used" ? byDevice : byHand)];
}

/**
 * Return the steps of a game in which players keep some of their cards: keep, split, the dealer's hand, the flop.
 *
 * @param {Record<string, api.Cited<any>>} options
 * @param {string} wager
 * @param {number} handSize The number of cards that a player is dealt.
 * @returns {Step[]}
 */
function settingSteps({ keep, split, dealer_splits: dealerSplits, flop }, wager, handSize) {
  if (!keep) return [];
  const dealt = numberWord(handSize);
  return /** @type {Step[]} */ ([
    [`Keep ${numberWord(keep.value)} of your ${dealt} cards and discard the others.`, clauseOf(keep)],
    split && [`With ${split.value}, you may split them into two hands instead, each with its own ${wager}.`,
      clauseOf(split)],
    dealerSplits && [`The dealer keeps ${numberWord(keep.value)} of ${dealt} cards by a fixed rule, the house way${dealerSplits.value ? ""
      : ", and never splits"}.`, clauseOf(dealerSplits)],
    flop && [`Then the community cards, which all hands share, are dealt: ${flop.value}.`, clauseOf(flop)],
  ].filter(Boolean));
}

/**
 * Create the sheet of steps.
 *
 * @param {api.RulesCard} card
 * @param {() => void} close
 */
export function stepSheet(card, close) {
  return h("section", { class: "steps paper", "aria-label": "The game in steps", tabindex: "-1" },
    h("header", {}, h("h2", {}, card.title),
      h("button", { type: "button", class: "close", "aria-label": "Close", onclick: close }, "×")),
    h("ol", {}, steps(card).map(([words, clause]) => h("li", {}, h("p", {}, words), clauseTag(clause)))));
}
