// The lab's panels: outcomes, actions, best play and side bets.

import "../../kit/grid.js";
import "../../kit/outcomes.js";
import { card } from "../../kit/card.js";
import { segmented } from "../../kit/choices.js";
import { h } from "../../kit/dom.js";
import { handName, compareChoices } from "../../kit/starting_hands.js";
import { asTitle, nameWords } from "../../kit/words.js";
import { meterText } from "./meters.js";
import { percent } from "./figures.js";

const LAST = "from the previous settings";
const SIDE = "Side bets";
/** @param {string} named */
const nameOf = (named) => (named === "rulebook" ? "the rulebook" : named);
/** @param {number} worth */
const value = (worth) => `${worth < 0 ? "−" : "+"}${Math.abs(worth).toFixed(4)}`;

/**
 * @param {string} title
 * @param {string} note
 * @param {boolean} stale
 * @param {Child[]} content
 */
function panel(title, note, stale, ...content) {
  const more = `${stale ? " stale" : ""}${title === SIDE ? " last-panel" : ""}`;
  return h("section", { class: `lab-panel box${more}`, "data-key": title },
    h("header", {}, h("h2", {}, title), h("span", { class: "quiet small" }, stale ? LAST : note)), content);
}

/** @typedef {{ outcomes: api.LabOutcomes | null, base: api.LabOutcomes | null, rough: boolean, named: string }}
 *   CountedOutcomes */

/**
 * Create the chart of net results.
 *
 * @param {CountedOutcomes} outcomes
 */
export function outcomesPanel({ outcomes, base, rough, named }) {
  return panel("What a round returns", "net result in antes; half antes are rounded down",
    outcomes !== null && rough,
    h("hw-outcomes", { ".bars": outcomes?.outcomes ?? [], ".base": base?.outcomes ?? null,
      ".named": nameOf(named) }));
}

/**
 * Create the chart of how often each choice is made.
 *
 * @param {CountedOutcomes} outcomes
 */
export function actionsPanel({ outcomes, base, rough, named }) {
  /** @param {Record<string, string>} actions */
  const shares = (actions) => {
    const total = Object.values(actions).reduce((sum, count) => sum + Number(count), 0);
    return new Map(Object.entries(actions).map(([name, count]) => [name, Number(count) / total]));
  };
  if (!outcomes) return panel("How a round is played", "calculating…", false);
  const [mine, others] = [shares(outcomes.actions), base && shares(base.actions)];
  /** @param {string} name */
  const mineOf = (name) => mine.get(name) ?? 0;
  const order = [...mine.keys()].sort((a, b) => (parseInt(b, 10) || 0) - (parseInt(a, 10) || 0));
  const same = others && order.every((name) => Math.abs(mineOf(name) - (others.get(name) ?? 0)) < 5e-6);
  const note = !others ? "" : same ? `no difference from ${nameOf(named)}` : `${named} below`;
  /** @param {string} name */
  const share = (name) => h("div", { class: `share share-${parseInt(name, 10) || 0}`, "data-key": name,
    vars: { "--share": mine.get(name) } },
  h("dt", {}, asTitle(name)),
  h("dd", {}, percent(mineOf(name), 2),
    others && !same && h("span", { class: "small" }, percent(others.get(name) ?? 0, 2))));
  return panel("How a round is played", note, rough,
    h("dl", { class: "shares" }, order.filter((name) => mineOf(name) > 0).map(share)));
}

/** @param {string} hand */
function faces(hand) {
  return [`${hand[0]}s`, `${hand[1]}${hand[2] === "s" ? "s" : "h"}`];
}

/** The streets with a table instead of a grid, and the words on their tabs. @type {[string, string][]} */
const STREETS = [["", "Before the flop"], ["after the flop", "Flop"], ["after the river", "River"]];

/**
 * Create the panel with the best play of a street: the grid of starting hands, or a table by kind of hand.
 *
 * @param {{ now: api.Lab, base: api.Lab | null, hand: string, stale: boolean, street: string,
 *   strategy: api.LabStrategy | null, show: (street: string) => void }} options
 */
export function bestPlay({ street, strategy, show, ...options }) {
  const tabs = segmented("Street", STREETS, street, show);
  if (!street) return panel("Best play", "before the flop", options.stale, tabs, grid(options));
  const kinds = strategy?.streets[street];
  return panel("Best play", street, options.stale, tabs, kinds ? kindsTable(kinds)
    : h("p", { class: "quiet" }, "Calculating best play…"));
}

/**
 * Create the table of best play by kind of hand.
 *
 * @param {api.KindPlay[]} kinds
 */
function kindsTable(kinds) {
  if (!kinds.length) return h("p", {}, "With best play, no round comes to this decision.");
  const names = Object.keys(kinds[0].deals);
  /** @param {Record<string, string>} deals */
  const sum = (deals) => Object.values(deals).reduce((total, count) => total + Number(count), 0);
  const all = kinds.reduce((total, { deals }) => total + sum(deals), 0);
  const titles = ["your hand", "how often", ...names.map((name) => asTitle(name))];
  return [
    h("p", { class: "small" }, "Of the rounds that best play brings to this decision. A share between 0 and 100 % "
      + "means that the best choice depends on the other cards."),
    h("div", { class: "kinds-frame", tabindex: "0", role: "group", "aria-label": "Best play by kind of hand" },
      h("table", { class: "kinds" },
        h("thead", {}, h("tr", {}, titles.map((title) => h("th", { scope: "col" }, title)))),
        h("tbody", {}, kinds.map(({ hand, deals }) => h("tr", { "data-key": hand },
          h("th", { scope: "row" }, asTitle(hand)),
          h("td", {}, percent(sum(deals) / all, 2)),
          names.map((name) => h("td", { class: Number(deals[name]) * 2 > sum(deals) ? "mostly" : "" },
            percent(Number(deals[name]) / sum(deals), 2)))))))),
  ];
}

/**
 * Create the grid of starting hands, with details of the selected one.
 *
 * @param {{ now: api.Lab, base: api.Lab | null, hand: string }} options
 * @returns {Child[]}
 */
function grid({ now, base, hand }) {
  /** @type {(a: api.GridCell, b: api.GridCell) => api.GridCell} */
  const closest = (a, b) => (Math.abs(compareChoices(b).by) < Math.abs(compareChoices(a).by) ? b : a);
  const cell = now.grid.find((one) => one.hand === hand) ?? now.grid.reduce(closest);
  const { play, rest, by } = compareChoices(cell);
  const before = base?.grid.find((one) => one.hand === cell.hand);
  const best = new Map(now.grid.map((one) => [one.hand, one.best]));
  const changed = base?.grid.some((one) => best.get(one.hand) !== one.best);
  return [
    h("hw-grid", { ".cells": now.grid, ".base": base?.grid ?? null, ".at": cell.hand }),
    h("p", { class: "key", "aria-hidden": "true" },
      h("span", {}, h("i", { class: "plays" }), `play ${asTitle(play)}`),
      h("span", {}, h("i", { class: "rests" }), rest),
      h("span", {}, h("i", { class: "dot" }), "close call"),
      changed && h("span", {}, h("i", { class: "ring" }), "changed"),
      h("span", { class: "last" }, "paler: smaller difference")),
    h("div", { class: "one-hand", "aria-live": "polite" },
      h("span", { class: "cards" }, faces(cell.hand).map((face) => card(face, { size: "small" }))),
      h("div", {}, h("strong", {}, asTitle(handName(cell.hand))),
        h("p", {}, Object.entries(cell.values)
          .map(([name, worth]) => h("span", {}, `${asTitle(name)} ${value(worth)}`)),
          h("span", { class: "better" },
            `${asTitle(by > 0 ? play : rest)} better by ${Math.abs(by).toFixed(4)}`)),
        before && before.best !== cell.best
          && h("p", { class: "small" }, `before: ${asTitle(before.best)}`))),
  ];
}

/**
 * Create the table of side bets, by pay table, with the figures of the game to compare with.
 *
 * @param {api.LabWagers} solved
 * @param {{ base: api.LabWagers | null, named: string }} options
 */
export function sideBets({ wagers }, { base, named }) {
  /** @type {(wager: string, table: string) => api.SideBet | undefined} */
  const other = (wager, table) => base?.wagers[wager]?.[table];
  const pairs = Object.entries(wagers).flatMap(([wager, tables]) =>
    Object.entries(tables).map(([table, bet]) => ({ wager, table, bet, before: other(wager, table) })));
  const only = Object.entries(base?.wagers ?? {}).flatMap(([wager, tables]) =>
    Object.entries(tables).filter(([table]) => !wagers[wager]?.[table])
      .map(([table, before]) => ({ wager, table, bet: null, before })));
  const rows = [...pairs, ...only];
  const same = base !== null && rows.every(({ bet, before }) => bet && before && bet.edge === before.edge
    && bet.variance === before.variance);
  const beside = base !== null && !same;
  const titles = ["wager", "table", "edge", "deviation", ...(beside ? [`edge, ${nameOf(named)}`] : [])];
  const note = same ? `no difference from ${nameOf(named)}` : "edge of the wager, by pay table";
  /** @param {api.SideBet | null | undefined} bet */
  const edge = (bet) => (bet ? percent(bet.edge) : "–");
  return rows.length > 0 && panel(SIDE, note, false,
    h("table", { class: "side-bets" },
      h("thead", {}, h("tr", {}, titles.map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, rows.map(({ wager, table, bet, before }) => [h("tr", { "data-key": `${wager} ${table}`,
        class: bet?.seeds ? "with-meter" : "" },
        h("th", { scope: "row" }, asTitle(nameWords(wager))),
        h("td", {}, table), h("td", {}, edge(bet)), h("td", {}, bet ? Math.sqrt(bet.variance).toFixed(4) : "–"),
        beside && h("td", {}, edge(before))),
      bet?.seeds && h("tr", { "data-key": `${wager} ${table} meter`, class: "meter-row" },
        h("td", { colspan: String(titles.length), class: "small" }, meterText(bet)))]))));
}
