// The watcher's report while it is being made.

import { centsOf } from "../../../kit/typed.js";
import { money } from "../../../kit/words.js";
import { amountFields, difference, handKey, layoutAfter } from "./moments.js";
import { missingParts } from "./panel.js";

/** @typedef {import("./panel.js").Draft} Draft */

export class ReportDraft {
  /** @type {Draft} */
  values = { family: "", seat: 0, place: "", wager: "", first: "", second: "" };

  /** @param {api.FindRoundReply | null} round */
  constructor(round) {
    this.round = round;
  }

  /** The amount of the report in cents; null if it is not complete. */
  get cents() {
    return difference(this.values.family, centsOf(this.values.first), centsOf(this.values.second));
  }

  /**
   * Change the report. Unless an amount was typed, the first amount is filled in from the felt.
   *
   * @param {Partial<Draft>} changes
   * @param {number} at The current step, counted from 0.
   */
  change(changes, at) {
    const { values, round } = this;
    Object.assign(values, changes);
    if (!round || "first" in changes || "second" in changes || !values.seat || !values.wager) return;
    const hand = layoutAfter(round.replay.steps, at + 1).hands.get(handKey({ seat: values.seat }));
    if (amountFields(values.family).bet) values.second = money(hand?.wagers?.[values.wager] ?? 0);
    else values.first = money(hand?.paid?.[values.wager] ?? 0);
  }

  /**
   * Return the report to send; null if it is not complete.
   *
   * @param {number} at The current step, counted from 0.
   * @param {boolean} unsure If true, the parts that are not named are reported as unknown.
   * @returns {api.MistakeReport | null}
   */
  report(at, unsure) {
    const { values, round, cents } = this;
    const family = round?.families.find(({ key }) => key === values.family);
    if (!family) return null;
    const missing = missingParts(family, values, cents);
    if (missing.length > 0 && !unsure) return null;
    /** @type {api.MistakeReport} */
    const report = { family: values.family, seat: values.seat, wager: family.has_wager ? values.wager : "", step: at + 1 };
    if (family.has_place && !values.seat) report.place = values.place;
    if (family.has_amount && cents !== null) report.amount = cents;
    if (missing.length > 0) report.unknown = missing;
    return report;
  }
}
