import assert from "node:assert/strict";
import { test } from "node:test";
import { centsOf } from "../../src/houseway/server/web/kit/typed.js";
import { amountFields, clockText, difference, directionWord, holdsOf, layoutAfter, markShown, phasesOf }
  from "../../src/houseway/server/web/rooms/chair/find/moments.js";

const STEPS = [
  { number: 1, time: 1000, phase: "Bets", by: "player", says: "", hands: [{ seat: 2, wagers: { ante: 500 } }] },
  { number: 2, time: 2500, phase: "Deal", by: "dealer", says: "", hands: [{ seat: 2, cards: [""], wagers: { ante: 500 } }], dealer: [""] },
  { number: 3, time: 2600, phase: "Deal", by: "dealer", says: "", board: ["As", "Kd", "2c"] },
  { number: 4, time: 4000, phase: "Close", by: "dealer", says: "", board: [], dealer: ["", ""] },
];

test("the felt at a step has the last state of every part", () => {
  assert.equal(layoutAfter(STEPS, 0).hands.size, 0);
  assert.deepEqual(layoutAfter(STEPS, 1).hands.get("2-1"), { seat: 2, wagers: { ante: 500 } });
  const third = layoutAfter(STEPS, 3);
  assert.deepEqual(third.hands.get("2-1")?.cards, [""]);
  assert.deepEqual([third.board, third.dealer], [["As", "Kd", "2c"], [""]]);
  assert.deepEqual(layoutAfter(STEPS, 4).board, []);
});

test("phases have their first and last step, and steps are held until the next one", () => {
  assert.deepEqual(phasesOf(STEPS), [{ name: "Bets", from: 0, to: 0 }, { name: "Deal", from: 1, to: 2 },
    { name: "Close", from: 3, to: 3 }]);
  assert.deepEqual(holdsOf(STEPS), [1500, 100, 1400, 0]);
});

test("amounts are read in dollars, with or without cents, sign and separator", () => {
  assert.equal(centsOf("22.50"), 2250);
  assert.equal(centsOf(" $1,022.5 "), 102250);
  assert.equal(centsOf("-15"), -1500);
  assert.equal(centsOf("−$0.05"), -5);
  for (const text of ["", "x", "1.234", "1 2", "$", "12345678"]) assert.equal(centsOf(text), null);
});

test("a payment is compared with the right one, a bet with the earlier one", () => {
  assert.equal(difference("amount", 1500, 2250), -750);
  assert.equal(difference("unsettled", 0, -1500), 1500);
  assert.equal(difference("changed bet", 500, 1000), 500);
  assert.equal(difference("amount", null, 5), null);
  assert.equal(directionWord("amount", -750), "underpaid");
  assert.equal(directionWord("amount", 750), "overpaid");
  assert.equal(directionWord("late bet", 500), "more");
  assert.equal(directionWord("changed bet", -500), "less");
  assert.equal(directionWord("amount", 0), "No difference");
  assert.equal(amountFields("changed bet").first, "The bet was");
});

test("the clock shows minutes and seconds, and a step keeps the time at which it was first shown", () => {
  assert.equal(clockText(106999), "1:46");
  assert.equal(clockText(0), "0:00");
  const shown = [-1, -1, -1, -1];
  markShown(shown, 1, 40);
  markShown(shown, 2, 90);
  markShown(shown, 0, 95);
  assert.deepEqual(shown, [40, 40, 90, -1]);
});
