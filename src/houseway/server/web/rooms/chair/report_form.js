// The report of an irregularity: what happened, and where. Reporting stops play.

import { h } from "../../kit/dom.js";
import { asTitle } from "../../kit/words.js";
import { seatsOf } from "./felt.js";
import { refusals } from "../parts.js";

export class ReportForm {
  kind = "reporting";
  /** @type {string | null} */
  happened = null;
  at = "";
  which = 0;
  /** @type {number | null} */
  count = null;
  device = "";
  sending = false;
  /** @type {unknown} */
  refused = null;

  /**
   * @param {{ view: api.ChairView, changed: () => void, close: () => void, send: (report: api.IrregularityReport) => Promise<api.RulingAnswer>,
   *   answered: (answer: api.RulingAnswer) => void }} options
   */
  constructor({ view, changed, close, send, answered }) {
    this.view = view;
    this.changed = changed;
    this.close = close;
    this.send = send;
    this.answered = answered;
  }

  get option() { return this.view.irregularities.find(({ kind }) => kind === this.happened); }

  /** Send the report. Returns true if there is something to send. */
  enter() {
    if (!this.happened || this.sending) return false;
    this.submit(this.happened);
    return true;
  }

  /** @param {string} kind */
  async submit(kind) {
    const asks = new Set(this.option?.asks ?? []);
    this.sending = true;
    this.changed();
    try {
      this.answered(await this.send({ kind, ...(this.at ? { at: this.at } : {}), ...(asks.has("which") && this.which ? { which: this.which } : {}),
        ...(asks.has("count") && this.count ? { count: this.count } : {}), ...(asks.has("device") && this.device ? { device: this.device } : {}) }));
    } catch (error) {
      this.refused = error;
      this.sending = false;
      this.changed();
    }
  }

  /** @param {Partial<ReportForm>} changes */
  set(changes) {
    Object.assign(this, changes);
    this.changed();
  }

  panel() {
    const { view, option } = this;
    const asks = new Set(option?.asks ?? []);
    /** @type {[string, string][]} */
    const places = [...seatsOf(view.felt).map(({ seat }) => /** @type {[string, string]} */ ([`seat ${seat}`, String(seat)])),
      ["dealer", "dealer"], ["board", "board"], ["deck", "deck"]];
    return [
      h("header", { class: "panel-head", "data-key": "head" }, h("h2", {}, "Report an irregularity"),
        h("button", { type: "button", class: "close", "aria-label": "Close the report", onclick: () => this.close() }, "×")),
      h("section", { class: "report-form", "data-key": "report" },
        h("p", { class: "small" }, "Play stops when you report. What happened?"),
        h("div", { class: "kinds", role: "group", "aria-label": "What happened" }, view.irregularities.map(({ kind }) =>
          h("button", { type: "button", class: "kind-option", "data-key": kind, "aria-pressed": String(kind === this.happened),
            onclick: () => this.set({ happened: kind }) }, asTitle(kind)))),
        option && h("p", { class: "small", "data-key": "means" }, `${asTitle(option.means)}.`),
        asks.has("at") && this.row("Where", places, this.at, (at) => this.set({ at: at === this.at ? "" : at })),
        asks.has("which") && this.row("Which card", [1, 2, 3, 4, 5].map((n) => [n, String(n)]), this.which,
          (which) => this.set({ which: which === this.which ? 0 : which })),
        asks.has("count") && h("label", { class: "asked", "data-key": "count" }, h("span", { class: "label" }, "Cards counted"),
          h("input", { type: "number", min: 0, class: "count", oninput: (/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) =>
            this.set({ count: target.value === "" ? null : Number(target.value) }) })),
        asks.has("device") && h("label", { class: "asked", "data-key": "device" }, h("span", { class: "label" }, "Number of the back-up device now in use"),
          h("input", { type: "text", maxlength: 80, oninput: (/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) =>
            this.set({ device: target.value }) })),
        refusals(this.refused)),
      h("footer", { class: "panel-foot", "data-key": "foot" },
        h("button", { type: "button", class: "button main", "aria-disabled": String(!this.happened || this.sending), "data-key": "send",
          onclick: () => this.enter() }, h("span", {}, this.sending ? "Reporting…" : "Stop play and report"), h("kbd", {}, "↵")),
        h("button", { type: "button", class: "button", "data-key": "cancel", onclick: () => this.close() }, "Do not report")),
    ];
  }

  /**
   * @template {string | number} V
   * @param {string} label
   * @param {[V, string][]} choices
   * @param {V} chosen
   * @param {(value: V) => void} choose
   */
  row(label, choices, chosen, choose) {
    return h("div", { class: "asked", role: "group", "aria-label": label, "data-key": label }, h("span", { class: "label" }, label),
      h("div", { class: "options" }, choices.map(([value, words]) => h("button", { type: "button", class: "option", "data-key": String(value),
        "aria-pressed": String(value === chosen), onclick: () => choose(value) }, words))));
  }
}
