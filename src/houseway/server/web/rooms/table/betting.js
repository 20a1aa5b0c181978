// Placing wagers: chips on circles, sent whenever the house can take them.

import { Stakes } from "./stakes.js";

/** @typedef {import("./stakes.js").Wagers} Wagers */

const QUIET = 220;
const HOLD = 450;

export class Betting {
  stakes = new Stakes();
  timer = 0;
  sending = false;

  /**
   * `send(wagers)` makes them, `changed()` repaints, `tell(head, text)` says why chips are not where they
   * were put, `kept` names where the last wagers are kept.
   *
   * @param {{ send: (wagers: Wagers) => Promise<boolean> | boolean, changed: () => void,
   *   tell: (head: string, text?: string) => void, kept: string }} given
   */
  constructor({ send, changed, tell, kept }) {
    this.send = send;
    this.changed = changed;
    this.tell = tell;
    this.kept = kept;
  }

  /**
   * Take in a view: its wagers hold once nothing is on its way.
   *
   * @param {api.View} view
   * @param {api.TableSheet} sheet
   */
  see(view, sheet) {
    this.stakes.see(view, sheet);
    if (!this.timer && !this.sending) this.stakes.draft = null;
  }

  /** True while wagers are taken. */
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
    if (wagers) this.want(wagers);
    if (head) this.tell(head, text);
  }

  /**
   * Choose the chip that is so many places further.
   *
   * @param {number} by
   */
  otherChip(by) {
    const { chips, chip } = this.stakes;
    this.stakes.chip = chips[(chips.indexOf(chip) + by + chips.length) % chips.length];
    this.changed();
  }

  /**
   * Change the wagers; they are sent when the presses pause.
   *
   * @param {Wagers} wagers
   */
  want(wagers) {
    this.tell("");
    this.stakes.draft = wagers;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), QUIET);
    this.changed();
  }

  /** The wagers of the last round, as far as they are taken now. */
  get last() {
    try {
      return this.stakes.taken(JSON.parse(sessionStorage.getItem(this.kept) ?? "{}"));
    } catch {
      return {};
    }
  }

  /** Send what is wanted, if it can be made; true once it is. */
  async flush() {
    clearTimeout(this.timer);
    this.timer = 0;
    const { draft: wagers, missing } = this.stakes;
    if (!wagers || missing) return !missing;
    this.sending = true;
    const taken = await this.send(wagers);
    this.sending = false;
    if (taken && Object.keys(wagers).length) sessionStorage.setItem(this.kept, JSON.stringify(wagers));
    if (!this.timer && this.stakes.draft === wagers) this.stakes.draft = null;
    this.changed();
    return taken;
  }
}

/**
 * Hold a circle to take chips back; the press that follows is none.
 *
 * @param {HTMLElement} element
 * @param {(wager: string) => void} take
 */
export function holding(element, take) {
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
