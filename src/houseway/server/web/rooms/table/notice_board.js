// The notice beside the choices: one at a time, read out where it matters.

import { assertive, polite } from "./announce.js";
import { noticed, refusedNotice } from "./notices.js";

/** @typedef {import("./notices.js").Notice} Notice */

/** @param {Notice} notice */
const words = ({ head, text }) => `${head} ${text}`;

export class NoticeBoard {
  /** @type {Notice | null} */
  notice = null;

  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
  }

  /**
   * Show a notice.
   *
   * @param {Notice} notice
   */
  show(notice) {
    this.notice = notice;
    this.changed();
  }

  /**
   * Show a notice and read it out.
   *
   * @param {Notice} notice
   */
  say(notice) {
    assertive(words(notice));
    this.show(notice);
  }

  /**
   * Say what the house refused.
   *
   * @param {import("../../house.js").Refused} refused
   */
  refuse(refused) { this.say(refusedNotice(refused)); }

  /** Take the notice away. */
  dismiss() {
    this.notice = null;
    this.changed();
  }

  /** A command was accepted: an old refusal no longer counts. */
  accepted() {
    if (this.notice?.kind === "refused") this.notice = null;
  }

  /** A viewer enters in another role. */
  entered() {
    if (this.notice?.stays) this.notice = null;
  }

  /** A new round is shown. */
  opened() {
    if (!this.notice?.stays) this.notice = null;
  }

  /**
   * Say why chips are not where they were put, or take back what was said of that.
   *
   * @param {string} head
   */
  aboutBets(head, text = "") {
    const same = this.notice?.head === head && this.notice.text === text;
    if (head && !same) this.say({ kind: "plain", bets: true, head, text });
    else if (!head && this.notice?.bets) this.notice = null;
    this.changed();
  }

  /**
   * Notice what the table did in a player's place, and what is void.
   *
   * @param {api.Update[]} updates
   * @param {{ view: api.View, betting: boolean, title: (wager: string) => string, name: (seat: number) => string }}
   *   scene
   */
  see(updates, { view, betting, title, name }) {
    const { seat } = view.yours;
    const told = updates.some(({ event }) => event && (!seat || event.seat === seat));
    const past = this.notice?.doubt ? told : this.notice?.bets && !betting;
    const before = past ? null : this.notice;
    this.notice = noticed(before, updates, { view, title, name });
    if (this.notice === null || this.notice === before || this.notice.kind !== "time") return;
    (this.notice.of === seat ? assertive : polite)(words(this.notice));
  }
}
