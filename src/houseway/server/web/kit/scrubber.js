// The timeline of a round: a segment per phase, a tick per event, and a slider.

import { h, painted } from "./dom.js";

/** @typedef {{ name: string, from: number, to: number }} Phase */

/** Properties: `phases`, `count` of events, `at` (the event shown, from 0) and its `description`; dispatches
 * "seek". */
export class HwScrubber extends painted([],
  { phases: /** @type {Phase[]} */ ([]), count: 0, at: 0, description: "" }) {
  drawn() {
    const { phases, count, at } = this;
    const now = phases.find((phase) => at >= phase.from && at <= phase.to);
    return h("div", { class: "scrubber", vars: { "--count": count, "--at": at } },
      h("div", { class: "phases" }, phases.map((phase) => this.phase(phase, at, phase === now))),
      h("div", { class: "track" },
        h("div", { class: "ticks", "aria-hidden": "true" }),
        h("input", { type: "range", min: 0, max: Math.max(0, count - 1), step: 1, ".value": String(at),
          "aria-label": "Event",
          "aria-valuetext": [`Event ${at + 1} of ${count}`, now?.name, this.description].filter(Boolean).join(", "),
          oninput: (/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) =>
            this.seek(Number(target.value)) })));
  }

  /**
   * @param {Phase} phase
   * @param {number} at
   * @param {boolean} now
   */
  phase(phase, at, now) {
    const length = phase.to - phase.from + 1;
    const done = Math.max(0, Math.min(length, at - phase.from + 1)) / length;
    return h("button", { type: "button", class: now ? "phase current" : "phase", tabindex: "-1",
      "data-key": String(phase.from), "aria-label": phase.name, vars: { "--length": length, "--done": done },
      onclick: () => this.seek(phase.from) },
    h("span", { class: "name" }, phase.name), h("span", { class: "segment" }));
  }

  /** @param {number} at */
  seek(at) {
    this.dispatchEvent(new CustomEvent("seek", { detail: at, bubbles: true }));
  }
}
customElements.define("hw-scrubber", HwScrubber);
