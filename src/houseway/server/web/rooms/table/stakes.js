// The wagers before a round: amounts placed, limits of each circle and chips left.

import { joinWords, money, asTitle } from "../../kit/words.js";
import { ownBets, ownExtras } from "./state.js";

/**
 * Cents by wager. A key such as "tip ante" is a tip for the dealer; "coupon" is 1 with a coupon on the ante.
 *
 * @typedef {Record<string, number>} Wagers
 */
/**
 * The result of a press on a circle: the new wagers, if any, and a message to the player.
 *
 * @typedef {{ wagers?: Wagers, head?: string, text?: string }} Pressed
 */

/** The prefix of a tip's key. */
const TIP = "tip ";

/** @param {Record<string, number>} tips */
const withTipKeys = (tips) => Object.fromEntries(Object.entries(tips).map(([name, cents]) => [TIP + name, cents]));

/**
 * Return the fields of the command that places wagers, tips and a coupon. The coupon is worth as much as the ante.
 *
 * @param {Wagers} placed
 */
export function betOf(placed) {
  const { coupon = 0, ...amounts } = placed;
  /** @type {Wagers} */
  const wagers = {};
  /** @type {Wagers} */
  const tips = {};
  for (const [name, cents] of Object.entries(amounts)) {
    if (name.startsWith(TIP)) tips[name.slice(TIP.length)] = cents;
    else wagers[name] = cents;
  }
  return { wagers, ...(Object.keys(tips).length && { tips }), ...(coupon && { coupon: wagers.ante ?? 0 }) };
}

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
  /** @type {string[]} The wagers on which the player may tip. */
  tipSpots = [];
  /** True if presses add to the tips for the dealer. */
  tipping = false;
  /** True if the table takes match play coupons. */
  coupons = false;

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
    const { tips, coupon } = ownExtras(view);
    this.sent = { ...ownBets(view), ...withTipKeys(tips), ...(coupon ? { coupon: 1 } : {}) };
    this.tipSpots = view.yours.tip_spots ?? [];
    this.coupons = view.yours.coupons ?? false;
    if (!this.tipSpots.length) this.tipping = false;
    this.left = view.yours.chips ?? 0;
    const [first] = this.spots;
    if (first && !this.chips.includes(this.chip)) {
      this.chip = this.chips.find((cents) => cents >= first.least) ?? this.chips[0];
    }
    if (!first) this.draft = null;
  }

  /** True while betting is open. */
  get open() { return this.spots.length > 0; }

  /** The wager that the chip keys change if no circle has the focus: the main wager. */
  get main() { return this.spots[0]?.wager ?? ""; }

  /** True if the player cannot afford any wager. */
  get broke() { return this.open && !this.laid && this.spots.every(({ least }) => this.left < least); }

  /** The drafted wagers, or the sent ones if there is no draft. Omits wagers that must equal another. */
  get wagers() {
    return this.draft ?? Object.fromEntries(Object.entries(this.sent).filter(([name, cents]) => cents
      && (name === "coupon" || name.startsWith(TIP) || this.spots.some(({ wager }) => wager === name))));
  }

  /** True if any wager is placed. */
  get laid() { return Object.keys(this.wagers).length > 0; }

  /** All wagers and tips, including wagers that equal another, as [wager, cents]. */
  get out() {
    return Object.entries(this.wagers).filter(([name]) => name !== "coupon").flatMap(([wager, cents]) =>
      this.pair(wager).map((name) => /** @type {[string, number]} */ ([name, cents])));
  }

  get total() { return this.out.reduce((all, [, cents]) => all + cents, 0); }

  /** The cents not wagered. */
  get free() {
    const { coupon: _, ...sent } = this.sent;
    return this.left + Object.values(sent).reduce((all, cents) => all + cents, 0) - this.total;
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

  /** The cents of the coupon: as much as the ante. */
  get coupon() { return this.wagers.coupon ? this.wagers.ante ?? 0 : 0; }

  /**
   * @param {string} wager
   * @returns {string}
   */
  title(wager) {
    if (wager.startsWith(TIP)) return `tip on ${this.title(wager.slice(TIP.length)).toLowerCase()}`;
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
    if (this.tipping) return this.tipped(wager, this.chip);
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
   * Remove the selected chip from a circle. If less than the minimum would remain, remove the whole wager.
   *
   * @param {string} wager
   * @returns {Pressed}
   */
  removed(wager) {
    if (this.tipping) return this.tipped(wager, -this.chip);
    const spot = this.spotOf(wager);
    if (!spot) return {};
    const rest = (this.wagers[spot.wager] ?? 0) - this.chip;
    return { wagers: this.with(spot.wager, spot.exact || rest < spot.least ? 0 : rest) };
  }

  /**
   * Add cents to the tip on a wager, or remove them.
   *
   * @param {string} wager
   * @param {number} cents
   * @returns {Pressed}
   */
  tipped(wager, cents) {
    if (!this.tipSpots.includes(wager)) {
      return { head: `You cannot tip on the ${this.title(wager).toLowerCase()}.`,
        text: `You can tip on ${joinWords(this.tipSpots.map((name) => this.title(name).toLowerCase()))}.` };
    }
    if (cents > this.free) {
      return { head: `You have ${money(this.free)} left.`, text: `The tip would cost ${money(cents)} more.` };
    }
    return { wagers: this.with(TIP + wager, Math.max(0, (this.wagers[TIP + wager] ?? 0) + cents)) };
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
   * Return only the wagers and tips that can be made now; a coupon is not repeated.
   *
   * @param {Wagers} wagers
   */
  accepted(wagers) {
    return Object.fromEntries(Object.entries(wagers).filter(([wager]) => (wager.startsWith(TIP)
      ? this.tipSpots.includes(wager.slice(TIP.length)) : this.spots.some((spot) => spot.wager === wager))));
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

  /** A summary of the wagers, and the cost of the largest play. */
  get line() {
    const { out, total, free } = this;
    const [first] = out;
    if (this.tipping) return "You are tipping: press a circle to add the selected chip for the dealer.";
    if (!first) return "Press a circle to add the selected chip. Press and hold to remove chips.";
    const adds = this.circles.filter(({ later, times }) => later && times?.length).map(({ times = [] }) => {
      const most = Math.max(...times);
      const more = most * first[1];
      return more <= free ? ` A ${most}× play would add ${money(more)}.`
        : ` You do not have the ${money(more)} for a ${most}× play.`;
    });
    const placed = out.map(([wager, cents]) => `${this.title(wager)} ${money(cents, { short: true })}`);
    const coupon = this.coupon ? `, with a ${money(this.coupon, { short: true })} coupon` : "";
    return `${joinWords(placed)}: ${money(total)} bet${coupon}.${adds.join("")}`;
  }
}
