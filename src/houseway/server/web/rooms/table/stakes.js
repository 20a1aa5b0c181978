// The wagers before a round: amounts placed, limits of each circle and chips left.

import { joinWords, money, asTitle } from "../../kit/words.js";
import { ownBets } from "./state.js";

/** @typedef {Record<string, number>} Wagers Cents by wager. */
/**
 * The result of a press on a circle: the new wagers, if any, and a message to the player.
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
   * Update the wagers on the server and the open spots from a new view.
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

  /** True while betting is open. */
  get open() { return this.spots.length > 0; }

  /** True if the player cannot afford any wager. */
  get broke() { return this.open && !this.laid && this.spots.every(({ least }) => this.left < least); }

  /** The drafted wagers, or the sent ones if there is no draft; without wagers that must equal another. */
  get wagers() {
    return this.draft ?? Object.fromEntries(this.spots.filter(({ wager }) => this.sent[wager])
      .map(({ wager }) => [wager, this.sent[wager]]));
  }

  /** True if any wager is placed. */
  get laid() { return Object.keys(this.wagers).length > 0; }

  /** All wagers, including those that equal another, as [wager, cents]. */
  get out() {
    return Object.entries(this.wagers).flatMap(([wager, cents]) =>
      this.pair(wager).map((name) => /** @type {[string, number]} */ ([name, cents])));
  }

  get total() { return this.out.reduce((all, [, cents]) => all + cents, 0); }

  /** The cents not wagered. */
  get free() {
    return this.left + Object.values(this.sent).reduce((all, cents) => all + cents, 0) - this.total;
  }

  /**
   * Return the spot of a wager; a wager that equals another shares its spot.
   *
   * @param {string} wager
   */
  spotOf(wager) {
    const circle = this.circles.find((one) => one.wager === wager);
    return this.spots.find((spot) => spot.wager === (circle?.equals || wager));
  }

  /**
   * Return a wager and those that must equal it.
   *
   * @param {string} wager
   */
  pair(wager) {
    return [wager, ...this.circles.filter(({ equals }) => equals === wager).map((one) => one.wager)];
  }

  /** @param {string} wager */
  title(wager) {
    return asTitle(this.circles.find((circle) => circle.wager === wager)?.title ?? wager);
  }

  /**
   * Add the selected chip to a circle. The first press adds at least the minimum. Above the maximum, or with
   * too few chips, the result has a message.
   *
   * @param {string} wager
   * @returns {Pressed}
   */
  added(wager) {
    const spot = this.spotOf(wager);
    if (!spot) return {};
    const has = this.wagers[spot.wager] ?? 0;
    const target = has ? has + this.chip : Math.max(spot.least, spot.exact ? 0 : this.chip);
    const most = spot.exact ? spot.least : spot.most ?? target;
    const amount = Math.min(target, most);
    const pair = this.pair(spot.wager);
    const costs = (amount - has) * pair.length;
    if (costs > this.free) {
      return { head: `You have ${money(this.free)} left.`,
        text: `${joinWords(pair.map((name) => this.title(name)))} would cost ${money(costs)}${has ? " more" : ""}.` };
    }
    const over = target > most && { text: "",
      head: `${this.title(spot.wager)} must be ${spot.exact ? "exactly" : "at most"} ${money(most, { short: true })}.` };
    return { ...(amount > has && { wagers: this.with(spot.wager, amount) }), ...over };
  }

  /**
   * Remove the selected chip from a circle; less than the minimum is removed entirely.
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
   * Return the wagers with one amount changed; an amount of 0 removes the wager.
   *
   * @param {string} wager
   * @param {number} cents
   */
  with(wager, cents) {
    const { [wager]: _, ...others } = this.wagers;
    return cents ? { ...this.wagers, [wager]: cents } : others;
  }

  /**
   * Return only the wagers that can be made now.
   *
   * @param {Wagers} wagers
   */
  accepted(wagers) {
    return Object.fromEntries(Object.entries(wagers).filter(([wager]) =>
      this.spots.some((spot) => spot.wager === wager)));
  }

  /** The reason why the wagers are incomplete, or "". */
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

  /** A summary of the wagers and of the largest play. */
  get line() {
    const { out, total, free } = this;
    const [first] = out;
    if (!first) return "Press a circle to add the selected chip. Press and hold to remove chips.";
    const adds = this.circles.filter(({ later, times }) => later && times?.length).map(({ times = [] }) => {
      const most = Math.max(...times);
      const more = most * first[1];
      return more <= free ? ` A ${most}× play would add ${money(more)}.`
        : ` You do not have the ${money(more)} for a ${most}× play.`;
    });
    const placed = out.map(([wager, cents]) => `${this.title(wager)} ${money(cents, { short: true })}`);
    return `${joinWords(placed)}: ${money(total)} bet.${adds.join("")}`;
  }
}
