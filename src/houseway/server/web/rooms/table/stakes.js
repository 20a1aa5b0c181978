// The amounts of the wagers before a round: what is out, what each circle takes, what is left.

import { listed, money, titled } from "../../kit/words.js";
import { ownBets } from "./state.js";

/** @typedef {Record<string, number>} Wagers Cents by wager. */
/**
 * The outcome of a press on a circle: the wagers it leads to, if any, and what the player must be told.
 *
 * @typedef {{ wagers?: Wagers, head?: string, text?: string }} Pressed
 */

export class Stakes {
  /** @type {api.Circle[]} */
  circles = [];
  /** @type {api.Spot[]} */
  spots = [];
  /** @type {number[]} */
  chips = [];
  /** The chip that a press adds, in cents. */
  chip = 0;
  /** @type {Wagers} */
  sent = {};
  /** @type {Wagers | null} */
  draft = null;
  /** Chips in front of the player, in cents. */
  left = 0;

  /**
   * Take in a view: the wagers the house knows, and what it takes now.
   *
   * @param {api.View} view
   * @param {api.TableSheet} sheet
   */
  see(view, sheet) {
    this.circles = sheet.circles;
    this.chips = sheet.chips;
    this.spots = view.yours.spots ?? [];
    this.sent = ownBets(view);
    this.left = view.yours.chips ?? 0;
    const [first] = this.spots;
    if (first && !this.chips.includes(this.chip)) {
      this.chip = this.chips.find((cents) => cents >= first.least) ?? this.chips[0];
    }
    if (!first) this.draft = null;
  }

  /** True while wagers are taken. */
  get open() { return this.spots.length > 0; }

  /** True if so few chips are left that nothing can be wagered. */
  get broke() { return this.open && !this.laid && this.spots.every(({ least }) => this.left < least); }

  /** The wagers that the player wants to have out; those that equal another are left out. */
  get wagers() {
    return this.draft ?? Object.fromEntries(this.spots.filter(({ wager }) => this.sent[wager])
      .map(({ wager }) => [wager, this.sent[wager]]));
  }

  /** True if any chips are out. */
  get laid() { return Object.keys(this.wagers).length > 0; }

  /** Everything that the player wants to have out, as [wager, cents]. */
  get out() {
    return Object.entries(this.wagers).flatMap(([wager, cents]) =>
      this.pair(wager).map((name) => /** @type {[string, number]} */ ([name, cents])));
  }

  get total() { return this.out.reduce((all, [, cents]) => all + cents, 0); }

  /** The chips that are not out. */
  get free() {
    return this.left + Object.values(this.sent).reduce((all, cents) => all + cents, 0) - this.total;
  }

  /**
   * The spot that takes a wager; a wager that equals another has the other's.
   *
   * @param {string} wager
   */
  spotOf(wager) {
    const circle = this.circles.find((one) => one.wager === wager);
    return this.spots.find((spot) => spot.wager === (circle?.equals || wager));
  }

  /**
   * A wager and those that always equal it.
   *
   * @param {string} wager
   */
  pair(wager) {
    return [wager, ...this.circles.filter(({ equals }) => equals === wager).map((one) => one.wager)];
  }

  /** @param {string} wager */
  title(wager) {
    return titled(this.circles.find((circle) => circle.wager === wager)?.title ?? wager);
  }

  /**
   * Add the chosen chip to a circle. The first chips come up to the minimum; above the maximum, or with too
   * few chips left, the player is told so.
   *
   * @param {string} wager
   * @returns {Pressed}
   */
  added(wager) {
    const spot = this.spotOf(wager);
    if (!spot) return {};
    const has = this.wagers[spot.wager] ?? 0;
    const wanted = has ? has + this.chip : Math.max(spot.least, spot.exact ? 0 : this.chip);
    const most = spot.exact ? spot.least : spot.most ?? wanted;
    const taken = Math.min(wanted, most);
    const pair = this.pair(spot.wager);
    const costs = (taken - has) * pair.length;
    if (costs > this.free) {
      return { head: `You have ${money(this.free)} left.`,
        text: `${listed(pair.map((name) => this.title(name)))} would take ${money(costs)}${has ? " more" : ""}.` };
    }
    const over = wanted > most && { text: "",
      head: `${this.title(spot.wager)} takes ${spot.exact ? "exactly" : "at most"} ${money(most, { short: true })}.` };
    return { ...(taken > has && { wagers: this.with(spot.wager, taken) }), ...over };
  }

  /**
   * Take the chosen chip off a circle; what is below the minimum goes with it.
   *
   * @param {string} wager
   * @returns {Pressed}
   */
  removed(wager) {
    const spot = this.spotOf(wager);
    if (!spot) return {};
    const rest = (this.wagers[spot.wager] ?? 0) - this.chip;
    return { wagers: this.with(spot.wager, spot.exact || rest < spot.least ? 0 : rest) };
  }

  /**
   * The wagers with one of them changed; 0 takes it back.
   *
   * @param {string} wager
   * @param {number} cents
   */
  with(wager, cents) {
    const { [wager]: _, ...others } = this.wagers;
    return cents ? { ...this.wagers, [wager]: cents } : others;
  }

  /**
   * Those of some wagers that are taken now.
   *
   * @param {Wagers} wagers
   */
  taken(wagers) {
    return Object.fromEntries(Object.entries(wagers).filter(([wager]) =>
      this.spots.some((spot) => spot.wager === wager)));
  }

  /** What is missing before the wagers can be made: in words, or nothing. */
  get missing() {
    const { wagers } = this;
    for (const { wager, beside } of this.spots) {
      if (wagers[wager] && beside.length && !beside.some((name) => wagers[name])) {
        const others = beside.map((name) => this.title(name)).join(" or ");
        return `${this.title(wager)} needs the ${others.toLowerCase()}. Bet the ${others.toLowerCase()} first.`;
      }
    }
    return "";
  }

  /** What is out, in words, and what the largest play would add. */
  get line() {
    const { out, total, free } = this;
    const [first] = out;
    if (!first) return "Press a circle to add the selected chip. Press and hold to remove chips.";
    const adds = this.circles.filter(({ later, times }) => later && times?.length).map(({ times = [] }) => {
      const most = Math.max(...times);
      const more = most * first[1];
      return more <= free ? ` A ${most}× play would add ${money(more)}.`
        : ` You have too few chips for a ${most}× play of ${money(more)}.`;
    });
    const lie = out.map(([wager, cents]) => `${this.title(wager)} ${money(cents, { short: true })}`);
    return `${listed(lie)}: ${money(total)} out.${adds.join("")}`;
  }
}
