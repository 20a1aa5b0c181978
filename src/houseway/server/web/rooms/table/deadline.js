// The time until the table continues without the viewer, with a warning before it runs out.

import { polite } from "./announce.js";

const SOON = 10;

export class Deadline {
  /** @type {api.Waits | null} */
  waits = null;
  /** @type {number | null} The deadline on the page's clock. */
  until = null;
  timer = 0;

  /**
   * `awaited()` returns true while the table is waiting for the viewer.
   *
   * @param {() => boolean} awaited
   */
  constructor(awaited) {
    this.awaited = awaited;
  }

  /**
   * Set a new deadline when the table waits for something else.
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
    if (left > 0) this.timer = setTimeout(() => this.awaited() && polite(`${SOON} seconds left.`), left);
  }

  /** The deadline as a time of day; empty if there is no deadline. */
  get time() {
    return this.until === null ? ""
      : new Date(Date.now() + this.until - performance.now()).toLocaleTimeString();
  }

  stop() { clearTimeout(this.timer); }
}
