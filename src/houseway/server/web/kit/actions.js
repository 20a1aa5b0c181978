// The player's choices as buttons. A button that has just changed ignores presses for a moment.

import { h, painted, picture, s } from "./dom.js";
import { money, withCardSigns, asTitle } from "./words.js";

/** Milliseconds during which a changed button ignores presses, to prevent the wrong choice. */
const GUARD = 600;

/**
 * A choice as a button shows it: one that the server offers, or an incomplete one, which is `off`.
 *
 * @typedef {Omit<api.Choice, "command"> & { command: Record<string, any> | null, note?: string, off?: boolean }}
 *   Option
 */

/**
 * Describe what a choice costs: "bet $10.00", "no bet".
 *
 * @param {Option} option
 */
export const effectOf = ({ note, costs }) => note ?? (costs ? `bet ${money(costs)}` : "no bet");

/** Properties: `options`, `sent` (the choice in flight), `off` while offline, and the handler `act(option)`. */
export class HwActions extends painted([], { options: /** @type {Option[]} */ ([]), sent: "", off: false,
  act: /** @type {((option: Option) => void) | null} */ (null) }) {
  /** @type {string[]} */
  labels = [];
  /** @type {number[]} */
  since = [];

  drawn() {
    const now = performance.now();
    const { options } = this;
    options.forEach((option, n) => {
      const label = `${option.says} ${option.costs ?? 0}`;
      if (this.labels[n] !== label) {
        this.labels[n] = label;
        this.since[n] = now;
        setTimeout(() => this.changed(), GUARD + 10);
      }
    });
    return h("div", { class: "choices", role: "group", "aria-label": "Your choices" },
      options.map((option, n) => this.button(option, n, now)));
  }

  /**
   * @param {Option} option
   * @param {number} n
   * @param {number} now
   */
  button(option, n, now) {
    const guarded = now - this.since[n] < GUARD;
    const sent = this.sent === option.says;
    const off = Boolean(this.off || this.sent || guarded || option.off);
    return h("button", { type: "button", class: sent ? "choice sent" : "choice", "data-key": `choice-${n}`,
      "aria-disabled": String(off),
      "aria-keyshortcuts": option.key || null, onclick: () => this.choose(option, n) },
    h("span", { class: "what" }, h("strong", {}, asTitle(withCardSigns(option.says))),
      h("span", {}, sent ? "sent, waiting for the table" : effectOf(option))),
    option.key && h("kbd", { "aria-hidden": "true" }, option.key.toUpperCase()));
  }

  /**
   * @param {Option} option
   * @param {number} n
   */
  choose(option, n) {
    if (this.off || this.sent || option.off || performance.now() - this.since[n] < GUARD) return;
    this.act?.(option);
  }

  /**
   * Press the choice with this key; return false if there is none.
   *
   * @param {string} key
   */
  press(key) {
    const n = this.options.findIndex((option) => option.key?.toLowerCase() === key);
    if (n >= 0) this.choose(this.options[n], n);
    return n >= 0;
  }
}
customElements.define("hw-actions", HwActions);

/** A part that repaints every half second, for a countdown of `whole` seconds that ends at `until`. */
class Ticking extends painted([], { until: 0, whole: 1 }) {
  timer = 0;

  connectedCallback() {
    super.connectedCallback();
    this.timer = setInterval(() => this.changed(), 500);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }
}

/** The viewer's time left, as a ring with seconds. Screen readers get a separate announcement. */
export class HwClock extends Ticking {
  drawn() {
    const left = Math.max(0, (this.until - performance.now()) / 1000);
    const part = Math.min(1, left / (this.whole || 1));
    return h("span", { class: "clock", "aria-hidden": "true", vars: { "--left": part } },
      picture("-22 -22 44 44", {}, s("circle", { r: 19, class: "rest" }),
        s("circle", { r: 19, class: "left", pathLength: 100,
          "stroke-dasharray": `${(100 * part).toFixed(1)} 100`, transform: "rotate(-90)" })),
      h("b", {}, Math.ceil(left)));
  }
}
customElements.define("hw-clock", HwClock);

/** Another player's time left: "12 s". */
export class HwSeconds extends Ticking {
  drawn() {
    return h("span", {}, `${Math.ceil(Math.max(0, (this.until - performance.now()) / 1000))} s`);
  }
}
customElements.define("hw-seconds", HwSeconds);
