// The score sheet on paper: measures, slips, categories and the time of each round.

import { clauseTag } from "../../../kit/clause.js";
import { h, picture, s } from "../../../kit/dom.js";
import { judgementMark } from "../../../kit/judgement.js";
import { asTitle, plural } from "../../../kit/words.js";
import { MOST_REASONS, MOST_SLIPS, roundBars, slipFigure } from "./sheet.js";

/** @typedef {import("./sheet.js").Sheet} Sheet */

const POINTS = 10;
const CHART = { width: 930, height: 78, left: 46, top: 14 };
/** The width of the chart on a phone: its bars are narrower, its numbers are not. */
const NARROW = 340;

/** @param {import("./sheet.js").SheetMeasure} measure */
function bar({ bar: lengths, within }) {
  if (!lengths) return null;
  const [filled, tick] = lengths;
  return picture("0 0 300 12", { class: `measure-bar ${within ? "" : "outside"}`, preserveAspectRatio: "none" },
    s("rect", { y: 3, width: 300, height: 6, rx: 3, class: "line" }),
    s("rect", { y: 3, width: 300 * filled, height: 6, rx: 3, class: "filled" }),
    tick > 0 && s("rect", { x: 300 * tick - 1, width: 2.5, height: 12, class: "tick" }));
}

/**
 * @param {import("./sheet.js").SheetMeasure} measure
 * @param {boolean} first
 */
function measureRow(measure, first) {
  const { label, shown, detail, limit, within } = measure;
  const below = [detail, limit].filter(Boolean).join(", ");
  return h("div", { class: `sheet-measure ${first ? "first" : ""} ${within ? "" : "outside"}` },
    h("dt", {}, label), h("dd", {}, shown), bar(measure),
    (below || !within) && h("dd", { class: "below" }, !within && [judgementMark("wrong", { words: "outside its limit" }), " "],
      below));
}

/**
 * Return how many rows of a list the printed sheet leaves out, in words; null if it prints all.
 *
 * @param {number} count
 * @param {number} most
 * @param {string} unit
 */
function leftOut(count, most, unit) {
  const more = count - most;
  return more > 0 && h("span", { class: "print-only" }, `${plural(more, `more ${unit}`)} ${more === 1 ? "is" : "are"} in the record.`);
}

/**
 * @param {import("./sheet.js").SheetSlip} slip
 * @param {number} n
 * @param {number} open
 * @param {(n: number) => void} show
 */
function slipRow(slip, n, open, show) {
  const classes = [n === open && "open", n >= MOST_SLIPS && "screen-only"].filter(Boolean).join(" ");
  return h("tr", { class: classes, "data-key": `slip-${n}`, onclick: (/** @type {Event} */ event) => {
    if (!/** @type {Element} */ (event.target).closest("hw-clause")) show(n);
  } },
  h("td", { class: "slip-mark" }, judgementMark(slip.kind === "late" ? "late" : "wrong")),
  h("td", { class: "round" }, `Round ${slip.round}`),
  h("td", {}, h("button", { type: "button", class: "slip-button", "aria-pressed": String(n === open) },
    asTitle(slip.sentence), slip.cured && " Repaired.")),
  h("td", { class: "figure-cell" }, slipFigure(slip)),
  h("td", { class: "clause-cell" }, slip.clause ? clauseTag(slip.clause) : h("span", { class: "quiet" }, "no clause")));
}

/**
 * @param {Sheet} sheet
 * @param {number} open
 * @param {(n: number) => void} show
 */
function slips({ slips: listed, failures }, open, show) {
  return h("section", { class: "sheet-slips", "data-key": "slips" }, h("h2", {}, "Slips"),
    listed.length ? h("table", {}, h("thead", { class: "unseen" }, h("tr", {},
      ["Mark", "Round", "Slip", "Amount", "Clause"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, listed.map((slip, n) => slipRow(slip, n, open, show)))) : h("p", {}, "No slips."),
    h("p", { class: "small quiet" }, `Automatic failures: ${failures.length || "none"}. `,
      leftOut(listed.length, MOST_SLIPS, "slip")));
}

/** @param {Sheet} sheet */
function categories({ categories: listed }) {
  if (!listed.length) return null;
  const blank = listed.filter(({ points }) => points === null).length;
  return h("section", { class: "sheet-categories", "data-key": "categories" }, h("h2", {}, "Audition categories"),
    h("dl", {}, listed.map(({ name, points }) => h("div", { "data-key": name }, h("dt", {}, name),
      points === null ? h("dd", { class: "blank" }, h("span", {}, "for the examiner"), h("span", { class: "rule" }))
        : h("dd", {}, picture("0 0 100 8", {}, Array.from({ length: POINTS }, (_, n) => s("rect", { x: n * 10, width: 8,
          height: 8, rx: 1.5, class: n < points ? "point" : "point empty" }))), h("b", {}, points),
        h("span", { class: "unseen" }, ` of ${POINTS}`))))),
    blank > 0 && h("p", { class: "small quiet" }, blank === listed.length ? "Too few acts were judged to fill these in." : blank === 1 ? "The program cannot see this one."
      : `The program cannot see ${blank === 3 ? "the last three" : `${blank} of them`}.`));
}

/** @param {Sheet} sheet */
function rounds({ rounds: listed }) {
  if (!listed.length) return null;
  const { height, left, top } = CHART;
  const width = matchMedia("(max-width: 699px)").matches ? NARROW : CHART.width;
  const { bars, scale } = roundBars(listed, height);
  const each = (width - left) / listed.length;
  const words = listed.map(({ time, slips: count, late }, n) => `Round ${n + 1}: ${Math.round(time / 1000)} seconds${
    count ? `, ${late ? "late" : "with a slip"}` : ""}`);
  return h("section", { class: "rounds-chart", "data-key": "rounds" },
    h("h2", {}, listed.length === 30 ? "Thirty rounds" : `${listed.length} rounds`),
    picture(`0 0 ${width} ${height + top + 18}`, {},
      scale.map(({ seconds, at }) => s("g", { class: "time-scale" }, s("path", { d: `M${left} ${top + at}H${width}` }),
        s("text", { x: left - 8, y: top + at + 4 }, `${seconds} s`))),
      s("path", { d: `M${left} ${top + height}H${width}`, class: "ground" }),
      bars.map(({ high, judgement }, n) => {
        const x = left + each * (n + 0.22);
        const middle = left + each * (n + 0.5);
        return s("g", { class: `round-bar ${judgement}` },
          s("rect", { x, y: top + height - high, width: each * 0.56, height: high, rx: 1.5 }),
          judgement === "wrong" && s("rect", { x: middle - 4.5, y: top + height - high - 12, width: 9, height: 9, rx: 1.5 }),
          judgement === "late" && s("path", { d: `M${middle} ${top + height - high - 13}l6 5.5-6 5.5-6-5.5z` }),
          (n === 0 || (n + 1) % 5 === 0) && s("text", { x: middle, y: top + height + 14, class: "number" }, n + 1));
      })),
    h("ol", { class: "unseen" }, words.map((text) => h("li", {}, text))));
}

/** @param {Sheet} sheet */
function facts({ facts: listed }) {
  if (!listed.length) return null;
  return h("section", { class: "sheet-facts", "data-key": "facts" }, h("h2", {}, "About this test"),
    h("dl", {}, listed.map(({ name, words }) => h("div", { "data-key": name }, h("dt", {}, name), " ", h("dd", {}, words)))));
}

/**
 * Draw the sheet.
 *
 * @param {Sheet} sheet
 * @param {number} open The slip that is open on the right.
 * @param {(n: number) => void} show
 */
export function paper(sheet, open, show) {
  const { title, about, isExam, passed, trainee, examiner, outside, columns } = sheet;
  return h("article", { class: "score-paper paper", "aria-label": "Score sheet" },
    h("header", {}, h("div", {}, h("p", { class: "small" }, "Score sheet"), h("h1", {}, title),
      h("p", { class: "small" }, about)),
    h("div", { class: "sheet-verdict" }, isExam && h("p", { class: passed ? "verdict-word passed" : "verdict-word" },
      judgementMark(passed ? "right" : "wrong", { words: "" }), passed ? "Passed" : "Not passed"),
    h("p", { class: "small" }, trainee), examiner && h("p", { class: "small" }, examiner))),
    outside.length > 0 && h("section", { class: "outside-limits", "aria-labelledby": "outside-limits" },
      h("h2", { id: "outside-limits" }, "Why it was not passed"),
      h("ul", {}, outside.map((line, n) => h("li", { class: n >= MOST_REASONS ? "screen-only" : "" },
        judgementMark("wrong", { words: "" }), h("span", {}, line)))),
      leftOut(outside.length, MOST_REASONS, "reason")),
    h("div", { class: "columns-three" }, columns.map((column) => h("section", { "data-key": column.title },
      h("h2", {}, column.title), h("dl", {}, column.measures.map((one, n) => measureRow(one, n === 0)))))),
    h("div", { class: "two-columns" }, slips(sheet, open, show), categories(sheet)),
    rounds(sheet), facts(sheet));
}
