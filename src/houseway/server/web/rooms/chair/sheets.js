// The sheets that temporarily replace the panel: a report, a ruling or a judgement.

import { randomHex } from "../../api_client.js";
import { ReportForm } from "./report_form.js";
import { RoundReviewSheet } from "./review.js";
import { RulingSheet } from "./ruling.js";

/**
 * `head` and `below` stand above and below the felt, `felt` is the felt to show, and `enter` handles the Enter key and returns false
 * if the key does nothing.
 *
 * @typedef {{ kind: string, panel: () => Child[], enter: () => boolean, head?: () => HTMLElement, below?: () => HTMLElement,
 *   felt?: () => api.ChairFelt, said?: () => string, leave?: () => void }} Sheet
 */

export class Sheets {
  /** @type {Sheet | null} */
  current = null;

  /** @param {import("./table.js").ChairRoom} room */
  constructor(room) {
    this.room = room;
  }

  /** True if the felt shows the table as it is now, with things to press. */
  get isLive() { return !this.current || this.current.kind === "reporting"; }

  get isReport() { return this.current instanceof ReportForm; }

  get isRuling() { return this.current instanceof RulingSheet; }

  report() {
    if (!this.room.view || this.current) return;
    this.room.held.draft.clear();
    this.current = new ReportForm({ view: this.room.view, changed: () => this.room.paint(), close: () => this.close(),
      send: (irregularity) => this.room.client.post(this.room.path("/rulings"), { key: randomHex(16), irregularity }),
      answered: ({ view }) => this.ruled(view) });
    this.room.paint();
    this.room.panel.focus({ preventScroll: true });
  }

  /** @param {api.ChairView} view */
  openRuling(view) {
    this.room.held.draft.clear();
    this.current = new RulingSheet({ client: this.room.client, path: this.room.path("/rulings"), view, history: this.room.history.moments, changed: () => this.room.paint(),
      done: (next) => this.ruled(next) });
  }

  /** @param {number} round */
  openReview(round) {
    this.room.held.draft.clear();
    const sheet = new RoundReviewSheet({ client: this.room.client, path: this.room.path(`/rounds/${round}`), round,
      view: /** @type {api.ChairView} */ (this.room.view), changed: () => this.room.paint(), close: () => this.close(),
      showSeat: (seat) => { this.room.opened = seat; } });
    this.current = sheet;
    sheet.load();
  }

  close() {
    this.current?.leave?.();
    this.current = null;
    this.room.paint();
  }

  /** @param {api.ChairView} view The view after a report or a ruling. */
  ruled(view) {
    this.current = null;
    this.room.take(view);
  }
}
