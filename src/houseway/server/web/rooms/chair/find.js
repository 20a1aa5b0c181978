// Find the mistake: watch a round, stop, and report what is wrong.

import "../../kit/scrubber.js";
import { segmented, select } from "../../kit/choices.js";
import { h, morph, picture, s } from "../../kit/dom.js";
import { money } from "../../kit/words.js";
import { reducedMotion } from "../../settings.js";
import { announce, fullest, reader, refusals } from "../parts.js";
import { Player } from "../table/player.js";
import { WatchedFelt } from "./find/felt.js";
import { amountFields, centsOf, clockText, difference, handKey, holdsOf, layoutAfter, markShown, phasesOf }
  from "./find/moments.js";
import { judgementSheet, KEYS, missingParts, reportForm, tallyLine } from "./find/panel.js";

const STORED = "houseway-find";
const TICK = 1000;
/** The flag of an event in the last part of the round points back. */
const LATE = 0.9;
const LEVELS = /** @type {[number, string][]} */ ([[1, "1"], [2, "2"], [3, "3"]]);
const SPEEDS = /** @type {[number, string][]} */ ([[1, "1×"], [2, "2×"], [4, "4×"]]);
const SIDES = /** @type {[string, string][]} */ ([["dealer", "Dealer’s side"], ["players", "Players’ side"]]);
/** @type {Record<string, string>} */
const SIGNS = { first: "M6 6v12M18 6l-9 6 9 6V6z", back: "M16 6l-9 6 9 6V6z", play: "M8 5v14l11-7z", pause: "M9 6v12M15 6v12",
  next: "M8 6l9 6-9 6V6z" };
/** @typedef {import("./find/panel.js").Draft} Draft */

/** @param {import("../../app.js").Context} context */
export default function room(context) {
  const finder = new Finder(context);
  finder.start();
  return { element: finder.element, leave: () => finder.leave() };
}

/** @returns {Draft} */
const emptyDraft = () => ({ family: "", seat: 0, place: "", wager: "", first: "", second: "" });

export class Finder {
  /** @type {api.FindRoundReply | null} */
  round = null;
  /** @type {api.MistakeJudgement | null} The judgement; it is shown after the last event. */
  judged = null;
  /** @type {api.RulebookEntry[] | null} */
  books = null;
  /** @type {unknown} */
  refused = null;
  /** @type {Draft} */
  draft = emptyDraft();
  /** @type {number[]} When each step was first shown, in milliseconds since the first event; -1 if it was not. */
  shown = [];
  rulebook = "";
  level = 1;
  speed = 1;
  side = "dealer";
  message = "";
  busy = false;
  over = false;
  closed = false;
  opened = false;
  started = 0;
  used = 0;
  reportedAt = 0;
  ticking = 0;

  /** @param {import("../../app.js").Context} context */
  constructor({ house, person, setTop, setSkips }) {
    this.house = house;
    this.person = person;
    this.setTop = setTop;
    this.setSkips = setSkips;
    this.player = new Player({ pace: () => 1 / this.speed, show: () => this.moved() });
    this.felt = new WatchedFelt();
    this.content = h("div", { class: "find-room" });
    this.element = h("div", { class: "find" }, this.content);
    this.element.append(reader(this.element, house));
    this.element.addEventListener("seek", (event) => this.seek(/** @type {CustomEvent<number>} */ (event).detail));
    /** @param {KeyboardEvent} event */
    this.pressed = (event) => this.key(event);
  }

  async start() {
    addEventListener("keydown", this.pressed);
    this.setTop({ title: "Find the mistake", back: "/chair" });
    this.ticking = setInterval(() => this.tick(), TICK);
    this.busy = true;
    this.paint();
    try {
      this.books = (await this.house.get("/api/rulebooks")).rulebooks;
      this.rulebook ||= fullest(this.books ?? []).id;
      if (this.person && sessionStorage.getItem(STORED)) this.load(await this.house.get("/api/find"));
    } catch (refused) {
      this.failed(refused);
    }
    this.busy = false;
    this.paint();
  }

  leave() {
    this.closed = true;
    this.player.stop();
    clearInterval(this.ticking);
    removeEventListener("keydown", this.pressed);
  }

  /**
   * Show why a request failed. If the session has ended, show the form for a new one.
   *
   * @param {unknown} refused
   */
  failed(refused) {
    const { code = "", status = -1 } = /** @type {{ code?: string, status?: number }} */ (refused);
    this.refused = refused;
    if (code === "no-find-session" || status === 401) {
      sessionStorage.removeItem(STORED);
      this.player.stop();
      this.round = null;
      this.refused = null;
      this.message = status === 401 ? "You are signed out. Sign in again in the lobby."
        : "The session has ended. Start a new one.";
    }
  }

  // --- the session ---

  /**
   * Send a request; one at a time.
   *
   * @template T
   * @param {() => Promise<T>} request
   * @param {(reply: T) => void} then
   */
  async ask(request, then) {
    if (this.busy) return;
    Object.assign(this, { busy: true, refused: null, message: "" });
    this.paint();
    try {
      const reply = await request();
      if (this.closed) return;
      then(reply);
    } catch (refused) {
      this.failed(refused);
    }
    this.busy = false;
    this.paint();
  }

  begin() {
    const body = { rulebook: this.rulebook, level: this.level };
    this.ask(() => this.house.post("/api/find", body), (reply) => this.load(reply));
  }

  next() {
    if (this.over) {
      sessionStorage.removeItem(STORED);
      this.player.stop();
      this.round = null;
      this.paint();
      return;
    }
    this.ask(() => this.house.post("/api/find/next", {}), (reply) => this.load(reply));
  }

  /** @param {api.FindRoundReply} round */
  load(round) {
    sessionStorage.setItem(STORED, round.session);
    const { steps } = round.replay;
    Object.assign(this, { round, judged: round.judged ?? null, draft: emptyDraft(), used: 0, started: 0, reportedAt: 0,
      opened: Boolean(round.judged), over: Boolean(round.judged) && round.round >= round.rounds });
    this.shown = steps.map(() => -1);
    const holds = holdsOf(steps);
    this.player.load(/** @type {any} */ (steps.map((_, at) => ({ hold: holds[at], updates: [] }))),
      round.judged ? steps.length - 1 : 0);
    announce(`Round ${round.round} of ${round.rounds}. Press Space to play.`);
  }

  /** @param {api.MistakeReport} report */
  send(report) {
    const { round } = this;
    if (!round || this.judged) return;
    this.player.pause();
    const body = { round: round.round, report, used: Math.round(this.elapsed), shown: this.shown };
    this.ask(() => this.house.post("/api/find/report", body), (/** @type {api.FindJudgementReply} */ reply) => {
      this.used = this.elapsed;
      this.reportedAt = report.family ? report.step ?? 0 : 0;
      this.judged = reply.judgement;
      this.over = reply.over ?? false;
      round.tally = reply.tally;
      if (this.atEnd || reducedMotion()) this.open();
      else this.player.play();
    });
  }

  /** Show the judgement at the end of the round. */
  open() {
    if (!this.judged || this.opened) return;
    this.opened = true;
    this.player.pause();
    const { says, answer } = this.judged;
    this.player.at = answer.step ? answer.step - 1 : this.last;
    announce([says, answer.name && `${answer.name}, event ${answer.step}.`, answer.sentence].filter(Boolean).join(" "));
    queueMicrotask(() => document.getElementById("judgement")?.focus({ preventScroll: true }));
  }

  /**
   * Report the mistake, if the report is complete.
   *
   * @param {{ unsure?: boolean }} options If `unsure` is true, the parts that are not named are reported as unknown.
   */
  report({ unsure = false } = {}) {
    const { draft, round } = this;
    const family = round?.families.find(({ key }) => key === draft.family);
    if (!family) return;
    const missing = missingParts(family, draft, this.cents);
    if (missing.length > 0 && !unsure) return;
    /** @type {api.MistakeReport} */
    const report = { family: draft.family, seat: draft.seat, wager: family.has_wager ? draft.wager : "", step: this.at + 1 };
    if (family.has_place && !draft.seat) report.place = draft.place;
    if (family.has_amount && this.cents !== null) report.amount = this.cents;
    if (missing.length > 0) report.unknown = missing;
    this.send(report);
  }

  /** At the end, report that there was no mistake; before it, continue the replay. */
  none() {
    if (this.atEnd) this.send({ family: "", step: 0 });
    else this.play();
  }

  // --- moving through the round ---

  get last() { return (this.round?.replay.steps.length ?? 1) - 1; }

  /** The current step, counted from 0. */
  get at() { return Math.max(0, this.player.at); }

  get atEnd() { return this.at >= this.last; }

  /** Milliseconds since the first event was played. */
  get elapsed() {
    if (this.judged) return this.used;
    return this.started ? performance.now() - this.started : 0;
  }

  get cents() {
    return difference(this.draft.family, centsOf(this.draft.first), centsOf(this.draft.second));
  }

  play() {
    if (this.atEnd) return;
    this.started ||= performance.now();
    markShown(this.shown, this.at, Math.round(this.elapsed));
    this.player.play();
    this.paint();
  }

  toggle() {
    if (this.player.playing) this.player.pause();
    else this.play();
    this.paint();
  }

  /** @param {number} at */
  seek(at) {
    this.started ||= performance.now();
    const playing = this.player.playing;
    this.player.pause();
    this.player.seek(at);
    if (playing && !this.opened) this.player.play();
    this.paint();
  }

  moved() {
    markShown(this.shown, this.at, Math.round(this.elapsed));
    const step = this.round?.replay.steps[this.at];
    if (step) announce([step.says, step.spoken].filter(Boolean).join(" "));
    if (this.atEnd && this.judged && !this.opened) this.open();
    this.paint();
  }

  tick() {
    if (!this.round || this.judged || !this.started) return;
    const clock = this.element.querySelector(".used");
    if (clock) clock.textContent = `${clockText(this.elapsed)} used`;
  }

  /** @param {Partial<Draft>} changes */
  change(changes) {
    this.player.pause();
    Object.assign(this.draft, changes);
    if (!("first" in changes) && !("second" in changes)) this.fillIn();
    this.paint();
  }

  /** Fill in the first amount from the felt. */
  fillIn() {
    const { draft, round } = this;
    if (!round || !draft.seat || !draft.wager) return;
    const hand = layoutAfter(round.replay.steps, this.at + 1).hands.get(handKey({ seat: draft.seat }));
    if (amountFields(draft.family).bet) draft.second = money(hand?.wagers?.[draft.wager] ?? 0);
    else draft.first = money(hand?.paid?.[draft.wager] ?? 0);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.round || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const typing = target.matches("input:not([type=range]), select, textarea");
    const button = target.matches("button, a");
    if (event.key === "Enter" && !button) this.opened ? this.next() : this.report();
    else if (typing) return;
    else if (event.key === " " && !button && !this.opened) this.toggle();
    else if (event.key === "ArrowRight" && !target.matches("[type=range]")) this.seek(this.at + 1);
    else if (event.key === "ArrowLeft" && !target.matches("[type=range]")) this.seek(this.at - 1);
    else if (event.key === "End" && !target.matches("[type=range]")) this.seek(this.last);
    else if (event.key.toLowerCase() === "n" && !this.judged) this.none();
    else if (KEYS.includes(event.key) && !this.judged) {
      this.change({ family: this.round.families[KEYS.indexOf(event.key)]?.key ?? "" });
    } else return;
    event.preventDefault();
  }

  // --- drawing ---

  paint() {
    if (this.closed) return;
    this.setSkips(this.round ? [["Skip to the felt", "watched"], ["Skip to the report", "report"]] : [["Skip to the content", "room"]]);
    morph(this.content, this.round ? this.watching(this.round) : [this.welcome()]);
    if (this.round) this.paintFelt(this.round);
  }

  welcome() {
    const usable = (this.books ?? []).map(({ id, title }) => /** @type {[string, string]} */ ([id, title]));
    return h("section", { class: "find-start", "data-key": "start" },
      h("h1", {}, "Find the mistake"),
      h("p", {}, "Watch a round. It has one mistake, or none. Stop it, and say what is wrong, where, and by how much."),
      this.message && h("p", { class: "notice", role: "status" }, this.message),
      ...refusals(this.refused),
      Boolean(this.refused) && h("p", {}, h("button", { type: "button", class: "button", onclick: () => this.start() }, "Try again")),
      this.busy && !this.books && h("p", { class: "loading", role: "status" }, h("span", { class: "turning" }), " Loading…"),
      !this.person ? h("p", { class: "box" }, "Sign in first. ", h("a", { href: "/" }, "Go to the lobby"))
        : this.books && h("div", { class: "box start-form" },
          h("label", { class: "field" }, h("span", { class: "label" }, "Rulebook"),
            select("Rulebook", usable, this.rulebook, (id) => {
              this.rulebook = id;
              this.paint();
            })),
          h("div", { class: "field" }, h("span", { class: "label" }, "Level"),
            segmented("Level", LEVELS, this.level, (level) => {
              this.level = level;
              this.paint();
            }),
            h("p", { class: "small" }, ["Two players and gross mistakes.", "Four players, more kinds, and distractions.",
              "Six players and every kind of mistake."][this.level - 1])),
          h("button", { type: "button", class: "button main", "aria-disabled": String(this.busy), "data-key": "begin",
            onclick: () => this.begin() }, this.busy ? "Dealing…" : "Start"),
          h("p", { class: "small" }, "You can stop as often as you like, but a wrong report counts against you. 20 rounds.")));
  }

  /** @param {api.FindRoundReply} round */
  watching(round) {
    const { replay } = round;
    const { steps } = replay;
    const step = steps[this.at];
    const playing = this.player.playing;
    const notes = replay.notes.filter((note) => /^trips|^bonus/i.test(note));
    return [
      h("div", { class: "find-left", id: "watched", tabindex: "-1", "data-key": "left" },
        h("header", {}, h("div", {}, h("h1", {}, "Find the mistake"),
          h("p", { class: "small" }, `Round ${round.round} of ${round.rounds}, `,
            h("a", { href: `/rulebooks/${replay.rulebook}` }, replay.rulebook), `, ${[`${replay.mode} deal`, ...notes].join(", ")}. `,
            "One mistake in this round, or none.")),
        segmented("View", SIDES, this.side, (side) => {
          this.side = side;
          this.paint();
        })),
        h("p", { class: playing ? "stopped playing-now" : "stopped", role: "status" },
          !this.opened && picture("0 0 24 24", { class: "stop-sign" }, s("path", { d: SIGNS[playing ? "play" : "pause"] })),
          this.opened ? "The round is over" : playing ? `Playing ${clockText(step.time)}`
            : this.started ? `Stopped at ${clockText(step.time)}` : "Ready: press Space"),
        h("div", { class: "felt-place", "data-key": "felt", "data-own": true }),
        this.timeline(steps),
        h("div", { class: "playing", "data-key": "bar" },
          h("div", { class: "steps-bar" },
            this.step("first", "First event", () => this.seek(0), this.at === 0),
            this.step("back", "Previous event", () => this.seek(this.at - 1), this.at === 0),
            this.step(playing ? "pause" : "play", playing ? "Stop" : "Play", () => this.toggle(), this.atEnd),
            this.step("next", "Next event", () => this.seek(this.at + 1), this.atEnd)),
          h("p", { class: "event" }, h("strong", {}, `Event ${this.at + 1} of ${steps.length}`), h("span", {},
            this.started ? step.says : "You may go back. The clock runs from the first event.")),
          segmented("Speed", SPEEDS, this.speed, (speed) => {
            this.speed = speed;
            if (this.player.playing) {
              this.player.pause();
              this.player.play();
            }
            this.paint();
          }),
          !this.opened && (this.judged
            ? h("button", { type: "button", class: "button", "data-key": "end", onclick: () => this.seek(this.last) }, "To the end ",
              h("kbd", { "aria-hidden": "true" }, "End"))
            : h("button", { type: "button", class: "button play-on", "data-key": "toggle", "aria-disabled": String(this.atEnd),
              onclick: () => this.toggle() }, playing ? "Stop " : this.started ? "Play on " : "Play ",
            h("kbd", { "aria-hidden": "true" }, "Space"))))),
      h("aside", { class: "find-panel", id: "report", tabindex: "-1", "aria-label": "Report", "data-key": "panel" },
        ...refusals(this.refused),
        ...(this.opened && this.judged ? judgementSheet({ judged: this.judged, last: this.over, busy: this.busy,
          next: () => this.next(), seek: (at) => this.seek(at) })
          : this.judged ? [h("section", { class: "reported", "data-key": "reported" }, h("h2", {}, "Reported"),
            h("p", {}, "The round continues. The answer opens at its end."))]
            : reportForm({ round, draft: this.draft, used: this.elapsed, over: this.atEnd, busy: this.busy, cents: this.cents,
              change: (changes) => this.change(changes), report: () => this.report(),
              unsure: () => this.report({ unsure: true }), none: () => this.none() })),
        tallyLine(round.tally)),
    ];
  }

  /** @param {api.WatchStep[]} steps */
  timeline(steps) {
    const count = steps.length;
    const planted = this.opened ? this.judged?.answer.step ?? 0 : 0;
    /** @type {[string, number, string][]} */
    const marks = [];
    if (planted) marks.push(["planted", planted, `The mistake, event ${planted}`]);
    if (this.reportedAt) marks.push(["yours", this.reportedAt, `Your report, event ${this.reportedAt}`]);
    else if (!this.judged && this.started && !this.player.playing) marks.push(["yours", this.at + 1, ""]);
    return h("div", { class: "timeline", "data-key": "timeline" },
      h("div", { class: "marks" }, marks.map(([kind, event, words]) => h("span", { "data-key": kind,
        class: `mark-at ${kind}${event > LATE * count ? " last" : ""}`,
        vars: { "--share": (event - 0.5) / count } }, picture("0 0 30 16", {}, s("path", { d: "M0 0h30l-6 8 6 8H0z" })),
      words && h("span", { class: "unseen" }, words)))),
      h("hw-scrubber", { ".phases": phasesOf(steps), ".count": count, ".at": this.at, ".description": steps[this.at].says }));
  }

  /**
   * @param {string} sign
   * @param {string} words
   * @param {() => void} does
   * @param {boolean} off
   */
  step(sign, words, does, off) {
    const middle = sign === "pause" || sign === "play";
    return h("button", { type: "button", class: middle ? "step main" : "step", "aria-label": words, disabled: off, onclick: does,
      "data-key": middle ? "play" : sign }, picture("0 0 24 24", {}, s("path", { d: SIGNS[sign] })));
  }

  /** @param {api.FindRoundReply} round */
  paintFelt({ replay }) {
    const place = this.content.querySelector(".felt-place");
    if (place && this.felt.element.parentElement !== place) place.replaceChildren(this.felt.element);
    const { draft, judged, opened } = this;
    const answer = opened && judged?.answer.name ? judged.answer : null;
    this.felt.paint({ round: replay, layout: layoutAfter(replay.steps, this.at + 1), step: replay.steps[this.at],
      chosen: answer ? { seat: answer.seat ?? 0, wager: answer.wager ?? "" } : { seat: draft.seat, wager: draft.wager },
      choose: judged ? null : (where) => this.change(where), side: this.side });
  }
}
