// Learn the game: a guided first round. The server plays the round with the choices; this room shows it page by page.

import { h, isCovered, morph } from "../../kit/dom.js";
import { patchedViews } from "../../kit/patch.js";
import { referenceSheet, toggleReference } from "../../kit/reference.js";
import { ended } from "../../kit/words.js";
import { onSettings, pace, reducedMotion, setting } from "../../settings.js";
import { reader, refusals } from "../parts.js";
import { polite } from "../table/announce.js";
import { Felt } from "../table/felt.js";
import { animateChanges, snapshot } from "../table/motion.js";
import { Player } from "../table/player.js";
import { prompt, shownLine } from "../table/prompt.js";
import { splitChoices } from "../table/state.js";
import { holds, stepsOf } from "../table/steps.js";
import { textTable } from "../table/text.js";
import { listen } from "./practice/keys.js";
import { pagePanel } from "./learn/page_panel.js";
import { pageSpeech } from "./learn/speech.js";

const LESSON = "first-round";
const SMALL = 700;
const ADDRESS = "/school/learn";
/** Milliseconds after which the parts of a page have their height. */
const DRAWN = 60;

/** @param {import("../../app.js").Context} context */
export default function room({ client, setTop, setSkips }) {
  const lesson = new LearnRoom(client);
  setTop({ title: "Learn the game", back: "/school" });
  setSkips([["Skip to the explanation", "idea"], ["Skip to the table", "board"]]);
  const { round, choices } = fromAddress();
  lesson.play(round, choices);
  return { element: lesson.element, leave: () => lesson.leave() };
}

export class LearnRoom {
  /** @type {api.LessonReply | null} */
  reply = null;
  /** @type {api.TableWords | null} The hand classes, loaded when a page shows them. */
  words = null;
  /** The page that is shown, counted from 0. */
  at = 0;
  /** @type {unknown} */
  refused = null;
  sending = false;
  closed = false;
  /** @type {api.View[]} The view after each update of the round. */
  views = [];
  /** @type {import("../table/felt.js").Script | null} The dealer's last words. */
  spoken = null;
  /** @type {Felt | null} */
  felt = null;

  /** @param {import("../../api_client.js").ApiClient} client */
  constructor(client) {
    this.client = client;
    this.player = new Player({ pace, show: (step) => this.show(step.view, step.updates) });
    this.frame = h("div", { class: "felt-frame replayed learn-felt" });
    this.panel = h("section", { class: "idea", id: "idea", "aria-label": "Explanation", tabindex: "-1" });
    this.sheet = h("div", {});
    this.element = h("div", { class: "learn-room" }, this.frame, this.panel, this.sheet);
    this.element.append(reader(this.element, client));
    this.resizeObserver = new ResizeObserver(() => this.fit());
    this.resizeObserver.observe(this.frame);
    this.stopListening = listen({ press: (key) => this.press(key), next: () => this.next() });
    /** @param {KeyboardEvent} event */
    this.arrow = (event) => this.pressArrow(event);
    addEventListener("keydown", this.arrow);
    this.stopSettings = onSettings(() => this.reply && this.show(this.viewAt(this.at), []));
    this.paint();
  }

  leave() {
    this.closed = true;
    this.player.stop();
    this.resizeObserver.disconnect();
    this.stopListening();
    this.stopSettings();
    removeEventListener("keydown", this.arrow);
  }

  /** The page that is shown, or null before the first reply. */
  get page() { return this.reply?.pages[this.at] ?? null; }

  /** True if the choice of this page is not made yet. */
  get awaited() { return Boolean(this.page?.choices?.length && !this.page.chosen); }

  /** The choices that were made up to the page that is shown. */
  get made() { return (this.reply?.pages ?? []).slice(0, this.at).flatMap(({ chosen }) => chosen || []); }

  // --- the lesson ---

  /**
   * Play a round with these choices, and show the first page after the last one.
   *
   * @param {number} round
   * @param {readonly string[]} choices
   */
  async play(round, choices) {
    if (this.sending) return;
    this.sending = true;
    this.again = () => this.play(round, choices);
    this.paint();
    try {
      const reply = await this.client.post(`/api/lessons/${LESSON}`, { round, choices });
      if (this.closed) return;
      const before = this.reply?.round === round && choices.length > 0;
      Object.assign(this, { sending: false, refused: null });
      this.take(reply, before);
    } catch (refused) {
      if (this.closed) return;
      Object.assign(this, { sending: false, refused });
      this.paint();
    }
  }

  /**
   * @param {api.LessonReply} reply
   * @param {boolean} goesOn True if the reply continues the round that is shown.
   */
  take(reply, goesOn) {
    this.reply = reply;
    if (!goesOn) this.spoken = null;
    this.views = patchedViews(reply.view, reply.pages.flatMap(({ updates }) => updates));
    morph(this.sheet, [referenceSheet(this.client, reply.rulebook)]);
    if (!goesOn) {
      this.at = reply.fresh;
      this.felt = null;
      this.fit();
    }
    this.open(reply.fresh, goesOn);
  }

  /**
   * Show a page.
   *
   * @param {number} at
   * @param {boolean} forwards True to play the events that lead to it.
   */
  open(at, forwards) {
    if (!this.reply) return;
    this.at = at;
    writeAddress(this.reply.round, this.made);
    this.player.stop();
    const { updates } = this.reply.pages[at];
    const first = this.eventsBefore(at);
    const seat = this.reply.view.yours.seat;
    if (forwards && updates.length && !reducedMotion()) {
      this.player.add(stepsOf(this.views.slice(first, first + updates.length), updates,
        holds(updates.map(({ event }) => event), seat)));
    } else {
      this.show(this.viewAt(at), updates);
    }
    if (this.page?.shows === "hands") this.loadWords();
    this.paint();
    // The heading gets the focus, so a screen reader reads it anyway.
    polite(pageSpeech(this.reply.pages[at], this.viewAt(at)));
    /** @type {HTMLElement | null} */ (this.panel.querySelector("h2"))?.focus({ preventScroll: true });
    if (at > 0) setTimeout(() => this.panel.querySelector(".idea-text")?.scrollIntoView({ block: "nearest" }), DRAWN);
  }

  /** Show the next page or, at the end of a round, the next round. Return false if a choice must be made first. */
  next() {
    const { reply } = this;
    if (!reply || this.sending) return false;
    if (this.player.busy) this.player.finish();
    if (this.at < reply.pages.length - 1) this.open(this.at + 1, true);
    else if (reply.over && reply.round < reply.rounds.length) this.play(reply.round + 1, []);
    else return false;
    return true;
  }

  /** Show the page before this one. */
  back() {
    if (this.at > 0) this.open(this.at - 1, false);
    else if (this.reply && this.reply.round > 1) this.play(this.reply.round - 1, []);
    else return false;
    return true;
  }

  /** @param {string} choice */
  choose(choice) {
    if (this.reply && this.page?.choices?.some((one) => one.choice === choice)) this.play(this.reply.round, [...this.made, choice]);
  }

  async loadWords() {
    if (this.words || !this.reply) return;
    try {
      this.words = await this.client.get(`/api/rulebooks/${encodeURIComponent(this.reply.rulebook)}/words`);
    } catch (refused) {
      this.refused = refused;
    }
    this.paint();
  }

  // --- keys ---

  /** @param {string} key */
  press(key) {
    if (key.toLowerCase() === "g") return toggleReference();
    if (key.toLowerCase() === "s" && this.page) {
      polite(`${ended(this.page.title)} ${pageSpeech(this.page, this.viewAt(this.at))}`);
      return true;
    }
    const choice = this.page?.choices?.find((one) => one.key.toLowerCase() === key.toLowerCase());
    if (choice) this.choose(choice.choice);
    return Boolean(choice);
  }

  /** @param {KeyboardEvent} event */
  pressArrow({ key, target, ctrlKey, metaKey, altKey }) {
    if (isCovered() || ctrlKey || metaKey || altKey || /** @type {Element} */ (target).closest?.("input, select, textarea, [popover], hw-drawer")) return;
    if (key === "ArrowRight") this.next();
    if (key === "ArrowLeft") this.back();
  }

  // --- drawing ---

  /** Return the number of events before a page. @param {number} at */
  eventsBefore(at) {
    return (this.reply?.pages ?? []).slice(0, at).reduce((all, { updates }) => all + updates.length, 0);
  }

  /** Return the view of a page. @param {number} at */
  viewAt(at) {
    const { view, pages } = /** @type {api.LessonReply} */ (this.reply);
    return this.views[this.eventsBefore(at) + pages[at].updates.length - 1] ?? view;
  }

  fit() {
    const compact = this.frame.clientWidth < SMALL;
    if (this.reply && (!this.felt || this.felt.compact !== compact)) {
      this.felt = new Felt({ seat: this.reply.view.yours.seat ?? 0, compact });
      this.show(this.viewAt(this.at), []);
    }
  }

  /**
   * Draw the table, and animate what is new.
   *
   * @param {api.View} view
   * @param {api.Update[]} updates
   */
  show(view, updates) {
    const { reply, felt } = this;
    if (!reply || !felt) return;
    const script = this.scriptAt(view, updates);
    if (setting("text") === "on") {
      morph(this.frame, [h("div", { class: "text-frame" }, textTable(view, reply.sheet, { script }))]);
      return;
    }
    if (felt.element.parentNode !== this.frame) this.frame.replaceChildren(felt.element);
    const before = snapshot(felt.element);
    felt.paint(view, reply.sheet, { script });
    if (updates.length) animateChanges(felt.element, before);
    this.paint();
  }

  /**
   * Return what the dealer says: the question to the learner, or the last words.
   *
   * @param {api.View} view
   * @param {api.Update[]} updates
   */
  scriptAt(view, updates) {
    const { answers } = splitChoices(view);
    const line = updates.flatMap(({ script }) => script ?? []).filter(({ spoken }) => spoken).at(-1);
    if (line) this.spoken = shownLine(line);
    return view.waits.why === "decision" && answers.length ? prompt(view.yours.seat ?? 0, answers) : this.spoken;
  }

  paint() {
    if (this.closed) return;
    morph(this.panel, pagePanel(this, refusals(this.refused)));
  }
}

/** Return the round and the choices in the address. */
function fromAddress() {
  const given = new URLSearchParams(location.search);
  return { round: Math.max(1, Number(given.get("round")) || 1), choices: given.getAll("choice") };
}

/**
 * @param {number} round
 * @param {readonly string[]} choices
 */
function writeAddress(round, choices) {
  const query = new URLSearchParams(round > 1 ? { round: String(round) } : {});
  for (const choice of choices) query.append("choice", choice);
  history.replaceState(null, "", `${ADDRESS}${query.size ? `?${query}` : ""}`);
}
