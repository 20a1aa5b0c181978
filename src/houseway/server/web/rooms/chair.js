// The dealer's chair: start a session, continue one, and find drills, exams and classes.

import { segmented, select } from "../kit/choices.js";
import { h, morph } from "../kit/dom.js";
import { asTitle, plural } from "../kit/words.js";
import { houseRules, houseRulesPath } from "./chair/house_rules.js";
import { timeText } from "./record/lists.js";
import { fullest, refusals, shortNames } from "./parts.js";

/** @typedef {import("../app.js").Context} Context */

/** @type {Record<string, string>} */
const MODES = { device: "by machine", manual: "by hand" };
/** @type {[string, string][]} */
const WAYS = [["training", "Training"], ["live", "Live"]];
/** @type {Record<string, string>} */
const WAY_NOTES = {
  training: "A wrong act takes effect. After the round you see every slip with its clause.",
  live: "A wrong act is refused at once, with its clause.",
};
const ROUNDS = [1, 3, 5, 10, 20];
/** @type {[path: string, title: string, text: string][]} */
const ROOMS = [
  ["/chair/drills", "Drills", "One skill at a time: payouts, hands, chips, order, the next act, rulings."],
  ["/chair/find", "Find the mistake", "Watch a recorded round and report what went wrong."],
  ["/chair/classes", "Exams and classes", "Take an exam, or join an instructor's class."],
];
/** @type {Record<string, string>} */
const PROGRESS = { open: "open", over: "finished", aborted: "ended early" };

/** @param {Context} context */
export default function room(context) {
  const landing = new ChairLanding(context);
  landing.start();
  return { element: landing.element, leave: () => landing.leave() };
}

class ChairLanding {
  /** @type {api.RulebookEntry[]} */
  books = [];
  /** @type {Map<string, string>} */
  names = new Map();
  /** @type {api.TrainingCard[] | null} */
  sessions = null;
  /** @type {api.HouseRules | null} The house rules of the chosen table. */
  rules = null;
  /** @type {api.TableOptions | null} The options of the chosen rulebook. */
  options = null;
  /** @type {api.ExamCards} */
  exams = { exams: [], scenarios: {} };
  /** @type {unknown} Why loading failed. */
  failed = null;
  /** @type {unknown} Why the session did not start. */
  refused = null;
  sending = false;
  left = false;
  chosen = { rulebook: "", mode: "", seats: 3, rounds: 5, way: "training", scenario: "", exam: "", name: "" };

  /** @param {Context} context */
  constructor({ client, go, person, setPerson }) {
    this.client = client;
    this.go = go;
    this.person = person;
    this.setPerson = setPerson;
    this.main = h("div", { class: "left" });
    this.side = h("aside", { class: "right", "aria-label": "Start a session" });
    this.element = h("div", { class: "chair-landing" }, this.main, this.side);
  }

  leave() {
    this.left = true;
  }

  async start() {
    this.failed = null;
    this.paint();
    try {
      const [{ rulebooks }, exams] = await Promise.all([this.client.get("/api/rulebooks"), this.client.get("/api/exams")]);
      this.books = rulebooks;
      this.exams = exams;
      this.names = shortNames(rulebooks);
      await Promise.all([this.take(fullest(rulebooks).id), this.loadSessions()]);
    } catch (error) {
      this.failed = error;
    }
    if (!this.left) this.paint();
  }

  async loadSessions() {
    if (!this.person) return;
    try {
      this.sessions = (await this.client.get("/api/training")).sessions;
    } catch (error) {
      if (/** @type {{ status?: number }} */ (error).status !== 401) throw error;
      // The sign-in has expired.
      this.person = null;
    }
  }

  /** @param {string} rulebook */
  async take(rulebook) {
    this.chosen.rulebook = rulebook;
    const { options } = await this.client.get(`/api/rulebooks/${encodeURIComponent(rulebook)}`);
    if (this.chosen.rulebook !== rulebook) return;
    this.options = options;
    const { modes, positions } = /** @type {api.TableOptions} */ (options);
    Object.assign(this.chosen, { mode: modes[0], seats: Math.min(this.chosen.seats, positions) });
    this.paint();
    await this.readRules();
  }

  /** Read the house rules, which a trainee needs before an exam. */
  async readRules() {
    const { rulebook, mode, exam } = this.chosen;
    this.rules = null;
    if (!exam) return;
    const rules = await this.client.get(houseRulesPath(rulebook, mode, exam));
    if (this.chosen.rulebook !== rulebook || this.chosen.mode !== mode || this.chosen.exam !== exam) return;
    this.rules = rules;
    this.paint();
  }

  /** @param {Partial<ChairLanding["chosen"]>} changes */
  set(changes) {
    Object.assign(this.chosen, changes);
    this.paint();
    this.readRules().catch((error) => {
      this.refused = error;
      this.paint();
    });
  }

  async open() {
    const { rulebook, mode, seats, rounds, way, scenario, exam, name } = this.chosen;
    Object.assign(this, { sending: true, refused: null });
    this.paint();
    try {
      if (!this.person) {
        const { person } = await this.client.post("/api/session", { handle: name.trim() });
        this.person = person;
        this.setPerson(person);
      }
      const order = exam ? { rulebook, mode, exam } : { rulebook, mode, seats, rounds, way, ...(scenario ? { scenario } : {}) };
      const { session } = await this.client.post("/api/training", order);
      this.go(`/chair/table/${encodeURIComponent(session)}`);
    } catch (error) {
      Object.assign(this, { refused: error, sending: false });
      this.paint();
    }
  }

  /** @param {string} session */
  async end(session) {
    try {
      await this.client.delete(`/api/training/${encodeURIComponent(session)}`);
      await this.loadSessions();
    } catch (error) {
      this.failed = error;
    }
    this.paint();
  }

  paint() {
    morph(this.main, [
      h("header", { class: "hero" }, h("div", {}, h("h1", {}, "The dealer's chair"),
        h("p", {}, "You deal to a table of bots, by the rulebook. Every act is judged, with its clause."))),
      h("section", { class: "room-list", "aria-label": "More training" }, ROOMS.map(([path, title, text]) =>
        h("a", { class: "box room-card", href: path }, h("h2", {}, title), h("p", {}, text)))),
      h("section", { "aria-labelledby": "sessions", class: "session-list" }, h("h2", { id: "sessions" }, "Your sessions"), this.list()),
      Boolean(this.failed) && h("section", {}, refusals(this.failed),
        h("button", { type: "button", class: "button", onclick: () => this.start() }, "Try again")),
    ]);
    morph(this.side, [this.form()]);
  }

  list() {
    if (!this.person) return h("p", { class: "quiet" }, "You are not signed in. Enter a name to start a session; your sessions are then listed here.");
    if (!this.sessions) return this.failed ? null : h("p", { class: "quiet", role: "status" }, "Loading your sessions…");
    if (!this.sessions.length) return h("p", { class: "quiet" }, "You have no sessions yet. Start one: the first takes about five minutes.");
    return this.sessions.map((card) => this.card(card));
  }

  /** @param {api.TrainingCard} card */
  card({ session, rulebook, title, mode, way, progress, rounds, judged, opened_at: at, exam, scenario }) {
    const path = encodeURIComponent(session);
    const name = this.names.get(rulebook) ?? title;
    const more = [exam && `exam: ${exam}`, scenario].filter(Boolean);
    return h("article", { class: "box session-card", "data-key": session },
      h("div", {}, h("h3", {}, `${name}, dealt ${MODES[mode] ?? mode}`),
        h("p", { class: "small" }, [`${judged} of ${plural(rounds, "round")}`, PROGRESS[progress] ?? progress, way, ...more,
          timeText(at)].join(" · "))),
      h("div", { class: "acts" },
        progress === "open" && h("a", { class: "button main", href: `/chair/table/${path}`, "aria-label": `Continue ${name}` }, "Continue"),
        judged > 0 && h("a", { class: "button", href: `/chair/score/${path}`, "aria-label": `Score sheet of ${name}` }, "Score sheet"),
        progress === "open" && h("button", { type: "button", class: "button text", onclick: () => this.end(session) }, "End")));
  }

  /** @param {[number, string][]} seats */
  practice(seats) {
    const { chosen } = this;
    const scenarios = Object.entries(this.exams.scenarios ?? {});
    return [
      h("div", { class: "field", "data-key": "players" }, h("span", { class: "label" }, "Players"),
        segmented("Players", seats, chosen.seats, (count) => this.set({ seats: count }))),
      h("div", { class: "field", "data-key": "rounds" }, h("span", { class: "label" }, "Rounds"), segmented("Rounds",
        ROUNDS.map((count) => [count, String(count)]), chosen.rounds, (rounds) => this.set({ rounds }))),
      h("div", { class: "field", "data-key": "way" }, h("span", { class: "label" }, "Mode"),
        segmented("Mode", WAYS, chosen.way, (way) => this.set({ way })), h("p", { class: "small" }, WAY_NOTES[chosen.way])),
      scenarios.length > 0 && h("label", { class: "field", "data-key": "scenario" }, h("span", { class: "label" }, "Scenario"),
        select("Scenario", [["", "None: just the game"], ...scenarios.map(([name]) => /** @type {[string, string]} */ ([name, asTitle(name)]))],
          chosen.scenario, (scenario) => this.set({ scenario })),
        chosen.scenario && h("p", { class: "small" }, this.exams.scenarios?.[chosen.scenario] ?? "")),
    ];
  }

  form() {
    const { chosen, options } = this;
    const heading = h("h2", {}, "Start a session");
    if (!this.books.length || !options) {
      return h("div", { "data-key": "wait" }, heading, !this.failed && h("p", { class: "quiet", role: "status" }, "Loading the rulebooks…"));
    }
    const seats = Array.from({ length: options.positions }, (_, n) => /** @type {[number, string]} */ ([n + 1, String(n + 1)]));
    return h("form", { "data-key": "form", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      if (!this.sending) this.open();
    } }, heading,
    h("label", { class: "field" }, h("span", { class: "label" }, "Rulebook"), select("Rulebook",
      this.books.map(({ id, title }) => [id, title]), chosen.rulebook, (id) => this.take(id).catch((error) => {
        this.failed = error;
        this.paint();
      }))),
    h("div", { class: "field" }, h("span", { class: "label" }, "Dealt"), segmented("Deal mode",
      options.modes.map((mode) => [mode, MODES[mode] ?? mode]), chosen.mode, (mode) => this.set({ mode }))),
    h("label", { class: "field", "data-key": "exam" }, h("span", { class: "label" }, "Exam"), select("Exam",
      [["", "No exam"], ...this.exams.exams.map((exam) => /** @type {[string, string]} */ ([exam.exam, exam.title]))], chosen.exam,
      (exam) => this.set({ exam }))),
    chosen.exam ? h("p", { class: "small", "data-key": "about" }, this.exams.exams.find((exam) => exam.exam === chosen.exam)?.about ?? "",
      " No judgement is shown until it is over.") : this.practice(seats),
    chosen.exam && this.rules ? houseRules(this.rules) : null,
    !this.person && h("label", { class: "field", "data-key": "name" }, h("span", { class: "label" }, "Your name"),
      h("input", { type: "text", name: "handle", autocomplete: "nickname", maxlength: 24, required: true, ".value": chosen.name,
        oninput: (/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) => { chosen.name = target.value; } })),
    refusals(this.refused),
    h("button", { type: "submit", class: "button main", "aria-disabled": String(this.sending) }, this.sending ? "Opening the table…" : "Take the chair"));
  }
}
