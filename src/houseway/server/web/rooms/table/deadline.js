// The deadline of what the table waits for, and the word that it is near.

import { polite } from "./announce.js";

const SOON = 10;

export class Deadline {
  /** @type {api.Waits | null} */
  waits = null;
  /** @type {number | null} When the time is up, on the page's clock. */
  until = null;
  timer = 0;

  /**
   * `asked()` is true while the viewer is the one who must act.
   *
   * @param {() => boolean} asked
   */
  constructor(asked) {
    this.asked = asked;
  }

  /**
   * Take in what the table waits for.
   *
   * @param {api.Waits} waits
   */
  see(waits) {
    if (waits === this.waits) return;
    this.waits = waits;
    const { seconds } = waits;
    this.until = seconds === null || seconds === undefined ? null : performance.now() + seconds * 1000;
    this.stop();
    if (!this.until) return;
    const left = this.until - performance.now() - SOON * 1000;
    if (left > 0) this.timer = setTimeout(() => this.asked() && polite(`${SOON} seconds left.`), left);
  }

  /** The time of day when the time is up, in words; empty without a deadline. */
  get time() {
    return this.until === null ? ""
      : new Date(Date.now() + this.until - performance.now()).toLocaleTimeString();
  }

  stop() { clearTimeout(this.timer); }
}
