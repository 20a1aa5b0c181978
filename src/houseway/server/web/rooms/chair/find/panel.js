// The report of a watcher, its judgement, and the results so far.

import { segmented } from "../../../kit/choices.js";
import { clauseTag } from "../../../kit/clause.js";
import { h, picture, s } from "../../../kit/dom.js";
import { judgementMark } from "../../../kit/judgement.js";
import { centsOf } from "../../../kit/typed.js";
import { asTitle, countOf, money } from "../../../kit/words.js";
import { amountFields, clockText, directionWord } from "./moments.js";

/** @typedef {{ family: string, seat: number, place: string, wager: string, first: string, second: string }} Draft */

/** The key of each family: 1 to 9, then 0. */
export const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];

/** @type {Record<string, { shape: string, glyph: string, words: string }>} */
const VERDICTS = {
  right: { shape: "circle", glyph: "M6 12.5 10.2 17 18 7.5", words: "Right" },
  inexact: { shape: "diamond", glyph: "M12 7v5l3 2", words: "Named, wrong amount" },
  missed: { shape: "square", glyph: "M8 8l8 8M16 8l-8 8", words: "Missed" },
  "false call": { shape: "square", glyph: "M8 8l8 8M16 8l-8 8", words: "False call" },
};
/** @type {Record<string, string>} */
const PARTS = { what: "What", seat: "Seat", place: "Place", wager: "Wager", amount: "Amount", moment: "Moment" };

/**
 * The sign of a judgement: shape, glyph and word together.
 *
 * @param {string} outcome
 */
export function verdictSign(outcome) {
  const { shape, glyph } = VERDICTS[outcome];
  return picture("0 0 24 24", { class: `verdict-sign ${shape}` },
    shape === "circle" ? s("circle", { cx: 12, cy: 12, r: 11 }) : s("rect", { x: 2, y: 2, width: 20, height: 20, rx: 3,
      transform: shape === "diamond" ? "rotate(45 12 12) translate(2.4 2.4) scale(.8)" : "" }),
    s("path", { d: glyph, class: "glyph" }));
}

/** @typedef {NonNullable<api.MistakeReport["unknown"]>[number]} ReportPart */

/** What the watcher must do to name each part of a report. @type {Record<ReportPart, string>} */
const TO_NAME = { seat: "Choose the seat.", place: "Choose a seat or another place.", wager: "Choose the wager.",
  amount: "Type the amounts." };

/**
 * Return the parts that a report still needs. The server refuses a report that neither names them nor lists them as unknown.
 *
 * @param {api.FindFamily} family
 * @param {Draft} draft
 * @param {number | null} cents
 * @returns {ReportPart[]}
 */
export function missingParts({ has_wager: onWager, has_place: placed, has_amount: counted }, { seat, place, wager }, cents) {
  /** @type {[ReportPart, boolean | undefined][]} */
  const parts = [["seat", onWager && !seat], ["place", placed && !seat && !place], ["wager", onWager && !wager],
    ["amount", counted && cents === null]];
  return parts.filter(([, isMissing]) => isMissing).map(([part]) => part);
}

/**
 * The form of a report.
 *
 * @param {{ round: api.FindRoundReply, draft: Draft, used: number, over: boolean, busy: boolean, cents: number | null,
 *   change: (changes: Partial<Draft>) => void, report: () => void, unsure: () => void, none: () => void }} form
 */
export function reportForm({ round, draft, used, over, busy, cents, change, report, unsure, none }) {
  const family = round.families.find(({ key }) => key === draft.family);
  const [part] = family ? missingParts(family, draft, cents) : [];
  const missing = !family ? "Choose what is wrong." : part ? TO_NAME[part] : "";
  const { first, second, bet } = amountFields(draft.family);
  const { players, spots } = round.replay;
  /** @type {(name: "first" | "second", label: string) => Child} */
  const field = (name, label) => h("label", { class: "field", "data-key": name }, h("span", { class: "label" }, label),
    h("input", { type: "text", inputmode: "decimal", autocomplete: "off", maxlength: 12, ".value": draft[name],
      "data-key": `input-${name}`, placeholder: "$0.00", class: (name === "first") === bet ? "" : "from-felt",
      // A field that a repaint removes while it has the focus also reports a change.
      onchange: (/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) => queueMicrotask(() => {
        const read = target.isConnected ? centsOf(draft[name]) : null;
        if (read !== null) change({ [name]: money(read) });
      }),
      oninput: (/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) => change({ [name]: target.value }) }));
  return [
    h("section", { class: "what", "data-key": "what", "aria-labelledby": "find-what" },
      h("header", {}, h("h2", { id: "find-what" }, "What is wrong?"), h("p", { class: "used" }, `${clockText(used)} used`)),
      h("div", { class: "families", role: "group", "aria-labelledby": "find-what" }, round.families.map(({ key, title, hint }, n) =>
        h("button", { type: "button", class: "family", "data-key": key, "aria-pressed": String(key === draft.family), title: hint,
          "aria-keyshortcuts": KEYS[n], onclick: () => change({ family: key }) },
        h("span", {}, title), h("kbd", { "aria-hidden": "true" }, KEYS[n]))))),
    h("section", { class: "where", "data-key": "where", "aria-labelledby": "find-where" },
      h("header", {}, h("h2", { id: "find-where" }, "Where?"), h("p", { class: "small" }, "Press it on the felt, or choose.")),
      h("div", { class: "choose" }, h("span", { class: "label" }, "Seat"), segmented("Seat",
        players.map(({ seat }) => /** @type {[number, string]} */ ([seat, String(seat)])), draft.seat,
        (seat) => change({ seat: seat === draft.seat ? 0 : seat, place: "" }))),
      family?.has_place && h("div", { class: "choose", "data-key": "place" }, h("span", { class: "label" }, "Or"),
        segmented("Place", round.places.map((place) => /** @type {[string, string]} */ ([place, asTitle(place)])), draft.place, (place) => change({ place: place === draft.place ? "" : place, seat: 0 }))),
      (!family || family.has_wager) && h("div", { class: "choose", "data-key": "wager" }, h("span", { class: "label" }, "Wager"),
        segmented("Wager", spots.map(({ wager, title }) => /** @type {[string, string]} */ ([wager, title])), draft.wager,
          (wager) => change({ wager: wager === draft.wager ? "" : wager })))),
    family?.has_amount && h("section", { class: "how-much", "data-key": "much", "aria-labelledby": "find-much" },
      h("h2", { id: "find-much" }, "How much?"),
      h("div", { class: "amounts" }, field("first", first), field("second", second)),
      h("p", { class: "difference", "aria-live": "polite" }, cents === null
        ? h("span", { class: "small" }, "Type dollars. For a bet that is taken, type a minus sign before the amount: -25.")
        : [cents !== 0 && [h("strong", {}, money(Math.abs(cents))), " "], directionWord(draft.family, cents)])),
    h("section", { class: "send", "data-key": "send" },
      h("div", { class: "acts" },
        h("button", { type: "button", class: "button main", "data-key": "report", "aria-disabled": String(Boolean(missing) || busy),
          onclick: report }, "Report this ", h("kbd", { "aria-hidden": "true" }, "↵")),
        h("button", { type: "button", class: "button", "data-key": "none", "aria-disabled": String(busy), onclick: none },
          over ? "There was no mistake " : "No mistake so far ", h("kbd", { "aria-hidden": "true" }, "N"))),
      missing && h("div", { class: "missing", "data-key": "missing" }, h("p", { class: "small", role: "status" }, missing),
        part && h("p", { class: "small", "data-key": "unsure" }, h("button", { type: "button", class: "link", "aria-disabled": String(busy),
          onclick: unsure }, "I do not know: report without it"))),
      h("p", { class: "small" },
        "You see the answer and its clause when the round is over. A false call counts against you as much as a miss.")),
  ];
}

/**
 * The judgement with the answer.
 *
 * @param {{ judged: api.MistakeJudgement, last: boolean, next: () => void, seek: (at: number) => void, busy: boolean }} shown
 */
export function judgementSheet({ judged, last, next, seek, busy }) {
  const { answer, outcome, parts } = judged;
  const facts = answer.facts ?? [];
  return [h("section", { class: `judged ${outcome.replaceAll(" ", "-")}`, "data-key": "judged", tabindex: "-1", id: "judgement",
    "aria-labelledby": "find-judged" },
  h("header", {}, verdictSign(outcome), h("h2", { id: "find-judged" }, VERDICTS[outcome].words)),
  h("p", {}, judged.says),
  answer.name ? h("p", { class: "planted" }, h("strong", {}, `${asTitle(answer.name)}.`), " ",
    h("button", { type: "button", class: "link", onclick: () => seek((answer.step ?? 1) - 1) }, `Event ${answer.step}`)) : null,
  facts.length > 0 && h("ul", { class: "facts" }, facts.map((fact) => h("li", {}, fact))),
  parts.length > 1 && h("table", { class: "graded" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, "Part")), h("th", { scope: "col" }, "Yours"),
      h("th", { scope: "col" }, "Answer"))),
    h("tbody", {}, parts.map(({ name, yours, right, is_right: fits }) => h("tr", { class: fits ? "fits" : "differs", "data-key": name },
      h("th", { scope: "row" }, PARTS[name]), h("td", {}, yours), h("td", {}, fits ? [judgementMark("right", { words: "" }), " right"] : right))))),
  answer.name && h("div", { class: "paper clause-paper" }, answer.clause
    ? [h("p", {}, clauseTag(answer.clause)), h("p", {}, answer.sentence ?? "")]
    : h("p", {}, "No clause is cited for this.")),
  h("div", { class: "acts" }, h("button", { type: "button", class: "button main", "data-key": "next", "aria-disabled": String(busy),
    onclick: next }, last ? "New session " : "Next round ", h("kbd", { "aria-hidden": "true" }, "↵"))))];
}

/**
 * The results of the session.
 *
 * @param {api.FindTally} tally
 */
export function tallyLine(tally) {
  const { rounds = 0, right = 0, missed = 0, false_calls: calls = 0, notice } = tally;
  /** @type {[string, string][]} */
  const figures = [[countOf(right, rounds), "rounds right"], [String(missed), "missed"],
    [String(calls), calls === 1 ? "false call" : "false calls"],
    [notice === undefined || notice === null ? "–" : `${(notice / 1000).toFixed(1)} s`, "to notice"]];
  return h("dl", { class: "tally", "data-key": "tally" }, figures.map(([figure, words]) => h("div", {},
    h("dd", {}, figure), h("dt", {}, words))));
}
