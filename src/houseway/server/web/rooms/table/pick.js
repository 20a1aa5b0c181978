// Picking cards in Texas Shootout: keep two of four, or split all four into two hands.

import { card } from "../../kit/card.js";
import { clauseTag } from "../../kit/clause.js";
import { segmented } from "../../kit/choices.js";
import { h } from "../../kit/dom.js";
import { cardSigns, money } from "../../kit/words.js";
import { ownBets } from "./state.js";

/** @type {(a: string[], b: string[]) => boolean} */
const same = (a, b) => [...a].sort().join() === [...b].sort().join();

/**
 * Return the hands of a split as card symbols.
 *
 * @param {Record<string, any>} split
 * @returns {string[]}
 */
const handsOf = ({ first, second }) =>
  [first, second].map((/** @type {string[]} */ hand) => hand.map(cardSigns).join(" "));

export class Pick {
  /** @type {number[]} */
  chosen = [];
  pairing = 0;
  /** True if the hands of the pairing are swapped, so that the original bonus belongs to the second hand. */
  swapped = false;
  /** Cents on the second hand's bonus. */
  bonus = 0;
  deal = "";
  staked = 0;
  /** @type {string[]} */
  cards = [];
  /** @type {api.Choice[]} */
  keeps = [];
  /** @type {api.Choice[]} */
  splits = [];

  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
  }

  /**
   * Update from a new view; return true if the viewer has to pick. A new deal clears the selection.
   *
   * @param {api.View} view
   */
  see(view) {
    const { yours, table } = view;
    const keeps = (yours.choices ?? []).filter(({ command }) => command.type === "Keep");
    const deal = `${table.round}/${yours.cards?.flat().join()}`;
    if (deal !== this.deal) Object.assign(this, { chosen: [], pairing: 0, swapped: false, bonus: 0, deal });
    this.keeps = keeps;
    this.splits = (yours.choices ?? []).filter(({ command }) => command.type === "Split");
    this.cards = yours.cards?.[0] ?? [];
    this.staked = Object.values(ownBets(view)).reduce((all, cents) => all + cents, 0);
    return keeps.length > 0 && this.cards.length > 2;
  }

  /**
   * Select or deselect a card; a third card replaces the first.
   *
   * @param {number} n
   */
  choose(n) {
    if (n >= this.cards.length) return;
    if (this.chosen.includes(n)) this.chosen = this.chosen.filter((one) => one !== n);
    else this.chosen = [...this.chosen, n].slice(-2);
    this.changed();
  }

  get pair() { return this.chosen.length === 2 ? this.chosen.map((n) => this.cards[n]) : null; }

  get pairings() {
    /** @type {Map<string, Record<string, any>>} */
    const ways = new Map();
    for (const { command } of this.splits) {
      const key = [command.first, command.second].map((/** @type {string[]} */ hand) => [...hand].sort().join(" ")).sort().join("/");
      if (!ways.has(key)) ways.set(key, command);
    }
    // Ways that keep pairs together are first, because few players want to break up a pair.
    /** @param {Record<string, any>} way */
    const pairs = ({ first, second }) => [first, second].filter(([a, b]) => a[0] === b[0]).length;
    return [...ways.values()].sort((a, b) => pairs(b) - pairs(a));
  }

  /** The range of the second hand's bonus; null if the player may bet none. */
  get range() { return this.splits.find(({ amount }) => amount)?.amount ?? null; }

  /**
   * The selected pairing with its hands in the selected order.
   *
   * @returns {{ first: string[], second: string[] } | undefined}
   */
  get way() {
    const way = this.pairings[this.pairing] ?? this.pairings[0];
    return way && (this.swapped ? { first: way.second, second: way.first } : { first: way.first, second: way.second });
  }

  /** The offered split with the selected pairing and second bonus. */
  get split() {
    const { way, bonus } = this;
    const choice = way && this.splits.find(({ command }) => same(command.first, way.first)
      && same(command.second, way.second) && Boolean(command.bonus) === bonus > 0);
    if (!choice || !bonus) return choice;
    return { ...choice, command: { ...choice.command, bonus }, costs: (choice.costs ?? 0) - choice.command.bonus + bonus };
  }

  /** @param {number} cents */
  setBonus(cents) {
    this.bonus = cents;
    this.changed();
  }

  /**
   * The choices for the bar.
   *
   * @returns {import("../../kit/actions.js").Option[]}
   */
  get options() {
    const { pair, split } = this;
    const choice = pair && this.keeps.find(({ command }) => same(command.cards, pair));
    const left = this.cards.filter((_, n) => !this.chosen.includes(n));
    const keep = choice ? { ...choice, key: "k",
      note: `discard ${left.map(cardSigns).join(" ")}; no extra bet` }
      : { says: "keep two cards", key: "k", command: null, off: true,
        note: "choose two of your four cards" };
    return split ? [keep, { ...split, says: "split into two hands", key: "s",
      note: `${handsOf(split.command).join(" and ")}; bet ${money(split.costs ?? 0)}` }] : [keep];
  }

  /** Create the panel with both options. */
  panel() {
    /** @param {string[]} faces */
    const small = (faces) => h("span", { class: "cards" }, faces.map((face) => card(face,
      { size: "small" })));
    const [, split] = this.options;
    const { way = { first: [], second: [] }, range } = this;
    const costs = split?.costs ?? 0;
    return h("section", { class: "pick-panel", "aria-label": "Your hand" },
      h("div", { class: this.pair ? "way chosen" : "way" },
        h("header", {}, h("strong", {}, "Keep two"), clauseTag(this.keeps[0]?.clause)),
        h("div", { class: "pair" }, this.pair ? small(this.pair) : h("p", { class: "small" },
          "Press the two cards you want to play, or keys 1 to 4."),
        this.pair && h("p", { class: "risk" }, h("span", { class: "small" }, "one hand"),
          h("strong", {}, `${money(this.staked)} at risk`)))),
      split && h("div", { class: "way" },
        h("header", {}, h("strong", {}, "Split"), clauseTag(split.clause)),
        h("div", { class: "two" }, small(way.first), small(way.second)),
        h("p", { class: "pair" }, h("span", {}, "Second wager (must match)"),
          h("strong", {}, money(costs - this.bonus))),
        range && h("div", { class: "pair" }, h("span", {}, "Second bonus"),
          segmented("Second bonus", [0, range.most ?? 0].map((cents) => /** @type {[number, string]} */ ([cents, money(cents)])),
            this.bonus, (cents) => this.setBonus(cents)),
          range.least !== range.most && h("label", { class: "small" }, `or ${money(range.least)} to ${money(range.most ?? 0)}: $`,
            h("input", { type: "number", class: "amount", "data-key": "second-bonus", min: "0", step: "any",
              inputmode: "decimal", "aria-label": "Second bonus in dollars", ".value": String(this.bonus / 100),
              onchange: (/** @type {Event & { target: HTMLInputElement }} */ { target }) =>
                this.setBonus(Math.max(0, Math.round(Number(target.value) * 100))) }))),
        range && h("div", { class: "pair" }, h("span", {}, "First bonus goes with"),
          segmented("First bonus goes with", handsOf(way).map((hand, n) => /** @type {[number, string]} */ ([n, hand])), 0,
            (n) => { this.swapped = n === 1 ? !this.swapped : this.swapped; this.changed(); })),
        this.pairings.length > 1 && h("div", { class: "pair" }, h("span", {}, "Pairing"),
          segmented("Pairing", this.pairings.map((one, n) => /** @type {[number, string]} */ ([n, handsOf(one).join(" + ")])),
            this.pairing, (n) => { this.pairing = n; this.changed(); })),
        h("p", { class: "pair sum" }, h("span", {}, "two hands"),
          h("strong", {}, `${money(this.staked + costs)} at risk`))));
  }
}
