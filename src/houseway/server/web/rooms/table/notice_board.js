// The notice beside the choices: one at a time, announced if it is important.

import { assertive, polite } from "./announce.js";
import { noticeAfter, refusedNotice } from "./notices.js";

/** @typedef {import("./notices.js").Notice} Notice */

/** @param {Notice} notice */
const textOf = ({ head, text }) => `${head} ${text}`;

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
   * Show and announce a notice.
   *
   * @param {Notice} notice
   */
  say(notice) {
    assertive(textOf(notice));
    this.show(notice);
  }

  /**
   * Show and announce a refusal.
   *
   * @param {import("../../api_client.js").Refused} refused
   */
  refuse(refused) { this.say(refusedNotice(refused)); }

  /** Remove the notice. */
  dismiss() {
    this.notice = null;
    this.changed();
  }

  /** Clear an old refusal after a command was accepted. */
  accepted() {
    if (this.notice?.kind === "refused") this.notice = null;
  }

  /** Clear a lasting notice when the viewer enters in another role. */
  entered() {
    if (this.notice?.stays) this.notice = null;
  }

  /** Clear a notice that does not stay when a new round is shown. */
  opened() {
    if (!this.notice?.stays) this.notice = null;
  }

  /**
   * Explain why chips were not placed; an empty `head` clears the explanation.
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
   * Show a notice if the table acted for a player or the round is void.
   *
   * @param {api.Update[]} updates
   * @param {{ view: api.View, betting: boolean, title: (wager: string) => string, name: (seat: number) => string }}
   *   scene
   */
  see(updates, { view, betting, title, name }) {
    const { seat } = view.yours;
    const moved = updates.some(({ event }) => event && (!seat || event.seat === seat));
    const outdated = this.notice?.doubt ? moved : this.notice?.bets && !betting;
    const before = outdated ? null : this.notice;
    this.notice = noticeAfter(before, updates, { view, title, name });
    if (this.notice === null || this.notice === before || this.notice.kind !== "time") return;
    (this.notice.of === seat ? assertive : polite)(textOf(this.notice));
  }
}
