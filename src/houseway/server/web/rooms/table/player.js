// Plays steps one after the other: live, as they come, and in a replay, from any of them on.

/** @typedef {import("./steps.js").Step} Step */
/** @typedef {{ hurried?: boolean }} How `hurried` shows several steps at once. */

export class Player {
  /** @type {Step[]} */
  steps = [];
  /** The step shown; -1 before the first. */
  at = -1;
  timer = 0;

  /**
   * `show(step)` shows a step; `pace()` is how much longer than normal it is held.
   *
   * @param {{ show: (step: Step, how: How) => void, pace: () => number }} given
   */
  constructor({ show, pace }) {
    this.show = show;
    this.pace = pace;
  }

  /** True while there are steps to show. */
  get busy() { return this.at < this.steps.length - 1; }

  /** True while the next step is due by itself. */
  get playing() { return this.timer !== 0; }

  /**
   * Add steps and show them in turn; those already shown are forgotten.
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
   * Take other steps in place of all there were; the one at `at` counts as shown.
   *
   * @param {Step[]} steps
   * @param {number} at
   */
  load(steps, at) {
    this.pause();
    this.steps = steps;
    this.at = this.within(at);
  }

  /** Show the next step, and those after it in their time. */
  advance() {
    this.pause();
    this.at = this.within(this.at + 1);
    this.play();
    this.shown();
  }

  /** Show the steps from the one shown on, each in its time. */
  play() {
    if (this.playing || !this.busy) return;
    this.timer = setTimeout(() => this.advance(), (this.steps[this.at]?.hold ?? 0) * this.pace());
  }

  /** Keep the step that is shown. */
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

  /** Show the last step, with everything that led to it. */
  finish() {
    const rest = this.steps.slice(this.at + 1);
    this.stop();
    const last = rest.at(-1);
    if (last) this.show({ ...last, updates: rest.flatMap(({ updates }) => updates) }, { hurried: true });
  }

  /** Forget all steps. */
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
