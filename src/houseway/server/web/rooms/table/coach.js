// The coach: the value of each choice, and what the player's errors have cost so far.

import { card } from "../../kit/card.js";
import { segmented } from "../../kit/choices.js";
import { h } from "../../kit/dom.js";
import { asTitle, money, withCardSigns } from "../../kit/words.js";
import { set, setting } from "../../settings.js";

/** @type {[string, string][]} */
const MODES = [["before", "Before I act"], ["after", "After I act"], ["off", "Off"]];
const RETRY = 3000;

/** @param {number} value */
const antes = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(4)}`;

export class Coach {
  /** @type {api.Advice | null} */
  answer = null;
  /** @type {string | null} The viewer's choice, as the advice names it. */
  acted = null;
  /** @type {string[]} */
  cards = [];
  decision = "";
  round = 0;
  timer = 0;
  fractions = false;
  tally = { rounds: 0, errors: 0, close: 0, round: 0 };

  /**
   * `changed()` repaints; the tally is stored under `storageKey` for this session.
   *
   * @param {{ client: import("../../api_client.js").ApiClient, table: string, changed: () => void, storageKey: string }} options
   */
  constructor({ client, table, changed, storageKey }) {
    this.client = client;
    this.table = table;
    this.changed = changed;
    this.storageKey = storageKey;
    try {
      this.tally = JSON.parse(sessionStorage.getItem(storageKey) ?? "null") ?? this.tally;
    } catch { /* Start a new tally if the stored one is malformed. */ }
  }

  get mode() { return setting("coach"); }

  /**
   * Update from a new view; request advice once per decision.
   *
   * @param {api.View} view
   * @param {boolean} turn
   */
  see({ table, yours }, turn) {
    const decision = turn && this.mode !== "off" ? `${table.round}/${table.step}` : "";
    if (turn && decision !== this.decision) {
      this.acted = null;
      this.answer = null;
    }
    if (table.round !== this.round) {
      this.round = table.round;
      if (!turn) Object.assign(this, { answer: null, acted: null });
    }
    if (turn) this.cards = yours.cards?.flat() ?? [];
    if (turn && decision && decision !== this.decision) this.ask(yours.seat ?? 0, decision);
    if (turn) this.decision = decision;
  }

  /**
   * @param {number} seat
   * @param {string} decision
   */
  async ask(seat, decision) {
    clearTimeout(this.timer);
    try {
      const path = `/api/tables/${encodeURIComponent(this.table)}/coach?seat=${seat}`;
      /** @type {api.Advice} */
      const answer = await this.client.get(path);
      if (this.decision !== decision || this.acted) return;
      this.answer = answer;
      if (!answer.ready) this.timer = setTimeout(() => this.decision === decision && this.ask(seat, decision),
        RETRY);
    } catch (refused) {
      const { message } = /** @type {Error} */ (refused);
      if (this.decision === decision) this.answer = { ready: false, sentence: message, choices: [] };
    }
    this.changed();
  }

  /**
   * Add the cost of a choice to the tally, once per decision.
   *
   * @param {{ action?: string, says: string }} option
   */
  act({ action, says }) {
    const chosen = this.answer?.choices?.find((choice) => choice.action === action);
    const again = Boolean(this.acted);
    this.acted = action || says;
    this.decision = `${this.decision}/acted`;
    if (!this.answer?.ready || !chosen || again) return;
    if (this.tally.round !== this.round) Object.assign(this.tally,
      { round: this.round, rounds: this.tally.rounds + 1 });
    this.tally.errors += chosen.costs;
    if (chosen.close || this.answer.choices.some(({ close }) => close)) this.tally.close += 1;
    sessionStorage.setItem(this.storageKey, JSON.stringify(this.tally));
  }

  leave() { clearTimeout(this.timer); }

  get shown() {
    return this.mode === "before" || (this.mode === "after" && this.acted) ? this.answer : null;
  }

  /** Create the coach's panel. */
  panel() {
    const { answer, shown } = this;
    return h("section", { class: "coach", "aria-label": "Coach" },
      h("div", { class: "head" }, h("span", { class: "label" }, "Show values"),
        segmented("Show values", MODES, this.mode, (mode) => set("coach", mode))),
      this.mode !== "off" && (shown?.ready ? this.values(shown)
        : h("p", { class: "small" }, answer && !answer.ready ? answer.sentence
          : answer ? "The value of each choice stays hidden until you act."
            : "On your turn, the exact value of each choice appears here.")),
      h("div", { class: "tally" }, h("h2", {}, "Your play this session"),
        h("dl", {}, [[this.tally.rounds, this.tally.rounds === 1 ? "round" : "rounds"],
          [this.tally.errors.toFixed(2), "antes lost to errors"],
          [this.tally.close, this.tally.close === 1 ? "close call" : "close calls"]]
          .map(([figure, text]) => h("div", {}, h("dd", {}, figure), h("dt", {}, text)))),
        h("p", { class: "small" }, "The house has the edge even against best play.")));
  }

  /** @param {api.Advice} answer */
  values(answer) {
    const all = answer.choices.map(({ value }) => value);
    const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
    const span = high - low || 1;
    return [
      h("div", { class: "of" }, h("span", { class: "cards" }, this.cards.map((face) => card(face,
        { size: "small" }))),
      h("p", {}, h("strong", {}, asTitle(answer.hand ?? "")), answer.stage
        && h("span", { class: "small" }, answer.stage))),
      h("ul", { class: "values" }, answer.choices.map((choice) => h("li",
        { class: this.acted === choice.action && "done" },
        h("div", { class: "what" }, h("strong", {}, asTitle(withCardSigns(choice.says))),
          choice.best ? h("span", { class: "best" }, "best")
            : h("span", { class: "small" }, `costs ${choice.costs.toFixed(4)}`),
          choice.close && h("span", { class: "small" }, "close call")),
        h("div", { class: choice.best ? "scale best" : "scale", "aria-hidden": "true",
          vars: { "--zero": -low / span,
          "--from": (Math.min(0, choice.value) - low) / span,
            "--to": (Math.max(0, choice.value) - low) / span } }, h("i"), h("b")),
        h("div", { class: "worth" }, h("strong", {}, antes(choice.value)),
          h("span", { class: "small" },
            `antes, ${money(choice.cents, { signed: true })}`)),
        this.fractions && h("p", { class: "small fraction" }, `${choice.num} / ${choice.den}`)))),
      h("p", { class: "small" }, answer.ways
        ? `Exact average over all ${Number(answer.ways).toLocaleString("en-US")} possible deals. `
        : `${answer.sentence ?? ""} `,
        h("button", { type: "button", class: "link",
          onclick: () => { this.fractions = !this.fractions; this.changed(); } },
          this.fractions ? "As decimals" : "As fractions")),
    ];
  }

  /**
   * Create the strip above the choices on a phone.
   *
   * @param {() => void} open
   */
  strip(open) {
    const { shown } = this;
    if (this.mode === "off") return null;
    const content = shown?.ready ? shown.choices.map((choice) => h("span", { class: "value" },
      h("span", {}, asTitle(withCardSigns(choice.says)), choice.best && h("b", {}, " best")),
        h("strong", {}, antes(choice.value))))
      : h("span", { class: "small" }, shown?.sentence ?? (this.mode === "after" ? "Hidden until you act."
        : "Calculating…"));
    return h("button", { type: "button", class: "strip coach-strip", onclick: open },
      h("span", { class: "head" }, h("b", {}, "Coach"), h("span", { class: "small" }, "exact")), content);
  }
}
