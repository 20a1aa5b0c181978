import assert from "node:assert/strict";
import { test } from "node:test";

import { chipLabel } from "../../src/houseway/server/web/rooms/chair/chips.js";
import { activePart, Answer, clockTime, dollars, stackWords, total, walk }
  from "../../src/houseway/server/web/rooms/chair/drill/answers.js";
import { drillPath, examSheet, practiceSheet, roundBars, shortHash, slipFigure, timeSpan }
  from "../../src/houseway/server/web/rooms/chair/score/sheet.js";
import { mispaidText, sourceOf } from "../../src/houseway/server/web/kit/words.js";

const blind = { name: "seat 2 blind", title: "Blind", form: "payment", seat: 2, wager: "blind" };

test("chips are cut and put back, and the sum is sent as dollars and cents", () => {
  const answer = new Answer([blind]);
  for (const value of [2500, 2500, 500, 50]) answer.cut(value);
  assert.equal(answer.sum, 5550);
  assert.equal(stackWords(answer.chips), "2 × $25, 1 × $5, 1 × 50¢");
  assert.equal(answer.payment("pay", blind), "55.50");
  answer.cut(2500, -1);
  answer.cut(100, -1);
  assert.equal(answer.sum, 3050);
  answer.putBack();
  assert.equal(answer.sum, 0);
});

test("paying nothing is no answer, except for envy", () => {
  const answer = new Answer([blind]);
  assert.equal(answer.payment("pay", blind), null);
  assert.equal(answer.payment("push", blind), "push");
  assert.equal(answer.payment("pay", { ...blind, wager: "envy" }), "none");
  answer.typed = "$22.50";
  assert.equal(answer.payment("pay", blind), "22.50");
});

test("amounts and chips have their usual names", () => {
  assert.deepEqual([50, 100, 2500, 50000, 100000].map(chipLabel), ["50¢", "$1", "$25", "$500", "$1K"]);
  assert.deepEqual([5, 50, 100005].map(dollars), ["0.05", "0.50", "1000.05"]);
  assert.equal(total(new Map([[500, 4], [50, 1]])), 2050);
  assert.equal(clockTime(140_900), "2:20");
});

test("every row needs a choice, and the next open row becomes current", () => {
  const answer = new Answer([{ name: "a", form: "choice", choices: ["x", "y"] }, { name: "b", form: "choice", choices: ["x"] },
    { name: "c", form: "choice", choices: ["x"] }]);
  answer.choose("b", "x");
  assert.equal(answer.row, 2);
  answer.choose("c", "x");
  assert.match(answer.missing(), /1 left/);
  answer.choose("a", "y");
  assert.equal(answer.missing(), "");
  assert.deepEqual(answer.texts(), { a: "y", b: "x", c: "x" });
});

test("acts are put in order, moved and taken out again", () => {
  const answer = new Answer([{ name: "order", form: "sequence", choices: ["p", "q", "r"] }]);
  [2, 0].forEach((at) => answer.pick(at));
  assert.match(answer.missing(), /1 left/);
  answer.pick(1);
  assert.deepEqual(answer.texts(), { order: "cab" });
  answer.move(1, -1);
  assert.deepEqual(answer.texts(), { order: "cba" });
  answer.move(2, -1);
  assert.deepEqual(answer.texts(), { order: "cba" });
  answer.pick(1);
  assert.deepEqual(answer.picked, [2]);
});

test("a stack is sent as counts and values", () => {
  const answer = new Answer([{ name: "chips", form: "stack", choices: [] }]);
  assert.equal(answer.missing(), "Cut chips first.");
  [500, 500, 50].forEach((value) => answer.cut(value));
  assert.deepEqual(answer.texts(), { chips: "2x5.00 1x0.50" });
});

test("the wager to settle is the chosen one, or the first that is open", () => {
  const parts = ["a", "b", "c"].map((name) => ({ ...blind, name }));
  const settled = new Map([["a", /** @type {any} */ ({})]]);
  assert.equal(activePart(parts, settled)?.name, "b");
  assert.equal(activePart(parts, settled, "c")?.name, "c");
  assert.equal(activePart(parts, settled, "a")?.name, "b");
  assert.equal(walk(parts, settled, "c", 1), "b");
  assert.equal(walk(parts, settled, "b", -1), "c");
});

/** @param {Record<string, any>} changes */
const exam = (changes = {}) => ({ session: "s", score: 99, place: "Massachusetts", game_title: "Ultimate Texas Hold'em", within: { gross: false, pace: true },
  bars: { gross: [0.8, 0.5], pace: [0.7, 0.55] }, result: { title: "Table test", rulebook: "uth-ma", mode: "device",
    rulebook_title: "Massachusetts, Ultimate Texas Hold'em", players: 6, rounds: 30, finished: 30, trainee: "Noor",
    examiner: "self-administered", started: "2026-11-16T14:02:00Z", ended: "2026-11-16T14:59:00Z", outcome: "finished",
    passed: false, certificate: false, failures: [], slips: [], categories: [], round_times: [], rulebook_hash: "a",
    exam_hash: "b", measures: [
      { name: "gross", column: "dollars", label: "Gross mispayment", shown: "$40.00", limit_shown: "limit $25.00" },
      { name: "net", column: "dollars", label: "Net", shown: "$0.00" },
      { name: "pace", column: "seconds", label: "Rounds an hour", shown: "31.8", limit_shown: "at least 25" }], ...changes } });

test("a failed sheet lists the measures outside their limits", () => {
  const sheet = examSheet(exam());
  assert.equal(sheet.title, "Table test, Ultimate Texas Hold'em");
  assert.equal(sheet.about, "Massachusetts rules, uth-ma. 30 rounds, 6 players, dealt by machine. "
    + "16 November 2026, 14:02 to 14:59 UTC.");
  assert.deepEqual(sheet.outside, ["Gross mispayment $40.00: limit $25.00."]);
  assert.deepEqual(sheet.columns.map(({ title, measures }) => [title, measures.length]),
    [["Dollars", 2], ["Seconds", 1], ["Clauses", 0]]);
  assert.deepEqual(sheet.columns[0].measures.map(({ bar }) => bar), [[0.8, 0.5], null]);
  assert.equal(sheet.examiner, "Self-administered");
  assert.deepEqual(examSheet(exam({ passed: true })).outside, []);
  assert.deepEqual(examSheet(exam({ outcome: "aborted", finished: 3, failures: ["The exam was aborted."] })).outside,
    ["Ended early, after 3 of 30 rounds.", "Automatic failure. The exam was aborted.", "Gross mispayment $40.00: limit $25.00."]);
});

test("a practice sheet has the slips of its rounds and no limits", () => {
  const score = { session: "s", rounds: 2, slips: 1, slips_per_round: 0.5, gross: 750, net: -750, over: 0, under: 750,
    payments: 8, payments_right: 7, payments_per_minute: 12, payment_time: 4100, hands_read: 4, hands_read_right: 4,
    irregularities: 0, reported: 0, rounds_per_hour: 30.04 };
  const verdicts = [{ kind: "right", right: true, words: "" }, { kind: "disputed", right: false, words: "" },
    { kind: "wrong amount", right: false, words: "Seat 2: paid $15.00.", did: "paid $15.00", due: "pay $22.50",
      amount: -750, drill: "payouts", clause: { clause: "MA-10.c", says: "A flush pays 3 to 2." } }];
  const sheet = practiceSheet(score, { rulebook: "uth-ma", title: "Massachusetts", trainee: "Noor" },
    [{ round: 1, verdicts: [] }, { round: 2, verdicts }]);
  assert.deepEqual(sheet.slips.map(({ round, clause, right }) => [round, clause, right]), [[2, "MA-10.c", "pay $22.50"]]);
  assert.ok(sheet.columns.every(({ measures }) => measures.every(({ bar, limit }) => !bar && !limit)));
  assert.equal(sheet.columns[0].measures[2].detail, "87.5 %");
  assert.equal(slipFigure(sheet.slips[0]), "−$7.50");
  assert.equal(mispaidText(-750), "$7.50 underpaid");
  assert.equal(drillPath(sheet.slips[0], "uth-ma"), "/chair/drills?drill=payouts&rulebook=uth-ma&scope=hand");
});

test("a sheet without a finished round counts nothing out of 0", () => {
  const score = { session: "s", rounds: 0, slips: 0, slips_per_round: 0, gross: 0, net: 0, over: 0, under: 0, payments: 0,
    payments_right: 0, payments_per_minute: 0, payment_time: 0, hands_read: 0, hands_read_right: 0, irregularities: 0,
    reported: 0, rounds_per_hour: 0 };
  const { columns } = practiceSheet(score, { rulebook: "uth-ma", title: "Massachusetts", trainee: "Noor" }, []);
  const shown = columns.flatMap(({ measures }) => measures).map((one) => [one.label, one.shown, one.detail]);
  assert.deepEqual(shown.slice(2), [["Bets settled right", "–", "none settled"], ["Rounds per hour", "–", "no round finished"],
    ["Median payment", "–", "no payments"], ["Payments per minute", "–", ""], ["Slips", "0", "no round finished"],
    ["Hands read right", "–", "none read"], ["Irregularities reported", "–", "none happened"]]);
});

test("a slip names the document and the section of its clause", () => {
  const clause = { clause: "MA-9.h.2-b", says: "", borrowed: false, document: "Massachusetts", section: "9(h)(2)", reading: "" };
  const score = /** @type {any} */ ({ session: "s", rounds: 1 });
  const given = { payments: 0, payments_right: 0, payments_per_minute: 0, rounds_per_hour: 0, slips: 1, slips_per_round: 1 };
  const verdict = { kind: "misread", words: "", clause };
  const { slips } = practiceSheet({ ...score, ...given }, { rulebook: "uth-ma", title: "Massachusetts", trainee: "Noor" },
    /** @type {any} */ ([{ round: 1, verdicts: [verdict, { ...verdict, clause: null }] }]));
  assert.deepEqual(slips.map(({ source }) => source), ["Massachusetts, section 9(h)(2)", ""]);
  assert.equal(sourceOf({ document: "South Dakota", section: "5" }), "South Dakota, section 5");
});

test("a slip leads to the drill that the server names, and without one to payouts or the next act", () => {
  /** @type {(drill: string, amount?: number) => string | null} */
  const drill = (name, amount = 0) => new URLSearchParams(drillPath(/** @type {any} */ ({ drill: name, amount }), "b").split("?")[1])
    .get("drill");
  assert.deepEqual([drill("order"), drill("hands"), drill("", -750), drill("")], ["order", "hands", "payouts", "next"]);
});

test("bars of rounds share one scale, and late rounds have their own mark", () => {
  const { bars, scale } = roundBars([{ time: 60_000, slips: 0, late: false }, { time: 120_000, slips: 1, late: false },
    { time: 30_000, slips: 1, late: true }], 100);
  assert.deepEqual(bars, [{ high: 50, judgement: "" }, { high: 100, judgement: "wrong" }, { high: 25, judgement: "late" }]);
  assert.deepEqual(scale, [{ seconds: 60, at: 50 }, { seconds: 120, at: 0 }]);
});

test("hashes and times are short", () => {
  assert.equal(shortHash("3049bad2000000004942"), "3049 bad2 … 4942");
  assert.equal(shortHash(""), "");
  assert.equal(timeSpan("2026-11-16T14:02:00Z", ""), "16 November 2026, 14:02 UTC");
  assert.equal(timeSpan("never", ""), "");
});
