// The starting hands, thirteen by thirteen: suited above the diagonal; arrow keys walk it.

import { h, Part } from "./dom.js";

const RANKS = "AKQJT98765432";
const LEVELS = [0.025, 0.1, 0.3];
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight", 7: "seven",
  6: "six", 5: "five", 4: "four", 3: "three", 2: "two" };

function nameAt(row, column) {
  const [high, low] = [RANKS[Math.min(row, column)], RANKS[Math.max(row, column)]];
  return high + low + (row === column ? "" : row < column ? "s" : "o");
}

function placeOf(hand) {
  const [a, b] = [RANKS.indexOf(hand[0]), RANKS.indexOf(hand[1])];
  return hand[2] === "o" ? [b, a] : [a, b];
}

/** A starting hand in words: "king two, suited". */
export function handSaid(hand) {
  const [a, b] = [NAMES[hand[0]], NAMES[hand[1]]];
  if (a === b) return `pair of ${a === "six" ? "sixe" : a}s`;
  return `${a} ${b}, ${hand[2] === "s" ? "suited" : "offsuit"}`;
}

/** How a cell's choices compare: the best play, the choice that bets nothing, and the difference. */
export function weighed(cell) {
  const plays = Object.keys(cell.values).filter((name) => /^\d/.test(name));
  const rests = Object.keys(cell.values).filter((name) => !plays.includes(name));
  const best = (names) => names.reduce((a, b) => (cell.values[b] > cell.values[a] ? b : a));
  const [play, rest] = [best(plays), best(rests)];
  return { play, rest, by: cell.values[play] - cell.values[rest] };
}

/** `cells` hands with `best`, `values`, `close`; `base` the same to compare with; `at` the hand shown. */
export class HwGrid extends Part {
  drawn() {
    const cells = new Map((this.cells ?? []).map((cell) => [cell.hand, cell]));
    const base = new Map((this.base ?? []).map((cell) => [cell.hand, cell.best]));
    return h("div", { class: "grid13", role: "grid", "aria-label": "Best play by starting hand",
      onkeydown: (event) => this.walk(event) },
    [...RANKS].map((_, row) => h("div", { role: "row" },
      [...RANKS].map((__, column) => this.cell(cells.get(nameAt(row, column)), base)))));
  }

  cell(cell, base) {
    if (!cell) return h("span", { role: "gridcell" });
    const { play, by } = weighed(cell);
    const plays = cell.best === play;
    const level = LEVELS.filter((least) => Math.abs(by) >= least).length;
    const changed = base.has(cell.hand) && base.get(cell.hand) !== cell.best;
    const at = (this.at ?? "AA") === cell.hand;
    return h("button", { type: "button", role: "gridcell", "data-key": cell.hand, tabindex: at ? "0" : "-1",
      class: [plays ? "plays" : "rests", `level-${level}`, cell.close && "close-call", changed && "changed"]
        .filter(Boolean).join(" "),
      "aria-selected": String(at), onclick: () => this.pick(cell.hand),
      "aria-label": `${handSaid(cell.hand)}: ${cell.best}${cell.close ? ", a close call" : ""}`
        + `${changed ? ", another choice than before" : ""}` }, cell.hand);
  }

  pick(hand) {
    this.at = hand;
    this.dispatchEvent(new CustomEvent("pick", { detail: hand, bubbles: true }));
  }

  walk(event) {
    const step = STEPS[event.key];
    const edge = { Home: 0, End: RANKS.length - 1 }[event.key];
    if (!step && edge === undefined) return;
    event.preventDefault();
    const [row, column] = placeOf(this.at ?? "AA");
    const within = (n) => Math.max(0, Math.min(RANKS.length - 1, n));
    const hand = step ? nameAt(within(row + step[0]), within(column + step[1])) : nameAt(row, edge);
    this.pick(hand);
    this.paint();
    this.querySelector(`[data-key="${hand}"]`)?.focus();
  }
}
HwGrid.declare("hw-grid", [], ["cells", "base", "at"]);
