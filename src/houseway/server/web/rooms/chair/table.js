// The dealer's chair at a table of bots: the felt, the palette and the panel.

import { h, morph } from "../../kit/dom.js";
import { withCardSigns } from "../../kit/words.js";
import { announce, reader } from "../parts.js";
import { HeldAct } from "./held_act.js";
import { paintFelt, seatsOf } from "./felt.js";
import { foot, panelContent, rove, strip } from "./frame.js";
import { KeySettings } from "./key_settings.js";
import { listen } from "./keys.js";
import { animateFelt, feltSnapshot } from "./motion.js";
import { Outbox, isTemporary } from "./outbox.js";
import { ActFinder, markOverflow, palette } from "./palette.js";
import { RoundHistory, speakChanges } from "./round_history.js";
import { SKIPS, absence, corners, notices, saidLine, seatPills } from "./room_parts.js";
import { SessionClock } from "./session_clock.js";
import { Sheets } from "./sheets.js";

/** @typedef {import("../../app.js").Context} Context */
/** @typedef {import("../../api_client.js").Refused} Refused */

/** The shortest time between two requests for the view, in milliseconds. */
const SOONEST = 250;

/** @param {Context} context */
export default function room(context) {
  const chair = new ChairRoom(context);
  chair.start();
  return { element: chair.element, leave: () => chair.leave() };
}

export class ChairRoom {
  /** @type {api.ChairView | null} */
  view = null;
  /** @type {unknown} Why loading failed. */
  failed = null;
  /** @type {Refused | null} The refusal of the last act. */
  refused = null;
  history = new RoundHistory();
  held = new HeldAct(this);
  sheets = new Sheets(this);
  /** The seat that a phone shows. */
  opened = 1;
  /** The sheet that a phone or a tablet shows: "", "panel" or "palette". */
  drawer = "";
  left = false;
  wake = 0;
  stop = () => {};

  /** @param {Context} context */
  constructor({ client, go, params, person, setTop, setSkips }) {
    this.client = client;
    this.go = go;
    this.person = person;
    this.session = params.session;
    this.setTop = setTop;
    this.setSkips = setSkips;
    this.felt = h("div", { class: "felt chair-felt", id: "felt", tabindex: "-1" });
    this.stage = h("div", { class: "chair-stage-frame", "data-key": "frame", "data-own": "" }, this.felt);
    this.bar = h("div", { class: "palette-bar", id: "palette", tabindex: "-1", "data-key": "bar", "data-own": "" });
    this.bar.addEventListener("scroll", () => markOverflow(this.bar), { capture: true, passive: true });
    this.main = h("div", { class: "chair-main", "data-key": "main", "data-own": "" });
    this.panel = h("aside", { class: "chair-panel", id: "chair-panel", tabindex: "-1", "data-key": "panel", "data-own": "",
      "aria-label": "The act in your hand, and your acts" });
    this.panel.addEventListener("scroll", ({ target }) => {
      const list = /** @type {Element} */ (target);
      if (list.matches(".done")) list.classList.toggle("scrolled", list.scrollTop > 4);
    }, { capture: true, passive: true });
    this.element = h("div", { class: "chair-room" });
    this.reader = reader(this.element, this.client);
    this.clock = new SessionClock({ element: this.element, changed: () => this.paint() });
    this.keySettings = new KeySettings({ acts: () => this.acts, changed: () => this.paint() });
    this.finder = new ActFinder({ acts: () => this.acts, keys: () => this.keySettings.keys, pick: (act) => this.held.pick(act),
      changed: () => this.paint() });
    this.outbox = new Outbox({ store: `houseway-chair-${this.session}`,
      send: ({ key, act }) => this.client.post(this.path("/acts"), { key, act }),
      answered: (answer) => this.answered(answer), refused: (error) => this.refuse(error), changed: () => this.paint() });
  }

  path(what = "") {
    return `/api/training/${encodeURIComponent(this.session)}${what}`;
  }

  get acts() { return this.view?.acts ?? []; }

  async start() {
    const { held } = this;
    this.stop = listen({ digit: (digit) => held.digit(digit), act: (key) => held.letter(key), find: () => this.find(),
      enter: (target) => this.enter(target), back: () => held.putBack(), escape: () => this.escape(), sign: (sign) => held.sign(sign),
      list: () => this.keySettings.show(), felt: () => this.felt });
    this.clock.start();
    this.setTop({ title: "Dealer's chair", back: "/chair" });
    this.paint();
    await this.load();
    this.outbox.flush();
  }

  leave() {
    this.left = true;
    this.stop();
    this.clock.stop();
    clearTimeout(this.wake);
    this.outbox.leave();
    this.sheets.current?.leave?.();
  }

  /** Load the view, for the first time or because something may have happened by itself. */
  async load() {
    try {
      // Once the session is shown, the request also triggers whatever has become due.
      const view = this.view ? (await this.client.post(this.path("/tick"), {})).view : await this.client.get(this.path());
      if (this.left) return;
      this.failed = null;
      this.take(view);
    } catch (error) {
      if (this.left) return;
      if (this.view && isTemporary(error)) this.sleep(2000);
      else this.failed = error;
      this.paint();
    }
  }

  /** @param {number | null | undefined} ms */
  sleep(ms) {
    clearTimeout(this.wake);
    if (ms !== null && ms !== undefined) this.wake = setTimeout(() => this.load(), Math.max(SOONEST, ms));
  }

  /**
   * Take a new view. If a round has been judged since the last one, show its judgement.
   *
   * @param {api.ChairView} view
   */
  take(view) {
    const before = this.view;
    const wasLive = this.sheets.isLive;
    const motion = feltSnapshot(this.felt);
    this.view = view;
    this.clock.take(view);
    this.history.remember(before, view);
    this.sleep(view.progress === "open" ? view.wakes : null);
    if (!before) this.opened = seatsOf(view.felt)[0]?.seat ?? 1;
    if (view.stopped && !this.sheets.isRuling) this.sheets.openRuling(view);
    if (before && view.judged > before.judged && !this.isExam) this.sheets.openReview(view.judged);
    if (view.progress !== "open" && this.isExam && before?.progress === "open") announce("The exam is over.");
    this.paint();
    speakChanges(before, view);
    // A felt that a judgement covered, or covers now, is drawn without motion, because nothing on it has moved.
    if (before && wasLive && this.sheets.isLive) animateFelt(this.felt, motion);
  }

  /** True if the session is an exam: it has no judgement until it ends. */
  get isExam() { return Boolean(this.view?.exam); }

  // --- acts ---

  /** @param {api.ActAnswer} answer */
  answered({ view, entries = [] }) {
    if (this.left) return;
    const own = entries.find(({ who }) => who === "you");
    if (own) announce(withCardSigns(own.words));
    this.take(view);
  }

  /** @param {Refused} error */
  refuse(error) {
    if (error.status === 401 || error.status === 404 || error.status === 410) this.failed = error;
    else this.refused = error;
    const assertive = document.getElementById("assertive");
    assertive?.replaceChildren(h("p", {}, error.message));
    this.paint();
  }

  // --- keys ---

  find() {
    if (this.sheets.current) return false;
    this.finder.show();
    return true;
  }

  /** @param {Element} target */
  enter(target) {
    const { held, held: { draft }, sheets: { current: sheet } } = this;
    if (sheet) return !target.closest("button, a, input, select") && sheet.enter();
    const button = target.closest("button");
    // Enter on the thing that is already selected does the act; on anything else, it presses that thing.
    const again = button?.closest(".place.picked, .middle-row") && draft.complete;
    if ((button && !again) || !draft.complete) return false;
    held.perform();
    return true;
  }

  escape() {
    if (this.sheets.isReport) this.sheets.close();
    else if (this.drawer) this.drawer = "";
    else if (this.held.draft.any) this.held.draft.clear();
    else return false;
    this.paint();
    return true;
  }

  // --- rendering ---

  paint() {
    const { view, held, sheets: { current: sheet } } = this;
    if (!view || this.failed) {
      morph(this.element, [absence(/** @type {Refused | null} */ (this.failed), () => this.retryLoad()), this.reader]);
      return;
    }
    const names = ["chair-room", this.drawer && `shows-${this.drawer}`, held.draft.asksInPanel && "asking", sheet?.kind].filter(Boolean).join(" ");
    if (this.element.className !== names) this.element.className = names;
    this.setTopOnce(view);
    // The acts are not on the screen while a ruling or a judgement is.
    this.setSkips(sheet?.below ? SKIPS.slice(1) : SKIPS);
    morph(this.element, [this.main, this.panel, this.keySettings.dialog.element(), this.reader]);
    morph(this.main, [sheet?.head?.(), sheet?.head ? null : corners(view), seatPills(view, this.opened, this.clock.now, (seat) => this.openSeat(seat)), this.stage, sheet?.below ? sheet.below() : this.bar]);
    const felt = sheet?.felt?.() ?? view.felt;
    paintFelt(this.felt, view, felt, !this.sheets.isLive ? { compact: true, said: { text: sheet?.said?.() ?? "" }, opened: this.opened }
      : { draft: held.draft, press: (thing) => held.press(thing), opened: this.opened, said: saidLine(view) });
    rove(this.felt);
    morph(this.bar, [notices(view, this.outbox, this.refused, () => this.dismiss()), strip(this, view), palette(view.acts, this.keySettings.keys, held.draft.act?.name ?? "", (act) => held.pick(act), () => this.toggle("palette")),
      foot(this, view)]);
    markOverflow(this.bar);
    morph(this.panel, sheet ? sheet.panel() : panelContent(this, view));
    const done = this.panel.querySelector(".done");
    if (done && done.childElementCount !== this.shown) done.scrollTop = done.scrollHeight;
    this.shown = done?.childElementCount ?? 0;
    done?.classList.toggle("scrolled", done.scrollTop > 4);
  }

  /** @param {api.ChairView} view */
  setTopOnce(view) {
    const note = `${view.exam ? "exam, " : ""}round ${Math.min(view.round, view.rounds)} of ${view.rounds}`;
    if (this.topNote !== note) this.setTop({ title: "Dealer's chair", note: [note], back: "/chair" });
    this.topNote = note;
  }

  topNote = "";
  /** The number of lines under "What you did". */
  shown = 0;

  async retryLoad() {
    this.failed = null;
    this.paint();
    await this.load();
    this.outbox.flush();
  }

  /** @param {number} seat */
  openSeat(seat) {
    this.opened = seat;
    this.paint();
  }

  dismiss() {
    this.refused = null;
    this.paint();
  }

  /** @returns {import("./held_panel.js").Handlers} */
  get handlers() {
    const { held } = this;
    return { changed: () => this.paint(), putBack: () => held.putBack(), perform: () => held.perform(),
      select: (thing) => held.press(thing) };
  }

  /** @param {string} drawer */
  toggle(drawer) {
    this.drawer = this.drawer === drawer ? "" : drawer;
    this.paint();
  }
}
