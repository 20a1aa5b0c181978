// The question that is shown, its grades so far, and the answer that is being made.

import { asTitle, moneyWords } from "../../../kit/words.js";
import { polite } from "../../table/announce.js";
import { activePart, Answer, walk } from "./answers.js";

/** @typedef {{ part: api.DrillPart, grade: api.DrillPartGrade }} LastResult */

export class CurrentQuestion {
  /** @type {api.DrillQuestion | null} */
  question = null;
  /** @type {Map<string, api.DrillPartGrade>} The parts that are done. */
  settled = new Map();
  /** @type {Map<string, api.DrillPartGrade>} First wrong answers, which can be tried again. */
  tried = new Map();
  /** @type {LastResult | null} The last payment of the hand before. */
  last = null;
  /** @type {api.DrillReply | null} The reply whose wrong answer is still shown. */
  judged = null;
  answer = new Answer([]);
  chosen = "";
  typing = false;
  missing = "";
  shownAt = 0;

  /** @param {{ changed: () => void, focus: (selector: string) => void }} options */
  constructor({ changed, focus }) {
    this.changed = changed;
    this.focus = focus;
  }

  /** Show no question. */
  clear() {
    Object.assign(this, { question: null, judged: null, last: null, missing: "" });
  }

  /** @param {api.DrillQuestion | null} question */
  ask(question) {
    Object.assign(this, { question, settled: new Map(), tried: new Map(), chosen: "", judged: null });
    this.fresh();
    if (question && this.answer.parts[0].form === "amount") queueMicrotask(() => this.focus(".stack-amount"));
  }

  /** Start a new answer. */
  fresh() {
    Object.assign(this, { answer: new Answer(this.question?.parts ?? []), typing: false, missing: "",
      shownAt: performance.now() });
  }

  get form() {
    return this.question?.parts[0].form ?? "payment";
  }

  get wholeTable() {
    return this.question?.scope === "table";
  }

  get active() {
    return this.question ? activePart(this.question.parts, this.settled, this.chosen) : null;
  }

  /** True if the tray can be used now. */
  get cutting() {
    return this.question !== null && !this.judged && ["payment", "stack"].includes(this.form);
  }

  /**
   * @param {number} value
   * @param {number} by
   */
  cut(value, by) {
    if (!this.cutting) return;
    this.answer.cut(value, by);
    Object.assign(this, { typing: false, missing: "" });
    this.answer.typed = "";
    polite(`${moneyWords(this.answer.sum)}.`);
    this.changed();
  }

  putBack() {
    this.answer.putBack();
    this.answer.typed = "";
    if (this.cutting) polite("No chips in your hand.");
    this.changed();
  }

  /** Switch between chips and a field for the amount. */
  toggleField() {
    this.typing = !this.typing;
    this.answer.putBack();
    this.answer.typed = "";
    this.changed();
    if (this.typing) this.focus(".amount-field");
  }

  /** @param {string} name */
  chooseWager(name) {
    this.chosen = name;
    this.changed();
    const part = this.active;
    if (part) polite(`Seat ${part.seat} ${part.title}.`);
  }

  /** @param {number} by */
  walkWagers(by) {
    if (!this.question || !this.wholeTable) return;
    this.chooseWager(walk(this.question.parts, this.settled, this.chosen || (this.active?.name ?? ""), by));
  }

  /**
   * @param {string} part
   * @param {string} choice
   */
  choose(part, choice) {
    this.answer.choose(part, choice);
    this.missing = "";
    if (this.answer.parts.length > 1) polite(`${asTitle(choice)}.`);
    this.changed();
  }

  /**
   * Take the grades of an answer.
   *
   * @param {readonly api.DrillPartGrade[]} grades
   */
  grade(grades) {
    for (const grade of grades) {
      if (grade.again) this.tried.set(grade.part, grade);
      else this.settled.set(grade.part, grade);
    }
  }

  /** Speak the hand, the board, the dealer and the wagers. */
  speak() {
    const { question } = this;
    if (question) polite([...(question.speech ?? []), this.wholeTable ? "" : this.active?.title ?? ""].join(" "));
  }

  /**
   * Speak a grade, and the next question unless the answer stays on the screen.
   *
   * @param {api.DrillReply} graded
   */
  announce(graded) {
    const wrong = graded.parts.filter(({ is_right }) => !is_right);
    const words = wrong.length ? wrong.map(({ sentence, sum, clause }) =>
      [sentence, sum && `${sum}.`, clause && `Clause ${clause}.`].filter(Boolean).join(" ")).join(" ")
      : `Right${this.form === "payment" ? `, ${graded.parts[0].given}` : ""}.`;
    polite(graded.next && !(wrong.length && this.form !== "payment") ? `${words} Next: ${graded.next.asks}` : words);
  }
}
