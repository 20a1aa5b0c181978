// The act that the dealer is about to do: the picked act, the thing it is about and its details.

import { counted } from "./chips.js";

/**
 * A thing on the felt. `hand` is 2 for the second hand of a split.
 *
 * @typedef {{ kind: "wager", seat: number, hand: number, wager: string }
 *   | { kind: "hand", seat: number, hand: number } | { kind: "seat", seat: number } | { kind: "dealer" | "board" }
 *   | { kind: "deck" } | { kind: "rack" } | { kind: "cover" } | { kind: "tube", value: number }} Thing
 */
/** @typedef {api.ActOption} Act */

/** The details that an act cannot do without. @type {Record<string, string[]>} */
const NEEDS = {
  DealCards: ["place"], TurnUp: ["place"], Ask: ["seat"], TakeFold: ["seat"], ReadHand: ["place", "reads"],
  Take: ["wager"], Push: ["wager"], Pay: ["wager", "cut"], ColourUp: ["seat", "cut", "given"], SetHand: ["cards"],
  Key: ["seat", "award"], CountStub: ["count"], Rack: ["what"], ReportIrregularity: ["kind"],
  CorrectPayment: ["wager"], LetStand: ["wager"], Refuse: ["seat", "refuses"], Warn: ["seat"],
};
/** The acts that happen as soon as a thing is pressed. */
const ON_PRESS = new Set(["DealCards", "TurnUp", "Ask", "TakeFold", "Take", "Push", "Rack", "LetStand", "Warn"]);
/** The acts that happen as soon as they are picked. */
const AT_ONCE = new Set(["CallFloor", "ResetDealer", "TakeStep"]);
/** The acts that have a number of cards. */
const COUNTED = new Set(["DealCards", "Burn", "TurnUp", "CountStub"]);
/** The acts for which the dealer takes chips. */
const WITH_CHIPS = new Set(["Pay", "ColourUp"]);
/** The acts with details that cannot be pressed on the felt. */
const IN_PANEL = new Set(["ReadHand", "ColourUp", "SetHand", "Key", "CountStub", "CorrectPayment", "Refuse"]);
/** The step in which a number of cards is cut off the deck. */
export const CUT = "cut";
/** The wager that is paid for the hand of another player. */
export const ENVY = "envy";

/** The details of an act that has none. */
const nothing = () => ({ seat: 0, hand: 1, wager: "", place: "", what: "", refuses: "", tip: false,
  of: /** @type {[number, number]} */ ([0, 0]), cut: /** @type {number[]} */ ([]), given: /** @type {number[]} */ ([]),
  reads: "", result: "", qualifies: /** @type {boolean | null} */ (null), award: "",
  cards: /** @type {string[]} */ ([]), kind: "", at: "", which: 0, device: "", amount: /** @type {number | null} */ (null) });

export class Draft {
  /** @type {Act | null} */
  act = null;
  details = nothing();
  /** The number of cards, kept from one act to the next. It is not a suggestion: it starts at 1. */
  counts = /** @type {Record<string, number>} */ ({});
  /** The side of a change of chips that the tubes fill. */
  filling = /** @type {"cut" | "given"} */ ("cut");

  /** True if the panel lists all bets although one is chosen. */
  listing = false;

  /** The type of the picked act; empty if none is picked. */
  get type() { return this.act?.type ?? ""; }

  /** True if something is picked. */
  get any() {
    const { seat, place, cut } = this.details;
    return Boolean(this.act || seat || place || cut.length);
  }

  /** True if the act has a number of cards. */
  get isCounted() { return COUNTED.has(this.type) || this.cuts; }

  /** True if the act is the cut of the deck. */
  get cuts() { return this.type === "TakeStep" && this.act?.what === CUT; }

  /** True if the tubes add chips to the act in hand: no act is picked, or one for which the dealer takes chips. */
  get takesChips() { return !this.act || WITH_CHIPS.has(this.type); }

  /** True if the act has details that only the panel can ask for. */
  get asksInPanel() { return IN_PANEL.has(this.type) || this.cuts; }

  /** The number of cards; null if none is chosen. */
  get count() {
    const chosen = this.counts[this.type];
    return chosen ?? (this.type === "CountStub" || this.cuts ? null : 1);
  }

  /** @param {number | null} count */
  setCount(count) {
    if (count === null) delete this.counts[this.type];
    else this.counts[this.type] = count;
  }

  /** The chips taken from the tubes. */
  get chips() { return this.details[this.type === "ColourUp" ? this.filling : "cut"]; }

  /** @param {number[]} chips */
  setChips(chips) {
    this.details[this.type === "ColourUp" ? this.filling : "cut"] = chips;
  }

  /** The details that are missing. */
  get missing() {
    /** @param {string} need */
    const lacks = (need) => {
      if (need === "count") return this.count === null;
      const value = /** @type {Record<string, any>} */ (this.details)[need];
      return need === "cards" ? value.length !== 2 : Array.isArray(value) ? !value.length : !value;
    };
    if (!this.act) return ["act"];
    const { wager, of } = this.details;
    const envy = wager === ENVY && !of[0] && WAGER_ACTS.has(this.type) ? ["of"] : [];
    return [...(NEEDS[this.type] ?? []).filter(lacks), ...envy];
  }

  /** True if the act can be done. */
  get complete() { return this.missing.length === 0; }

  /**
   * Pick an act. The thing that is selected stays selected.
   *
   * @param {Act} act
   * @returns {boolean} true if the act can be done now, without a further press
   */
  pick(act) {
    const again = this.act?.name === act.name;
    const { seat, hand, wager, place, what, cut } = this.details;
    this.act = act;
    if (!again) this.details = { ...nothing(), seat, hand, wager, place, what, cut: WITH_CHIPS.has(act.type) ? cut : [] };
    this.filling = "cut";
    const ready = AT_ONCE.has(act.type) && !this.cuts;
    return ready || (this.complete && (again || ON_PRESS.has(act.type)));
  }

  /**
   * Select a thing on the felt.
   *
   * @param {Exclude<Thing, { kind: "tube" }>} thing
   * @param {number} hands The number of hands at its seat.
   * @returns {boolean} true if the picked act can be done now, without a further press
   */
  select(thing, hands = 1) {
    const { details } = this;
    if ("seat" in thing) {
      const moved = details.seat !== thing.seat;
      Object.assign(details, { seat: thing.seat, place: `seat ${thing.seat}`, hand: "hand" in thing ? thing.hand : 1,
        at: `seat ${thing.seat}`, what: rackName(thing.seat, "hand" in thing ? thing.hand : 1, hands) });
      if (thing.kind === "wager") details.wager = thing.wager;
      else if (moved || !this.act) details.wager = "";
    } else if (thing.kind === "dealer" || thing.kind === "board") {
      Object.assign(details, { seat: 0, wager: "", hand: 1, place: thing.kind, at: thing.kind, what: thing.kind });
    }
    return ON_PRESS.has(this.type) && this.complete;
  }

  /** Clear the details after an act. The act stays picked, so that it can be done again. */
  clearDetails() {
    this.listing = false;
    this.details = nothing();
    this.filling = "cut";
    if (this.type === "CountStub" || this.cuts) this.setCount(null);
  }

  clear() {
    this.listing = false;
    this.act = null;
    this.details = nothing();
  }

  /** The act as the server reads it. */
  toAct() {
    const { type, details: of, count } = this;
    const target = { seat: of.seat, wager: of.wager, ...(of.hand > 1 ? { hand: of.hand } : {}) };
    const wager = { ...target, ...(of.tip ? { tip: true } : {}), ...(of.of[0] ? { of: of.of } : {}) };
    switch (type) {
      case "DealCards": return { type, place: of.place, count };
      case "Burn": return { type, count };
      case "TurnUp": return { type, place: of.place, ...(of.hand > 1 ? { hand: of.hand } : {}),
        ...(of.place === "board" ? { count } : {}) };
      case "Ask": case "TakeFold": case "Warn": return { type, seat: of.seat };
      case "ReadHand": return { type, place: of.place, reads: of.reads, ...(of.hand > 1 ? { hand: of.hand } : {}),
        ...(of.result ? { result: of.result } : {}), ...(of.qualifies === null ? {} : { qualifies: of.qualifies }) };
      case "Refuse": return { type, seat: of.seat, what: of.refuses };
      case "LetStand": return { type, ...target };
      case "Take": case "Push": return { type, ...wager };
      case "Pay": return { type, ...wager, chips: counted(of.cut) };
      case "ColourUp": return { type, seat: of.seat, taken: counted(of.cut), given: counted(of.given) };
      case "SetHand": return { type, cards: of.cards };
      case "Key": return { type, seat: of.seat, hand: of.award };
      case "CountStub": return { type, count };
      case "Rack": return { type, what: of.what };
      case "ReportIrregularity": return { type, kind: of.kind, ...(of.at ? { at: of.at } : {}),
        ...(of.which ? { which: of.which } : {}), ...(of.device ? { device: of.device } : {}) };
      case "CorrectPayment": return { type, ...target, ...(of.amount === null ? {} : { amount: of.amount }) };
      case "TakeStep": return { type, what: this.act?.what ?? "", ...(this.cuts && count ? { count } : {}) };
      default: return { type };
    }
  }
}

const WAGER_ACTS = new Set(["Take", "Push", "Pay"]);

/**
 * Return the name of a seat's cards for the rack: "seat 3", or "seat 3 hand 1" after a split.
 *
 * @param {number} seat
 * @param {number} hand
 * @param {number} hands The number of hands at the seat.
 */
export const rackName = (seat, hand, hands) => (Math.max(hand, hands) > 1 ? `seat ${seat} hand ${hand}` : `seat ${seat}`);
