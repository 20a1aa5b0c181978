// The state of the panel: its tab, the selected seat, past rounds and the open clause.

import { seatOf } from "../../kit/places.js";
import { settledWagers } from "./state.js";

/** @typedef {{ clause: string, line?: string | null, from?: HTMLElement | null }} ClauseRequest A clause to open. */

export class Panels {
  tab = "coach";
  open = false;
  /** The selected seat; 0 for none. */
  looked = 0;
  /** @type {api.RoundEntry[] | null} */
  rounds = null;

  /**
   * @param {{ element: HTMLElement, client: import("../../api_client.js").ApiClient, path: string, changed: () => void }} options
   */
  constructor({ element, client, path, changed }) {
    this.element = element;
    this.client = client;
    this.path = path;
    this.changed = changed;
    element.addEventListener("clause", (event) => this.openClause(/** @type {CustomEvent} */ (event).detail));
    element.addEventListener("closed", changed);
  }

  /**
   * Choose the first tab for a role.
   *
   * @param {string} role
   */
  entered(role) {
    if (!seatOf(role) && role !== "rail") this.tab = "notes";
  }

  /** When a new round is shown, leave the tabs that belong to the last one. */
  opened() {
    if (this.tab === "result" || this.tab === "hand") this.tab = "coach";
  }

  /**
   * Switch to the viewer's settlement, or to the cards to pick, after an update.
   *
   * @param {api.Update[]} updates
   * @param {{ seat: number | undefined, picks: boolean }} options
   */
  see(updates, { seat, picks }) {
    if (updates.some(({ event }) => event?.type === "WagerSettled" && event.seat === seat)) this.tab = "result";
    else if (picks) this.tab = "hand";
    if (updates.some(({ event }) => event?.type === "RoundClosed")) this.rounds = null;
    if (this.tab === "rounds" && !this.rounds) this.loadRounds();
  }

  /**
   * Show another tab.
   *
   * @param {string} tab
   */
  choose(tab) {
    this.tab = tab;
    if (tab === "rounds" && !this.rounds) this.loadRounds();
    this.changed();
  }

  async loadRounds() {
    try {
      this.rounds = (await this.client.get(`${this.path}/rounds?limit=20`)).rounds;
    } catch {
      this.rounds = [];
    }
    this.changed();
  }

  /**
   * Open or close the panel on screens where it does not fit beside the felt.
   *
   * @param {boolean} open
   */
  show(open) {
    this.open = open;
    this.changed();
    if (open) /** @type {HTMLElement | null} */ (this.element.querySelector("#panel"))?.focus();
  }

  /**
   * Select a seat and show its settlement if there is one; 0 clears the selection.
   *
   * @param {number} seat
   * @param {api.View} view
   */
  lookAt(seat, view) {
    this.looked = seat;
    if (settledWagers(view).some((line) => line.seat === seat)) this.tab = "result";
    this.changed();
  }

  get drawer() {
    return /** @type {import("../../kit/drawer.js").HwDrawer | null} */ (this.element.querySelector("hw-drawer"));
  }

  /** The clause that is open, or null. */
  get clause() { return this.drawer?.getAttribute("clause") ?? null; }

  /**
   * Open a clause, or close it if it is already open.
   *
   * @param {ClauseRequest} request
   */
  openClause({ clause, line, from }) {
    if (this.clause === clause) this.drawer?.close();
    else this.drawer?.open(clause, { line: line ?? "", from });
    this.changed();
  }
}
