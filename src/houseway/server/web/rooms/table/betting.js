// Betting: chips placed on circles are sent to the server after a short pause.

import { play } from "../../sound.js";
import { Stakes } from "./stakes.js";

/** @typedef {import("./stakes.js").Wagers} Wagers */

/** Milliseconds without a press before wagers are sent. */
const QUIET = 220;
/** Milliseconds after which a press counts as a hold. */
const HOLD = 450;

export class Betting {
  stakes = new Stakes();
  timer = 0;
  sending = false;

  /**
   * `send(wagers)` sends wagers, `changed()` repaints, and `tell(head, text)` explains why chips were not placed.
   * The last wagers are stored under `storageKey`.
   *
   * @param {{ send: (wagers: Wagers) => Promise<boolean> | boolean, changed: () => void,
   *   tell: (head: string, text?: string) => void, storageKey: string }} options
   */
  constructor({ send, changed, tell, storageKey }) {
    this.send = send;
    this.changed = changed;
    this.tell = tell;
    this.storageKey = storageKey;
  }

  /**
   * Update from a new view. The view's wagers replace the draft, unless the draft has unsent changes.
   *
   * @param {api.View} view
   * @param {api.TableSheet} sheet
   */
  see(view, sheet) {
    this.stakes.see(view, sheet);
    if (!this.timer && !this.sending) this.stakes.draft = null;
  }

  /** True while betting is open. */
  get open() { return this.stakes.open; }

  /**
   * Add the chosen chip to a circle.
   *
   * @param {string} wager
   */
  add(wager) { this.press(this.stakes.added(wager)); }

  /**
   * Take the chosen chip off a circle.
   *
   * @param {string} wager
   */
  take(wager) { this.press(this.stakes.removed(wager)); }

  /** @param {import("./stakes.js").Pressed} pressed */
  press({ wagers, head, text }) {
    if (wagers) {
      this.setDraft(wagers);
      play("chip");
    }
    if (head) this.tell(head, text);
  }

  /**
   * Select another chip, `by` places to the right.
   *
   * @param {number} by
   */
  otherChip(by) {
    const { chips, chip } = this.stakes;
    this.stakes.chip = chips[(chips.indexOf(chip) + by + chips.length) % chips.length];
    this.changed();
  }

  /**
   * Change the draft; it is sent after a pause.
   *
   * @param {Wagers} wagers
   */
  setDraft(wagers) {
    this.tell("");
    this.stakes.draft = wagers;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), QUIET);
    this.changed();
  }

  /** Switch between the wagers and the tips for the dealer. */
  toggleTip() {
    this.stakes.tipping = !this.stakes.tipping;
    this.tell("");
    this.changed();
  }

  /** Put a match play coupon on the ante, or take it off. */
  toggleCoupon() { this.setDraft(this.stakes.with("coupon", this.stakes.wagers.coupon ? 0 : 1)); }

  /** The wagers of the last round that can be made now. */
  get last() {
    try {
      return this.stakes.accepted(JSON.parse(sessionStorage.getItem(this.storageKey) ?? "{}"));
    } catch {
      return {};
    }
  }

  /** True if the wagers of the last round can be placed now. */
  get repeatable() { return !this.stakes.laid && Object.keys(this.last).length > 0; }

  /** Place the wagers of the last round again; return false if that is not possible. */
  repeat() {
    if (!this.repeatable) return false;
    this.setDraft(this.last);
    return true;
  }

  /** Send the draft if it is complete. Return false if a wager is missing or the server refuses. */
  async flush() {
    clearTimeout(this.timer);
    this.timer = 0;
    const { draft: wagers, missing } = this.stakes;
    if (!wagers || missing) return !missing;
    this.sending = true;
    const accepted = await this.send(wagers);
    this.sending = false;
    if (accepted && Object.keys(wagers).length) sessionStorage.setItem(this.storageKey, JSON.stringify(wagers));
    if (!this.timer && this.stakes.draft === wagers) this.stakes.draft = null;
    this.changed();
    return accepted;
  }
}

/**
 * Call `take` when a circle is pressed and held; the click that follows is ignored.
 *
 * @param {HTMLElement} element
 * @param {(wager: string) => void} take
 */
export function onHold(element, take) {
  let timer = 0;
  let held = false;
  /** @param {Event} event */
  const ringOf = ({ target }) =>
    /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("button.ring"));
  element.addEventListener("pointerdown", (event) => {
    const ring = ringOf(event);
    held = false;
    if (!ring) return;
    timer = setTimeout(() => {
      held = true;
      take(ring.dataset.wager ?? "");
    }, HOLD);
  });
  for (const name of ["pointerup", "pointerleave", "pointercancel"]) {
    element.addEventListener(name, () => clearTimeout(timer));
  }
  element.addEventListener("contextmenu", (event) => ringOf(event) && event.preventDefault());
  element.addEventListener("click", (event) => {
    if (held && ringOf(event)) event.stopPropagation();
    held = false;
  }, true);
}
