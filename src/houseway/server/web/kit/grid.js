// The 13 by 13 grid of starting hands, with suited hands above the diagonal; arrow keys move in it.

import { h, painted } from "./dom.js";
import { handAt, handAfterKey, handName, RANKS, compareChoices } from "./starting_hands.js";

const LEVELS = [0.025, 0.1, 0.3];

/** Properties: `cells`, the hands with `best`, `values`, `close`; `base`, the hands to compare with; `at`,
 * the selected hand. */
export class HwGrid extends painted([], { cells: /** @type {api.GridCell[]} */ ([]),
  base: /** @type {api.GridCell[] | null} */ (null), at: "AA" }) {
  drawn() {
    const cells = new Map(this.cells.map((cell) => [cell.hand, cell]));
    const base = new Map((this.base ?? []).map((cell) => [cell.hand, cell.best]));
    return h("div", { class: "grid13", role: "grid", "aria-label": "Best play by starting hand",
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.walk(event) },
    [...RANKS].map((_, row) => h("div", { role: "row" },
      [...RANKS].map((__, column) => this.cell(cells.get(handAt(row, column)), base)))));
  }

  /**
   * @param {api.GridCell | undefined} cell
   * @param {Map<string, string>} base
   */
  cell(cell, base) {
    if (!cell) return h("span", { role: "gridcell" });
    const { play, by } = compareChoices(cell);
    const plays = cell.best === play;
    const level = LEVELS.filter((least) => Math.abs(by) >= least).length;
    const changed = base.has(cell.hand) && base.get(cell.hand) !== cell.best;
    const at = this.at === cell.hand;
    return h("button", { type: "button", role: "gridcell", "data-key": cell.hand, tabindex: at ? "0" : "-1",
      class: [plays ? "plays" : "rests", `level-${level}`, cell.close && "close-call", changed && "changed"]
        .filter(Boolean).join(" "),
      "aria-selected": String(at), onclick: () => this.pick(cell.hand),
      "aria-label": `${cell.hand}, ${handName(cell.hand)}: ${cell.best}${cell.close ? ", a close call" : ""}`
        + `${changed ? ", changed" : ""}` }, cell.hand);
  }

  /** @param {string} hand */
  pick(hand) {
    this.at = hand;
    this.dispatchEvent(new CustomEvent("pick", { detail: hand, bubbles: true }));
  }

  /** @param {KeyboardEvent} event */
  walk(event) {
    const hand = handAfterKey(this.at, event.key);
    if (!hand) return;
    event.preventDefault();
    this.pick(hand);
    this.paint();
    /** @type {HTMLElement | null} */ (this.querySelector(`[data-key="${hand}"]`))?.focus();
  }
}
customElements.define("hw-grid", HwGrid);
