// Watching a round: the current step, the watcher's clock, and when each step was first shown.

import { Player } from "../../table/player.js";
import { holdsOf, markShown } from "./moments.js";

export class Watch {
  /** @type {number[]} When each step was first shown, in milliseconds since the first event; -1 if it was not. */
  shown = [];
  speed = 1;
  started = 0;
  /** @type {number | null} The time that the watcher used; null while the clock runs. */
  used = null;

  /** @param {{ moved: () => void, changed: () => void }} options `moved()` is called after each step. */
  constructor({ moved, changed }) {
    this.changed = changed;
    this.player = new Player({ pace: () => 1 / this.speed, show: () => {
      this.mark();
      moved();
    } });
  }

  /**
   * Show the first step of a round; if it has been judged, the last one.
   *
   * @param {api.WatchStep[]} steps
   * @param {boolean} judged
   */
  load(steps, judged) {
    Object.assign(this, { started: 0, used: judged ? 0 : null, shown: steps.map(() => -1) });
    const holds = holdsOf(steps);
    this.player.load(/** @type {any} */ (steps.map((_, at) => ({ hold: holds[at], updates: [] }))), judged ? steps.length - 1 : 0);
  }

  get playing() { return this.player.playing; }

  get last() { return Math.max(0, this.shown.length - 1); }

  /** The current step, counted from 0. */
  get at() { return Math.max(0, this.player.at); }

  get atEnd() { return this.at >= this.last; }

  /** Milliseconds since the first event was played. */
  get elapsed() {
    if (this.used !== null) return this.used;
    return this.started ? performance.now() - this.started : 0;
  }

  /** Stop the watcher's clock. */
  finish() {
    this.used = this.elapsed;
  }

  /** Note that the steps up to the current one have been shown. */
  mark() {
    markShown(this.shown, this.at, Math.round(this.elapsed));
  }

  play() {
    if (this.atEnd) return;
    this.started ||= performance.now();
    this.mark();
    this.player.play();
    this.changed();
  }

  toggle() {
    if (this.playing) this.player.pause();
    else this.play();
    this.changed();
  }

  /**
   * Move to a step, and play on from there if the round was playing.
   *
   * @param {number} at
   */
  seek(at) {
    this.started ||= performance.now();
    const { playing } = this;
    this.player.pause();
    this.player.seek(at);
    if (playing) this.player.play();
    this.changed();
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    if (this.playing) {
      this.player.pause();
      this.player.play();
    }
    this.changed();
  }
}
