// The clock of a session. It stops while play is stopped, and when the session is over.

import { announce } from "../parts.js";
import { clockText } from "./marks.js";

const TICK = 1000;
/** In an exam with a limit, one notice is given when this many milliseconds are left. */
const LAST_MINUTE = 60000;

export class SessionClock {
  /** @type {api.ChairView | null} */
  view = null;
  /** The local time at which the view arrived, in milliseconds. */
  received = 0;
  minuteSaid = false;
  ticking = 0;

  /** @param {{ element: HTMLElement, changed: () => void }} options */
  constructor({ element, changed }) {
    this.element = element;
    this.changed = changed;
  }

  start() {
    this.ticking = setInterval(() => this.tick(), TICK);
  }

  stop() {
    clearInterval(this.ticking);
  }

  /** @param {api.ChairView} view */
  take(view) {
    this.view = view;
    this.received = Date.now();
  }

  /** The time of the session in milliseconds. */
  get now() {
    const { view } = this;
    if (!view) return 0;
    return view.progress === "open" ? view.clock + Date.now() - this.received : view.clock;
  }

  tick() {
    const { view } = this;
    if (!view) return;
    for (const clock of this.element.querySelectorAll(".chair-clock .time")) clock.textContent = clockText(this.now);
    const limit = view.exam?.left ?? null;
    const left = limit === null ? null : limit - (Date.now() - this.received);
    if (left !== null && left <= LAST_MINUTE && left > 0 && !this.minuteSaid) {
      this.minuteSaid = true;
      announce("One minute is left.");
      this.changed();
    }
  }
}
