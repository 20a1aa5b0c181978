// Practice: single decisions without whole rounds. The next position comes with the analysis of the last answer.

import { h, morph } from "../../kit/dom.js";
import { clockTime } from "../chair/drill/answers.js";
import { fullest, reader } from "../parts.js";
import { polite } from "../table/announce.js";
import { listen } from "./practice/keys.js";
import { choiceOfKey, spotSpeech } from "./practice/speech.js";
import { answer, page, progressWords, table, TITLES } from "./practice/views.js";

/** @typedef {"loading" | "name" | "menu" | "spot" | "answered" | "finished" | "expired" | "error"} Phase */

const AGAIN = 2000;
const TICK = 250;
/** Milliseconds for which the button for the next position, and the choices of an exam, ignore presses after they have changed. */
const GUARD = 300;

/** @param {import("../../app.js").Context} context */
export default function room({ client, person, setPerson, setTop, setSkips }) {
  const practice = new PracticeRoom(client, person, setPerson, setTop);
  setTop({ title: "Practice", back: "/school" });
  setSkips([["Skip to the position", "position"], ["Skip to the answer", "answer"]]);
  practice.start();
  return { element: practice.element, leave: () => practice.leave() };
}

export class PracticeRoom {
  /** @type {Phase} */
  phase = "loading";
  /** @type {api.RulebookEntry[]} */
  books = [];
  /** @type {api.PracticeMenu | null} */
  menu = null;
  /** @type {api.PracticeState | null} */
  state = null;
  /** @type {api.PracticeSpot | null} The position on the felt. */
  spot = null;
  /** @type {api.SpotAnalysis | null} */
  analysis = null;
  /** @type {api.PracticeReply | null} The reply whose answer is shown. */
  reply = null;
  /** @type {readonly string[]} */
  marks = [];
  /** @type {unknown} */
  refused = null;
  topic = "";
  repeats = false;
  sending = false;
  offline = false;
  closed = false;
  shownAt = 0;
  answeredAt = 0;
  timer = 0;

  /**
   * @param {import("../../api_client.js").ApiClient} client
   * @param {api.Person | null} person
   * @param {(person: api.Person) => void} setPerson
   * @param {import("../../app.js").Context["setTop"]} setTop
   */
  constructor(client, person, setPerson, setTop) {
    this.client = client;
    this.person = person;
    this.setPerson = setPerson;
    this.setTop = setTop;
    const address = new URLSearchParams(location.search);
    /** @param {string} name */
    const given = (name) => address.get(name) ?? "";
    this.rulebook = given("rulebook");
    this.session = given("session");
    /** @type {Partial<api.StartPractice>} */
    this.order = { mode: /** @type {api.StartPractice["mode"]} */ (given("mode")), street: given("street"), kind: given("kind"), theme: given("theme"),
      seed: given("seed") };
    this.main = h("div", { class: "practice-main", id: "position", tabindex: "-1" });
    this.side = h("aside", { class: "practice-side", id: "answer", "aria-label": "The answer", tabindex: "-1" });
    this.element = h("div", { class: "practice-room" }, this.main, this.side);
    this.element.append(reader(this.element, client));
    this.ticking = setInterval(() => this.tick(), TICK);
    this.stopListening = listen({ press: (key) => this.press(key), next: () => this.enter() });
  }

  leave() {
    this.closed = true;
    clearInterval(this.ticking);
    clearTimeout(this.timer);
    this.stopListening();
  }

  // --- loading ---

  async start() {
    this.phase = this.person ? "loading" : "name";
    this.paint();
    if (!this.person) return;
    await this.attempt(async () => {
      this.books = (await this.client.get("/api/rulebooks")).rulebooks;
      this.rulebook ||= fullest(this.books).id;
      if (this.session) this.open(await this.client.get(`/api/practice/${encodeURIComponent(this.session)}`));
      else if (this.order.mode) await this.begin(this.order);
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
      this.phase = code === "no-practice" ? "expired" : status === 401 ? "name" : "error";
    }
    if (!this.closed) this.paint();
  }

  async showMenu() {
    writeAddress({});
    this.setTop({ title: "Practice", note: "" });
    this.menu = await this.client.get(`/api/practice?rulebook=${encodeURIComponent(this.rulebook)}`);
    this.phase = "menu";
  }

  /** @param {Partial<api.StartPractice>} order */
  async begin(order) {
    this.order = order;
    Object.assign(this, { phase: "loading", state: null, spot: null, analysis: null, reply: null });
    this.paint();
    const { mode = "mixed", street = "", kind = "", theme = "", seed = "" } = order;
    this.order = { mode, street, kind, theme };
    this.open(await this.client.post("/api/practice", { rulebook: this.rulebook, mode, street, kind, theme, seed }));
  }

  /** @param {api.PracticeState} state */
  open(state) {
    const { session, rulebook, mode, street = "", kind = "", theme = "", marks = [] } = state;
    Object.assign(this, { state, session, rulebook, marks, reply: null });
    this.order = { mode, street, kind, theme };
    writeAddress({ session, rulebook, mode, street, kind, theme });
    this.show(state.spot ?? null);
  }

  // --- positions and answers ---

  /**
   * Show a position or, without one, the score sheet.
   *
   * @param {api.PracticeSpot | null} spot
   */
  show(spot) {
    Object.assign(this, { spot, analysis: null, reply: null, repeats: false, shownAt: performance.now(), phase: spot ? "spot" : "finished" });
    const title = TITLES[this.state?.mode ?? "mixed"];
    this.setTop({ title, note: spot ? [spot.street, this.rulebook] : "" });
    if (spot) polite(`${progressWords(this)}. ${spotSpeech(spot)}`);
  }

  /** @param {string} key */
  press(key) {
    if (key.toLowerCase() === "s" && this.spot) {
      polite(spotSpeech(this.spot));
      return true;
    }
    const choice = this.phase === "spot" ? choiceOfKey(this.spot, key) : "";
    if (choice) this.choose(choice);
    return Boolean(choice);
  }

  /** Enter continues. */
  enter() {
    if (this.phase === "answered") this.next();
    else if (this.phase === "finished") this.again();
    else return false;
    return true;
  }

  /**
   * Send an answer once. If the server does not answer, it is kept and sent again; the server counts it once.
   *
   * @param {string} choice
   */
  choose(choice) {
    if (this.phase !== "spot" || this.sending || !this.state) return;
    if (this.state.mode === "exam" && performance.now() - this.shownAt < GUARD) return;
    this.send({ step: this.state.step, choice, time: Math.round(performance.now() - this.shownAt) });
    this.paint();
  }

  /** @param {api.AnswerSpot} answer */
  async send(answer) {
    this.sending = true;
    try {
      const reply = await this.client.post(`/api/practice/${encodeURIComponent(this.session)}/answers`, answer);
      if (this.closed) return;
      Object.assign(this, { sending: false, offline: false, refused: null });
      this.take(reply);
    } catch (error) {
      if (this.closed) return;
      const refused = /** @type {import("../../api_client.js").Refused} */ (error);
      if (refused.code === "no-house" || refused.status >= 500) {
        this.offline = true;
        this.timer = setTimeout(() => this.send(answer), AGAIN);
      } else {
        this.sending = false;
        if (refused.code === "no-practice") this.phase = "expired";
        else this.refused = refused;
      }
    }
    this.paint();
  }

  /** @param {api.PracticeReply} reply */
  take(reply) {
    if (!this.state) return;
    Object.assign(this.state, { step: reply.step, spot: reply.next, result: reply.result });
    this.marks = reply.marks ?? [];
    this.reply = reply;
    if (!reply.analysis) {
      this.show(reply.next ?? null);
      return;
    }
    Object.assign(this, { analysis: reply.analysis, phase: "answered", answeredAt: performance.now() });
    polite(`${reply.analysis.sentence} ${reply.analysis.because.join(" ")}`);
    // The pressed choice is gone, so the focus moves to the next act.
    const focused = document.activeElement;
    if (!focused || focused === document.body || this.main.contains(focused)) queueMicrotask(() =>
      /** @type {HTMLElement | null} */ (this.main.querySelector(".next-spot"))?.focus({ preventScroll: true }));
  }

  next() {
    if (this.phase !== "answered" || performance.now() - this.answeredAt < GUARD) return;
    this.show(this.reply?.next ?? null);
    this.paint();
    this.main.focus({ preventScroll: true });
    scrollTo({ top: 0 });
  }

  /** Ask to see this position again in a later session. */
  async repeatLater() {
    if (!this.spot || this.repeats) return;
    const { number } = this.spot;
    await this.request("repeats", { number }, () => {
      this.repeats = true;
      polite("This position will come back later.");
    });
  }

  /** End the session and show its score sheet. */
  end() {
    this.request("end", {}, (state) => this.open(state));
  }

  /**
   * @param {string} part
   * @param {any} body
   * @param {(state: api.PracticeState) => void} done
   */
  async request(part, body, done) {
    try {
      done(await this.client.post(`/api/practice/${encodeURIComponent(this.session)}/${part}`, body));
      this.refused = null;
    } catch (refused) {
      if (/** @type {import("../../api_client.js").Refused} */ (refused).code === "no-practice") this.phase = "expired";
      this.refused = refused;
    }
    if (!this.closed) this.paint();
  }

  again() {
    this.session = "";
    this.attempt(() => this.begin(this.order));
  }

  toMenu() {
    Object.assign(this, { session: "", state: null, spot: null, phase: "loading" });
    this.order = {};
    this.paint();
    this.attempt(() => this.showMenu());
  }

  tick() {
    const shown = document.getElementById("practice-clock");
    if (shown && this.phase === "spot") shown.textContent = clockTime(performance.now() - this.shownAt);
  }

  // --- drawing ---

  paint() {
    if (this.closed) return;
    const inSession = this.phase === "spot" || this.phase === "answered";
    this.element.className = `practice-room ${this.phase}`;
    morph(this.main, inSession ? table(this) : [page(this)]);
    morph(this.side, inSession ? [answer(this)] : []);
    this.side.hidden = !inSession;
    this.tick();
  }
}

/** @param {Record<string, string>} values */
function writeAddress(values) {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value));
  history.replaceState(null, "", `/school/practice${query.size ? `?${query}` : ""}`);
}
