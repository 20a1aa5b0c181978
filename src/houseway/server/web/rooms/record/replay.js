// The replay of a round: the felt at one event, a timeline, the story and the check of the seal.

import "../../kit/scrubber.js";
import "../../kit/seal.js";
import { segmented } from "../../kit/choices.js";
import { h, morph, picture, s } from "../../kit/dom.js";
import { patchedViews } from "../../kit/patch.js";
import { seatOf } from "../../kit/places.js";
import { asTitle, tableTitle } from "../../kit/words.js";
import { pace, setting } from "../../settings.js";
import { copyLink, refusals } from "../parts.js";
import { Felt } from "../table/felt.js";
import { Player } from "../table/player.js";
import { stepsOf } from "../table/steps.js";
import { DisputeSheet, disputeRole } from "./dispute.js";
import { eventText, scriptUpTo } from "./event_text.js";
import { roundPath, timeText } from "./lists.js";
import { SealCheck } from "./seal_check.js";
import { storySheet, formatSentence } from "./story.js";

const HOLD = 700;
const SMALL = 700;
/** @type {Record<string, string>} */
const SIGNS = {
  first: "M11 6 5 12l6 6V6zm8 0-6 6 6 6V6z", back: "M7 6v12M17 6l-7 6 7 6V6z", play: "M8 5v14l11-7z",
    pause: "M9 6v12M15 6v12",
  next: "M17 6v12M7 6l7 6-7 6V6z",
};

/** @param {string} table */
const tablePath = (table) => `/api/tables/${encodeURIComponent(table)}`;

export class Replay {
  /** @type {api.Replay | null} */
  round = null;
  /** @type {api.TableSheet | null} */
  sheet = null;
  /** @type {Felt | null} */
  felt = null;
  /** @type {unknown} The reason why loading failed. */
  refused = null;
  /** @type {Element | null} The highlighted sentence of the story. */
  marked = null;
  closed = false;
  /** The role in which the person may open a dispute; empty if there is none. */
  staff = "";

  /**
   * @param {import("../../api_client.js").ApiClient} client
   * @param {string} table
   * @param {number} number
   * @param {import("../../app.js").Context["setTop"]} setTop
   */
  constructor(client, table, number, setTop) {
    this.client = client;
    this.table = table;
    this.number = number;
    this.setTop = setTop;
    this.player = new Player({ pace, show: () => this.moved() });
    this.seal = new SealCheck({ client, table, round: number, changed: () => this.closed || this.paint() });
    this.dispute = new DisputeSheet({ client, path: this.path("/dispute"),
      changed: () => this.closed || this.paint() });
    const address = new URLSearchParams(location.search);
    this.role = address.get("as") ?? "";
    this.startEvent = Number(address.get("event"));
    this.head = h("header", {});
    this.bench = h("div", { class: "bench-below" });
    this.stage = h("div", { class: "felt-frame replayed" });
    this.paper = h("article", { class: "told paper", tabindex: "-1" });
    this.element = h("div", { class: "record" },
      h("div", { class: "watched" }, this.head, this.stage, this.bench), this.paper);
    this.element.addEventListener("seek", (event) =>
      this.seek(/** @type {CustomEvent<number>} */ (event).detail));
    this.element.addEventListener("check", () => this.check());
    /** @param {KeyboardEvent} event */
    this.pressed = (event) => this.key(event);
    this.resizeObserver = new ResizeObserver(() => this.fit());
  }

  async start() {
    addEventListener("keydown", this.pressed);
    this.resizeObserver.observe(this.stage);
    this.setTop({ title: `Round ${this.number}`, back: "/record" });
    this.paint();
    try {
      const [sheet, publicReplay, { you }] = await Promise.all(
        [this.client.get(tablePath(this.table)), this.ask(""), this.client.get("/api/house")]);
      this.sheet = sheet;
      this.staff = disputeRole(you, this.table);
      // Without a role in the address, show the round from the person's own seat, if there was one. A link to
      // another player's seat shows what everyone saw.
      const { roles, seen_as: all } = publicReplay;
      const role = this.role || roles[0];
      const own = role !== all && (roles.includes(role) || !seatOf(role));
      this.load(own ? await this.ask(role) : publicReplay);
      this.check();
    } catch (refused) {
      this.refused = refused;
      this.paint();
    }
  }

  leave() {
    this.closed = true;
    this.player.stop();
    this.resizeObserver.disconnect();
    removeEventListener("keydown", this.pressed);
  }

  path(what = "") {
    return `${tablePath(this.table)}/rounds/${this.number}${what}`;
  }

  /**
   * Load the round as a role saw it; without a role, as everyone saw it.
   *
   * @param {string} role
   * @returns {Promise<api.Replay>}
   */
  ask(role) {
    return this.client.get(`${this.path()}${role ? `?as=${encodeURIComponent(role)}` : ""}`);
  }

  /** The current event, counted from 0. */
  get at() { return Math.max(0, this.player.at); }

  /**
   * Load a replay and make a step for every event.
   *
   * @param {api.Replay} round
   */
  load(round) {
    const { view, updates, seen_as: role } = round;
    this.round = round;
    this.role = role;
    const steps = stepsOf(patchedViews(view, updates), updates, updates.map(() => HOLD));
    const first = this.felt ? this.at : steps.length - 1;
    this.player.load(steps, this.startEvent ? this.startEvent - 1 : first);
    this.felt = null;
    this.fit();
  }

  fit() {
    const compact = this.stage.clientWidth < SMALL;
    if (this.round && (!this.felt || this.felt.compact !== compact)) {
      this.felt = new Felt({ seat: seatOf(this.role), compact });
      this.stage.replaceChildren(this.felt.element);
    }
    this.paint();
  }

  /** @param {string} role */
  async seeAs(role) {
    this.pause();
    try {
      const round = await this.ask(role);
      this.startEvent = this.at + 1;
      this.load(round);
      this.write();
      await this.check();
    } catch (refused) {
      this.refused = refused;
      this.paint();
    }
  }

  // --- moving through the round ---

  /** @param {number} at */
  seek(at) {
    this.player.seek(at);
  }

  /** Update the address and the page after moving to another event. */
  moved() {
    this.write();
    this.paint();
  }

  /** The address of the current event. */
  get address() {
    return `${roundPath(this.table, this.number)}?as=${encodeURIComponent(this.role)}&event=${this.at + 1}`;
  }

  write() {
    history.replaceState(null, "", this.address);
  }

  pause() {
    this.player.pause();
    this.paint();
  }

  /** Pause, or play from the current event; after the last event, start over. */
  toggle() {
    const { player } = this;
    if (player.playing) {
      player.pause();
    } else {
      if (!player.busy) player.at = 0;
      player.play();
    }
    this.paint();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {Element} */ (event.target);
    const busy = target.closest?.("input:not([type=range]), select, textarea, button, a, summary");
    if (!this.round || event.ctrlKey || event.metaKey || event.altKey || setting("keys") !== "on") return;
    /** @type {Record<string, () => void>} */
    const acts = { ",": () => this.seek(this.at - 1), ".": () => this.seek(this.at + 1),
      Home: () => this.seek(0),
      End: () => this.seek(this.player.steps.length - 1), ...(busy ? {} : { " ": () => this.toggle() }) };
    if (!acts[event.key] || target.matches?.("input:not([type=range]), select, textarea")) return;
    event.preventDefault();
    acts[event.key]();
  }

  /** Check the cards seen against the seal. */
  check() {
    const views = this.player.steps.map(({ view }) => view);
    return this.seal.check(views, { role: this.role,
      file: `${this.path("/proofs")}?as=${encodeURIComponent(this.role)}` });
  }

  // --- rendering ---

  paint() {
    const { round, at, sheet, felt } = this;
    morph(this.head, [h("h1", {}, `Round ${this.number}`),
      round && h("p", { class: "quiet" },
        [tableTitle(round.name || round.table), round.rulebook, timeText(round.at)].filter(Boolean)
          .join(", ")),
      round && h("div", { class: "seen-as" }, h("span", { class: "quiet" }, "View as"),
        segmented("View as", round.roles.map((role) => /** @type {[string, string]} */ ([role, asTitle(role)])),
          round.seen_as,
          (role) => this.seeAs(role)))].filter(Boolean));
    const step = this.player.steps[at];
    if (!round || !felt || !sheet || !step) {
      morph(this.bench, this.refused ? refusals(this.refused)
        : [h("p", { class: "quiet" }, "Loading the round…")]);
      return;
    }
    felt.paint(step.view, sheet, { script: scriptUpTo(this.player.steps, at) });
    const words = eventText(step.updates[0]);
    morph(this.bench, [
      h("hw-scrubber", { "data-key": "scrubber", ".phases": round.phases, ".count": this.player.steps.length,
        ".at": at, ".description": words }),
      this.bar(round, words),
      this.seal.box(),
      ...refusals(this.refused ?? this.seal.refused),
    ].filter(Boolean));
    this.story(round);
  }

  /**
   * @param {api.Replay} round
   * @param {string} words The current event in words.
   */
  bar(round, words) {
    const { at, player: { steps, playing } } = this;
    const last = steps.length - 1;
    const phase = round.phases.find(({ from, to }) => at >= from && at <= to)?.name;
    /** @type {(sign: string, label: string, does: () => void, off?: boolean) => HTMLElement} */
    const act = (sign, label, does, off) =>
      h("button", { type: "button", class: sign === "play" || sign === "pause" ? "step main" : "step",
      "aria-label": label, disabled: off, onclick: does, "data-key": sign === "pause" ? "play" : sign },
    picture("0 0 24 24", {}, s("path", { d: SIGNS[sign] })));
    return h("div", { class: "playing", "data-key": "bar" },
      h("div", { class: "steps-bar" }, act("first", "First event", () => this.seek(0), at === 0),
        act("back", "Previous event", () => this.seek(at - 1), at === 0),
        act(playing ? "pause" : "play", playing ? "Pause" : "Play", () => this.toggle()),
        act("next", "Next event", () => this.seek(at + 1), at === last)),
      h("p", { class: "event" }, h("strong", {}, [`Event ${at + 1} of ${last + 1}`, phase]
        .filter(Boolean).join(" · ")), h("span", {}, formatSentence(words))),
      h("div", { class: "acts" }, this.staff && h("button", { type: "button", class: "button",
        "data-key": "dispute", "aria-pressed": String(this.dispute.shown),
        onclick: () => this.dispute.toggle(this.staff) }, "Dispute"), copyLink(this.address),
        h("a", { class: "button", download: "",
          href: `${tablePath(this.table)}/export?as=${this.role.replace(" ", ":")}` }, "Export the record")));
  }

  /** @param {api.Replay} round */
  story(round) {
    if (this.dispute.shown) {
      morph(this.paper, this.dispute.content());
      return;
    }
    morph(this.paper, storySheet(/** @type {any} */ (round.story), this.at, (at) => this.seek(at)));
    const now = /** @type {HTMLElement | null} */ (this.paper.querySelector(".current"));
    if (now && now !== this.marked) {
      const inner = this.paper.scrollHeight > this.paper.clientHeight + 1;
      if (inner) this.paper.scrollTo({ top: now.offsetTop - this.paper.clientHeight / 2 });
    }
    this.marked = now;
  }
}
