// One class: the instructor's view with invitation, exam, results and tables, or the trainee's own view.

import { select, segmented } from "../../../kit/choices.js";
import { h } from "../../../kit/dom.js";
import { plural, tableTitle } from "../../../kit/words.js";
import { copyLink, fullest, shortNames } from "../../parts.js";
import { localLinkNote } from "../../../local_link.js";
import { houseRules, houseRulesPath } from "../house_rules.js";
import { Visit } from "./visit.js";
import { resultsTable } from "./results.js";
import { timeWords } from "./states.js";

/** Milliseconds between two updates of the results. */
const UPDATE_INTERVAL = 15000;

export class ClassPage extends Visit {
  /** @type {api.ClassSheet | null} */
  sheet = null;
  /** @type {api.HouseRules | null} */
  rules = null;
  /** @type {readonly api.TableCard[]} */
  tables = [];
  /** @type {api.RulebookEntry[]} */
  books = [];
  /** @type {api.ClassInvitation | null} */
  link = null;
  all = false;
  exam = "";
  rulebook = "";
  /** The question that waits for an answer: "close", "leave", or the trainee to remove. */
  asking = "";
  timer = 0;

  /**
   * @param {import("./visit.js").Context} context
   * @param {string} id
   */
  constructor(context, id) {
    super(context, "Loading the class…");
    this.id = id;
    this.path = `/api/classes/${encodeURIComponent(id)}`;
  }

  start() {
    this.context.setTop({ title: "Class", back: "/chair/classes" });
    super.start();
    this.timer = setInterval(() => {
      if (this.loaded && this.person && !document.hidden && !this.busy) this.load();
    }, UPDATE_INTERVAL);
  }

  leave() {
    super.leave();
    clearInterval(this.timer);
  }

  async fetch() {
    const sheet = /** @type {api.ClassSheet} */ (await this.client.get(this.path));
    if (sheet.card.yours) {
      [{ tables: this.tables }, this.books] = await Promise.all([this.client.get(`${this.path}/tables`),
        this.books.length ? this.books : this.client.get("/api/rulebooks").then((reply) => reply.rulebooks)]);
      this.exam ||= sheet.card.exam?.exam ?? sheet.exams?.[0]?.id ?? "";
      this.rulebook ||= sheet.card.exam?.rulebook ?? fullest(this.books).id;
    }
    const { exam, yours } = sheet.card;
    this.rules = exam && !yours ? await this.client.get(houseRulesPath(exam.rulebook, exam.mode ?? "", exam.exam)) : null;
    this.sheet = sheet;
    this.context.setTop({ title: sheet.card.name, back: "/chair/classes" });
  }

  /**
   * Send a change, and load the class again.
   *
   * @param {string} rest
   * @param {any} body
   * @param {string} done
   */
  change(rest, body, done) {
    return this.run(async () => {
      await this.client.post(`${this.path}${rest}`, body);
      this.asking = "";
      await this.fetch();
    }, done);
  }

  intro() {
    return [h("p", { "data-key": "up" }, h("a", { class: "button text", href: "/chair/classes" }, "All classes"))];
  }

  drawn() {
    const { card } = /** @type {api.ClassSheet} */ (this.sheet);
    const who = card.yours ? plural(card.members, "trainee") : `Instructor: ${card.instructor}`;
    return [
      h("header", { class: "class-head", "data-key": "head" }, h("h1", {}, card.name),
        h("p", { class: "small" }, card.closed ? `${who} · closed` : who)),
      ...(card.yours ? this.instructorView(card) : this.traineeView(card)),
    ];
  }

  // --- the instructor's view ---

  /** @param {api.ClassCard} card */
  instructorView(card) {
    return [
      card.closed ? null : h("div", { class: "class-tools", "data-key": "tools" },
        this.invitationBox(), this.examBox(card)),
      this.resultsBox(),
      this.tables.length ? this.tablesBox() : null,
      card.closed ? null : h("section", { class: "class-end", "data-key": "end" }, this.asking === "close"
        ? this.question("Close this class? Its results stay, but trainees can no longer join it or start its exam.",
          "Close the class", () => this.change("/close", {}, "The class is closed"))
        : h("button", { type: "button", class: "button", onclick: () => this.ask("close") }, "Close the class…")),
    ];
  }

  invitationBox() {
    const until = this.link?.expires_at ?? this.sheet?.invited_until;
    const link = this.link && new URL(this.link.link, location.href).href;
    return h("section", { class: "box", "data-key": "invitation" }, h("h2", {}, "Invitation"),
      h("p", {}, link ? `Send this link to your trainees. It works until ${timeWords(until)}.`
        : until ? `There is a link that works until ${timeWords(until)}. A new link replaces it.`
          : "Trainees join with a link. One link works for all of them."),
      link && h("input", { class: "link-field", readonly: true, value: link, "aria-label": "Invitation link",
        onfocus: (/** @type {{ target: HTMLInputElement }} */ { target }) => target.select() }),
      link && localLinkNote() ? h("p", { class: "small" }, localLinkNote()) : null,
      h("p", { class: "acts" }, link ? copyLink(link) : null,
        h("button", { type: "button", class: link ? "button" : "button main", onclick: () => this.run(async () => {
          this.link = await this.client.post(`${this.path}/invitation`, {});
          await this.fetch();
        }, "The link was created") }, until ? "Create a new link" : "Create a link"),
        until ? h("button", { type: "button", class: "button text", onclick: () => this.run(async () => {
          await this.client.delete(`${this.path}/invitation`);
          this.link = null;
          await this.fetch();
        }, "The link was revoked") }, "Revoke the link") : null));
  }

  /** @param {api.ClassCard} card */
  examBox({ exam }) {
    const exams = this.sheet?.exams ?? [];
    const names = shortNames(this.books);
    return h("section", { class: "box", "data-key": "exam" }, h("h2", {}, "Exam"),
      h("p", {}, exam ? `${exam.title}, ${exam.rulebook_title}, since ${timeWords(exam.set_at)}.`
        : "No exam is set. Trainees see the exam as soon as you set one."),
      exams.length ? [
        h("label", { class: "field" }, h("span", { class: "label" }, "Exam"),
          select("Exam", exams.map(({ id, title }) => [id, title]), this.exam, (id) => { this.exam = id; })),
        h("label", { class: "field" }, h("span", { class: "label" }, "Rulebook"),
          select("Rulebook", this.books.map(({ id }) => [id, `${names.get(id)}, ${id}`]), this.rulebook,
            (id) => { this.rulebook = id; })),
        h("p", { class: "acts" },
          h("button", { type: "button", class: "button main", onclick: () => this.change("/exam",
            { exam: this.exam, rulebook: this.rulebook }, "The exam is set") },
          exam ? "Change the exam" : "Set the exam"),
          exam ? h("button", { type: "button", class: "button text",
            onclick: () => this.change("/exam", {}, "The exam was removed") }, "Remove the exam") : null),
      ] : h("p", { class: "quiet" }, "This server has no exams."));
  }

  resultsBox() {
    const { card, trainees } = /** @type {api.ClassSheet} */ (this.sheet);
    return h("section", { class: "class-results", "data-key": "class-results" },
      h("header", { class: "row" }, h("h2", {}, "Results"),
        trainees.length ? h("div", { class: "acts" },
          segmented("Rows", [["last", "Last attempts"], ["all", "All attempts"]], this.all ? "all" : "last", (rows) => {
            this.all = rows === "all";
            this.paint();
          }),
          h("a", { class: "button", href: `${this.path}/results.csv`, download: "" }, "Download CSV")) : null),
      trainees.some(({ handle }) => handle === this.asking)
        ? this.question(`Remove ${this.asking} from the class? Their results disappear from this table.`,
          "Remove", () => this.change("/remove", { handle: this.asking }, "The trainee was removed")) : null,
      trainees.length ? resultsTable(trainees, { all: this.all, remove: card.closed ? null : (handle) => this.ask(handle) })
        : h("p", { class: "quiet" }, "No trainees yet. Send them the invitation link."));
  }

  tablesBox() {
    return h("section", { "data-key": "tables" }, h("h2", {}, "Tables of your trainees"),
      h("ul", { class: "class-list" }, this.tables.map((table) => h("li", { class: "box row", "data-key": table.table },
        h("p", {}, h("strong", {}, tableTitle(table.name)), h("span", { class: "small" }, ` ${table.title}, ${table.limits}`)),
        h("button", { type: "button", class: "button", onclick: () => this.watch(table.table) },
          "Watch")))));
  }

  /** @param {string} table */
  watch(table) {
    return this.run(async () => {
      const person = await this.client.post(`${this.path}/watch`, { table });
      this.context.setPerson(person);
      this.context.go(`/table/${encodeURIComponent(table)}`);
    });
  }

  // --- the trainee's view ---

  /** @param {api.ClassCard} card */
  takeExam({ id, exam }) {
    return this.run(async () => {
      const { session } = await this.client.post("/api/training", { class_id: id, rulebook: exam?.rulebook ?? "", exam: exam?.exam ?? "" });
      this.context.go(`/chair/table/${encodeURIComponent(session)}`);
    });
  }

  /** @param {api.ClassCard} card */
  traineeView(card) {
    const { exam } = card;
    const { trainees } = /** @type {api.ClassSheet} */ (this.sheet);
    return [
      h("section", { class: "box", "data-key": "exam" }, h("h2", {}, "Exam"),
        exam && !card.closed ? [h("p", {}, `${exam.title}, ${exam.rulebook_title}.`),
          h("p", {}, `${card.instructor} sees your result. It is also stored in your own data.`),
          this.rules ? houseRules(this.rules) : null,
          h("p", { class: "acts" }, h("button", { type: "button", class: "button main", onclick: () => this.takeExam(card) },
            "Start the exam"))]
          : h("p", { class: "quiet" }, card.closed ? "This class is closed."
            : `No exam is set. Come back when ${card.instructor} has set one.`)),
      h("section", { "data-key": "results" }, h("h2", {}, "Your attempts"),
        trainees[0]?.attempts?.length ? resultsTable(trainees, { all: true, remove: null })
          : h("p", { class: "quiet" }, trainees[0]?.erased_at
            ? `You erased your results on ${timeWords(trainees[0].erased_at)}.` : "You have not taken an exam in this class.")),
      h("section", { class: "class-leave", "data-key": "leave" }, this.asking === "leave"
        ? this.question(`Leave this class? ${card.instructor} no longer sees your results. You keep your own data.`,
          "Leave the class", () => this.run(async () => {
            await this.client.post(`${this.path}/leave`, {});
            this.context.go("/chair/classes", { replace: true });
          }, "You left the class"))
        : h("button", { type: "button", class: "button", onclick: () => this.ask("leave") }, "Leave the class…")),
    ];
  }

  // --- questions ---

  /** @param {string} what */
  ask(what) {
    this.asking = what;
    this.paint();
    /** @type {HTMLElement | null} */ (this.element.querySelector(".question button"))?.focus();
  }

  /**
   * @param {string} words
   * @param {string} yes
   * @param {() => void} act
   */
  question(words, yes, act) {
    return h("div", { class: "question box", role: "group", "aria-label": words, "data-key": "question",
      onkeydown: (/** @type {KeyboardEvent} */ { key }) => { if (key === "Escape") this.ask(""); } },
      h("p", {}, words),
      h("p", { class: "acts" },
        h("button", { type: "button", class: "button main", onclick: act }, yes),
        h("button", { type: "button", class: "button", onclick: () => this.ask("") }, "Cancel")));
  }
}
