import assert from "node:assert/strict";
import { test } from "node:test";

const stored = new Map();
globalThis.localStorage = { getItem: (name) => stored.get(name) ?? null, setItem: (name, value) => stored.set(name, String(value)) };
globalThis.sessionStorage = { getItem: (name) => stored.get(name) ?? null, setItem: (name, value) => stored.set(name, String(value)) };
// The palette is not drawn here, but its module defines custom elements' parents.
globalThis.HTMLElement ??= class {};
globalThis.customElements ??= { define() {} };

const web = "../../src/houseway/server/web";
const { chipLabel, counted, cutText, stacksOf, sum, tubesOf } = await import(`${web}/rooms/chair/chips.js`);
const { cutPlace, enlargement, neighbour, places, spotsOf } = await import(`${web}/rooms/chair/geometry.js`);
const { changeKey, keyChanges, keysOf, storeKeys } = await import(`${web}/rooms/chair/keymap.js`);
const { doLabel } = await import(`${web}/rooms/chair/held_panel.js`);
const { eventText, youDid } = await import(`${web}/rooms/chair/room_parts.js`);
const { Draft } = await import(`${web}/rooms/chair/draft.js`);
const { matching } = await import(`${web}/rooms/chair/palette.js`);
const { Outbox } = await import(`${web}/rooms/chair/outbox.js`);
const { Refused } = await import(`${web}/api_client.js`);

const ULTIMATE = [{ wager: "ante", shape: "circle" }, { wager: "blind", shape: "circle" }, { wager: "play", shape: "circle", later: true },
  { wager: "trips", shape: "diamond" }, { wager: "progressive", shape: "sensor" }];

test("a cut of $22.50 has its sum, its counts and its words", () => {
  const cut = [500, 100, 500, 50, 500, 100, 500];
  assert.equal(sum(cut), 2250);
  assert.deepEqual(counted(cut), { 500: 4, 100: 2, 50: 1 });
  assert.deepEqual(stacksOf(cut), [[500, 4], [100, 2], [50, 1]]);
  assert.equal(cutText(cut), "4 × $5, 2 × $1, 1 × 50¢");
  assert.equal(sum([]), 0);
});

test("tubes are labelled with their values, the smallest on the left", () => {
  assert.deepEqual(tubesOf([100000, 500, 50]).map(chipLabel), ["50¢", "$5", "$1K"]);
  assert.equal(chipLabel(250000), "$2,500");
});

test("seat 1 is on the left, the last seat on the right, and both halves mirror each other", () => {
  for (const seats of [6, 7]) {
    const at = places(seats);
    const xs = Object.values(at).map(([x]) => x);
    assert.deepEqual(xs, [...xs].sort((a, b) => a - b));
    for (let seat = 1; seat <= seats; seat += 1) {
      assert.equal(at[seat][0] + at[seats + 1 - seat][0], 1080);
      assert.equal(at[seat][1], at[seats + 1 - seat][1]);
    }
  }
});

test("the layout is turned round: blind left of ante, play farthest from the dealer, trips nearest", () => {
  const [at] = spotsOf(ULTIMATE);
  assert.ok(at.blind.x < at.ante.x);
  assert.ok(at.play.y < at.ante.y);
  assert.ok(at.trips.y > at.ante.y);
  assert.ok(at.trips.x < at.progressive.x);
});

test("the circles of a place do not touch, enlarged or not, and a split has two separate hands", () => {
  const flat = [{ wager: "wager", shape: "circle" }, { wager: "bonus", shape: "diamond" }];
  for (const [circles, hands] of [[ULTIMATE, 1], [[...ULTIMATE, { wager: "cover_all", shape: "diamond" }], 1], [flat, 1], [flat, 2]]) {
    const spots = spotsOf(circles, hands).flatMap((hand) => Object.values(hand));
    assert.equal(spots.length, circles.length * hands);
    spots.forEach((one, n) => spots.slice(n + 1).forEach((other) => {
      assert.ok(Math.hypot(one.x - other.x, one.y - other.y) >= (one.d + other.d) / 2 - 1, JSON.stringify([one, other]));
    }));
  }
});

test("cut chips lie on the felt, beside the places of other seats", () => {
  for (const seats of [6, 7]) {
    const at = places(seats);
    for (let seat = 1; seat <= seats; seat += 1) {
      const [x, y] = cutPlace(seats, seat);
      assert.ok(x > 40 && x < 1040 && y > 40 && y < 500, `${seat}: ${x} ${y}`);
      for (const [other, [ox, oy]] of Object.entries(at)) {
        const covers = Math.abs(ox - x) < 40 && y > oy && y < oy + 180;
        assert.ok(Number(other) === seat || !covers, `the chips of seat ${seat} cover seat ${other}`);
      }
    }
  }
  assert.ok(enlargement(6, 1) < enlargement(6, 3));
});

test("an arrow moves to the nearest thing in its direction and stays if there is none", () => {
  const centres = [[0, 0], [100, 0], [100, 100], [0, 100]];
  assert.equal(neighbour(centres, 0, "ArrowRight"), 1);
  assert.equal(neighbour(centres, 1, "ArrowDown"), 2);
  assert.equal(neighbour(centres, 2, "ArrowLeft"), 3);
  assert.equal(neighbour(centres, 3, "ArrowUp"), 0);
  assert.equal(neighbour(centres, 0, "ArrowLeft"), 0);
});

test("the arrows reach every circle and every name of a full table from any of them", () => {
  const at = places(6);
  const [spots] = spotsOf(ULTIMATE);
  const centres = Object.values(at).flatMap(([x, y]) => [[x, y], [x, y + 57], ...Object.values(spots).map((spot) => [x + spot.x, y + spot.y])]);
  centres.push([330, 407], [634, 407], [153, 550], [928, 553], ...[0, 1, 2, 3, 4, 5, 6].map((n) => [310 + n * 77, 570]));
  for (let first = 0; first < centres.length; first += 1) {
    const reached = new Set([first]);
    for (const one of reached) for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) reached.add(neighbour(centres, one, key));
    assert.equal(reached.size, centres.length);
  }
});

const ACTS = [{ name: "Burn", key: "b" }, { name: "Deal", key: "d" }, { name: "Pay", key: "p" }, { name: "Wash", key: "" }];

test("a changed key exchanges its meaning with the act that had it", () => {
  const changes = changeKey(ACTS, {}, "Pay", "b");
  const keys = keysOf(ACTS, changes);
  assert.equal(keys.get("Pay"), "B");
  assert.equal(keys.get("Burn"), "P");
  assert.equal(keys.get("Deal"), "D");
  const back = keysOf(ACTS, changeKey(ACTS, changes, "Pay", "p"));
  assert.deepEqual([...back.values()], ["B", "D", "P", ""]);
});

test("every key has one meaning after any changes", () => {
  let changes = {};
  for (const [name, key] of [["Wash", "d"], ["Deal", "p"], ["Burn", "d"], ["Pay", "x"], ["Wash", "b"]]) {
    changes = changeKey(ACTS, changes, name, key);
    const used = [...keysOf(ACTS, changes).values()].filter(Boolean);
    assert.equal(new Set(used).size, used.length);
    assert.equal(keysOf(ACTS, changes).get(name), key.toUpperCase());
  }
  storeKeys(changes);
  assert.deepEqual(keyChanges(), Object.fromEntries(Object.entries(changes).filter(([, key]) => key)));
  stored.set("houseway-chair-keys", "{broken");
  assert.deepEqual(keyChanges(), {});
});

/** @param {string} type */
const option = (type, more = {}) => ({ name: type, type, group: "wagers", asks: [], ...more });

test("a bet that is pressed first is taken as soon as Take is picked", () => {
  const draft = new Draft();
  assert.equal(draft.select({ kind: "wager", seat: 4, hand: 1, wager: "blind" }), false);
  assert.equal(draft.pick(option("Take")), true);
  assert.deepEqual(draft.toAct(), { type: "Take", seat: 4, wager: "blind" });
});

test("a payment needs a bet and chips, and happens only when it is confirmed", () => {
  const draft = new Draft();
  assert.equal(draft.pick(option("Pay")), false);
  assert.equal(draft.select({ kind: "wager", seat: 4, hand: 2, wager: "bonus" }), false);
  assert.deepEqual(draft.missing, ["cut"]);
  draft.setChips([500, 500, 50]);
  assert.ok(draft.complete);
  assert.deepEqual(draft.toAct(), { type: "Pay", seat: 4, wager: "bonus", hand: 2, chips: { 500: 2, 50: 1 } });
});

test("an envy payment names the hand that it is for", () => {
  const draft = new Draft();
  draft.pick(option("Pay"));
  draft.select({ kind: "seat", seat: 3 });
  Object.assign(draft.details, { wager: "envy", cut: [2500] });
  assert.deepEqual(draft.missing, ["of"]);
  draft.details.of = [5, 1];
  assert.deepEqual(draft.toAct(), { type: "Pay", seat: 3, wager: "envy", of: [5, 1], chips: { 2500: 1 } });
});

test("cards are dealt at each press of a place, as many as chosen, and the act stays picked", () => {
  const draft = new Draft();
  assert.equal(draft.pick(option("DealCards")), false);
  draft.setCount(2);
  assert.equal(draft.select({ kind: "seat", seat: 1 }), true);
  assert.deepEqual(draft.toAct(), { type: "DealCards", place: "seat 1", count: 2 });
  draft.clearDetails();
  assert.equal(draft.select({ kind: "dealer" }), true);
  assert.deepEqual(draft.toAct(), { type: "DealCards", place: "dealer", count: 2 });
});

test("a step happens when it is picked, but a cut asks for its number first", () => {
  const draft = new Draft();
  assert.equal(draft.pick(option("TakeStep", { what: "close betting" })), true);
  assert.deepEqual(draft.toAct(), { type: "TakeStep", what: "close betting" });
  assert.equal(draft.pick(option("TakeStep", { name: "Cut the cards", what: "cut" })), false);
  draft.setCount(26);
  assert.deepEqual(draft.toAct(), { type: "TakeStep", what: "cut", count: 26 });
});

test("a whole hand is turned up without a number, and community cards with one", () => {
  const draft = new Draft();
  draft.pick(option("TurnUp"));
  draft.setCount(3);
  draft.select({ kind: "board" });
  assert.deepEqual(draft.toAct(), { type: "TurnUp", place: "board", count: 3 });
  draft.select({ kind: "hand", seat: 2, hand: 2 });
  assert.deepEqual(draft.toAct(), { type: "TurnUp", place: "seat 2", hand: 2 });
});

test("after a split, both hands are racked by their numbers", () => {
  const draft = new Draft();
  draft.pick(option("Rack"));
  draft.select({ kind: "hand", seat: 2, hand: 1 }, 1);
  assert.deepEqual(draft.toAct(), { type: "Rack", what: "seat 2" });
  for (const hand of [1, 2]) {
    draft.select({ kind: "hand", seat: 2, hand }, 2);
    assert.deepEqual(draft.toAct(), { type: "Rack", what: `seat 2 hand ${hand}` });
  }
});

test("a reading says no more than the dealer announced", () => {
  const draft = new Draft();
  draft.pick(option("ReadHand"));
  draft.select({ kind: "dealer" });
  draft.details.reads = "pair";
  assert.deepEqual(draft.toAct(), { type: "ReadHand", place: "dealer", reads: "pair" });
  draft.details.qualifies = false;
  assert.deepEqual(draft.toAct(), { type: "ReadHand", place: "dealer", reads: "pair", qualifies: false });
});

test("an act is found by any of its words, the ones that start with the text first", () => {
  const acts = [{ name: "Take a fold", means: "take a folded hand" }, { name: "Fold the layout" }, { name: "Burn" }];
  assert.deepEqual(matching(acts, "fold").map(({ name }) => name), ["Fold the layout", "Take a fold"]);
  assert.deepEqual(matching(acts, "folded").map(({ name }) => name), ["Take a fold"]);
});

test("an act that the server did not answer is sent again with the same key, in order, and counts once", async () => {
  const sent = [];
  let down = true;
  const answers = [];
  const box = new Outbox({ store: "box", answered: (answer) => answers.push(answer), refused: () => assert.fail(), changed() {},
    send: async ({ key, act }) => {
      sent.push([key, act.type]);
      if (down) throw new Refused(0, []);
      return act.type;
    } });
  await box.add({ type: "Burn" });
  await box.add({ type: "Ask" });
  assert.equal(box.line, "lost");
  assert.equal(JSON.parse(stored.get("box")).length, 2);
  down = false;
  await box.flush();
  box.leave();
  assert.deepEqual(answers, ["Burn", "Ask"]);
  assert.equal(new Set(sent.filter(([, type]) => type === "Burn").map(([key]) => key)).size, 1);
  assert.equal(box.line, "there");
  assert.equal(stored.get("box"), "[]");
});

test("an act is kept if the sign-in has expired, and sent after the person is back", async () => {
  let signedIn = false;
  const answers = [];
  const box = new Outbox({ store: "expired", answered: (answer) => answers.push(answer), refused: (error) => answers.push(error.status), changed() {},
    send: async ({ act }) => {
      if (!signedIn) throw new Refused(401, []);
      return act.type;
    } });
  await box.add({ type: "Burn" });
  assert.equal(JSON.parse(stored.get("expired")).length, 1);
  signedIn = true;
  await box.flush();
  assert.deepEqual(answers, [401, "Burn"]);
});

test("a refused act is not sent again", async () => {
  const refusals = [];
  let tries = 0;
  const box = new Outbox({ store: "other", answered: () => assert.fail(), refused: (error) => refusals.push(error.status), changed() {},
    send: async () => {
      tries += 1;
      throw new Refused(409, [{ code: "out-of-order", message: "no", clause: "MA-1", where: "act" }]);
    } });
  await box.add({ type: "Burn" });
  await box.flush();
  assert.deepEqual([refusals, tries, box.waiting.length], [[409], 1, 0]);
});

test("the button of a payment has one name, so that it does not confirm an amount", () => {
  /** @param {number[]} cut */
  const label = (cut) => doLabel(/** @type {any} */ ({ type: "Pay", act: { name: "Pay" }, count: null,
    details: { seat: 3, hand: 1, wager: "play", tip: false, cut } }));
  assert.deepEqual([[2500, 500, 500, 500], [2500], []].map(label), Array(3).fill("Size into the bet"));
});

test("an act of the dealer is told in the second person", () => {
  assert.equal(youDid("Asked seat 3"), "You asked seat 3");
  assert.equal(youDid("Paid $20.00 on seat 5's ante"), "You paid $20.00 on seat 5's ante");
});

test("what happened has its subject, and the trainer is called the program", () => {
  assert.equal(eventText({ who: "you", words: "Asked seat 3" }), "You asked seat 3");
  assert.equal(eventText({ who: "seat 3", words: "checks" }), "Seat 3 checks");
  assert.equal(eventText({ who: "table", words: "The shuffler stops with a red light." }), "The shuffler stops with a red light.");
  assert.equal(eventText({ who: "trainer", words: "closed betting" }), "The program closed betting");
});
