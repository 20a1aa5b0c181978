// The trainee's answer while it is being made: chips, choices, an order, an amount. No drawing.

import { withoutDollar } from "../../../kit/typed.js";
import { chipLabel } from "../chips.js";

/** @typedef {"take" | "push" | "pay"} PaymentKind */
/** @typedef {Map<number, number>} Stack Chip counts by value in cents. */

export const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/**
 * Return the sum of a stack in cents.
 *
 * @param {Stack} stack
 */
export const total = (stack) => [...stack].reduce((sum, [value, count]) => sum + value * count, 0);

/**
 * Return cents as the server reads them: "22.50".
 *
 * @param {number} cents
 */
export const dollars = (cents) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;

/**
 * Return a stack in words, largest chips first: "3 × $25, 1 × 50¢".
 *
 * @param {Stack} stack
 */
export const stackWords = (stack) => [...stack].filter(([, count]) => count)
  .sort(([a], [b]) => b - a).map(([value, count]) => `${count} × ${chipLabel(value)}`).join(", ");

/** An answer that is being made. It starts again with each question and, in payouts, with each wager. */
export class Answer {
  /** @type {Stack} */
  chips = new Map();
  /** @type {Map<string, string>} The chosen answer of each part. */
  chosen = new Map();
  /** @type {number[]} Positions in the choices, in the order that they were picked. */
  picked = [];
  typed = "";
  /** The part that letters answer. */
  row = 0;

  /** @param {readonly api.DrillPart[]} parts */
  constructor(parts) {
    this.parts = parts;
  }

  get sum() {
    return total(this.chips);
  }

  /**
   * Add or remove chips of one value.
   *
   * @param {number} value
   * @param {number} by
   */
  cut(value, by = 1) {
    const count = Math.max(0, (this.chips.get(value) ?? 0) + by);
    if (count) this.chips.set(value, count);
    else this.chips.delete(value);
  }

  putBack() {
    this.chips.clear();
    this.picked = [];
  }

  /**
   * Choose an answer for a part; the next part without an answer becomes current.
   *
   * @param {string} part
   * @param {string} choice
   */
  choose(part, choice) {
    this.chosen.set(part, choice);
    const at = this.parts.findIndex(({ name }) => name === part);
    const open = this.parts.findIndex(({ name }, n) => n > at && !this.chosen.has(name));
    this.row = open < 0 ? at : open;
  }

  /**
   * Add an act to the order, or remove it and everything after it.
   *
   * @param {number} position
   */
  pick(position) {
    const at = this.picked.indexOf(position);
    if (at < 0) this.picked.push(position);
    else this.picked.splice(at);
  }

  /**
   * Move an act of the order up or down.
   *
   * @param {number} position
   * @param {number} by
   */
  move(position, by) {
    const at = this.picked.indexOf(position);
    const to = at + by;
    if (at < 0 || to < 0 || to >= this.picked.length) return;
    this.picked.splice(at, 1);
    this.picked.splice(to, 0, position);
  }

  /** Return a sentence that says what is missing; empty if the answer can be sent. */
  missing() {
    const [first] = this.parts;
    if (first.form === "choice") {
      const open = this.parts.filter(({ name }) => !this.chosen.has(name)).length;
      return open ? `Choose an answer in every row: ${open} left.` : "";
    }
    if (first.form === "sequence") {
      const left = first.choices ? first.choices.length - this.picked.length : 0;
      return left ? `Put every act in order: ${left} left.` : "";
    }
    if (first.form === "stack") return this.sum ? "" : "Cut chips first.";
    return this.typed.trim() ? "" : "Type an amount first.";
  }

  /** Return the answers by part, as the server reads them; payments have `payment` instead. */
  texts() {
    const [first] = this.parts;
    if (first.form === "choice") return Object.fromEntries(this.chosen);
    if (first.form === "sequence") return { [first.name]: this.picked.map((at) => LETTERS[at]).join("") };
    if (first.form === "stack") {
      return { [first.name]: [...this.chips].map(([value, count]) => `${count}x${dollars(value)}`).join(" ") };
    }
    return { [first.name]: withoutDollar(this.typed) };
  }

  /**
   * Return the answer to one wager; null if there is nothing to pay.
   *
   * @param {PaymentKind} kind
   * @param {api.DrillPart} part
   */
  payment(kind, part) {
    if (kind !== "pay") return kind;
    const typed = withoutDollar(this.typed);
    if (typed) return typed;
    if (this.sum) return dollars(this.sum);
    // Envy is not on the layout, so paying nothing is an answer too.
    return part.wager === "envy" ? "none" : null;
  }
}

/**
 * Return the wager to settle next: the chosen one, or the first that is not settled.
 *
 * @param {readonly api.DrillPart[]} parts
 * @param {Map<string, api.DrillPartGrade>} settled
 * @param {string} chosen
 */
export function activePart(parts, settled, chosen = "") {
  const open = parts.filter(({ name }) => !settled.has(name));
  return open.find(({ name }) => name === chosen) ?? open[0] ?? null;
}

/**
 * Return the open wager before or after another one, round the table.
 *
 * @param {readonly api.DrillPart[]} parts
 * @param {Map<string, api.DrillPartGrade>} settled
 * @param {string} from
 * @param {number} by
 */
export function walk(parts, settled, from, by) {
  const open = parts.filter(({ name }) => !settled.has(name));
  if (!open.length) return "";
  const at = open.findIndex(({ name }) => name === from);
  return open[(at + by + open.length) % open.length].name;
}

/**
 * Format milliseconds: "1.6 s".
 *
 * @param {number} time
 */
export const seconds = (time) => `${(time / 1000).toFixed(1)} s`;

/**
 * Format a duration: "2:20".
 *
 * @param {number} time
 */
export const clockTime = (time) =>
  `${Math.floor(time / 60000)}:${String(Math.floor(time / 1000) % 60).padStart(2, "0")}`;
