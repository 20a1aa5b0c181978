// @ts-nocheck
// Two of four cards, or all four as two hands: what is chosen, and the choices of the house it leads to.

import { card } from "../../kit/card.js";
import { clauseTag } from "../../kit/clause.js";
import { h } from "../../kit/dom.js";
import { segmented } from "../../kit/settings.js";
import { cardSigns, money } from "../../kit/words.js";

const same = (a, b) => [...a].sort().join() === [...b].sort().join();

export class Pick {
  constructor(changed) {
    this.changed = changed;
    this.forget();
  }

  forget() {
    Object.assign(this, { chosen: [], pairing: 0, bonus: 0, four: "" });
  }

  /** Whether a sight asks for a pick; a new deal forgets the old one. */
  see({ yours, seen }) {
    const keeps = (yours.choices ?? []).filter(({ command }) => command.type === "Keep");
    const four = `${seen.number}/${yours.cards?.flat().join()}`;
    if (four !== this.four) {
      this.forget();
      this.four = four;
    }
    this.keeps = keeps;
    this.splits = (yours.choices ?? []).filter(({ command }) => command.type === "Split");
    this.cards = yours.cards?.[0] ?? [];
    this.staked = Object.values(seen.bets?.[yours.seat] ?? {}).reduce((all, cents) => all + cents, 0);
    return keeps.length > 0 && this.cards.length > 2;
  }

  /** Choose the card that lies at a place, or leave it; a third one takes the place of the first. */
  choose(n) {
    if (n >= this.cards.length) return;
    if (this.chosen.includes(n)) this.chosen = this.chosen.filter((one) => one !== n);
    else this.chosen = [...this.chosen, n].slice(-2);
    this.changed();
  }

  get kept() { return this.chosen.length === 2 ? this.chosen.map((n) => this.cards[n]) : null; }

  get pairings() {
    const ways = new Map();
    for (const { command } of this.splits) {
      const key = [command.first,
        command.second].map((hand) => [...hand].sort().join(" ")).sort().join("/");
      if (!ways.has(key)) ways.set(key, command);
    }
    // Pairs first: who splits seldom means to break them up.
    const pairs = ({ first, second }) => [first, second].filter(([a, b]) => a[0] === b[0]).length;
    return [...ways.values()].sort((a, b) => pairs(b) - pairs(a));
  }

  get bonuses() { return [...new Set(this.splits.map(({ command }) => command.bonus ?? 0))].sort((a,
    b) => a - b); }

  /** The house's split with the pairing and the second bonus chosen. */
  get split() {
    const way = this.pairings[this.pairing] ?? this.pairings[0];
    return way && this.splits.find(({ command }) => same(command.first, way.first)
      && same(command.second, way.second)
      && (command.bonus ?? 0) === this.bonus);
  }

  /** The choices as the bar shows them. */
  get options() {
    const kept = this.kept;
    const found = kept && this.keeps.find(({ command }) => same(command.cards, kept));
    const left = this.cards.filter((_, n) => !this.chosen.includes(n));
    const keep = found ? { ...found, key: "k",
      note: `discards ${left.map(cardSigns).join(" ")}, bets nothing` }
      : { says: "keep two cards", key: "k", command: null, off: true,
        note: "choose two of your four cards" };
    const split = this.split && { ...this.split, says: "split into two hands", key: "s",
      note: `${[this.split.command.first, this.split.command.second].map((hand) => hand.map(cardSigns)
        .join(" ")).join(" and ")}, bets ${money(this.split.costs)}` };
    return split ? [keep, split] : [keep];
  }

  /** Both ways side by side, in the panel. */
  panel() {
    const small = (faces) => h("span", { class: "cards" }, faces.map((face) => card(face,
      { size: "small" })));
    const [, split] = this.options;
    const way = this.pairings[this.pairing];
    return h("section", { class: "pick-panel", "aria-label": "Your hand" },
      h("div", { class: this.kept ? "way chosen" : "way" },
        h("header", {}, h("strong", {}, "Keep two"), clauseTag(this.keeps[0]?.clause)),
        h("div", { class: "pair" }, this.kept ? small(this.kept) : h("p", { class: "small" },
          "Press the two cards that play, or the keys 1 to 4."),
        this.kept && h("p", { class: "risk" }, h("span", { class: "small" }, "one hand"),
          h("strong", {}, `${money(this.staked)} at risk`)))),
      split && h("div", { class: "way" },
        h("header", {}, h("strong", {}, "Split"), clauseTag(split.clause)),
        h("div", { class: "two" }, small(way.first), small(way.second)),
        h("p", { class: "pair" }, h("span", {}, "Second wager, must match"),
          h("strong", {}, money(split.costs - this.bonus))),
        this.bonuses.length > 1 && h("div", { class: "pair" }, h("span", {}, "Second bonus"),
          segmented("Second bonus", this.bonuses.map((cents) => [cents, money(cents)]), this.bonus,
            (cents) => { this.bonus = cents; this.changed(); })),
        this.pairings.length > 1 && h("div", { class: "pair" }, h("span", {}, "Pairing"),
          segmented("Pairing", this.pairings.map(({ first, second }, n) => [n,
            [first, second].map((hand) => hand.map(cardSigns).join(" ")).join(" + ")]),
            this.pairing, (n) => { this.pairing = n; this.changed(); })),
        h("p", { class: "pair sum" }, h("span", {}, "two hands"),
          h("strong", {}, `${money(this.staked + split.costs)} at risk`))));
  }
}
