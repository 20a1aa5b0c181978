// The ruling on an irregularity: a form without defaults, then each row with your answer, the right one and the clause.

import { clauseTag } from "../../kit/clause.js";
import { h } from "../../kit/dom.js";
import { countOf, withArticle } from "../../kit/words.js";
import { randomHex } from "../../api_client.js";
import { announce, refusals } from "../parts.js";
import { markOf } from "./marks.js";
import { belowRuling } from "./ruling/below.js";
import { judgedPanel } from "./ruling/judged_panel.js";
import { CARD, answerText, answerTitle, questionTitle, rightAnswers } from "./ruling/questions.js";

/** @type {Record<string, string>} */
const PLACES = { dealer: "in the dealer’s hand", board: "on the board", deck: "in the deck" };
const STEP = 900;

/** @typedef {{ felt: api.ChairFelt, time: number, words: string }} Moment A felt of this round, and what led to it. */

export class RulingSheet {
  kind = "ruling";
  /** @type {Record<string, string>} */
  answers = {};
  /** @type {api.RulingAnswer | null} */
  judged = null;
  /** @type {unknown} */
  refused = null;
  sending = false;
  /** The question whose clause is open. */
  open = "";
  key = randomHex(16);
  timer = 0;
  /** @type {number | null} The moment that is replayed. */
  at = null;

  /**
   * @param {{ client: import("../../api_client.js").ApiClient, path: string, view: api.ChairView, history: Moment[], changed: () => void,
   *   done: (view: api.ChairView) => void }} options
   */
  constructor({ client, path, view, history, changed, done }) {
    this.client = client;
    this.path = path;
    this.view = view;
    this.form = /** @type {api.RulingForm} */ (view.stopped);
    this.history = history;
    this.changed = changed;
    this.done = done;
  }

  leave() {
    clearInterval(this.timer);
  }

  get complete() { return this.form.questions.every(({ question }) => this.answers[question]); }

  enter() {
    if (this.judged) this.continue();
    else if (this.complete && !this.sending) this.send();
    else return false;
    return true;
  }

  continue() {
    this.leave();
    if (this.judged) this.done(this.judged.view);
  }

  async send() {
    this.sending = true;
    this.refused = null;
    this.changed();
    try {
      const answer = /** @type {api.RulingAnswer} */ (await this.client.post(this.path, { key: this.key, answers: this.answers }));
      if (!answer.rows?.length) {
        // An exam shows no judgement.
        this.done(answer.view);
        return;
      }
      this.judged = answer;
      const wrong = answer.rows.find(({ judged, is_right: right }) => judged && !right);
      this.open = (wrong ?? answer.rows.find(({ clause }) => clause))?.question ?? "";
      announce(`${this.score}. ${answer.rows.filter(({ judged, is_right: right }) => judged && !right).map((row) =>
        `${this.title(row.question)}: ${answerText(row.given)}. Right: ${rightAnswers(row).map(answerText).join(" or ")}.`).join(" ")}`);
    } catch (error) {
      this.refused = error;
    }
    this.sending = false;
    this.changed();
  }

  get score() {
    const rows = (this.judged?.rows ?? []).filter(({ judged }) => judged);
    return rows.length ? `${countOf(rows.filter(({ is_right: right }) => right).length, rows.length)} answers right` : "No answer is judged";
  }

  /** @param {string} question */
  title(question) {
    return questionTitle(this.view, question);
  }

  below() { return belowRuling(this); }

  get reported() {
    const { kind, at = "" } = this.form.report;
    return at ? `${kind} ${PLACES[at] ?? `in ${at}’s hand`}` : kind;
  }

  /** The moment of the round, if the board has a flop, a turn and a river. */
  get street() {
    const { board, exposed = [] } = this.view.felt;
    const up = board.filter((face) => face && !exposed.some(({ cards }) => cards.includes(face))).length;
    if (this.view.board_size !== 5) return "";
    return { 0: ", before the flop", 3: ", after the flop", 5: ", after the river" }[up] ?? "";
  }

  replay() {
    clearInterval(this.timer);
    const first = Math.max(0, this.history.length - 4);
    this.at = first;
    this.timer = setInterval(() => {
      if (this.at === null || this.at >= this.history.length - 1) {
        clearInterval(this.timer);
        this.at = null;
      } else this.at += 1;
      this.changed();
    }, STEP);
    this.changed();
  }

  felt() { return this.at === null ? this.view.felt : this.history[this.at].felt; }

  said() { return this.at === null ? "" : this.history[this.at].words; }

  head() {
    const { view, judged } = this;
    const round = `Round ${view.round} of ${view.rounds}`;
    return h("header", { class: "sheet-head", "data-key": "sheet-head" },
      h("div", {}, h("h1", {}, `Irregularity: ${withArticle(this.form.report.kind)}`),
        h("p", { class: "small" }, `${round}${this.street}. You reported it; play has stopped.`)),
      h("ul", { class: "outcome" },
        judged && !judged.happened && h("li", {}, markOf("right"), `noticed in ${((judged.noticed ?? 0) / 1000).toFixed(1)} s`),
        h("li", {}, judged && markOf(judged.happened ? "wrong" : "right"), "reported as ", h("strong", {}, this.reported)),
        judged?.happened && h("li", {}, judged.happened),
        judged && this.cardLine(judged)));
  }

  /**
   * What happens to the card in question: a part of what happened, not a row of its own.
   *
   * @param {api.RulingAnswer} judged
   */
  cardLine({ rows = [], happened }) {
    const row = rows.find(({ question }) => question === CARD);
    if (!row || happened) return "";
    const { given, judged, is_right: isRight, clause } = row;
    const right = rightAnswers(row).map(answerText).join(" or ");
    return h("li", { class: "card-line", "data-key": "card-line" }, markOf(!judged ? "open" : isRight ? "right" : "wrong"),
      h("span", {}, "the card in question: ", h("strong", {}, answerText(given)), judged ? !isRight && `, right: ${right}` : ", not judged"),
      clauseTag(clause?.clause));
  }

  panel() {
    return this.judged ? judgedPanel(this, this.judged) : this.formPanel();
  }

  formPanel() {
    const { form } = this;
    const left = form.questions.filter(({ question }) => !this.answers[question]).length;
    return [
      h("header", { class: "panel-head", "data-key": "head" }, h("h2", {}, "Your ruling"),
        h("p", { class: "small", role: "status" }, left ? `${left} of ${form.questions.length} open` : "Every question is answered")),
      form.hands && h("p", { class: "small", "data-key": "hands" }, form.hands),
      h("div", { class: "ruling-rows", "data-key": "rows" }, form.questions.map(({ question, answers }) =>
        h("div", { class: "ruling-row", role: "group", "aria-label": this.title(question), "data-key": question },
          h("span", { class: "question" }, this.title(question)),
          h("div", { class: "options" }, answers.map((answer) => h("button", { type: "button", class: "option", "data-key": answer,
            "aria-pressed": String(this.answers[question] === answer), onclick: () => {
              this.answers[question] = answer;
              this.changed();
            } }, answerTitle(answer))))))),
      h("footer", { class: "panel-foot", "data-key": "foot" }, refusals(this.refused),
        h("button", { type: "button", class: "button main", "data-key": "rule", "aria-disabled": String(!this.complete || this.sending),
          onclick: () => this.complete && !this.sending && this.send() }, h("span", {}, this.sending ? "Judging…" : "Rule"), h("kbd", {}, "↵")),
        h("p", { class: "small" }, "Answer every question. Nothing is chosen for you.")),
    ];
  }
}
