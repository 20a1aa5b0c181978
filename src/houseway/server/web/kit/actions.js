// The choices: all of one size, each in its place; one that changed takes no press for a while.

import { h, painted, picture, s } from "./dom.js";
import { money, signed, titled } from "./words.js";

const GUARD = 600;

/**
 * A choice as a button shows it: one that the house offers, or one that still lacks something and is `off`.
 *
 * @typedef {Omit<api.Choice, "command"> & { command: Record<string, any> | null, note?: string, off?: boolean }}
 *   Option
 */

/** `options` as the house lists them, `sent` the one on its way, `off` while offline, `act(option)`. */
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
    h("span", { class: "what" }, h("strong", {}, titled(signed(option.says))),
      h("span", {}, sent ? "sent, waiting for the table" : option.note
        ?? (option.costs ? `bets ${money(option.costs)}` : "bets nothing"))),
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
   * Press the choice that has a key; false if none has it.
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

/** A part that paints itself again as time goes by, up to `until`, of `whole` seconds. */
class Beating extends painted([], { until: 0, whole: 1 }) {
  beat = 0;

  connectedCallback() {
    super.connectedCallback();
    this.beat = setInterval(() => this.changed(), 500);
  }

  disconnectedCallback() {
    clearInterval(this.beat);
  }
}

/** How long is left, as a ring with its seconds; a reader is told apart, once. */
export class HwClock extends Beating {
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

/** How long somebody else has left: "12 s". */
export class HwSeconds extends Beating {
  drawn() {
    return h("span", {}, `${Math.ceil(Math.max(0, (this.until - performance.now()) / 1000))} s`);
  }
}
customElements.define("hw-seconds", HwSeconds);
