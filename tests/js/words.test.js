import assert from "node:assert/strict";
import { test } from "node:test";
import { cardName, cardSigns, countOf, plural, joinWords, money, moneyWords, numberWord, rankNames, withCardSigns, tableTitle, asTitle }
  from "../../src/houseway/server/web/kit/words.js";

test("an amount has two decimals and a separator", () => {
  assert.equal(money(124500), "$1,245.00");
  assert.equal(money(5), "$0.05");
  assert.equal(money(100000001), "$1,000,000.01");
  assert.equal(money(0), "$0.00");
});

test("a short amount drops only zero cents", () => {
  assert.equal(money(2500, { short: true }), "$25");
  assert.equal(money(2550, { short: true }), "$25.50");
});

test("a loss has a minus sign, a signed win a plus, and zero neither", () => {
  assert.equal(money(-2000), "−$20.00");
  assert.equal(money(-2000, { signed: true, short: true }), "−$20");
  assert.equal(money(2000, { signed: true }), "+$20.00");
  assert.equal(money(0, { signed: true }), "$0.00");
});

test("an amount is read aloud with its sign, in the singular if it is one", () => {
  assert.equal(moneyWords(-500), "minus 5 dollars");
  assert.equal(moneyWords(100), "1 dollar");
  assert.equal(moneyWords(101, { signed: true }), "plus 1 dollar and 1 cent");
  assert.equal(moneyWords(250075, { signed: true }), "plus 2,500 dollars and 75 cents");
  assert.equal(moneyWords(0, { signed: true }), "0 dollars");
});

test("cards are written in words and in symbols", () => {
  assert.equal(cardName("Ts"), "ten of spades");
  assert.equal(cardSigns("Ts"), "10♠\uFE0E");
  assert.equal(rankNames(["Jc", "8d", "2h"]), "jack, eight and two");
  assert.equal(withCardSigns("keep As Kd, not Astor"), "keep A♠\uFE0E K♦\uFE0E, not Astor");
});

test("things are listed, counted and titled", () => {
  assert.equal(joinWords([]), "");
  assert.equal(joinWords([3]), "3");
  assert.equal(joinWords([1, 5]), "1 and 5");
  assert.equal(joinWords([1, 5, 6]), "1, 5 and 6");
  assert.equal(plural(1, "event"), "1 event");
  assert.equal(plural(0, "event"), "0 events");
  assert.equal(countOf(3, 5), "3 of 5");
  assert.equal(countOf(0, 5), "0 of 5");
  assert.equal(countOf(0, 0), "–");
  assert.equal(countOf(0, 0, "none"), "none");
  assert.equal(numberWord(4), "four");
  assert.equal(numberWord(12), "12");
  assert.equal(asTitle("play 4x"), "Play 4×");
  assert.equal(asTitle("box 4xl"), "Box 4xl");
  assert.equal(tableTitle("Loire"), "Table Loire");
  assert.equal(tableTitle("table 7"), "table 7");
});
