import assert from "node:assert/strict";
import { test } from "node:test";
import { offChart, isCharted, chancesByNet, signedNet } from "../../src/houseway/server/web/kit/chances.js";
import { cellOf, handAt, handAfterKey, handName, compareChoices }
  from "../../src/houseway/server/web/kit/starting_hands.js";

test("the grid has 169 different hands: pairs on the diagonal, suited above it", () => {
  const hands = Array.from({ length: 169 }, (_, n) => handAt(Math.floor(n / 13), n % 13));
  assert.equal(new Set(hands).size, 169);
  assert.equal(hands.filter((hand) => hand.length === 2).length, 13);
  assert.equal(hands.filter((hand) => hand.endsWith("s")).length, 78);
  assert.equal(handAt(0, 1), "AKs");
  assert.equal(handAt(1, 0), "AKo");
  assert.equal(handAt(12, 12), "22");
  for (const hand of hands) assert.equal(handAt(...cellOf(hand)), hand);
});

test("arrow keys move through the grid and stop at its edges", () => {
  assert.equal(handAfterKey("AA", "ArrowRight"), "AKs");
  assert.equal(handAfterKey("AA", "ArrowDown"), "AKo");
  assert.equal(handAfterKey("AA", "ArrowUp"), "AA");
  assert.equal(handAfterKey("22", "ArrowRight"), "22");
  assert.equal(handAfterKey("QJs", "Home"), "AQo");
  assert.equal(handAfterKey("QJs", "End"), "Q2s");
  assert.equal(handAfterKey("QJs", "x"), "");
});

test("a starting hand is named in words", () => {
  assert.equal(handName("K2s"), "king two, suited");
  assert.equal(handName("T9o"), "ten nine, offsuit");
  assert.equal(handName("66"), "pair of sixes");
  assert.equal(handName("AA"), "pair of aces");
});

test("the best play is compared with the best choice that bets nothing", () => {
  const values = { check: -0.25, "3x": 0.5, "4x": 0.75, fold: -2 };
  assert.deepEqual(compareChoices({ hand: "AA", best: "4x", close: false, values }),
    { play: "4x", rest: "check", by: 1 });
});

test("half antes are counted with the whole number below", () => {
  const chances = chancesByNet([{ net: "3/2", chance: 0.25 }, { net: "1", chance: 0.5 }, { net: "-1/2", chance: 0.125 }]);
  assert.deepEqual([...chances], [[1, 0.75], [-1, 0.125]]);
});

test("results beyond the chart are grouped and shown with their odds", () => {
  const chances = new Map([[1, 0.5], [-16, 0.01], [20, 0.001], [28, 0.001], [500, 0.00001]]);
  assert.deepEqual(offChart(chances),
    ["−16, 1 in 100 rounds", "+20 to +28, 1 in 500 rounds", "+500, 1 in 100,000 rounds"]);
  assert.deepEqual([15, -15, 16].map(isCharted), [true, true, false]);
  assert.deepEqual([3, 0, -3].map(signedNet), ["+3", "0", "−3"]);
});
