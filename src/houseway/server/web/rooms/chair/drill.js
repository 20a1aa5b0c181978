// Drills: short questions from any rulebook. The next question comes with the grade of the last answer.

import { segmented } from "../../kit/choices.js";
import { clauseTag } from "../../kit/clause.js";
import { h, morph } from "../../kit/dom.js";
import { judgementMark } from "../../kit/judgement.js";
import { asTitle, moneyWords } from "../../kit/words.js";
import { setting } from "../../settings.js";
import { fullest, reader, refusals, shortNames } from "../parts.js";
import { polite } from "../table/announce.js";
import { activePart, Answer, clockTime, seconds, walk } from "./drill/answers.js";
import { drillFelt, splitNotes } from "./drill/felt.js";
import { amountForm, choiceRows, orderForm } from "./drill/forms.js";
import { listen } from "./drill/keys.js";
import { drillMenu, finished } from "./drill/menu.js";
import { nameForm } from "./drill/name_form.js";
import { panel } from "./drill/panel.js";
import { clockFace, inHand, tray } from "./drill/tray.js";

/** @typedef {import("./drill/answers.js").PaymentKind} PaymentKind */
/** @typedef {{ part: api.DrillPart, grade: api.DrillPartGrade }} LastResult */

const AGAIN = 2000;
const TICK = 100;
const STANDARD_TRAY = [50, 100, 500, 2500, 10000, 50000, 100000];
/** @type {Record<string, string>} */
const SCOPES = { wager: "one wager", hand: "a whole hand", table: "a whole table" };

/** @param {import("../../app.js").Context} context */
export default function room({ house, person, setPerson, setTop, setSkips }) {
  const drill = new DrillRoom(house, person, setPerson);
  setTop({ title: "Drills", back: "/chair" });
  setSkips([["Skip to the question", "question"], ["Skip to the figures", "drill-panel"]]);
  drill.start();
  return { element: drill.element, leave: () => drill.leave() };
}

export class DrillRoom {
  /** @type {"loading" | "name" | "menu" | "drill" | "finished" | "expired" | "error"} */
  phase = "loading";
  /** @type {api.RulebookEntry[]} */
  books = [];
  /** @type {api.DrillMenu | null} */
  menu = null;
  /** @type {api.DrillState | null} */
  state = null;
  /** @type {api.DrillProgress | null} */
  progress = null;
  /** @type {api.DrillSummary | null} */
  summary = null;
  /** @type {api.DrillQuestion | null} */
  question = null;
  /** @type {Map<string, api.DrillPartGrade>} The parts that are done. */
  settled = new Map();
  /** @type {Map<string, api.DrillPartGrade>} First wrong answers that can be given again. */
  tried = new Map();
  /** @type {LastResult | null} The last payment of the hand before. */
  last = null;
  /** @type {api.DrillReply | null} The reply whose wrong answer is still shown. */
  judged = null;
  answer = new Answer([]);
  chosen = "";
  typing = false;
  sending = false;
  offline = false;
  closed = false;
  shownAt = 0;
  spent = 0;
  missing = "";
  /** @type {unknown} */
  refused = null;
  timer = 0;
  shownBet = "";

  /**
   * @param {import("../../house.js").House} house
   * @param {api.Person | null} person
   * @param {(person: api.Person) => void} setPerson
   */
  constructor(house, person, setPerson) {
    this.house = house;
    this.person = person;
    this.setPerson = setPerson;
    const address = new URLSearchParams(location.search);
    this.rulebook = address.get("rulebook") ?? "";
    this.drill = address.get("drill") ?? "";
    this.scope = address.get("scope") ?? "";
    this.mode = address.get("mode") ?? "";
    this.seed = address.get("seed") ?? "";
    this.session = address.get("session") ?? "";
    this.main = h("div", { class: "drill-main", id: "question", tabindex: "-1" });
    this.side = h("aside", { class: "drill-panel", id: "drill-panel", "aria-label": "Figures", tabindex: "-1" });
    this.element = h("div", { class: "drill-room" }, this.main, this.side);
    this.element.append(reader(this.element, house));
    this.ticking = setInterval(() => this.tick(), TICK);
    this.stopListening = listen(this);
  }

  leave() {
    this.closed = true;
    clearInterval(this.ticking);
    clearTimeout(this.timer);
    this.stopListening();
  }

  // --- loading ---

  async start() {
    if (this.drill || this.session) this.phase = "loading";
    this.paint();
    if (!this.person) {
      this.phase = "name";
      this.paint();
      return;
    }
    await this.attempt(async () => {
      this.books = (await this.house.get("/api/rulebooks")).rulebooks;
      this.rulebook ||= fullest(this.books).id;
      if (this.session) await this.resume();
      else if (this.drill) await this.begin(this.drill, this.scope);
      else await this.showMenu();
    });
  }

  /**
   * Run requests and show their error, if any.
   *
   * @param {() => Promise<void>} steps
   */
  async attempt(steps) {
    try {
      this.refused = null;
      await steps();
    } catch (refused) {
      if (this.closed) return;
      const { code, status } = /** @type {import("../../house.js").Refused} */ (refused);
      this.refused = refused;
      this.phase = code === "no-drill" ? "expired" : status === 401 ? "name" : "error";
    }
    if (!this.closed) this.paint();
  }

  async showMenu() {
    this.write({});
    this.menu = await this.house.get(`/api/drills?rulebook=${encodeURIComponent(this.rulebook)}`);
    this.phase = "menu";
  }

  async resume() {
    this.open(await this.house.get(`/api/drills/${encodeURIComponent(this.session)}`));
  }

  /**
   * Start a drill; the felt and the tray are shown at once.
   *
   * @param {string} drill
   * @param {string} scope
   */
  async begin(drill, scope = "") {
    Object.assign(this, { drill, scope: drill === "payouts" ? scope : "", phase: "loading", state: null, question: null,
      progress: null, summary: null, judged: null, last: null, missing: "" });
    this.paint();
    const { rulebook, mode, seed } = this;
    /** @type {api.StartDrill} */
    const order = { rulebook, drill: /** @type {api.StartDrill["drill"]} */ (drill), mode,
      scope: /** @type {api.StartDrill["scope"]} */ (this.scope), seed };
    this.seed = "";
    this.open(await this.house.post("/api/drills", order));
  }

  /** @param {api.DrillState} state */
  open(state) {
    const { drill, scope, mode, rulebook, session, progress, summary = null, settled = [] } = state;
    Object.assign(this, { state, drill, scope, mode, rulebook, session, progress, summary, spent: 0 });
    this.write({ drill, scope, mode, rulebook, session });
    this.ask(state.question ?? null);
    for (const grade of settled) this.settled.set(grade.part, grade);
    this.phase = state.question ? "drill" : "finished";
  }

  /** @param {Record<string, string>} values */
  write(values) {
    const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value));
    history.replaceState(null, "", `/chair/drills${query.size ? `?${query}` : ""}`);
  }

  // --- questions and answers ---

  /** @param {api.DrillQuestion | null} question */
  ask(question) {
    Object.assign(this, { question, settled: new Map(), tried: new Map(), chosen: "", judged: null });
    this.fresh();
    if (question && this.answer.parts[0].form === "amount") {
      queueMicrotask(() => /** @type {HTMLElement | null} */ (this.main.querySelector(".stack-amount"))?.focus());
    }
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

  /**
   * @param {number} value
   * @param {number} by
   */
  cut(value, by) {
    if (!this.cutting) return;
    this.answer.cut(value, by);
    Object.assign(this, { typing: false, missing: "" });
    this.answer.typed = "";
    polite(`${moneyWords(this.answer.sum).replace(/^plus /, "")}.`);
    this.paint();
  }

  /** True if the tray can be used now. */
  get cutting() {
    return this.phase === "drill" && !this.judged && ["payment", "stack"].includes(this.form);
  }

  putBack() {
    this.answer.putBack();
    this.answer.typed = "";
    if (this.cutting) polite("No chips in your hand.");
    this.paint();
  }

  /** Switch between chips and a field for the amount. */
  toggleField() {
    this.typing = !this.typing;
    this.answer.putBack();
    this.answer.typed = "";
    this.paint();
    if (this.typing) /** @type {HTMLElement | null} */ (this.main.querySelector(".amount-field"))?.focus();
  }

  /** @param {string} name */
  chooseWager(name) {
    this.chosen = name;
    this.paint();
    const part = this.active;
    if (part) polite(`Seat ${part.seat} ${part.title}.`);
  }

  /** @param {number} by */
  walkWagers(by) {
    if (!this.question || !this.wholeTable) return;
    this.chooseWager(walk(this.question.parts, this.settled, this.chosen || (this.active?.name ?? ""), by));
  }

  /** @param {PaymentKind} kind */
  pay(kind) {
    const part = this.active;
    if (this.form !== "payment" || !part || this.phase !== "drill") return;
    if (this.wholeTable && !this.chosen) {
      this.say("Choose a wager first.");
      return;
    }
    const text = this.answer.payment(kind, part);
    if (text === null) {
      this.say("Cut chips first, or push or take.");
      return;
    }
    this.send({ [part.name]: text });
  }

  /** Send an answer that is not a payment, or continue after a wrong one. */
  submit() {
    if (this.judged) {
      this.continue();
      return;
    }
    const missing = this.answer.missing();
    if (missing) this.say(missing);
    else this.send(this.answer.texts());
  }

  /** @param {string} sentence */
  say(sentence) {
    this.missing = sentence;
    polite(sentence);
    this.paint();
  }

  /**
   * Send an answer once. If the server does not answer, it is kept and sent again; the server counts it once.
   *
   * @param {Record<string, string>} answers
   */
  async send(answers) {
    if (this.sending || !this.state || this.closed) return;
    this.sending = true;
    const request = { step: this.state.step, answers, time: Math.round(performance.now() - this.shownAt) };
    try {
      const graded = await this.house.post(`/api/drills/${encodeURIComponent(this.session)}/answers`, request);
      if (this.closed) return;
      Object.assign(this, { offline: false, refused: null, sending: false });
      this.spent += request.time;
      this.take(graded);
    } catch (error) {
      if (this.closed) return;
      this.sending = false;
      const refused = /** @type {import("../../house.js").Refused} */ (error);
      if (refused.code === "no-house" || refused.status >= 500) {
        this.offline = true;
        this.timer = setTimeout(() => this.send(answers), AGAIN);
      } else if (refused.code === "no-drill") this.phase = "expired";
      else if (refused.code === "unreadable") this.say(asTitle(`${refused.message}.`));
      else this.refused = refused;
    }
    this.paint();
  }

  /** @param {api.DrillReply} graded */
  take(graded) {
    const { state, question } = this;
    if (!state || !question) return;
    state.step = graded.step;
    this.progress = graded.progress;
    this.summary = graded.summary ?? null;
    for (const grade of graded.parts) {
      if (grade.again) this.tried.set(grade.part, grade);
      else this.settled.set(grade.part, grade);
    }
    this.announce(graded);
    if (this.form !== "payment") {
      this.judged = graded;
      if (graded.parts.every(({ is_right }) => is_right)) this.continue();
      return;
    }
    const [grade] = graded.parts;
    this.fresh();
    if (!grade.again) this.chosen = "";
    if (!graded.complete) return;
    const part = question.parts.find(({ name }) => name === grade.part);
    this.last = part ? { part, grade } : null;
    this.next(graded);
  }

  continue() {
    if (this.judged) this.next(this.judged);
    this.paint();
  }

  /** @param {api.DrillReply} graded */
  next(graded) {
    if (!graded.next) this.phase = "finished";
    this.ask(graded.next ?? null);
    if (this.state) this.state.question = graded.next ?? null;
  }

  /** @param {api.DrillReply} graded */
  announce(graded) {
    const wrong = graded.parts.filter(({ is_right }) => !is_right);
    const words = wrong.length ? wrong.map(({ sentence, sum, clause }) =>
      [sentence, sum && `${sum}.`, clause && `Clause ${clause}.`].filter(Boolean).join(" ")).join(" ")
      : `Right${this.form === "payment" ? `, ${graded.parts[0].given}` : ""}.`;
    polite(graded.next && !(wrong.length && this.form !== "payment") ? `${words} Next: ${graded.next.asks}` : words);
  }

  /** Speak the hand, the board, the dealer and the wagers. */
  speak() {
    const { question } = this;
    if (question) polite([...(question.speech ?? []), this.wholeTable ? "" : this.active?.title ?? ""].join(" "));
  }

  tick() {
    const now = performance.now() - this.shownAt;
    const shown = document.getElementById("drill-clock");
    if (shown && this.phase === "drill" && !this.judged) shown.textContent = seconds(now);
    const whole = document.getElementById("drill-elapsed");
    if (whole && this.phase === "drill" && !this.judged) whole.textContent = clockTime(this.spent + now);
  }

  // --- drawing ---

  paint() {
    if (this.closed) return;
    this.element.className = `drill-room ${this.phase}`;
    this.main.className = `drill-main ${["payment", "stack"].includes(this.form) ? "" : "with-form"}`;
    const playing = this.phase === "drill" || (this.phase === "loading" && Boolean(this.drill || this.session));
    morph(this.main, playing ? this.table() : [this.page()]);
    this.showBet();
    morph(this.side, this.state && this.progress && playing ? panel({ state: this.state, progress: this.progress,
      elapsed: this.spent, form: this.form, off: setting("keys") !== "on", wholeTable: this.wholeTable,
      retrying: [...this.tried.keys()].some((name) => !this.settled.has(name)) || Boolean(this.judged) }) : []);
    this.side.hidden = !playing;
    this.tick();
  }

  /** Scroll to the bet that is outlined when another one is, or when its first answer was wrong. */
  showBet() {
    const name = this.form === "payment" && this.phase === "drill" ? `${this.active?.name} ${this.tried.size}` : "";
    if (name === this.shownBet) return;
    this.shownBet = name;
    this.main.querySelector(".bet-ring.chosen")?.closest(".bet, .pod-bet")?.scrollIntoView({ block: "nearest" });
  }

  /** Return everything that is not a question. */
  page() {
    if (this.phase === "name") return nameForm(this.house, (person) => {
      this.person = person;
      this.setPerson(person);
      this.phase = "loading";
      this.start();
    });
    if (this.phase === "menu" && this.menu) {
      return drillMenu({ books: this.books, rulebook: this.rulebook, mode: this.mode, menu: this.menu,
        take: (rulebook) => { Object.assign(this, { rulebook, mode: "" }); this.attempt(() => this.showMenu()); },
        setMode: (mode) => { this.mode = mode; this.paint(); },
        start: (drill, scope) => { this.attempt(() => this.begin(drill, scope)); } });
    }
    if (this.phase === "finished" && this.state && this.progress && this.summary) {
      return finished({ state: this.state, progress: this.progress, summary: this.summary, again: () => this.again(),
        leave: () => this.toMenu() });
    }
    if (this.phase === "expired") return this.message("This drill has ended",
      "The server keeps a drill for two hours. Your levels, and the kinds of question that you got wrong, are kept.", "Start again", () => this.again());
    if (this.phase === "error") return this.message("Drills cannot be loaded",
      /** @type {Error} */ (this.refused)?.message ?? "The server did not answer.", "Try again", () => this.start());
    return h("div", { class: "drill-menu" }, h("h1", {}, "Drills"), h("p", { class: "quiet" }, "Loading the drills…"));
  }

  again() {
    this.session = "";
    this.attempt(() => this.begin(this.drill || "payouts", this.scope));
  }

  toMenu() {
    Object.assign(this, { session: "", drill: "", state: null });
    this.attempt(() => this.showMenu());
  }

  /**
   * @param {string} title
   * @param {string} text
   * @param {string} act
   * @param {() => void} press
   */
  message(title, text, act, press) {
    return h("section", { class: "page-error" }, h("h1", {}, title), h("p", { role: "alert" }, asTitle(text)),
      h("p", { class: "acts" }, h("button", { type: "button", class: "button main", onclick: press }, act),
        h("button", { type: "button", class: "button", onclick: () => this.toMenu() }, "Other drills")));
  }

  table() {
    return [this.head(), this.notices(), this.felt(), this.controls()];
  }

  head() {
    const { state, question } = this;
    const place = shortNames(this.books).get(this.rulebook) ?? "";
    const payout = this.drill === "payouts";
    const title = state ? state.title : "Drills";
    const scope = this.scope ? `: ${SCOPES[this.scope]}` : "";
    const given = question?.stack && Object.keys(question.stack).length ? [] : question?.notes ?? [];
    const { head: notes } = question?.felt ? splitNotes(given) : { head: given };
    const how = !payout || !question ? "" : this.wholeTable ? "Choose each wager, then settle it."
      : "The bet to settle is outlined.";
    return h("header", { class: "drill-head", "data-key": "head" }, h("div", {},
      h("h1", {}, payout ? `${title}${scope}` : title),
      h("p", { class: "small" }, place && `${place}, `, h("a", { href: `/rulebooks/${this.rulebook}` }, this.rulebook),
        question && !payout && `, ${question.mode === "device" ? "dealt by machine" : "dealt by hand"}`,
        ". ", ...notes.map((note) => `${asTitle(note.replace(/^Pay tables: /, ""))} `), how)),
    payout && segmented("Scope", /** @type {[string, Child][]} */ ([["wager", "One wager"], ["hand", "Whole hand"],
      ["table", "Whole table"]]), this.scope, (scope) => this.attempt(() => this.begin("payouts", scope))),
    !payout && h("button", { type: "button", class: "button", onclick: () => this.toMenu() }, "Other drills"));
  }

  notices() {
    return h("div", { class: "drill-notices", "data-key": "notices" },
      this.offline && h("hw-notice", { kind: "waiting", role: "alert", head: "The server does not answer.",
        text: "Your answer is kept. It is sent once, as soon as the server answers." }),
      ...refusals(this.refused));
  }

  felt() {
    return h("div", { class: "felt-box", "data-key": "felt" }, drillFelt(this.question, {
      circles: this.state?.circles ?? [], settled: this.settled, tried: this.tried, cut: this.answer.chips,
      active: this.form !== "payment" ? "" : this.wholeTable ? this.chosen : this.active?.name ?? "",
      choose: this.wholeTable ? (name) => this.chooseWager(name) : null }));
  }

  controls() {
    const { question } = this;
    if (!question || this.form === "payment" || this.form === "stack") {
      return h("div", { class: "drill-controls chips-controls", "data-key": "chips" },
        tray(this.state?.tray ?? STANDARD_TRAY, this.answer.chips, (value, by) => this.cut(value, by)),
        inHand({ sum: this.answer.sum, chips: this.answer.chips, typed: this.answer.typed, typing: this.typing,
          note: this.note(), putBack: () => this.putBack(), openField: () => this.toggleField(),
          type: (text) => { this.answer.typed = text; this.paint(); }, send: () => this.pay("pay"),
          buttons: this.form === "stack" ? this.sendButton() : this.paymentButtons() }));
    }
    const body = this.form === "choice" ? choiceRows(this.answer, this.settled, (part, choice) => this.choose(part, choice))
      : this.form === "sequence" ? orderForm(this.answer, this.settled, {
        pick: (position) => { this.answer.pick(position); this.missing = ""; this.paint(); },
        move: (position, by) => { this.answer.move(position, by); this.paint(); } })
        : amountForm(this.answer, () => this.submit());
    return h("div", { class: `drill-controls form-controls form-${this.form}`, "data-key": `${this.form}-${question.number}` },
      h("div", { class: "form-head" }, h("h2", {}, question.asks),
        h("p", { class: "answer-time", "aria-hidden": "true" }, clockFace(), h("span", { id: "drill-clock", "data-own": "" }))),
      body, h("div", { class: "form-foot" }, this.note(), this.sendButton()));
  }

  /**
   * @param {string} part
   * @param {string} choice
   */
  choose(part, choice) {
    this.answer.choose(part, choice);
    this.missing = "";
    if (this.answer.parts.length > 1) polite(`${asTitle(choice)}.`);
    this.paint();
  }

  paymentButtons() {
    /** @type {[PaymentKind, string, string][]} */
    const acts = [["take", "Take", "T"], ["push", "Push", "H"], ["pay", "Pay", "↵"]];
    return h("div", { class: "payment-acts", role: "group", "aria-label": "Settle the wager" }, acts.map(([kind, name, key]) =>
      h("button", { type: "button", class: "button", "data-key": kind, "aria-disabled": this.question ? null : "true",
        onclick: () => this.pay(kind) }, name, h("kbd", { "aria-hidden": "true" }, key))));
  }

  sendButton() {
    return h("button", { type: "button", class: "button send", onclick: () => this.submit() },
      this.judged ? "Continue" : "Answer", h("kbd", { "aria-hidden": "true" }, "↵"));
  }

  /** Return the note beside the buttons: what is missing, a wrong answer, or the last payment. */
  note() {
    if (this.missing) return h("p", { class: "missing" }, this.missing);
    if (this.judged) {
      const wrong = this.judged.parts.filter(({ is_right }) => !is_right);
      return h("div", { class: "judged" }, wrong.slice(0, 1).map((grade) => h("p", {}, judgementMark("wrong"), " ",
        wrong.length > 1 || this.judged && this.judged.parts.length > 1 ? `${asTitle(grade.part)}${grade.part.endsWith("?")
          ? "" : ":"} ` : "", this.form === "sequence" ? "The order differs from the rulebook’s." : grade.sentence, " ",
        clauseTag(grade.clause))));
    }
    const tried = this.active && this.tried.get(this.active.name);
    if (tried && this.form === "payment") return h("p", {}, judgementMark("wrong"), " ", tried.sentence);
    if (!this.last || this.form !== "payment" || this.settled.size) return null;
    const { part, grade } = this.last;
    return h("p", { class: "last-result" }, judgementMark(grade.is_right ? (grade.late ? "late" : "right") : "wrong"), " ",
      `Last: ${part.title.toLowerCase()}, ${grade.given}. `, !grade.is_right && `${asTitle(grade.right ?? "")}. ${grade.sum
        ? `${grade.sum}. ` : ""}`, !grade.is_right && clauseTag(grade.clause));
  }
}

