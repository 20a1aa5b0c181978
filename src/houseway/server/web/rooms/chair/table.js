// The dealer's chair at a table of bots: the felt, the palette and the panel.

import { h, morph, picture, s } from "../../kit/dom.js";
import { asTitle, withCardSigns } from "../../kit/words.js";
import { randomHex } from "../../house.js";
import { announce, reader } from "../parts.js";
import { Draft } from "./draft.js";
import { cutText, tubesOf } from "./chips.js";
import { incidentWords, paintFelt, seatsOf } from "./felt.js";
import { handPanel, handStrip, wagerName } from "./hand_panel.js";
import { KeyDialog } from "./key_dialog.js";
import { changeKey, keyChanges, keysOf, storeKeys } from "./keymap.js";
import { listen, things } from "./keys.js";
import { clockText } from "./marks.js";
import { animateFelt, feltSnapshot } from "./motion.js";
import { Outbox, isTemporary } from "./outbox.js";
import { ActFinder, markOverflow, palette } from "./palette.js";
import { ReportForm } from "./report_form.js";
import { RoundReviewSheet } from "./review.js";
import { SKIPS, absence, actLog, corners, notices, panelHead, saidLine, seatPills, youDid } from "./room_parts.js";
import { RulingSheet } from "./ruling.js";

/** @typedef {import("../../app.js").Context} Context */
/** @typedef {import("./draft.js").Thing} Thing */
/** @typedef {import("../../house.js").Refused} Refused */
/**
 * What takes the place of the panel for a while: a report, a ruling or a judgement. `head` and `below` stand above and below
 * the felt, `felt` is the felt to show, and `enter` does what Enter does; it returns false if that is nothing.
 *
 * @typedef {{ kind: string, panel: () => Child[], enter: () => boolean, head?: () => HTMLElement, below?: () => HTMLElement,
 *   felt?: () => api.ChairFelt, said?: () => string, leave?: () => void }} Sheet
 */

const TICK = 1000;
/** The shortest time between two requests for the view, in milliseconds. */
const SOONEST = 250;
/** In an exam with a limit, one notice is given when this many milliseconds are left. */
const LAST_MINUTE = 60000;
/** The number of felts that are kept for a replay. */
const MOST_MOMENTS = 12;
const BELL = "M12 4a5 5 0 0 0-5 5c0 5-2 6-2 7h14c0-1-2-2-2-7a5 5 0 0 0-5-5zM10 19a2 2 0 0 0 4 0";
const NOTE = "M6 4h12v16H6zM12 8v5M12 16v.5";

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
  draft = new Draft();
  /** @type {Refused | null} The refusal of the last act. */
  refused = null;
  /** @type {Sheet | null} */
  sheet = null;
  /** @type {import("./ruling.js").Moment[]} The felts of this round, for the replay of a moment. */
  history = [];
  /** The seat that a phone shows. */
  opened = 1;
  /** The sheet that a phone or a tablet shows: "", "panel" or "palette". */
  drawer = "";
  /** The local time at which the view arrived, in milliseconds. */
  received = 0;
  left = false;
  wake = 0;
  ticking = 0;
  minuteSaid = false;
  changes = keyChanges();
  stop = () => {};

  /** @param {Context} context */
  constructor({ house, go, params, person, setTop, setSkips }) {
    this.house = house;
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
      "aria-label": "Your hand and your acts" });
    this.panel.addEventListener("scroll", ({ target }) => {
      const list = /** @type {Element} */ (target);
      if (list.matches(".done")) list.classList.toggle("scrolled", list.scrollTop > 4);
    }, { capture: true, passive: true });
    this.element = h("div", { class: "chair-room" });
    this.reader = reader(this.element, this.house);
    this.finder = new ActFinder({ acts: () => this.acts, keys: () => this.keys, pick: (act) => this.pick(act),
      changed: () => this.paint() });
    this.keyDialog = new KeyDialog({ acts: () => this.acts, keys: () => this.keys,
      change: (name, key) => this.changeKey(name, key), reset: () => this.resetKeys() });
    this.outbox = new Outbox({ store: `houseway-chair-${this.session}`,
      send: ({ key, act }) => this.house.post(this.path("/acts"), { key, act }),
      answered: (answer) => this.answered(answer), refused: (error) => this.refuse(error), changed: () => this.paint() });
  }

  path(what = "") {
    return `/api/training/${encodeURIComponent(this.session)}${what}`;
  }

  get acts() { return this.view?.acts ?? []; }

  get keys() { return keysOf(this.acts.map(({ name, key = "" }) => ({ name, key })), this.changes); }

  async start() {
    this.stop = listen({ digit: (digit) => this.digit(digit), act: (key) => this.letter(key), find: () => this.find(),
      enter: (target) => this.enter(target), back: () => this.putBack(), escape: () => this.escape(), sign: (sign) => this.sign(sign),
      list: () => this.showKeys(), felt: () => this.felt });
    this.ticking = setInterval(() => this.tick(), TICK);
    this.setTop({ title: "Dealer's chair", back: "/chair" });
    this.paint();
    await this.load();
    this.outbox.flush();
  }

  leave() {
    this.left = true;
    this.stop();
    clearInterval(this.ticking);
    clearTimeout(this.wake);
    this.outbox.leave();
    this.sheet?.leave?.();
  }

  /** Load the view, for the first time or because something may have happened by itself. */
  async load() {
    try {
      // Once the session is shown, what happens by itself happens when the page asks.
      const view = this.view ? (await this.house.post(this.path("/tick"), {})).view : await this.house.get(this.path());
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
    const wasLive = this.isLive;
    const motion = feltSnapshot(this.felt);
    this.view = view;
    this.received = Date.now();
    this.remember(before, view);
    this.sleep(view.progress === "open" ? view.wakes : null);
    if (!before) this.opened = seatsOf(view.felt)[0]?.seat ?? 1;
    if (view.stopped && !(this.sheet instanceof RulingSheet)) this.openRuling(view);
    if (before && view.judged > before.judged && !this.isExam) this.openReview(view.judged);
    if (view.progress !== "open" && this.isExam && before?.progress === "open") announce("The exam is over.");
    this.paint();
    this.speak(before, view);
    // A felt that a judgement covered, or covers now, is drawn anew: nothing on it has moved.
    if (before && wasLive && this.isLive) animateFelt(this.felt, motion);
  }

  /** @type {(before: api.ChairView | null, view: api.ChairView) => void} */
  remember(before, view) {
    if (before && before.felt.round !== view.felt.round) this.history = [];
    const last = [...(view.log ?? []), ...(view.announcements ?? [])].sort((a, b) => a.number - b.number).at(-1);
    const words = !last ? "" : last.who === "you" ? youDid(last.words) : last.who === "table" ? last.words : `${asTitle(last.who)} ${last.words}`;
    this.history = [...this.history, { felt: view.felt, time: last?.time ?? view.clock, words }].slice(-MOST_MOMENTS);
  }

  /** True if the felt shows the table as it is now, with things to press. */
  get isLive() { return !this.sheet || this.sheet.kind === "reporting"; }

  /** True if the session is an exam: it has no judgement until it ends. */
  get isExam() { return Boolean(this.view?.exam); }

  /**
   * @param {api.ChairView | null} before
   * @param {api.ChairView} view
   */
  speak(before, view) {
    if (!before) return;
    const last = before.announcements?.at(-1)?.number ?? 0;
    for (const { number, who, words } of view.announcements ?? []) {
      if (number > last && who === "table") announce(incidentWords(before.felt, view.felt) || words);
      else if (number > last && who !== "you") announce(`${asTitle(who)} ${words}.`);
    }
    for (const seat of seatsOf(view.felt)) {
      const old = seatsOf(before.felt).find((one) => one.seat === seat.seat);
      if (seat.says && seat.says !== old?.says) announce(`Seat ${seat.seat} says: ${seat.says}`);
    }
  }

  tick() {
    const { view } = this;
    if (!view) return;
    for (const clock of this.element.querySelectorAll(".chair-clock .time")) clock.textContent = clockText(this.now);
    const limit = view.exam?.left ?? null;
    const left = limit === null ? null : limit - (Date.now() - this.received);
    if (left !== null && left <= LAST_MINUTE && left > 0 && !this.minuteSaid) {
      this.minuteSaid = true;
      announce("One minute is left.");
      this.paint();
    }
  }

  /** The time of the session in milliseconds. It stands while play is stopped or the session is over. */
  get now() {
    const { view } = this;
    if (!view) return 0;
    return view.progress === "open" ? view.clock + Date.now() - this.received : view.clock;
  }

  // --- acts ---

  /** @param {import("./draft.js").Act} act */
  pick(act) {
    this.drawer = "";
    if (act.type === "ReportIrregularity") {
      this.report();
      return;
    }
    if (this.draft.pick(act)) this.perform();
    else {
      // Details that cannot be pressed on the felt are asked for in the panel.
      if (this.draft.asksInPanel) this.drawer = "panel";
      this.paint();
      // A number of cards is typed.
      /** @type {HTMLInputElement | null} */ (this.panel.querySelector("[data-key=count] input.count"))?.focus();
    }
  }

  /**
   * A thing on the felt was pressed.
   *
   * @param {Thing} thing
   */
  press(thing) {
    const { draft } = this;
    if (this.sheet) return;
    if ("seat" in thing) this.opened = thing.seat;
    if (thing.kind === "tube") this.cut(thing.value);
    else if (thing.kind === "deck") this.pickType("DealCards");
    else if (thing.kind === "rack") this.pickType("Rack");
    else if (thing.kind === "cover") this.finder.show("cover card");
    else if (draft.select(thing)) this.perform();
    else this.paint();
  }

  /** @param {string} type */
  pickType(type) {
    const act = this.acts.find((one) => one.type === type);
    if (act) this.pick(act);
  }

  /**
   * Take a chip out of a tube.
   *
   * @param {number} value
   */
  cut(value) {
    const { draft } = this;
    const pay = this.acts.find((one) => one.type === "Pay");
    // Chips are for paying, unless the dealer changes chips.
    if (pay && (!draft.act || !draft.takesChips)) draft.pick(pay);
    draft.setHand([...draft.hand, value]);
    announce(`${cutText(draft.hand)}`);
    this.paint();
  }

  /** Put back the last chip; without chips, clear the hand. */
  putBack() {
    const { draft } = this;
    if (!draft.any || this.sheet) return false;
    if (draft.hand.length) {
      draft.setHand(draft.hand.slice(0, -1));
      announce(draft.hand.length ? cutText(draft.hand) : "no chips in your hand");
    } else draft.clear();
    this.paint();
    return true;
  }

  /** Do the act in the draft. */
  perform() {
    const { draft } = this;
    if (!draft.complete) return;
    const act = draft.toAct();
    const seat = draft.details.seat;
    draft.clearDetails();
    if (this.drawer === "panel") this.drawer = "";
    if (["Pay", "Take", "Push"].includes(act.type) && seat) {
      // The place stays in front of the dealer until another one is pressed.
      Object.assign(draft.details, { seat, place: `seat ${seat}` });
    }
    this.refused = null;
    this.outbox.add(act);
    this.paint();
  }

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

  report() {
    if (!this.view || this.sheet) return;
    this.draft.clear();
    this.sheet = new ReportForm({ view: this.view, changed: () => this.paint(), close: () => this.closeSheet(),
      send: (irregularity) => this.house.post(this.path("/rulings"), { key: randomHex(16), irregularity }),
      answered: (answer) => this.ruled(answer) });
    this.paint();
    this.panel.focus({ preventScroll: true });
  }

  /** @param {api.RulingAnswer} answer */
  ruled({ view }) {
    this.sheet = null;
    this.take(view);
  }

  /** @param {api.ChairView} view */
  openRuling(view) {
    this.draft.clear();
    this.sheet = new RulingSheet({ house: this.house, path: this.path("/rulings"), view, history: this.history, changed: () => this.paint(),
      done: (next) => {
        this.sheet = null;
        this.take(next);
      } });
  }

  /** @param {number} round */
  openReview(round) {
    this.draft.clear();
    const sheet = new RoundReviewSheet({ house: this.house, path: this.path(`/rounds/${round}`), round,
      view: /** @type {api.ChairView} */ (this.view), changed: () => this.paint(), close: () => this.closeSheet(),
      showSeat: (seat) => { this.opened = seat; } });
    this.sheet = sheet;
    sheet.load();
  }

  closeSheet() {
    this.sheet?.leave?.();
    this.sheet = null;
    this.paint();
  }

  // --- keys ---

  /** @param {number} digit */
  digit(digit) {
    const { draft, view } = this;
    if (!view || this.sheet) return false;
    if (draft.isCounted && draft.type !== "CountStub" && !draft.cuts) {
      if (digit < 1) return false;
      draft.setCount(digit);
    } else if (draft.type === "ReadHand" || draft.type === "Key") {
      const name = view.hands[digit === 0 ? 9 : digit - 1];
      if (!name) return false;
      if (draft.type === "Key") draft.details.award = name;
      else draft.details.reads = name;
      announce(name);
    } else {
      const value = tubesOf(view.tray)[digit - 1];
      if (value === undefined) return false;
      this.cut(value);
    }
    this.paint();
    return true;
  }

  /**
   * Plus, minus and equals announce a result: the player wins, loses or pushes; the dealer qualifies or does not.
   *
   * @param {string} sign
   */
  sign(sign) {
    const { draft } = this;
    if (draft.type !== "ReadHand" || this.sheet) return false;
    if (draft.details.place === "dealer") draft.details.qualifies = sign === "+" ? true : sign === "-" ? false : null;
    else draft.details.result = sign === "+" ? "win" : sign === "-" ? "lose" : "tie";
    this.paint();
    return true;
  }

  /** @param {string} key */
  letter(key) {
    if (this.sheet) return false;
    const name = [...this.keys].find(([, used]) => used === key)?.[0];
    const act = this.acts.find((one) => one.name === name);
    if (!act) return false;
    this.pick(act);
    return true;
  }

  find() {
    if (this.sheet) return false;
    this.finder.show();
    return true;
  }

  /** @param {Element} target */
  enter(target) {
    const { draft, sheet } = this;
    if (sheet) return !target.closest("button, a, input, select") && sheet.enter();
    const button = target.closest("button");
    // Enter on the thing that is already selected does the act; on anything else, it presses that thing.
    const again = button?.closest(".place.picked, .middle-row") && draft.complete;
    if ((button && !again) || !draft.complete) return false;
    this.perform();
    return true;
  }

  escape() {
    if (this.sheet instanceof ReportForm) this.closeSheet();
    else if (this.drawer) this.drawer = "";
    else if (this.draft.any) this.draft.clear();
    else return false;
    this.paint();
    return true;
  }

  showKeys() {
    this.keyDialog.open();
    return true;
  }

  /** @type {(name: string, key: string) => void} */
  changeKey(name, key) {
    this.changes = changeKey(this.acts.map((act) => ({ name: act.name, key: act.key ?? "" })), this.changes, name, key);
    storeKeys(this.changes);
    this.paint();
  }

  resetKeys() {
    this.changes = {};
    storeKeys({});
    this.paint();
  }

  // --- rendering ---

  paint() {
    const { view, sheet } = this;
    if (!view || this.failed) {
      morph(this.element, [absence(/** @type {Refused | null} */ (this.failed), () => this.retryLoad()), this.reader]);
      return;
    }
    const names = ["chair-room", this.drawer && `shows-${this.drawer}`, this.draft.asksInPanel && "asking", sheet?.kind].filter(Boolean).join(" ");
    if (this.element.className !== names) this.element.className = names;
    this.setTopOnce(view);
    // The acts are not on the screen while a ruling or a judgement is.
    this.setSkips(sheet?.below ? SKIPS.slice(1) : SKIPS);
    morph(this.element, [this.main, this.panel, this.keyDialog.element(), this.reader]);
    morph(this.main, [sheet?.head?.(), this.sheet?.head ? null : corners(view), seatPills(view, this.opened, this.now, (seat) => this.openSeat(seat)), this.stage, sheet?.below ? sheet.below() : this.bar]);
    const felt = sheet?.felt?.() ?? view.felt;
    paintFelt(this.felt, view, felt, !this.isLive ? { compact: true, said: sheet?.said?.(), opened: this.opened }
      : { draft: this.draft, press: (thing) => this.press(thing), opened: this.opened, said: saidLine(view) });
    this.rove();
    morph(this.bar, [notices(view, this.outbox, this.refused, () => this.dismiss()), this.strip(view), palette(view.acts, this.keys, this.draft.act?.name ?? "", (act) => this.pick(act), () => this.toggle("palette")),
      this.foot(view)]);
    markOverflow(this.bar);
    morph(this.panel, sheet ? sheet.panel() : this.panelContent(view));
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

  /** Make one thing of the felt reachable with Tab; the arrows move between the others. */
  rove() {
    const all = things(this.felt);
    const current = all.find((one) => one === document.activeElement) ?? all.find((one) => one.tabIndex === 0) ?? all[0];
    for (const one of all) one.tabIndex = one === current ? 0 : -1;
  }

  /**
   * The dealer's hand in the bar, for screens on which the panel is a drawer.
   *
   * @param {api.ChairView} view
   */
  strip(view) {
    if (!this.draft.any) return null;
    return h("div", { class: "hand-strip", "data-key": "strip" }, handStrip(view, this.draft, this.handlers));
  }

  /** @returns {import("./hand_panel.js").Handlers} */
  get handlers() {
    return { changed: () => this.paint(), putBack: () => this.putBack(), perform: () => this.perform(),
      select: (thing) => this.press(thing) };
  }

  /** @param {api.ChairView} view */
  foot(view) {
    return h("div", { class: "palette-foot", "data-key": "foot" }, this.finder.element(),
      h("p", { class: "small" }, "Every act is open at any time. Or press the thing itself: a card, a circle, a tube, the ",
        view.mode === "device" ? "machine" : "deck", ", the rack."),
      h("button", { type: "button", class: "quiet-button", "data-key": "keys", onclick: () => this.showKeys() }, "Keys"),
      h("div", { class: "drawer-buttons", "data-key": "drawers" },
        h("button", { type: "button", class: "button", "data-key": "palette", "aria-expanded": String(this.drawer === "palette"),
          onclick: () => this.toggle("palette") }, "Acts"),
        h("button", { type: "button", class: "button", "data-key": "panel", "aria-expanded": String(this.drawer === "panel"),
          onclick: () => this.toggle("panel") }, "Your hand"), this.always("bar")));
  }

  /** @param {string} drawer */
  toggle(drawer) {
    this.drawer = this.drawer === drawer ? "" : drawer;
    this.paint();
  }

  /**
   * The two acts that are always in the same place.
   *
   * @param {"bar" | "panel"} where
   */
  always(where) {
    /** @type {(type: string, sign: string) => HTMLElement | false} */
    const one = (type, sign) => {
      const act = this.acts.find((option) => option.type === type);
      if (!act) return false;
      return h("button", { type: "button", class: "button always", "data-key": `${where}-${type}`, onclick: () => this.pick(act) },
        picture("0 0 24 24", { class: "sign-art" }, s("path", { d: sign })), h("span", {}, act.name),
        h("kbd", { "aria-hidden": "true" }, this.keys.get(act.name) ?? ""));
    };
    return [one("CallFloor", BELL), one("ReportIrregularity", NOTE)];
  }

  /** @param {api.ChairView} view */
  panelContent(view) {
    const exam = this.isExam;
    return [
      panelHead(view, this.now, () => this.toggle("panel")),
      this.minuteSaid && view.progress === "open" && h("p", { class: "small last-minute", "data-key": "minute" }, "One minute is left."),
      handPanel(view, this.draft, this.handlers),
      h("section", { class: "did", "data-key": "did", "aria-labelledby": "did" }, h("h2", { id: "did" }, "What you did"),
        actLog(view, this.draft)),
      h("footer", { class: "panel-foot", "data-key": "foot" }, this.always("panel"),
        h("p", { class: "small" }, exam ? "This is an exam. Your acts are judged when it is over."
          : view.way === "live" ? "A wrong act is refused, with its clause, and changes nothing."
          : "In training, a mistake stands until you correct it. Your acts are judged after the round.")),
    ];
  }
}
