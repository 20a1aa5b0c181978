// The ruling on an irregularity: a form without defaults, then each row with your answer, the right one and the clause.

import { clauseTag } from "../../kit/clause.js";
import { h } from "../../kit/dom.js";
import { asTitle, cardName, joinWords, money, withCardSigns } from "../../kit/words.js";
import { randomHex } from "../../house.js";
import { announce, refusals } from "../parts.js";
import { wagerName } from "./hand_panel.js";
import { clockText, markOf } from "./marks.js";

/** @type {Record<string, string>} */
const QUESTIONS = { hands: "The hands", board: "The board", card: "The card", call: "Call" };
/** Clearer words for answers. @type {Record<string, string>} */
const ANSWERS = { "goes back": "is returned", "take the deck off": "take the deck off the table" };
/** @type {Record<string, string>} */
const PLACES = { dealer: "in the dealer’s hand", board: "on the board", deck: "in the deck" };
const STEP = 900;
/** The events before the report that the time line shows. */
const EARLIER = 2;

/** @typedef {{ felt: api.ChairFelt, time: number, words: string }} Moment A felt of this round, and what led to it. */

/** @param {string} answer */
const answerTitle = (answer) => asTitle(ANSWERS[answer] ?? answer);

/**
 * Return the place of a clause in its document: "Massachusetts, section 14(a)".
 *
 * @param {api.CitedClause} clause
 */
export const sourceOf = ({ document = "", section = "" }) =>
  [document, section && `section ${section}`].filter(Boolean).join(", ");

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
   * @param {{ house: import("../../house.js").House, path: string, view: api.ChairView, history: Moment[], changed: () => void,
   *   done: (view: api.ChairView) => void }} options
   */
  constructor({ house, path, view, history, changed, done }) {
    this.house = house;
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
      const answer = /** @type {api.RulingAnswer} */ (await this.house.post(this.path, { key: this.key, answers: this.answers }));
      if (!answer.rows?.length) {
        // An exam shows no judgement.
        this.done(answer.view);
        return;
      }
      this.judged = answer;
      const wrong = answer.rows.find(({ judged, is_right: right }) => judged && !right);
      this.open = (wrong ?? answer.rows.find(({ clause }) => clause))?.question ?? "";
      announce(`${this.score}. ${answer.rows.filter(({ judged, is_right: right }) => judged && !right).map((row) =>
        `${this.title(row.question)}: ${ANSWERS[row.given] ?? row.given}. Right: ${ANSWERS[row.right] ?? row.right}.`).join(" ")}`);
    } catch (error) {
      this.refused = error;
    }
    this.sending = false;
    this.changed();
  }

  get score() {
    const rows = (this.judged?.rows ?? []).filter(({ judged }) => judged);
    return `${rows.filter(({ is_right: right }) => right).length} of ${rows.length} answers right`;
  }

  /** @param {string} question */
  title(question) {
    return QUESTIONS[question] ?? asTitle(wagerName(this.view, question));
  }

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
      h("div", {}, h("h1", {}, `Irregularity: ${/^[aeiou]/.test(this.form.report.kind) ? "an" : "a"} ${this.form.report.kind}`),
        h("p", { class: "small" }, `${round}${this.street}. You reported it; play has stopped.`)),
      h("ul", { class: "outcome" },
        judged && !judged.happened && h("li", {}, markOf("right"), `noticed in ${((judged.noticed ?? 0) / 1000).toFixed(1)} s`),
        h("li", {}, judged && markOf(judged.happened ? "wrong" : "right"), "reported as ", h("strong", {}, this.reported)),
        judged?.happened && h("li", {}, judged.happened)));
  }

  below() {
    const { judged, form } = this;
    const told = this.history.filter(({ words }, n, all) => words && words !== all[n - 1]?.words);
    const earlier = told.map(({ time, words }) => /** @type {[number, string]} */ ([time, words]));
    /** @type {[number, string][]} */
    const points = [...earlier.slice(-EARLIER), [form.time, "You reported it"]];
    if (judged) points.push([judged.view.clock, "You ruled"]);
    return h("div", { class: "ruling-below", "data-key": "ruling-below" },
      h("ol", { class: "points", vars: { "--n": points.length } }, points.map(([time, words], n) => h("li", { "data-key": String(n), class: n >= points.length - (judged ? 2 : 1) ? "yours" : "" },
        h("span", { class: "at-time" }, clockText(time, true)), h("span", {}, words)))),
      judged && h("div", { class: "sums box" },
        h("div", {}, h("h2", {}, "By your ruling"), h("p", {}, h("strong", {}, money(judged.returned_yours ?? 0)), " is returned to the players.")),
        h("span", { class: "to", "aria-hidden": "true" }, "→"),
        h("div", {}, h("h2", {}, "By the rulebook"), h("p", {}, h("strong", {}, money(judged.returned ?? 0)), " is returned. ",
          this.difference(judged), this.completed(judged)), this.settled(judged))));
  }

  /**
   * The cards that complete the board of a void round.
   *
   * @param {api.RulingAnswer} judged
   */
  completed({ board = [], settled = [] }) {
    if (!board.length) return "";
    const up = new Set(this.view.felt.board.filter(Boolean));
    const rest = board.filter((face) => !up.has(face));
    const wagers = [...new Set(settled.map(({ wager }) => wagerName(this.view, wager)))];
    const then = wagers.length ? `${joinWords(wagers)} ${wagers.length === 1 ? "is" : "are"} settled:` : "";
    if (!rest.length) return then ? ` ${asTitle(then)}` : "";
    return [" The board is completed with ", h("strong", { class: "rest" }, withCardSigns(rest.join(" "))),
      h("span", { class: "unseen" }, ` (${rest.map(cardName).join(", ")})`), then ? `, then ${then}` : "."];
  }

  /**
   * The wagers that a void round still settles: seat, hand and result.
   *
   * @param {api.RulingAnswer} judged
   */
  settled({ settled = [] }) {
    return settled.length > 0 && h("ul", { class: "ruled-wagers" }, settled.map(({ seat, wager, hand, cents }) =>
      h("li", { "data-key": `${seat} ${wager}` }, `Seat ${seat}, ${hand} `, h("hw-money", { cents, signed: true }))));
  }

  /** @param {api.RulingAnswer} judged */
  difference({ returned = 0, returned_yours: yours = 0, happened }) {
    if (happened) return "The report named something else, so nothing changed.";
    if (returned === yours) return "Both are the same.";
    return yours > returned ? `Your ruling returns ${money(yours - returned)} too much.` : `Your ruling returns ${money(returned - yours)} too little.`;
  }

  panel() {
    return this.judged ? this.judgedPanel(this.judged) : this.formPanel();
  }

  formPanel() {
    const { form } = this;
    const left = form.questions.filter(({ question }) => !this.answers[question]).length;
    return [
      h("header", { class: "panel-head", "data-key": "head" }, h("h2", {}, "Your ruling"),
        h("p", { class: "small", role: "status" }, left ? `${left} of ${form.questions.length} open` : "Every question is answered")),
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

  /** @param {api.RulingAnswer} judged */
  judgedPanel(judged) {
    const rows = judged.rows ?? [];
    const all = rows.every(({ judged: counts, is_right: right }) => !counts || right);
    const row = rows.find(({ question }) => question === this.open);
    return [
      h("header", { class: "panel-head", "data-key": "head" }, h("h2", {}, "Your ruling"),
        h("p", { class: "outcome" }, markOf(all && !judged.happened ? "right" : "wrong"), h("strong", {}, this.score))),
      h("div", { class: "ruling-rows judged-rows", "data-key": "rows" }, this.merged(rows).map((group) => this.judgedRow(group)),
        rows.some(({ judged: counts }) => !counts) && h("p", { class: "small not-judged", "data-key": "silent" },
          judged.happened ? "Rows are not judged, because the report named something that had not happened."
            : "The rows on which this document is silent count neither for you nor against you.")),
      h("section", { class: "paper ruling-paper", "data-key": "paper", "aria-label": "Clause" },
        row?.clause ? [h("header", {}, h("b", { class: "id" }, row.clause.clause), h("span", {}, sourceOf(row.clause))),
          this.cited(rows, row.clause).map((one) => h("p", { class: one.clause === row.clause?.clause ? "hit" : "also", "data-key": one.clause },
            one.says, " ", clauseTag(one.clause))),
          this.cited(rows, row.clause).map((one) => one.reading && h("p", { class: "reading", "data-key": `r-${one.clause}` },
            h("b", {}, "Reading"), " ", one.reading)),
          row.clause.borrowed && h("p", { class: "reading" }, h("b", {}, "Borrowed. "), "This rulebook does not cover this; the rule comes from another document.")]
          : h("p", { class: "quiet" }, "Press a row's clause to read it."),
        (judged.others ?? []).length > 0 && [h("h3", {}, "The same irregularity in other rulebooks"),
          h("dl", { class: "others" }, (judged.others ?? []).map(({ rulebook, title, words, clause }) => [
            h("dt", { "data-key": rulebook }, asTitle(title.split(",")[0].replace(/^An? \S+'s /, ""))), h("dd", {}, h("span", {}, asTitle(words)), clauseTag(clause))]))]),
      h("footer", { class: "panel-foot paper ruling-foot", "data-key": "foot" },
        this.history.length > 1 && h("button", { type: "button", class: "button", "data-key": "replay", onclick: () => this.replay() }, "Replay the moment"),
        h("a", { class: "button", "data-key": "drill", href: `/chair/drills?drill=rulings&rulebook=${encodeURIComponent(this.view.rulebook)}` }, "Drill rulings"),
        h("button", { type: "button", class: "button main", "data-key": "continue", onclick: () => this.continue() },
          h("span", {}, "Continue"), h("kbd", {}, "↵"))),
    ];
  }

  /**
   * Return the clauses of a judged ruling that come from the same section as the open one, in the order of the rows.
   *
   * @param {api.JudgedRow[]} rows
   * @param {api.CitedClause} open
   */
  cited(rows, open) {
    const all = new Map(rows.map(({ clause }) => [clause?.clause, clause]));
    return [...all.values()].filter((one) => one && (one.clause === open.clause
      || (open.section !== "" && one.document === open.document && one.section === open.section))).map((one) => one ?? open);
  }

  /**
   * Return the rows of a ruling; wagers of one kind with the same answers and the same clause share a row.
   *
   * @param {api.JudgedRow[]} rows
   * @returns {api.JudgedRow[][]}
   */
  merged(rows) {
    /** @type {Map<string, api.JudgedRow[]>} */
    const groups = new Map();
    for (const row of rows) {
      // The progressive has a row of its own: the machine holds it, and it is not on the layout.
      const apart = row.question in QUESTIONS || this.view.spots.some(({ wager, shape }) => wager === row.question && shape === "sensor");
      const key = apart ? row.question : [row.given, row.right, row.judged, row.clause?.clause].join(" ");
      groups.set(key, [...(groups.get(key) ?? []), row]);
    }
    const order = this.view.spots.map(({ wager }) => wager);
    return [...groups.values()].map((group) => group.sort((a, b) => order.indexOf(a.question) - order.indexOf(b.question)));
  }

  /** @param {api.JudgedRow[]} rows */
  judgedRow(rows) {
    const [{ question, given, right, judged, is_right: isRight, clause }] = rows;
    const title = rows.length === 1 ? this.title(question) : asTitle(joinWords(rows.map((row) => this.title(row.question).toLowerCase())));
    const open = rows.some((row) => row.question === this.open);
    const kind = !judged ? "open" : isRight ? "right" : "wrong";
    const answers = this.form.questions.find((one) => one.question === question)?.answers ?? [];
    // A row without room for every answer shows yours and the right one.
    const short = answers.length > 3 || kind === "wrong";
    const shown = short ? answers.filter((answer) => answer === given || (judged && answer === right)) : answers;
    return h("div", { class: `ruling-row ${kind}${open ? " opened" : ""}${rows.length > 1 ? " merged" : ""}`, role: "group", "aria-label": title, "data-key": question },
      markOf(kind), h("span", { class: "question" }, title),
      h("div", { class: "options" }, shown.map((answer) => h("span", { "data-key": answer,
        class: `answer${answer === given ? " yours" : ""}${judged && answer === right ? " is-right" : ""}` }, answerTitle(answer),
      answer === given && h("small", {}, "yours"), judged && answer === right && !isRight && h("small", { class: "best" }, "right")))),
      clause ? h("button", { type: "button", class: "tag", "aria-expanded": String(open), "aria-label": `Clause ${clause.clause}`,
        onclick: () => {
          this.open = question;
          this.changed();
        } }, clause.clause) : h("span", { class: "small" }, "not judged"));
  }
}
