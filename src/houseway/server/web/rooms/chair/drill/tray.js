// The chip tray, the chips in the trainee's hand, and the three acts of a payment.

import { h, picture, s } from "../../../kit/dom.js";
import { withoutDollar } from "../../../kit/typed.js";
import { money } from "../../../kit/words.js";
import { chipLabel } from "../chips.js";
import { stackWords } from "./answers.js";

/** Colours of the chips by value, and the number of chips drawn in a full tube. */
const TUBES = new Map(/** @type {[number, [string, number]][]} */ ([
  [50, ["#4E6B81", 10]], [100, ["#DAD3C1", 12]], [500, ["#A92D37", 13]], [2500, ["#1E7350", 13]],
  [10000, ["#22262C", 10]], [50000, ["#6C4E9E", 7]], [100000, ["#9C5F10", 5]],
]));
const OTHER = /** @type {[string, number]} */ (["#55605C", 8]);

/** @param {number} value */
function tube(value) {
  const [colour, count] = TUBES.get(value) ?? OTHER;
  const pale = value === 100;
  return picture("0 0 70 98", { class: "tube" },
    s("rect", { width: 70, height: 98, rx: 7, class: "well" }),
    Array.from({ length: count }, (_, n) => s("g", { transform: `translate(5 ${4 + n * 5})` },
      s("rect", { width: 60, height: 4.6, rx: 1.6, fill: colour, class: "coin" }),
      [3, 26, 50].map((x, at) => s("rect", { x: x + ((n * 7 + at) % 3), y: 0.4, width: 8, height: 3.8,
        fill: pale ? "#35506B" : "#F3EEE2", opacity: at === 1 ? 0.9 : 0.45 })))),
    s("rect", { width: 70, height: 98, rx: 7, class: "shade" }));
}

/**
 * Draw the tray. A press cuts a chip; with Shift, it puts one back.
 *
 * @param {readonly number[]} values
 * @param {import("./answers.js").Stack} chips
 * @param {(value: number, by: number) => void} cut
 */
export function tray(values, chips, cut) {
  return h("div", { class: "tray", role: "group", "aria-label": "Chip tray" }, values.map((value, n) => {
    const count = chips.get(value) ?? 0;
    return h("button", { type: "button", class: "tube-button", "data-key": String(value),
      "aria-label": `${chipLabel(value)} chip, key ${n + 1}${count ? `, ${count} in your hand` : ""}`,
      onclick: (/** @type {MouseEvent} */ event) => cut(value, event.shiftKey ? -1 : 1) },
    tube(value), h("span", { class: "value" }, h("b", {}, chipLabel(value)), h("kbd", { "data-sign": n + 1 })));
  }));
}

/**
 * Draw the chips in the trainee's hand and the buttons that use them.
 *
 * @param {{ sum: number, chips: import("./answers.js").Stack, typed: string, typing: boolean, note: Child,
 *   putBack: () => void, type: (text: string) => void, send: () => void, openField: () => void,
 *   buttons: Child }} given
 */
export function inHand({ sum, chips, typed, typing, note, putBack, type, send, openField, buttons }) {
  return h("div", { class: "in-hand" },
    h("div", { class: "held" },
      h("p", { class: "small" }, "In your hand"),
      h("p", { class: "figure sum" }, typing && typed ? `$${withoutDollar(typed)}` : money(sum)),
      h("p", { class: "small quiet stack-words" }, typing ? h("label", { class: "typed" },
        h("span", { class: "unseen" }, "Amount to pay"),
        h("input", { class: "amount-field", inputmode: "decimal", autocomplete: "off", placeholder: "22.50",
          ".value": typed, maxlength: 12,
          oninput: (/** @type {Event & { target: HTMLInputElement }} */ { target }) => type(target.value),
          onkeydown: (/** @type {KeyboardEvent} */ event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            event.stopPropagation();
            send();
          } })) : stackWords(chips) || "no chips"),
      h("p", { class: "hand-acts" },
        h("button", { type: "button", class: "link-button", onclick: putBack }, "Put all back"),
        h("button", { type: "button", class: "link-button", onclick: openField },
          typing ? "Use chips" : "Type the amount"))),
    h("div", { class: "hand-note", "data-key": "note" }, note),
    h("p", { class: "answer-time", "aria-hidden": "true" }, clockFace(), h("span", { id: "drill-clock", "data-own": "" })),
    buttons);
}

/** Draw a small clock. */
export const clockFace = () => picture("0 0 16 16", { class: "clock-face" },
  s("circle", { cx: 8, cy: 8, r: 6.6 }), s("path", { d: "M8 4.4V8.2l2.4 1.5" }));
