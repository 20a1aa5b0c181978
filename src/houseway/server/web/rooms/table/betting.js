// @ts-nocheck
// Placing wagers: chips on circles, sent as they lie whenever the house can take them.

import { chipFace } from "../../kit/art.js";
import { h } from "../../kit/dom.js";
import { listed, money, titled } from "../../kit/words.js";

const QUIET = 220;
const HOLD = 450;

export class Betting {
  /** `send(wagers)` puts them down, `changed()` repaints, `tell(head, text)` says why chips do not lie
   * where they were put, `kept` names where the last ones are kept. */
  constructor({ send, changed, tell, kept }) {
    Object.assign(this, { send, changed, tell, kept });
    this.draft = null;
    this.chip = 0;
  }

  /** Take in a new sight: what lies there is the house's word once nothing is on its way. */
  see(sight, sheet) {
    this.sheet = sheet;
    this.spots = sight.yours.spots ?? [];
    this.lies = sight.seen.bets?.[sight.yours.seat] ?? {};
    this.left = sight.yours.chips ?? 0;
    this.chips = sheet.chips;
    if (this.spots.length && !this.chips.includes(this.chip)) {
      this.chip = this.chips.find((cents) => cents >= this.spots[0].least) ?? this.chips[0];
    }
    if (!this.spots.length || !this.timer && !this.sending) this.draft = null;
  }

  get open() { return this.spots.length > 0; }

  /** Whether so few chips are left that nothing can be wagered. */
  broke(chips) {
    return this.open && !Object.keys(this.wagers).length && this.spots.every(({ least }) => chips < least);
  }

  /** What the seat wants to have out: by wager, twins left out. */
  get wagers() {
    if (this.draft) return this.draft;
    return Object.fromEntries(this.spots.filter(({ wager }) => this.lies[wager])
      .map(({ wager }) => [wager, this.lies[wager]]));
  }

  /** What of the chips lies out as the house knows it. */
  get lying() {
    return Object.values(this.lies).reduce((all, cents) => all + cents, 0);
  }

  spotOf(wager) {
    const circle = this.sheet.circles.find((one) => one.wager === wager);
    return this.spots.find((spot) => spot.wager === (circle?.equals || wager));
  }

  /** Add the chosen chip to a circle; the first chips come up to what it takes at least. What it does not
   * take, and what one does not have, is told. */
  add(wager) {
    const spot = this.spotOf(wager);
    if (!spot) return;
    const has = this.wagers[spot.wager] ?? 0;
    const wanted = has ? has + this.chip : Math.max(spot.least, spot.exact ? 0 : this.chip);
    const most = spot.exact ? spot.least : spot.most ?? wanted;
    const taken = Math.min(wanted, most);
    const pair = [spot.wager, ...this.twins(spot.wager)];
    const costs = (taken - has) * pair.length;
    const titles = listed(pair.map((name) => this.title(name)));
    if (costs > this.free) {
      this.tell(`You have ${money(this.free)} left.`,
        `${titles} would take ${money(costs)}${has ? " more" : ""}.`);
      return;
    }
    if (taken > has) this.put(spot.wager, taken);
    if (wanted > most) this.tell(`${this.title(spot.wager)} takes ${spot.exact ? "exactly" : "at most"} `
      + `${money(most, { short: true })}.`, "");
  }

  /** The wagers that always equal another. */
  twins(wager) {
    return this.sheet.circles.filter(({ equals }) => equals === wager).map((one) => one.wager);
  }

  /** What lies out as the seat wants it, twins and all: [wager, cents]. */
  get out() {
    return Object.entries(this.wagers).flatMap(([wager, cents]) =>
      [wager, ...this.twins(wager)].map((name) => [name, cents]));
  }

  get total() { return this.out.reduce((all, [, cents]) => all + cents, 0); }

  /** The chips that do not lie out: those that do are the house's word where nothing is on its way. */
  get free() { return this.left + this.lying - this.total; }

  /** Take the chosen chip off a circle; what is too little to stay goes with it. */
  take(wager) {
    const spot = this.spotOf(wager);
    if (!spot) return;
    const left = (this.wagers[spot.wager] ?? 0) - this.chip;
    this.put(spot.wager, spot.exact || left < spot.least ? 0 : left);
  }

  put(wager, cents) {
    const wagers = { ...this.wagers, [wager]: cents };
    if (!cents) delete wagers[wager];
    this.want(wagers);
  }

  want(wagers) {
    this.tell("");
    this.draft = wagers;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), QUIET);
    this.changed();
  }

  clear() { this.want({}); }

  /** The wagers of the last round, as far as they may be made again. */
  get last() {
    let kept = {};
    try {
      kept = JSON.parse(sessionStorage.getItem(this.kept) ?? "{}");
    } catch { /* What cannot be read is as good as nothing. */ }
    const open = new Set(this.spots.map(({ wager }) => wager));
    return Object.fromEntries(Object.entries(kept).filter(([wager]) => open.has(wager)));
  }

  /** Whether any chips lie out. */
  get laid() {
    return Object.keys(this.wagers).length > 0;
  }

  /** What is missing before the wagers can lie there: in words, or nothing. */
  get missing() {
    const wagers = this.wagers;
    for (const { wager, beside } of this.spots) {
      if (wagers[wager] && beside?.length && !beside.some((name) => wagers[name])) {
        const others = beside.map((name) => this.title(name));
        return `${this.title(wager)} lies beside the ${others.join(" or ").toLowerCase()}: put chips on `
          + `${others.join(" or ")} first.`;
      }
    }
    return "";
  }

  title(wager) {
    return titled(this.sheet.circles.find((circle) => circle.wager === wager)?.title ?? wager);
  }

  /** Send what is wanted, if it can lie there; true once it does. */
  async flush() {
    clearTimeout(this.timer);
    this.timer = null;
    if (!this.draft || this.missing) return !this.missing;
    const wagers = this.draft;
    this.sending = true;
    const taken = await this.send(wagers);
    this.sending = false;
    if (taken && Object.keys(wagers).length) sessionStorage.setItem(this.kept, JSON.stringify(wagers));
    if (!this.timer && this.draft === wagers) this.draft = null;
    this.changed();
    return taken;
  }

  /** What lies out, in words, and what the largest play would add. */
  get line() {
    const { out, total, free } = this;
    if (!out.length) return "Press a circle to put the chosen chip there. Hold it to take chips back.";
    const adds = this.sheet.circles.filter(({ later, times }) => later
      && times?.length).map(({ times }) => {
      const most = Math.max(...times);
      const [first] = out;
      const adds = most * first[1];
      return adds <= free ? ` A ${most}× play would add ${money(adds)}.`
        : ` You have too few chips for a ${most}× play of ${money(adds)}.`;
    });
    const lie = out.map(([wager, cents]) => `${this.title(wager)} ${money(cents, { short: true })}`);
    return `${listed(lie)}: ${money(total)} out.${adds.join("")}`;
  }

  /** The rail of chips and what else there is to do before the cards come. */
  rail({ ready, waiting, offline, seatBot, watch }) {
    const out = this.laid;
    const last = this.last;
    const again = Object.keys(last).length > 0 && !out;
    return h("div", { class: "betting", id: "choices", tabindex: "-1", role: "group",
      "aria-label": "Wagers" },
      h("div", { class: "chips", role: "radiogroup", "aria-label": "Chip" },
        this.chips.map((cents) => h("button", {
        type: "button", role: "radio", class: "chip-button", "aria-checked": String(cents === this.chip),
        "aria-label": money(cents, { short: true }),
          onclick: () => { this.chip = cents; this.changed(); } }, chipFace(cents)))),
      h("div", { class: "row" },
        h("button", { type: "button", class: "button", "aria-disabled": String(!again || offline),
          onclick: () => again && this.want(last) },
          "Same as last round"),
        h("button", { type: "button", class: "button", "aria-disabled": String(!out || offline),
          onclick: () => out && this.clear() }, "Clear"),
        h("button", { type: "button", class: out ? "button main" : "button",
          "aria-disabled": String(waiting || offline),
          onclick: () => !waiting && !offline && ready() },
          waiting ? "Ready, waiting" : out ? "Ready" : "Sit out")),
      h("p", { class: "small" }, this.missing || this.line, seatBot && [" You play alone. ",
        h("button", { type: "button", class: "link", "data-key": "bot", onclick: seatBot }, "Seat a bot")],
      !out && watch && [" ", h("button", { type: "button", class: "link", "data-key": "watch",
        onclick: watch }, "Watch instead")]));
  }
}

/** Hold a circle to take chips back; the press that follows is none. */
export function holding(element, take) {
  let timer = null;
  let held = false;
  element.addEventListener("pointerdown", (event) => {
    const ring = event.target.closest("button.ring");
    held = false;
    if (!ring) return;
    timer = setTimeout(() => {
      held = true;
      take(ring.dataset.wager);
    }, HOLD);
  });
  for (const name of ["pointerup", "pointerleave", "pointercancel"]) element.addEventListener(name,
    () => clearTimeout(timer));
  element.addEventListener("contextmenu", (event) => event.target.closest("button.ring")
    && event.preventDefault());
  element.addEventListener("click", (event) => {
    if (held && event.target.closest("button.ring")) event.stopPropagation();
    held = false;
  }, true);
}
