// Cards, chips and other drawings, as SVG.

import { picture, s } from "./dom.js";

/** @type {Record<string, string>} */
const SUITS = {
  h: "M12 21.4C6.3 16.9 2.2 13.3 2.2 8.7 2.2 5.5 4.6 3.1 7.5 3.1c2 0 3.6 1.1 4.5 2.9.9-1.8 2.5-2.9 4.5-2.9 2.9 0 5.3 2.4 5.3 5.6 0 4.6-4.1 8.2-9.8 12.7z",
  d: "M12 1.4c2.3 4 5.1 7.5 8.4 10.6-3.3 3.1-6.1 6.6-8.4 10.6-2.3-4-5.1-7.5-8.4-10.6C6.9 8.9 9.7 5.4 12 1.4z",
  s: "M12 1.6c2.5 4 9.6 7.6 9.6 12.8 0 2.8-2 4.8-4.5 4.8-1.7 0-3.1-.8-4-2.2.2 2.1.9 3.8 2.4 5.4H8.5c1.5-1.6 2.2-3.3 2.4-5.4-.9 1.4-2.3 2.2-4 2.2-2.5 0-4.5-2-4.5-4.8C2.4 9.2 9.5 5.6 12 1.6z",
  c: "M12 1.6a4.8 4.8 0 0 1 3.7 7.86 4.8 4.8 0 1 1-2.6 7.2c.2 2.2.9 4.1 2.4 5.74H8.5c1.5-1.64 2.2-3.54 2.4-5.74a4.8 4.8 0 1 1-2.6-7.2A4.8 4.8 0 0 1 12 1.6z",
};
/** @type {Record<string, string>} */
const RANKS = {
  A: "M2 26.5 10 2l8 24.5M4.9 18.3h10.2",
  K: "M3.6 1.5v25M17 1.5 4 16.2M8.6 11.4l9 15.1",
  Q: "M10 2c4.8 0 7.8 4.3 7.8 12S14.8 26 10 26 2.2 21.7 2.2 14 5.2 2 10 2zM11 18.8l6.8 8.4",
  J: "M13.8 1.5v17.7c0 4.4-2.2 6.8-5.7 6.8-3.3 0-5.4-2-5.8-5.4",
  T: "M2.2 6.8 7.3 3V26.5M20.5 2c3.9 0 5.9 4.3 5.9 12s-2 12-5.9 12-5.9-4.3-5.9-12 2-12 5.9-12z",
  9: "M5 24.5c1.2 1 2.7 1.5 4.3 1.5 5.1 0 7.9-4.5 7.9-13 0-7.1-2.7-11-7.2-11C5.7 2 2.7 5.1 2.7 9.5S5.6 17 9.6 17s7-2.8 7.6-6.5",
  8: "M10 13.2c-3.7 0-6.3-2.2-6.3-5.6S6.3 2 10 2s6.3 2.2 6.3 5.6-2.6 5.6-6.3 5.6zm0 0c-4.3 0-7.3 2.6-7.3 6.4S5.7 26 10 26s7.3-2.6 7.3-6.4-3-6.4-7.3-6.4z",
  7: "M2.2 2.7h15.1L8 26.5",
  6: "M15 3.5C13.8 2.5 12.3 2 10.7 2 5.6 2 2.8 6.5 2.8 15c0 7.1 2.7 11 7.2 11 4.3 0 7.3-3.1 7.3-7.5S14.4 11 10.4 11s-7 2.8-7.6 6.5",
  5: "M16.3 2.7H5.4L4.3 13.2c1.4-1.5 3.3-2.3 5.5-2.3 4.3 0 7.4 3 7.4 7.5S14 26 9.7 26c-3.5 0-6.1-1.7-7.2-4.7",
  4: "M13.7 26.5V2.6L2.2 19.7h16.3",
  3: "M3 6.6C4 3.7 6.6 2 9.8 2c4 0 6.8 2.3 6.8 5.7s-2.7 5.6-6.4 5.6H7.8h2.4c4.2 0 7.1 2.4 7.1 6.3S14.2 26 9.9 26c-3.7 0-6.4-1.7-7.4-4.8",
  2: "M3 8.6C3.2 4.6 6 2 9.9 2c4 0 6.9 2.6 6.9 6.3 0 2.6-1.3 4.7-3.5 7.1L3.6 25.3H17.5",
};
/** @type {Record<string, string>} */
const COURT = {
  K: "M-19 10-23-8-11.5 0 0-15 11.5 0 23-8 19 10z",
  Q: "M-19 10C-20 2-22-3-24-7c6 2 9 4 12 6 2-5 7-8 12-12 5 4 10 7 12 12 3-2 6-4 12-6-2 4-4 9-5 17z",
  J: "M-17 10C-17-6-4-17 23-19 21-2 9 10-8 10c4-8 10-13 19-18C0-5-8 1-13 10z",
};
/** @typedef {[cents: number, colour: string, numeral: string]} Chip */

/** @type {Chip[]} */
const CHIPS = [
  [100000, "#9C5F10", "1K"], [50000, "#6C4E9E", "500"], [10000, "#22262C", "100"], [2500, "#1E7350", "25"],
  [500, "#A92D37", "5"], [100, "#DAD3C1", "1"], [50, "#4E6B81", "½"],
];
const STACK = 7;

/** @type {(name: string, size: number, x: number, y: number) => SVGElement} */
const suit = (name, size, x, y) =>
  s("path", { d: SUITS[name], transform: `translate(${x} ${y}) scale(${size / 24})` });

/**
 * @param {string} name
 * @param {number} high
 * @param {number} x
 * @param {number} y
 * @param {number} stroke
 */
function rank(name, high, x, y, stroke) {
  const scale = high / 28;
  return s("path", { d: RANKS[name], class: "rank", transform: `translate(${x} ${y}) scale(${scale})`,
    "stroke-width": stroke / scale });
}

/** @param {string} name */
function ornament(name) {
  const dots = name === "Q" ? [[0, -16, 3], [25, -10, 2.6], [-25, -10, 2.6]] : [];
  return s("g", { transform: "translate(65 68) scale(.92)" },
    s("path", { d: COURT[name] }),
    s("path", { d: "M-18 14.5h36", class: "rank", "stroke-width": 3 }),
    dots.map(([cx, cy, r]) => s("circle", { cx, cy, r })));
}

/**
 * Draw the face of a card; a small one shows only rank and suit.
 *
 * @param {string} card
 * @param {boolean} small
 */
export function cardFace(card, small) {
  const [name, of] = card;
  if (small) {
    return picture("0 0 40 56", { class: `face suit-${of}` },
      rank(name, 24, 4, 4, 3.6), suit(of, 22.5, 14, 29));
  }
  const court = name in COURT;
  const large = court ? suit(of, 48, 41, 83) : name === "A" ? suit(of, 64, 32, 63) : suit(of, 54, 38, 73);
  return picture("0 0 100 140", { class: `face suit-${of}` },
    rank(name, 33, 9, 9, 3.9), suit(of, 24, 9, 47), court && ornament(name), large);
}

const LATTICE = Array.from({ length: 26 }, (_, n) => {
  const from = (n - 14) * 9;
  const [up, down] = [Math.max(0, -from), Math.min(126, 86 - from)];
  return down <= up ? "" : `M${7 + from + up} ${7 + up}L${7 + from + down} ${7 + down}`
    + `M${93 - from - up} ${7 + up}L${93 - from - down} ${7 + down}`;
}).join("");

/** Draw the back of a card. */
export function cardBack() {
  return picture("0 0 100 140", { class: "back" },
    s("rect", { x: 7, y: 7, width: 86, height: 126, rx: 5, class: "cloth" }),
    s("path", { d: LATTICE, class: "lattice" }),
    s("rect", { x: 11, y: 11, width: 78, height: 118, rx: 3, class: "frame" }),
    s("path", { d: "M32 86V65L50 49 68 65V86Z", class: "roof" }),
    s("path", { d: "M42 86V74a8 8 0 0 1 16 0V86", class: "door" }));
}

/**
 * @param {Chip} kind
 * @param {number} top
 * @param {number} r
 */
function chip([, colour, numeral], top, r) {
  const [ry, thick] = [r * 0.74, r * 0.25];
  const pale = numeral === "1";
  const wall = [25, 65, 115, 155].map((degrees) => {
    const [a, b] = [degrees, degrees + 22].map((d) => (d * Math.PI) / 180);
    const [ax, ay, bx, by] = [r * Math.cos(a), ry * Math.sin(a), r * Math.cos(b), ry * Math.sin(b)];
    return `M${ax} ${ay}A${r} ${ry} 0 0 1 ${bx} ${by}v${thick}A${r} ${ry} 0 0 0 ${ax} ${ay + thick}z`;
  }).join("");
  const spots = pale ? "#35506B" : "#F3EEE2";
  return s("g", { transform: `translate(0 ${top})` },
    s("path", { d: `M${-r} 0A${r} ${ry} 0 0 0 ${r} 0v${thick}A${r} ${ry} 0 0 1 ${-r} ${thick}z`,
      fill: colour }),
    s("path", { d: wall, fill: spots, opacity: 0.82 }),
    s("path", { d: `M${-r} 0A${r} ${ry} 0 0 0 ${r} 0v${thick}A${r} ${ry} 0 0 1 ${-r} ${thick}z`,
      fill: "#000", opacity: 0.24 }),
    s("ellipse", { rx: r, ry, fill: colour }),
    s("ellipse", { rx: r * 0.86, ry: ry * 0.86, fill: "none", stroke: spots, "stroke-width": r * 0.24,
      pathLength: 12, "stroke-dasharray": "1 1" }),
    s("ellipse", { rx: r * 0.66, ry: ry * 0.66, fill: colour, stroke: spots, "stroke-width": r * 0.045,
      "stroke-opacity": 0.75 }));
}

/**
 * Return the chips for an amount, largest first; if there are too many for a stack, chips are left out.
 *
 * @param {number} cents
 */
export function chipsOf(cents) {
  /** @type {Chip[]} */
  const chips = [];
  let left = cents;
  for (const kind of CHIPS) {
    while (left >= kind[0]) {
      chips.push(kind);
      left -= kind[0];
    }
  }
  return chips.length > STACK ? [...chips.slice(0, 1), ...chips.slice(chips.length - STACK + 1)] : chips;
}

/**
 * Draw a stack of chips with its base at (x, y).
 *
 * @param {number} cents
 * @param {number} r
 */
export const stack = (cents, r, x = 0, y = 0) => drawStack(chipsOf(cents), r, x, y);

/**
 * Draw a stack of given chips, the largest below; at most seven are drawn.
 *
 * @param {Iterable<[cents: number, count: number]>} counts
 * @param {number} r
 */
export function chipStack(counts, r, x = 0, y = 0) {
  const chips = [...counts].sort(([a], [b]) => b - a).flatMap(([cents, count]) =>
    Array.from({ length: Math.min(count, STACK) }, () => CHIPS.find(([value]) => value === cents)
      ?? /** @type {Chip} */ ([cents, "#55605C", String(cents / 100)])));
  return drawStack(chips.length > STACK ? [...chips.slice(0, 1), ...chips.slice(chips.length - STACK + 1)] : chips,
    r, x, y);
}

/**
 * @param {Chip[]} chips
 * @param {number} r
 * @param {number} x
 * @param {number} y
 */
function drawStack(chips, r, x, y) {
  const thick = r * 0.25;
  const last = chips.at(-1);
  return s("g", { class: "stack", transform: `translate(${x} ${y})` },
    chips.map((kind, n) => chip(kind, -n * thick, r)),
    last && numeral(last[2], { y: -(chips.length - 1) * thick, class: last[2] === "1" ? "numeral pale" : "numeral",
      "font-size": r * (last[2].length > 2 ? 0.5 : 0.64) }));
}

const NUMERALS = "chip-numerals";

/**
 * Draw the numeral of a chip. Its text is outside the drawing, so that it is not a part of the label of a button with chips.
 *
 * @param {string} text
 * @param {ElementProps} props
 */
export function numeral(text, props) {
  const id = `numeral-${[...text].map((letter) => letter.codePointAt(0)).join("-")}`;
  if (!document.getElementById(NUMERALS)) document.body.append(picture("0 0 1 1", { id: NUMERALS, class: "unseen" }, s("defs", {})));
  if (!document.getElementById(id)) document.querySelector(`#${NUMERALS} defs`)?.append(s("text", { id, dy: "0.34em" }, text));
  return s("use", { ...props, href: `#${id}` });
}

/**
 * Draw one chip for the chip rail.
 *
 * @param {number} cents
 */
export function chipFace(cents) {
  return picture("-22 -17 44 39", { class: "chip" }, stack(cents, 20));
}

/**
 * Draw the sensor of the progressive, dark or lit.
 *
 * @param {boolean} lit
 * @param {number} r
 */
export function sensor(lit, r) {
  if (!lit) {
    return s("g", { class: "sensor" }, s("circle", { r, class: "well" }),
      s("circle", { r: r * 0.68, class: "ring" }));
  }
  const star = Array.from({ length: 10 }, (_, n) => {
    const [far, turn] = [n % 2 ? 0.16 : 0.36, (n * Math.PI) / 5 - Math.PI / 2];
    return `${(r * far * Math.cos(turn)).toFixed(2)} ${(r * far * Math.sin(turn)).toFixed(2)}`;
  });
  return s("g", { class: "sensor lit" },
    s("circle", { r: r * 2.1, fill: "url(#hw-glow)" }),
    s("circle", { r, class: "disc" }), s("circle", { r: r * 0.66, class: "ring" }),
    s("path", { d: `M${star.join("L")}z`, class: "star" }));
}

/** Draw the envy lammer. */
export function lammer() {
  return picture("-24 -15 48 30", { class: "lammer" },
    s("ellipse", { rx: 23, ry: 14 }), s("ellipse", { rx: 20, ry: 11, class: "ring" }),
    s("text", { dy: "0.35em" }, "ENVY"));
}

/** Draw the logo. */
export function mark() {
  return picture("0 0 32 32", { class: "mark" },
    s("path", { d: "M5 14.5 16 5l11 9.5V27H5z", class: "walls" }),
    s("path", { d: SUITS.s, transform: "translate(9.4 10.8) scale(.55)" }));
}

/**
 * Draw a suit symbol.
 *
 * @param {string} of
 */
export const suitMark = (of) => picture("0 0 24 24", { class: `suit suit-${of}` },
  s("path", { d: SUITS[of] }));

/** Return the gradients that the drawings refer to. They are added to the page once. */
export function definitions() {
  return picture("0 0 0 0", { class: "definitions" },
    s("defs", {},
      s("radialGradient", { id: "hw-cloth", cx: "50%", cy: "36%", r: "72%" },
        s("stop", { offset: "0", class: "cloth-hi" }), s("stop", { offset: "0.5", class: "cloth-mid" }),
        s("stop", { offset: "1", class: "cloth-lo" })),
      s("radialGradient", { id: "hw-glow" },
        s("stop", { offset: "0.42", "stop-color": "#FFD98A", "stop-opacity": "0.5" }),
        s("stop", { offset: "1", "stop-color": "#FFD98A", "stop-opacity": "0" })),
      s("radialGradient", { id: "hw-light" },
        s("stop", { offset: "0", "stop-color": "#F7E3B0", "stop-opacity": "0.08" }),
        s("stop", { offset: "1", "stop-color": "#F7E3B0", "stop-opacity": "0" }))));
}
