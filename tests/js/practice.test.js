import assert from "node:assert/strict";
import { test } from "node:test";

import { choiceOfKey, spotSpeech } from "../../src/houseway/server/web/rooms/school/practice/speech.js";

const choice = (name, title, key) => ({ choice: name, title, effect: "", key });
const river = { street: "after the river", cards: ["Jc", "6d"], board: ["Qs", "Ts", "7d", "4h", "2c"], wagers: "",
  choices: [choice("fold", "Fold", "F"), choice("1x", "Play 1×", "1")] };
const four = { street: "four cards", cards: ["As", "7h", "9s", "5h"], board: [], wagers: "",
  choices: [choice("keep As 7h", "Keep As 7h", "1")] };

test("a key takes its choice, in either case", () => {
  assert.equal(choiceOfKey(river, "f"), "fold");
  assert.equal(choiceOfKey(river, "F"), "fold");
  assert.equal(choiceOfKey(river, "1"), "1x");
  assert.equal(choiceOfKey(river, "c"), "");
  assert.equal(choiceOfKey(null, "f"), "");
});

test("a position is spoken with cards in words", () => {
  assert.equal(spotSpeech(river), "After the river. Your cards: jack of clubs, six of diamonds. Board: queen of spades, "
    + "ten of spades, seven of diamonds, four of hearts, two of clubs. Choices: Fold, Play 1×.");
  assert.equal(spotSpeech(four), "Four cards. Your cards: ace of spades, seven of hearts, nine of spades, five of hearts. "
    + "Choices: Keep ace of spades seven of hearts.");
});
