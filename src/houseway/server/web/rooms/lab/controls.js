// The lab's controls: every value of the game that can be turned, with the rulebook's own beside it.

import { clauseTag } from "../../kit/clause.js";
import { h, morph } from "../../kit/dom.js";
import { numberSaid, titled } from "../../kit/words.js";
import { segmented, select } from "../parts.js";

const WORDS = { none: "anything", lose: "loses", push: "pushes" };
const FEW = 3;

/** Where a payment or a size stands among others: "3 to 2" between "1 to 1" and "2 to 1". */
function weight(value) {
  const [units, per] = value.match(/\d+/g)?.map(Number) ?? [value === "push" ? 0 : -1];
  return / (to|for) /.test(value) ? units / per : units;
}

/** Whether controls turn one of several pay tables: a side bet, which the main game does not feel. */
const aside = (members) => members.every(({ key }) => key.split(".").length > 2);

function said(kind, value) {
  if (kind !== "size") return WORDS[value] ?? value;
  const sizes = value.split(/,\s*/).reverse();
  return sizes.length > 1 ? `${sizes.join("× or ")}×` : `${value}× ante`;
}

export class Controls {
  constructor(turn, back) {
    Object.assign(this, { turn, back });
    this.opened = new Map();
    this.element = h("aside", { class: "controls", "aria-label": "The game" });
  }

  /** On a small screen, bring the controls up or put them away. */
  show(shown = true) {
    this.element.classList.toggle("shown", shown);
    if (shown) this.element.querySelector("button, select")?.focus();
  }

  paint(controls, { rulebook, count }) {
    const groups = Map.groupBy(controls, ({ group }) => group);
    const one = count === 1 ? "change" : "changes";
    morph(this.element, [
      h("button", { type: "button", class: "button away", "data-key": "away",
        onclick: () => this.show(false) }, "Done"),
      ...[...groups].sort(([, a], [, b]) => aside(a) - aside(b))
        .map(([group, members]) => this.group(group, members)),
      controls.length > 0 && h("button", { type: "button", class: "button", "data-key": "back",
        disabled: !count, onclick: this.back }, "Back to the rulebook"),
      controls.length > 0 && h("p", { class: "quiet small", "data-key": "note" }, count
        ? `${titled(numberSaid(count))} ${one} from ${rulebook}. The rulebook itself is not altered.`
        : `As ${rulebook} says.`),
    ].filter(Boolean));
  }

  group(name, members) {
    const open = this.opened.get(name)
      ?? (!aside(members) || members.some(({ value, book }) => value !== book));
    return h("details", { "data-key": name, ".open": open,
      ontoggle: (event) => this.opened.set(name, event.target.open) },
      h("summary", {}, name, clauseTag(members.find(({ clause }) => clause)?.clause)),
      members.map((control) => this.control(control, members.length)));
  }

  control(control, members) {
    const { key, title, kind, value, book } = control;
    const turned = value !== book;
    const alone = kind === "choice" && members === 1;
    return h("div", { class: `control${turned ? " turned" : ""}${alone ? " alone" : ""}`, "data-key": key },
      h("span", { class: "name" }, !alone && title, turned
        && h("span", { class: "small" }, `rulebook: ${said(kind, book)}`)),
      kind === "choice" ? this.choice(control) : this.stepper(control));
  }

  choice({ key, title, kind, value, choices }) {
    const words = choices.map((choice) => [choice, said(kind, choice)]);
    return (choices.length <= FEW ? segmented : select)(title, words, value,
      (chosen) => this.turn(key, chosen));
  }

  stepper({ key, title, kind, value, choices }) {
    const steps = choices.includes(value) ? choices
      : [...choices, value].sort((a, b) => weight(a) - weight(b));
    const at = steps.indexOf(value);
    const step = (by, sign, words) => h("button",
      { type: "button", disabled: !(at + by in steps), "aria-label": `${title}: ${words}`,
      onclick: () => this.turn(key, steps[at + by]) }, sign);
    return h("div", { class: "stepper", role: "group", "aria-label": `${title}, ${said(kind, value)}` },
      step(-1, "−", "less"), h("output", {}, said(kind, value)), step(1, "+", "more"));
  }
}
