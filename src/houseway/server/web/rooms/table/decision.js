// The viewer's decision: whether it is their turn, the choices there are, and the one that was sent.

import { assertive } from "./announce.js";
import { listed, money, signed, titled } from "../../kit/words.js";
import { Pick } from "./pick.js";
import { sorted, yourTurn } from "./state.js";

/** @typedef {import("../../kit/actions.js").Option} Option */

export class Decision {
  /** True while it is the viewer's turn. */
  turn = false;
  /** True while cards are to be chosen. */
  picking = false;
  /** The choice on its way. */
  sent = "";
  /** The decision last told. */
  told = "";
  /** True until the focus has gone to the choices of a new decision. */
  refocus = false;
  /** @type {api.View | null} */
  view = null;

  /**
   * `busy()` is true while steps are shown; `send` sends a command; `acted` hears of each choice made.
   *
   * @param {{ busy: () => boolean, changed: () => void, acted: (option: Option) => void,
   *   send: (command: Record<string, any>, given: { expect: boolean }) => Promise<boolean> }} given
   */
  constructor({ busy, changed, acted, send }) {
    this.busy = busy;
    this.changed = changed;
    this.acted = acted;
    this.send = send;
    this.pick = new Pick(changed);
  }

  /**
   * Take in a view; true if a decision begins with it.
   *
   * @param {api.View} view
   */
  see(view) {
    const before = this.turn;
    this.view = view;
    this.turn = yourTurn(view);
    this.picking = this.pick.see(view);
    return this.turn && !before;
  }

  /** A new round is shown. */
  opened() { this.sent = ""; }

  /** Say once that it is the viewer's turn, with the choices and their amounts. */
  tell() {
    if (!this.view) return;
    const { table } = this.view;
    const asked = `${table.round}/${table.step}/${this.turn}`;
    if (this.turn && asked !== this.told) {
      assertive(`Your turn. ${listed(this.options.map(({ says, costs }) =>
        `${titled(signed(says))}${costs ? `, bets ${money(costs)}` : ", bets nothing"}`))}.`);
      this.refocus = true;
    }
    this.told = asked;
  }

  /**
   * The choices as the bar shows them.
   *
   * @returns {Option[]}
   */
  get options() {
    if (!this.view || this.busy()) return [];
    if (this.picking && this.turn) return this.pick.options;
    const { answers } = sorted(this.view);
    if (!this.view.yours.seat) return answers.map((option) => ({ ...option, note: option.clause ?? "" }));
    return this.turn ? answers : answers.filter(({ command }) => command.type === "Challenge");
  }

  /** True if the table waits for the viewer's seat, and the seat is not ready. */
  get asked() {
    if (!this.view) return false;
    const { waits, yours: { seat = 0 } } = this.view;
    return !this.busy() && seat > 0 && (waits.seats ?? []).includes(seat) && !(waits.ready ?? []).includes(seat);
  }

  /**
   * Make a choice.
   *
   * @param {Option} option
   */
  async act(option) {
    this.sent = option.says;
    if (this.turn) this.acted(option);
    this.changed();
    if (option.command) await this.send(option.command, { expect: this.turn });
    this.sent = "";
    this.changed();
  }
}
