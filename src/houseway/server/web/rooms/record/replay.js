// @ts-nocheck
// One round again: the felt at an event, a scrubber over all, the story beside it, the seal checked.

import "../../kit/scrubber.js";
import "../../kit/seal.js";
import { h, morph, picture, s } from "../../kit/dom.js";
import { tableSaid, titled } from "../../kit/words.js";
import { saltGiven, sealSeen } from "../../seals.js";
import { pace, setting } from "../../settings.js";
import { verify } from "../../verify.js";
import { copyLink, refusals, segmented } from "../parts.js";
import { Felt } from "../table/felt.js";
import { roundPath, whenSaid } from "./lists.js";
import { storyOnPaper, told } from "./story.js";

const HOLD = 700;
const SMALL = 700;
const SIGNS = {
  first: "M11 6 5 12l6 6V6zm8 0-6 6 6 6V6z", back: "M7 6v12M17 6l-7 6 7 6V6z", play: "M8 5v14l11-7z",
    pause: "M9 6v12M15 6v12",
  next: "M17 6v12M7 6l7 6-7 6V6z",
};

const tablePath = (table) => `/api/tables/${encodeURIComponent(table)}`;

export class Replay {
  constructor(house, table, number, setTop) {
    Object.assign(this, { house, table, number, setTop, at: 0, sights: [], state: "unchecked" });
    const address = new URLSearchParams(location.search);
    this.role = address.get("as") ?? "";
    this.wanted = Number(address.get("event"));
    this.head = h("header", {});
    this.bench = h("div", { class: "bench-below" });
    this.stage = h("div", { class: "felt-frame replayed" });
    this.paper = h("article", { class: "told paper", tabindex: "-1" });
    this.element = h("div", { class: "record" },
      h("div", { class: "watched" }, this.head, this.stage, this.bench), this.paper);
    this.element.addEventListener("seek", ({ detail }) => this.seek(detail));
    this.element.addEventListener("check", () => this.check());
    this.pressed = (event) => this.key(event);
    this.sized = new ResizeObserver(() => this.fit());
  }

  async start() {
    addEventListener("keydown", this.pressed);
    this.sized.observe(this.stage);
    this.setTop({ title: `Round ${this.number}`, back: "/record" });
    this.paint();
    try {
      [this.sheet, this.found] = await Promise.all([this.house.get(tablePath(this.table)), this.ask("")]);
      // Who names no role sees the round from the own seat, if there was one; a link from somebody else's
      // seat shows what everybody saw.
      const { roles, seen_as: all } = this.found;
      const role = this.role || roles[0];
      if (role !== all && (roles.includes(role) || !role.startsWith("seat "))) {
        this.found = await this.ask(role);
      }
      this.take();
      this.check();
    } catch (refused) {
      this.refused = refused;
      this.paint();
    }
  }

  leave() {
    this.gone = true;
    clearTimeout(this.timer);
    this.sized.disconnect();
    removeEventListener("keydown", this.pressed);
  }

  path(what = "") {
    return `${tablePath(this.table)}/rounds/${this.number}${what}`;
  }

  ask(role) {
    return this.house.get(`${this.path()}${role ? `?as=${encodeURIComponent(role)}` : ""}`);
  }

  /** Lay out what somebody saw, a whole sight for every event. */
  take() {
    const { steps, seen_as: role } = this.found;
    this.role = role;
    let sight = { waits: { why: "closed", seats: [] }, people: {} };
    let script = null;
    this.sights = steps.map((step) => {
      sight = { ...sight, ...step.sight };
      script = step.moment.script?.at(-1) ?? script;
      return { sight, script };
    });
    const event = this.wanted || Number(this.at + 1);
    this.at = Math.max(0, Math.min(steps.length - 1, event - 1));
    if (!this.wanted && !this.felt) this.at = steps.length - 1;
    this.felt = null;
    this.fit();
  }

  fit() {
    const compact = this.stage.clientWidth < SMALL;
    if (this.found && (!this.felt || this.felt.compact !== compact)) {
      this.felt = new Felt({ seat: Number(this.role.match(/^seat (\d+)$/)?.[1] ?? 0), compact });
      this.stage.replaceChildren(this.felt.element);
    }
    this.paint();
  }

  async seeAs(role) {
    this.pause();
    try {
      this.found = await this.ask(role);
      this.wanted = this.at + 1;
      this.take();
      this.write();
      await this.check();
    } catch (refused) {
      this.refused = refused;
      this.paint();
    }
  }

  // --- moving through the round ---

  seek(at) {
    this.at = Math.max(0, Math.min(this.sights.length - 1, at));
    this.write();
    this.paint();
  }

  /** The address of what is shown. */
  get address() {
    return `${roundPath(this.table, this.number)}?as=${encodeURIComponent(this.role)}&event=${this.at + 1}`;
  }

  write() {
    history.replaceState(null, "", this.address);
  }

  play() {
    if (this.at >= this.sights.length - 1) this.at = 0;
    this.playing = true;
    this.paint();
    this.tick();
  }

  tick() {
    this.timer = setTimeout(() => {
      this.seek(this.at + 1);
      if (this.at < this.sights.length - 1) this.tick();
      else this.pause();
    }, HOLD * pace());
  }

  pause() {
    clearTimeout(this.timer);
    this.playing = false;
    this.paint();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  key(event) {
    const busy = event.target.closest?.("input:not([type=range]), select, textarea, button, a, summary");
    if (!this.found || event.ctrlKey || event.metaKey || event.altKey || setting("keys") !== "on") return;
    const acts = { ",": () => this.seek(this.at - 1), ".": () => this.seek(this.at + 1),
      Home: () => this.seek(0),
      End: () => this.seek(this.sights.length - 1), ...(busy ? {} : { " ": () => this.toggle() }) };
    if (!acts[event.key] || event.target.matches?.("input:not([type=range]), select, textarea")) return;
    event.preventDefault();
    acts[event.key]();
  }

  // --- the seal ---

  /** Check the cards that were seen against the seal, here in the browser. */
  async check() {
    this.seal = this.sights.at(-1)?.sight.seen.seal ?? "";
    if (!this.seal) return;
    this.state = "checking";
    this.paint();
    try {
      const proofs = await this.house.get(`${this.path("/proofs")}?as=${encodeURIComponent(this.role)}`);
      const kept = sealSeen(this.table, this.number);
      const seal = kept || this.seal;
      this.proof = await verify(proofs,
        { seal, round: this.number, shown: this.shown(), salt: saltGiven(seal) });
      this.proof.kept = Boolean(kept);
      this.state = this.proof.faults.length ? "differs" : "matches";
    } catch (refused) {
      this.state = "unchecked";
      this.unproved = refused;
    }
    if (!this.gone) this.paint();
  }

  /** Every card seen in the round, by the place it was dealt to. */
  shown() {
    const { seen } = this.sights.at(-1).sight;
    const found = { board: [...(seen.board ?? [])], dealer: [...(seen.dealer ?? [])] };
    for (const { seat, cards } of seen.hands ?? []) (found[`seat ${seat}`] ??= []).push(...cards);
    const own = this.sights.map(({ sight }) => (sight.yours.cards ?? []).flat());
    const most = own.reduce((a, b) => (b.length > a.length ? b : a), []);
    if (most.length > (found[this.role]?.length ?? 0)) found[this.role] = most;
    return found;
  }

  // --- what is shown ---

  paint() {
    const { found, at } = this;
    morph(this.head, [h("h1", {}, `Round ${this.number}`),
      found && h("p", { class: "quiet" },
        [tableSaid(found.name || found.table), found.rulebook, whenSaid(found.at)].filter(Boolean)
          .join(", ")),
      found && h("div", { class: "seen-as" }, h("span", { class: "quiet" }, "Seen as"),
        segmented("Seen as", found.roles.map((role) => [role, titled(role)]), found.seen_as,
          (role) => this.seeAs(role)))].filter(Boolean));
    if (!found || !this.felt) {
      morph(this.bench, this.refused ? refusals(this.refused)
        : [h("p", { class: "quiet" }, "Looking the round up.")]);
      return;
    }
    const { sight, script } = this.sights[at];
    this.felt.paint(sight, this.sheet, { script });
    morph(this.bench, [
      h("hw-scrubber", { "data-key": "scrubber", ".phases": found.phases, ".count": this.sights.length,
        ".at": at, ".said": this.said }),
      this.bar(),
      this.seal && h("hw-seal", { "data-key": "seal", state: this.state, seal: this.seal,
        ".proof": this.proof,
        file: `${this.path("/proofs")}?as=${encodeURIComponent(this.role)}` }),
      ...refusals(this.refused ?? this.unproved),
    ].filter(Boolean));
    this.story();
  }

  /** What the event shown is: as the record tells it, or else which step of the dealer it belongs to. */
  get said() {
    const { event, tells, script } = this.found.steps[this.at].moment;
    if (tells) return tells;
    if (event.step) return `The dealer's step: ${event.step}`;
    return event.what ? `Into the rack: ${event.what}` : script?.at(-1)?.says ?? "";
  }

  bar() {
    const { found, at } = this;
    const last = this.sights.length - 1;
    const phase = found.phases.find(({ from, to }) => at >= from && at <= to)?.name;
    const act = (sign, words, does, off) =>
      h("button", { type: "button", class: sign === "play" || sign === "pause" ? "step main" : "step",
      "aria-label": words, disabled: off, onclick: does, "data-key": sign === "pause" ? "play" : sign },
    picture("0 0 24 24", {}, s("path", { d: SIGNS[sign] })));
    return h("div", { class: "playing", "data-key": "bar" },
      h("div", { class: "steps-bar" }, act("first", "To the first event", () => this.seek(0), at === 0),
        act("back", "One event back", () => this.seek(at - 1), at === 0),
        act(this.playing ? "pause" : "play", this.playing ? "Pause" : "Play", () => this.toggle()),
        act("next", "One event on", () => this.seek(at + 1), at === last)),
      h("p", { class: "event" }, h("strong", {}, [`Event ${at + 1} of ${last + 1}`, phase]
        .filter(Boolean).join(" · ")), h("span", {}, told(this.said))),
      h("div", { class: "acts" }, copyLink(this.address),
        h("a", { class: "button", download: "",
          href: `${tablePath(this.table)}/export?as=${this.role.replace(" ", ":")}` }, "Export")));
  }

  story() {
    morph(this.paper, storyOnPaper(this.found.story, this.at, (at) => this.seek(at)));
    const now = this.paper.querySelector(".current");
    if (now && now !== this.marked) {
      const inner = this.paper.scrollHeight > this.paper.clientHeight + 1;
      if (inner) this.paper.scrollTo({ top: now.offsetTop - this.paper.clientHeight / 2 });
    }
    this.marked = now;
  }
}
