// The viewer's decision: their turn, their choices and the choice that was sent.

import { assertive } from "./announce.js";
import { effectOf } from "../../kit/actions.js";
import { asTitle, money, withCardSigns } from "../../kit/words.js";
import { Pick } from "./pick.js";
import { inPlaces, splitChoices, yourTurn } from "./state.js";

/** @typedef {import("../../kit/actions.js").Option} Option */

export class Decision {
  /** True while it is the viewer's turn. */
  turn = false;
  /** True while the viewer picks cards. */
  picking = false;
  /** True to add the dealer's tip play to a play. */
  tipping = false;
  /** The number of cards that the dealer typed for a step. If empty, the number in the choice is used. */
  count = "";
  /** The choice that was sent and has no answer yet. */
  sent = "";
  /** The decision announced last. */
  announced = "";
  /** True until the choices of a new decision have received the focus. */
  refocus = false;
  /** @type {api.View | null} */
  view = null;

  /**
   * `busy()` is true while steps are shown; `foldLoss()` returns the cents lost by folding; `send` sends a command;
   * `acted` is called with each choice.
   *
   * @param {{ busy: () => boolean, foldLoss: () => number, changed: () => void, acted: (option: Option) => void,
   *   send: (command: Record<string, any>, options: { expect: boolean }) => Promise<boolean> }} options
   */
  constructor({ busy, foldLoss, changed, acted, send }) {
    this.busy = busy;
    this.foldLoss = foldLoss;
    this.changed = changed;
    this.acted = acted;
    this.send = send;
    this.pick = new Pick(changed);
  }

  /**
   * Update from a new view; return true if a decision begins with it.
   *
   * @param {api.View} view
   */
  see(view) {
    const before = this.turn;
    if (view.table.step !== this.view?.table.step) this.count = "";
    this.view = view;
    this.turn = yourTurn(view);
    this.picking = this.pick.see(view);
    return this.turn && !before;
  }

  /** Reset for a new round. */
  opened() {
    this.sent = "";
    this.tipping = false;
  }

  /** True if the viewer may add a tip play for the dealer now. */
  get mayTip() {
    return this.turn && !this.busy() && (this.view?.yours.choices ?? []).some(({ command }) => command.tip);
  }

  /** The number of cards that the dealer's step records unless another is typed, or null. */
  get asksCount() {
    const { command } = (!this.busy() && this.view?.yours.choices?.[0]) || {};
    return command?.type === "Perform" ? command.count ?? null : null;
  }

  toggleTip() {
    this.tipping = !this.tipping;
    this.changed();
  }

  /** Announce the viewer's turn once, with the choices and their amounts. */
  announceTurn() {
    if (!this.view) return;
    const { table } = this.view;
    const key = `${table.round}/${table.step}/${this.turn}`;
    if (this.turn && key !== this.announced) {
      assertive(`Your turn. ${this.options.map((option) =>
        `${asTitle(withCardSigns(option.says))}: ${effectOf(option)}`).join("; ")}.`);
      this.refocus = true;
    }
    this.announced = key;
  }

  /**
   * The choices for the bar.
   *
   * @returns {Option[]}
   */
  get options() {
    if (!this.view || this.busy()) return [];
    if (this.picking && this.turn) return this.pick.options;
    const { answers } = splitChoices(this.view);
    if (!this.view.yours.seat) return answers.map((option) => ({ ...option, note: option.clause ?? "" }));
    const loss = this.foldLoss();
    const folding = loss ? { note: `lose ${money(loss)}` } : {};
    const tipping = this.tipping && this.mayTip;
    const mine = answers.filter(({ command }) => command.type !== "Play" || Boolean(command.tip) === tipping)
      .map((option) => (option.command.type === "Fold" ? { ...option, ...folding } : option));
    return this.turn ? inPlaces(mine)
      : answers.filter(({ command }) => command.type === "Challenge");
  }

  /** True if the table is waiting for the viewer's seat. */
  get awaited() {
    if (!this.view) return false;
    const { waits, yours: { seat = 0 } } = this.view;
    return !this.busy() && seat > 0 && (waits.seats ?? []).includes(seat) && !(waits.ready ?? []).includes(seat);
  }

  /**
   * Send a choice.
   *
   * @param {Option} option
   */
  async act(option) {
    this.sent = option.says;
    if (this.turn) this.acted(option);
    this.changed();
    const { command } = option;
    const typed = this.count.trim() !== "" && command?.count != null;
    if (command) await this.send(typed ? { ...command, count: Number(this.count) } : command, { expect: this.turn });
    this.sent = "";
    this.changed();
  }
}
