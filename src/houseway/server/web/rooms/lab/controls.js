// The lab's controls: every value that can be changed, next to the rulebook's own value.

import { segmented, select } from "../../kit/choices.js";
import { clauseTag } from "../../kit/clause.js";
import { h, morph } from "../../kit/dom.js";
import { orderOf, sizesOf } from "../../kit/odds.js";
import { numberWord, asTitle } from "../../kit/words.js";

/** @type {Record<string, string>} */
const LABELS = { none: "any hand", lose: "loses", push: "pushes" };
const FEW = 3;

/**
 * True if the controls belong to a side bet with several pay tables, which does not affect the main game.
 *
 * @param {api.LabControl[]} members
 */
const isSideBet = (members) => members.every(({ key }) => key.split(".").length > 2);

/**
 * @param {string} kind
 * @param {string} value
 */
function label(kind, value) {
  if (kind !== "size") return LABELS[value] ?? value;
  const sizes = sizesOf(value).reverse();
  return sizes.length > 1 ? `${sizes.join("× or ")}×` : `${value}× ante`;
}

export class Controls {
  /** @type {Map<string, boolean>} */
  opened = new Map();

  /**
   * @param {(key: string, value: string) => void} turn
   * @param {() => void} back
   */
  constructor(turn, back) {
    this.turn = turn;
    this.back = back;
    this.element = h("aside", { class: "controls", "aria-label": "The game" });
  }

  /** Show or hide the controls on a small screen. */
  show(shown = true) {
    this.element.classList.toggle("shown", shown);
    if (shown) /** @type {HTMLElement | null} */ (this.element.querySelector("button, select"))?.focus();
  }

  /**
   * @param {api.LabControl[]} controls
   * @param {{ rulebook: string, count: number }} options
   */
  paint(controls, { rulebook, count }) {
    const groups = Map.groupBy(controls, ({ group }) => group);
    const one = count === 1 ? "change" : "changes";
    morph(this.element, [
      h("button", { type: "button", class: "button away", "data-key": "away",
        onclick: () => this.show(false) }, "Done"),
      ...[...groups].sort(([, a], [, b]) => Number(isSideBet(a)) - Number(isSideBet(b)))
        .map(([group, members]) => this.group(group, members)),
      controls.length > 0 && h("button", { type: "button", class: "button", "data-key": "back",
        disabled: !count, onclick: this.back }, "Reset to the rulebook"),
      controls.length > 0 && h("p", { class: "quiet small", "data-key": "note" }, count
        ? `${asTitle(numberWord(count))} ${one} from ${rulebook}. The rulebook itself stays the same.`
        : `Exactly as in ${rulebook}.`),
    ].filter(Boolean));
  }

  /**
   * @param {string} name
   * @param {api.LabControl[]} members
   */
  group(name, members) {
    const open = this.opened.get(name)
      ?? (!isSideBet(members) || members.some(({ value, book }) => value !== book));
    // The clause is outside the summary, because a summary must not contain a button.
    return h("div", { class: "control-group", "data-key": name },
      h("details", { ".open": open,
        ontoggle: (/** @type {Event & { target: HTMLDetailsElement }} */ { target }) =>
          this.opened.set(name, target.open) },
      h("summary", {}, name),
      members.map((control) => this.control(control, members.length))),
      clauseTag(members.find(({ clause }) => clause)?.clause));
  }

  /**
   * @param {api.LabControl} control
   * @param {number} members
   */
  control(control, members) {
    const { key, title, kind, value, book } = control;
    const changed = value !== book;
    const alone = kind === "choice" && members === 1;
    return h("div", { class: `control${changed ? " turned" : ""}${alone ? " alone" : ""}`, "data-key": key },
      h("span", { class: "name" }, !alone && title, changed
        && h("span", { class: "small" }, `rulebook: ${label(kind, book)}`)),
      kind === "choice" ? this.choice(control) : this.stepper(control));
  }

  /** @param {api.LabControl} control */
  choice({ key, title, kind, value, choices }) {
    const words = choices.map((choice) => /** @type {[string, string]} */ ([choice, label(kind, choice)]));
    return (choices.length <= FEW ? segmented : select)(title, words, value,
      (chosen) => this.turn(key, chosen));
  }

  /** @param {api.LabControl} control */
  stepper({ key, title, kind, value, choices }) {
    const steps = choices.includes(value) ? choices
      : [...choices, value].sort((a, b) => orderOf(a) - orderOf(b));
    const at = steps.indexOf(value);
    /** @type {(by: number, sign: string, words: string) => HTMLElement} */
    const step = (by, sign, words) => h("button",
      { type: "button", disabled: !(at + by in steps), "aria-label": `${title}: ${words}`,
      onclick: () => this.turn(key, steps[at + by]) }, sign);
    return h("div", { class: "stepper", role: "group", "aria-label": `${title}, ${label(kind, value)}` },
      step(-1, "−", "less"), h("output", {}, label(kind, value)), step(1, "+", "more"));
  }
}
