// Drills: short questions from any rulebook. The next question comes with the grade of the last answer.

import { h, morph } from "../../kit/dom.js";
import { asTitle } from "../../kit/words.js";
import { setting } from "../../settings.js";
import { fullest, reader } from "../parts.js";
import { polite } from "../table/announce.js";
import { clockTime, seconds } from "./drill/answers.js";
import { CurrentQuestion } from "./drill/current_question.js";
import { listen } from "./drill/keys.js";
import { panel } from "./drill/panel.js";
import { page, questionViews } from "./drill/views.js";

/** @typedef {import("./drill/answers.js").PaymentKind} PaymentKind */

const AGAIN = 2000;
const TICK = 100;

/** @param {import("../../app.js").Context} context */
export default function room({ client, person, setPerson, setTop, setSkips }) {
  const drill = new DrillRoom(client, person, setPerson);
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
  sending = false;
  offline = false;
  closed = false;
  spent = 0;
  /** @type {unknown} */
  refused = null;
  timer = 0;
  shownBet = "";

  /**
   * @param {import("../../api_client.js").ApiClient} client
   * @param {api.Person | null} person
   * @param {(person: api.Person) => void} setPerson
   */
  constructor(client, person, setPerson) {
    this.client = client;
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
    this.element.append(reader(this.element, client));
    this.ticking = setInterval(() => this.tick(), TICK);
    this.current = new CurrentQuestion({ changed: () => this.paint(),
      focus: (selector) => /** @type {HTMLElement | null} */ (this.main.querySelector(selector))?.focus() });
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
      this.books = (await this.client.get("/api/rulebooks")).rulebooks;
      this.rulebook ||= fullest(this.books).id;
      if (this.session) this.open(await this.client.get(`/api/drills/${encodeURIComponent(this.session)}`));
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
      const { code, status } = /** @type {import("../../api_client.js").Refused} */ (refused);
      this.refused = refused;
      this.phase = code === "no-drill" ? "expired" : status === 401 ? "name" : "error";
    }
    if (!this.closed) this.paint();
  }

  async showMenu() {
    this.write({});
    this.menu = await this.client.get(`/api/drills?rulebook=${encodeURIComponent(this.rulebook)}`);
    this.phase = "menu";
  }

  /**
   * Start a drill; the felt and the tray are shown at once.
   *
   * @param {string} drill
   * @param {string} scope
   */
  async begin(drill, scope = "") {
    Object.assign(this, { drill, scope: drill === "payouts" ? scope : "", phase: "loading", state: null, progress: null,
      summary: null });
    this.current.clear();
    this.paint();
    const { rulebook, mode, seed } = this;
    /** @type {api.StartDrill} */
    const order = { rulebook, drill: /** @type {api.StartDrill["drill"]} */ (drill), mode,
      scope: /** @type {api.StartDrill["scope"]} */ (this.scope), seed };
    this.seed = "";
    this.open(await this.client.post("/api/drills", order));
  }

  /** @param {api.DrillState} state */
  open(state) {
    const { drill, scope, mode, rulebook, session, progress, summary = null, settled = [] } = state;
    Object.assign(this, { state, drill, scope, mode, rulebook, session, progress, summary, spent: 0 });
    this.write({ drill, scope, mode, rulebook, session });
    this.current.ask(state.question ?? null);
    for (const grade of settled) this.current.settled.set(grade.part, grade);
    this.phase = state.question ? "drill" : "finished";
  }

  /** @param {Record<string, string>} values */
  write(values) {
    const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value));
    history.replaceState(null, "", `/chair/drills${query.size ? `?${query}` : ""}`);
  }

  // --- questions and answers ---

  /** @param {PaymentKind} kind */
  pay(kind) {
    const part = this.current.active;
    if (this.current.form !== "payment" || !part || this.phase !== "drill") return;
    if (this.current.wholeTable && !this.current.chosen) {
      this.say("Choose a wager first.");
      return;
    }
    const text = this.current.answer.payment(kind, part);
    if (text === null) {
      this.say("Cut chips first, or push or take.");
      return;
    }
    this.send({ [part.name]: text });
  }

  /** Send an answer that is not a payment, or continue after a wrong one. */
  submit() {
    if (this.current.judged) {
      this.continue();
      return;
    }
    const missing = this.current.answer.missing();
    if (missing) this.say(missing);
    else this.send(this.current.answer.texts());
  }

  /** @param {string} sentence */
  say(sentence) {
    this.current.missing = sentence;
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
    const request = { step: this.state.step, answers, time: Math.round(performance.now() - this.current.shownAt) };
    try {
      const graded = await this.client.post(`/api/drills/${encodeURIComponent(this.session)}/answers`, request);
      if (this.closed) return;
      Object.assign(this, { offline: false, refused: null, sending: false });
      this.spent += request.time;
      this.take(graded);
    } catch (error) {
      if (this.closed) return;
      this.sending = false;
      const refused = /** @type {import("../../api_client.js").Refused} */ (error);
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
    const { current, state } = this;
    const { question } = current;
    if (!state || !question) return;
    state.step = graded.step;
    this.progress = graded.progress;
    this.summary = graded.summary ?? null;
    current.grade(graded.parts);
    current.announce(graded);
    if (current.form !== "payment") {
      current.judged = graded;
      if (graded.parts.every(({ is_right }) => is_right)) this.continue();
      return;
    }
    const [grade] = graded.parts;
    current.fresh();
    if (!grade.again) current.chosen = "";
    if (!graded.complete) return;
    const part = question.parts.find(({ name }) => name === grade.part);
    current.last = part ? { part, grade } : null;
    this.next(graded);
  }

  continue() {
    if (this.current.judged) this.next(this.current.judged);
    this.paint();
  }

  /** @param {api.DrillReply} graded */
  next(graded) {
    if (!graded.next) this.phase = "finished";
    this.current.ask(graded.next ?? null);
    if (this.state) this.state.question = graded.next ?? null;
  }

  tick() {
    const now = performance.now() - this.current.shownAt;
    const shown = document.getElementById("drill-clock");
    if (shown && this.phase === "drill" && !this.current.judged) shown.textContent = seconds(now);
    const whole = document.getElementById("drill-elapsed");
    if (whole && this.phase === "drill" && !this.current.judged) whole.textContent = clockTime(this.spent + now);
  }

  // --- drawing ---

  paint() {
    if (this.closed) return;
    const { current } = this;
    this.element.className = `drill-room ${this.phase}`;
    this.main.className = `drill-main ${["payment", "stack"].includes(current.form) ? "" : "with-form"}`;
    const playing = this.phase === "drill" || (this.phase === "loading" && Boolean(this.drill || this.session));
    morph(this.main, playing ? questionViews(this) : [page(this)]);
    this.showBet();
    morph(this.side, this.state && this.progress && playing ? panel({ state: this.state, progress: this.progress,
      elapsed: this.spent, form: current.form, off: setting("keys") !== "on", wholeTable: current.wholeTable,
      retrying: [...current.tried.keys()].some((name) => !current.settled.has(name)) || Boolean(current.judged) }) : []);
    this.side.hidden = !playing;
    this.tick();
  }

  /** Scroll to the outlined bet whenever the outline moves to another bet, or after a first wrong answer. */
  showBet() {
    const { current } = this;
    const name = current.form === "payment" && this.phase === "drill" ? `${current.active?.name} ${current.tried.size}` : "";
    if (name === this.shownBet) return;
    this.shownBet = name;
    this.main.querySelector(".bet-ring.chosen")?.closest(".bet, .pod-bet")?.scrollIntoView({ block: "nearest" });
  }

  again() {
    this.session = "";
    this.attempt(() => this.begin(this.drill || "payouts", this.scope));
  }

  toMenu() {
    Object.assign(this, { session: "", drill: "", state: null });
    this.attempt(() => this.showMenu());
  }
}
