// Find the mistake: watch a round, stop, and report what is wrong.

import { h, morph } from "../../kit/dom.js";
import { reducedMotion } from "../../settings.js";
import { announce, fullest, reader } from "../parts.js";
import { WatchedFelt } from "./find/felt.js";
import { pressKey } from "./find/keys.js";
import { clockText, layoutAfter } from "./find/moments.js";
import { ReportDraft } from "./find/report_draft.js";
import { watching, welcome } from "./find/views.js";
import { Watch } from "./find/watch.js";

const STORED = "houseway-find";
const TICK = 1000;
/** @typedef {import("./find/panel.js").Draft} Draft */

/** @param {import("../../app.js").Context} context */
export default function room(context) {
  const finder = new Finder(context);
  finder.start();
  return { element: finder.element, leave: () => finder.leave() };
}

export class Finder {
  /** @type {api.FindRoundReply | null} */
  round = null;
  /** @type {api.MistakeJudgement | null} The judgement; it is shown after the last event. */
  judged = null;
  /** @type {api.RulebookEntry[] | null} */
  books = null;
  /** @type {unknown} */
  refused = null;
  draft = new ReportDraft(null);
  rulebook = "";
  level = 1;
  side = "dealer";
  message = "";
  busy = false;
  over = false;
  closed = false;
  opened = false;
  reportedAt = 0;
  ticking = 0;

  /** @param {import("../../app.js").Context} context */
  constructor({ client, person, setTop, setSkips }) {
    this.client = client;
    this.person = person;
    this.setTop = setTop;
    this.setSkips = setSkips;
    this.watch = new Watch({ moved: () => this.moved(), changed: () => this.paint() });
    this.felt = new WatchedFelt();
    this.content = h("div", { class: "find-room" });
    this.element = h("div", { class: "find" }, this.content);
    this.element.append(reader(this.element, client));
    this.element.addEventListener("seek", (event) => this.seek(/** @type {CustomEvent<number>} */ (event).detail));
    /** @param {KeyboardEvent} event */
    this.pressed = (event) => pressKey(this, event);
  }

  async start() {
    addEventListener("keydown", this.pressed);
    this.setTop({ title: "Find the mistake", back: "/chair" });
    this.ticking = setInterval(() => this.tick(), TICK);
    this.busy = true;
    this.paint();
    try {
      this.books = (await this.client.get("/api/rulebooks")).rulebooks;
      this.rulebook ||= fullest(this.books ?? []).id;
      if (this.person && sessionStorage.getItem(STORED)) this.load(await this.client.get("/api/find"));
    } catch (refused) {
      this.failed(refused);
    }
    this.busy = false;
    this.paint();
  }

  leave() {
    this.closed = true;
    this.watch.player.stop();
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
      this.watch.player.stop();
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
    this.ask(() => this.client.post("/api/find", body), (reply) => this.load(reply));
  }

  next() {
    if (this.over) {
      sessionStorage.removeItem(STORED);
      this.watch.player.stop();
      this.round = null;
      this.paint();
      return;
    }
    this.ask(() => this.client.post("/api/find/next", {}), (reply) => this.load(reply));
  }

  /** @param {api.FindRoundReply} round */
  load(round) {
    sessionStorage.setItem(STORED, round.session);
    const judged = Boolean(round.judged);
    Object.assign(this, { round, judged: round.judged ?? null, draft: new ReportDraft(round), reportedAt: 0, opened: judged,
      over: judged && round.round >= round.rounds });
    this.watch.load(round.replay.steps, judged);
    announce(`Round ${round.round} of ${round.rounds}. Press Space to play.`);
  }

  /** @param {api.MistakeReport} report */
  send(report) {
    const { round } = this;
    if (!round || this.judged) return;
    this.watch.player.pause();
    const body = { round: round.round, report, used: Math.round(this.watch.elapsed), shown: this.watch.shown };
    this.ask(() => this.client.post("/api/find/report", body), (/** @type {api.FindJudgementReply} */ reply) => {
      this.watch.finish();
      this.reportedAt = report.family ? report.step ?? 0 : 0;
      this.judged = reply.judgement;
      this.over = reply.over ?? false;
      round.tally = reply.tally;
      if (this.watch.atEnd || reducedMotion()) this.open();
      else this.watch.player.play();
    });
  }

  /** Show the judgement at the end of the round. */
  open() {
    if (!this.judged || this.opened) return;
    this.opened = true;
    this.watch.player.pause();
    const { says, answer } = this.judged;
    this.watch.player.at = answer.step ? answer.step - 1 : this.watch.last;
    announce([says, answer.name && `${answer.name}, event ${answer.step}.`, answer.sentence].filter(Boolean).join(" "));
    queueMicrotask(() => document.getElementById("judgement")?.focus({ preventScroll: true }));
  }

  /**
   * Report the mistake, if the report is complete.
   *
   * @param {{ unsure?: boolean }} options If `unsure` is true, the parts that are not named are reported as unknown.
   */
  report({ unsure = false } = {}) {
    const report = this.draft.report(this.watch.at, unsure);
    if (report) this.send(report);
  }

  /** At the end, report that there was no mistake; before it, continue the replay. */
  none() {
    if (this.watch.atEnd) this.send({ family: "", step: 0 });
    else this.watch.play();
  }

  // --- moving through the round ---

  /**
   * Move to a step. After the judgement is shown, the round does not play on.
   *
   * @param {number} at
   */
  seek(at) {
    if (this.opened) this.watch.player.pause();
    this.watch.seek(at);
  }

  moved() {
    const step = this.round?.replay.steps[this.watch.at];
    if (step) announce([step.says, step.spoken].filter(Boolean).join(" "));
    if (this.watch.atEnd && this.judged && !this.opened) this.open();
    this.paint();
  }

  tick() {
    if (!this.round || this.judged || !this.watch.started) return;
    const clock = this.element.querySelector(".used");
    if (clock) clock.textContent = `${clockText(this.watch.elapsed)} used`;
  }

  /** @param {Partial<Draft>} changes */
  change(changes) {
    this.watch.player.pause();
    this.draft.change(changes, this.watch.at);
    this.paint();
  }

  // --- drawing ---

  paint() {
    if (this.closed) return;
    this.setSkips(this.round ? [["Skip to the felt", "watched"], ["Skip to the report", "report"]] : [["Skip to the content", "room"]]);
    morph(this.content, this.round ? watching(this, this.round) : [welcome(this)]);
    if (this.round) this.paintFelt(this.round);
  }

  /** @param {api.FindRoundReply} round */
  paintFelt({ replay }) {
    const place = this.content.querySelector(".felt-place");
    if (place && this.felt.element.parentElement !== place) place.replaceChildren(this.felt.element);
    const { draft: { values }, judged, opened, watch: { at } } = this;
    const answer = opened && judged?.answer.name ? judged.answer : null;
    this.felt.paint({ round: replay, layout: layoutAfter(replay.steps, at + 1), step: replay.steps[at],
      chosen: answer ? { seat: answer.seat ?? 0, wager: answer.wager ?? "" } : { seat: values.seat, wager: values.wager },
      choose: judged ? null : (where) => this.change(where), side: this.side });
  }
}
