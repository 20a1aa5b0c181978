// The act in hand: the act that the dealer is putting together from presses and keys, and the chips taken for it.

import { announce } from "../parts.js";
import { cutText, tubesOf } from "./chips.js";
import { Draft } from "./draft.js";
import { seatsOf } from "./felt.js";

/** @typedef {import("./draft.js").Thing} Thing */

export class HeldAct {
  draft = new Draft();

  /** @param {import("./table.js").ChairRoom} room */
  constructor(room) {
    this.room = room;
  }

  /** @param {import("./draft.js").Act} act */
  pick(act) {
    this.room.drawer = "";
    if (act.type === "ReportIrregularity") {
      this.room.sheets.report();
      return;
    }
    if (this.draft.pick(act)) this.perform();
    else {
      // Details that cannot be pressed on the felt are asked for in the panel.
      if (this.draft.asksInPanel) this.room.drawer = "panel";
      this.room.paint();
      // A number of cards is typed.
      /** @type {HTMLInputElement | null} */ (this.room.panel.querySelector("[data-key=count] input.count"))?.focus();
    }
  }

  /**
   * A thing on the felt was pressed.
   *
   * @param {Thing} thing
   */
  press(thing) {
    const { draft } = this;
    if (this.room.sheets.current) return;
    if ("seat" in thing) this.room.opened = thing.seat;
    if (thing.kind === "tube") this.cut(thing.value);
    else if (thing.kind === "deck") this.pickType("DealCards");
    else if (thing.kind === "rack") this.pickType("Rack");
    else if (thing.kind === "cover") this.room.finder.show("cover card");
    else if (draft.select(thing, this.handsAt(thing))) this.perform();
    else this.room.paint();
  }

  /**
   * Return the number of hands at a thing's seat.
   *
   * @param {Thing} thing
   */
  handsAt(thing) {
    const seats = this.room.view ? seatsOf(this.room.view.felt) : [];
    return seats.find(({ seat }) => "seat" in thing && seat === thing.seat)?.hands.length ?? 1;
  }

  /** @param {string} type */
  pickType(type) {
    const act = this.room.acts.find((one) => one.type === type);
    if (act) this.pick(act);
  }

  /**
   * Take a chip out of a tube.
   *
   * @param {number} value
   */
  cut(value) {
    const { draft } = this;
    const pay = this.room.acts.find((one) => one.type === "Pay");
    // Chips are for paying, unless the dealer changes chips.
    if (pay && (!draft.act || !draft.takesChips)) draft.pick(pay);
    draft.setChips([...draft.chips, value]);
    announce(`${cutText(draft.chips)}`);
    this.room.paint();
  }

  /** Put back the last chip; without chips, clear the act in hand. */
  putBack() {
    const { draft } = this;
    if (!draft.any || this.room.sheets.current) return false;
    if (draft.chips.length) {
      draft.setChips(draft.chips.slice(0, -1));
      announce(draft.chips.length ? cutText(draft.chips) : "no chips in your hand");
    } else draft.clear();
    this.room.paint();
    return true;
  }

  /** Do the act in the draft. */
  perform() {
    const { draft } = this;
    if (!draft.complete) return;
    const act = draft.toAct();
    const seat = draft.details.seat;
    draft.clearDetails();
    if (this.room.drawer === "panel") this.room.drawer = "";
    if (["Pay", "Take", "Push"].includes(act.type) && seat) {
      // The place stays in front of the dealer until another one is pressed.
      Object.assign(draft.details, { seat, place: `seat ${seat}` });
    }
    this.room.refused = null;
    this.room.outbox.add(act);
    this.room.paint();
  }

  /** @param {number} digit */
  digit(digit) {
    const { draft, room: { view } } = this;
    if (!view || this.room.sheets.current) return false;
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
    this.room.paint();
    return true;
  }

  /**
   * Plus, minus and equals announce a result: the player wins, loses or pushes; the dealer qualifies or does not.
   *
   * @param {string} sign
   */
  sign(sign) {
    const { draft } = this;
    if (draft.type !== "ReadHand" || this.room.sheets.current) return false;
    if (draft.details.place === "dealer") draft.details.qualifies = sign === "+" ? true : sign === "-" ? false : null;
    else draft.details.result = sign === "+" ? "win" : sign === "-" ? "lose" : "tie";
    this.room.paint();
    return true;
  }

  /** @param {string} key */
  letter(key) {
    if (this.room.sheets.current) return false;
    const name = [...this.room.keySettings.keys].find(([, used]) => used === key)?.[0];
    const act = this.room.acts.find((one) => one.name === name);
    if (!act) return false;
    this.pick(act);
    return true;
  }
}
