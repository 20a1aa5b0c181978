// Plays the steps of a table one after another: live as they arrive, or from any step of a replay.

/** @typedef {import("./steps.js").Step} Step */
/** @typedef {{ hurried?: boolean }} How `hurried` shows several steps at once. */

export class Player {
  /** @type {Step[]} */
  steps = [];
  /** The step shown; -1 before the first. */
  at = -1;
  timer = 0;

  /**
   * `show(step)` shows a step; `pace()` returns the factor for how long it is held.
   *
   * @param {{ show: (step: Step, how: How) => void, pace: () => number }} options
   */
  constructor({ show, pace }) {
    this.show = show;
    this.pace = pace;
  }

  /** True while there are steps to show. */
  get busy() { return this.at < this.steps.length - 1; }

  /** True while the next step is scheduled. */
  get playing() { return this.timer !== 0; }

  /**
   * Add steps and show them in turn; steps already shown are dropped.
   *
   * @param {Step[]} steps
   */
  add(steps) {
    this.steps.splice(0, this.at + 1);
    this.at = -1;
    this.steps.push(...steps);
    if (!this.playing && this.busy) this.advance();
  }

  /**
   * Replace all steps; the one at `at` counts as shown.
   *
   * @param {Step[]} steps
   * @param {number} at
   */
  load(steps, at) {
    this.pause();
    this.steps = steps;
    this.at = this.within(at);
  }

  /** Show the next step and schedule the others. */
  advance() {
    this.pause();
    this.at = this.within(this.at + 1);
    this.play();
    this.shown();
  }

  /** Continue from the current step. */
  play() {
    if (this.playing || !this.busy) return;
    this.timer = setTimeout(() => this.advance(), (this.steps[this.at]?.hold ?? 0) * this.pace());
  }

  /** Stop at the current step. */
  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
  }

  /**
   * Show a step.
   *
   * @param {number} at
   */
  seek(at) {
    this.at = this.within(at);
    this.shown();
  }

  /** Skip to the last step. It is shown with the updates of all skipped steps. */
  finish() {
    const rest = this.steps.slice(this.at + 1);
    this.stop();
    const last = rest.at(-1);
    if (last) this.show({ ...last, updates: rest.flatMap(({ updates }) => updates) }, { hurried: true });
  }

  /** Remove all steps. */
  stop() {
    this.pause();
    this.steps = [];
    this.at = -1;
  }

  shown() {
    const step = this.steps[this.at];
    if (step) this.show(step, {});
  }

  /** @param {number} at */
  within(at) {
    return Math.max(0, Math.min(this.steps.length - 1, at));
  }
}
