// The things on the dealer's side of the table: tray, machine, shoe, deck, rack and cover cards, as SVG.

import { numeral } from "../../kit/art.js";
import { picture, s } from "../../kit/dom.js";

/** @type {Record<number, [colour: string, spots: string]>} */
const COLOURS = {
  50: ["#4E6B81", "#E9E4D8"], 100: ["#DAD3C1", "#35506B"], 500: ["#A92D37", "#F3EEE2"],
  2500: ["#1E7350", "#F3EEE2"], 10000: ["#22262C", "#E9E4D8"], 50000: ["#6C4E9E", "#F3EEE2"],
  100000: ["#9C5F10", "#F3EEE2"],
};
const OTHER = /** @type {[string, string]} */ (["#5B5F66", "#F3EEE2"]);
/** The number of chips drawn in each tube, from left to right. */
const FILLED = [11, 13, 16, 15, 12, 8, 5];

/**
 * Draw a tube of the tray with chips on edge.
 *
 * @param {number} cents
 * @param {number} n
 */
export function tube(cents, n) {
  const [colour, spots] = COLOURS[cents] ?? OTHER;
  const chips = FILLED[n % FILLED.length];
  return picture("0 0 66 70", { class: "tube-art" },
    s("rect", { x: 0, y: 0, width: 66, height: 70, rx: 9, class: "well" }),
    Array.from({ length: chips }, (_, chip) => {
      const y = 5 + chip * 3.6;
      // The spots of neighbouring chips do not line up exactly.
      const shift = ((chip * 7 + n * 5) % 5) - 2;
      return s("g", {},
        s("rect", { x: 5, y, width: 56, height: 3.3, rx: 1.4, fill: colour }),
        s("rect", { x: 5 + 6, y, width: 7 + shift / 2, height: 3.3, fill: spots, opacity: 0.55 }),
        s("rect", { x: 28 + shift, y, width: 11, height: 3.3, fill: spots, opacity: 0.9 }),
        s("rect", { x: 48 + shift / 2, y, width: 7, height: 3.3, fill: spots, opacity: 0.55 }),
        s("rect", { x: 5, y: y + 2.6, width: 56, height: 0.8, fill: "#000", opacity: 0.4 }));
    }));
}

/** Draw the dealing machine. Its lamps are always the same, so that they do not prompt. */
export function machine() {
  return picture("0 0 138 100", { class: "machine-art" },
    s("rect", { x: 1, y: 1, width: 136, height: 98, rx: 13, class: "shell" }),
    s("rect", { x: 10, y: 9, width: 76, height: 60, rx: 6, class: "nest" }),
    s("rect", { x: 18, y: 17, width: 60, height: 44, rx: 5, class: "slot" }),
    s("rect", { x: 10, y: 76, width: 118, height: 15, rx: 4, class: "nest" }),
    s("rect", { x: 96, y: 12, width: 32, height: 13, rx: 6.5, class: "lamp on" }),
    s("rect", { x: 96, y: 33, width: 32, height: 13, rx: 6.5, class: "lamp" }),
    s("rect", { x: 96, y: 54, width: 32, height: 13, rx: 6.5, class: "lamp" }));
}

/** Draw the dealing shoe. */
export function shoe() {
  return picture("0 0 138 100", { class: "shoe-art" },
    s("path", { d: "M14 16Q14 6 24 6H104Q112 6 116 14L134 78Q137 94 122 94H20Q8 94 8 82Z", class: "shell" }),
    s("path", { d: "M26 18H98L114 72H22Z", class: "slot" }),
    [0, 1, 2, 3, 4].map((n) => s("path", { d: `M${30 + n} ${24 + n * 3}H${94 + n * 2}`, class: "edge-line" })),
    s("rect", { x: 22, y: 78, width: 96, height: 9, rx: 3, class: "nest" }));
}

/** Draw the deck in the dealer's hand. */
export function deck() {
  return picture("0 0 138 100", { class: "deck-art" },
    [4, 3, 2, 1, 0].map((n) => s("rect", { x: 38 + n * 1.6, y: 8 + n * 1.6, width: 60, height: 84, rx: 6,
      class: n ? "under" : "cloth" })),
    s("rect", { x: 43, y: 13, width: 50, height: 74, rx: 4, class: "frame" }),
    s("path", { d: "M57 63V48L68 38 79 48V63Z", class: "roof" }));
}

/** The most cards that are drawn in the rack. */
const MOST = 26;

/**
 * Draw the discard rack with its cards.
 *
 * @param {number} cards
 */
export function rack(cards) {
  const drawn = Math.min(MOST, Math.ceil(cards / 2));
  return picture("0 0 104 92", { class: "rack-art" },
    s("rect", { x: 2, y: 4, width: 100, height: 85, class: "well" }),
    Array.from({ length: drawn }, (_, n) => s("g", {},
      s("rect", { x: 9, y: 81 - n * 2.85, width: 86, height: 2.5, class: "edge-line" }))),
    s("path", { d: "M2 0V84Q2 90 8 90H96Q102 90 102 84V0", class: "frame" }));
}

/** Draw a cover card. */
export function coverCard() {
  return picture("0 0 40 56", { class: "cover-art" },
    s("rect", { x: 1, y: 1, width: 38, height: 54, rx: 4 }));
}

/** The numeral on the top chip of a stack, by value. @type {Record<number, string>} */
const NUMERALS = { 50: "½", 100: "1", 500: "5", 2500: "25", 10000: "100", 50000: "500", 100000: "1K" };
/** The most chips of one value that are drawn. */
const STACK = 10;

/**
 * Draw a stack of chips of one value with its base at the bottom of the picture.
 *
 * @param {number} cents
 * @param {number} count
 */
export function chipStack(cents, count) {
  const [colour, spots] = COLOURS[cents] ?? OTHER;
  const [r, ry, thick] = [22, 16.3, 5.5];
  const drawn = Math.min(STACK, count);
  const wall = (/** @type {number} */ y) => `M${-r} ${y}A${r} ${ry} 0 0 0 ${r} ${y}v${thick}A${r} ${ry} 0 0 1 ${-r} ${y + thick}z`;
  const text = NUMERALS[cents] ?? "";
  const top = -(drawn - 1) * thick;
  return picture(`-24 ${top - ry - 3} 48 ${-top + 2 * ry + thick + 6}`, { class: "chip-stack" },
    Array.from({ length: drawn }, (_, n) => s("g", {},
      s("path", { d: wall(-n * thick), fill: colour }),
      [-15, -4, 8].map((x) => s("rect", { x, y: -n * thick + ry * 0.78, width: 7, height: thick, fill: spots, opacity: 0.75 })),
      s("path", { d: wall(-n * thick), fill: "#000", opacity: 0.2 }))),
    s("g", { transform: `translate(0 ${top})` },
      s("ellipse", { rx: r, ry, fill: colour }),
      s("ellipse", { rx: r * 0.86, ry: ry * 0.86, fill: "none", stroke: spots, "stroke-width": r * 0.24,
        pathLength: 12, "stroke-dasharray": "1 1" }),
      s("ellipse", { rx: r * 0.66, ry: ry * 0.66, fill: colour, stroke: spots, "stroke-width": 1, "stroke-opacity": 0.75 }),
      numeral(text, { class: cents === 100 ? "numeral pale" : "numeral", "font-size": text.length > 2 ? 10 : 14 })));
}
