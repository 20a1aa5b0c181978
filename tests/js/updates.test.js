import assert from "node:assert/strict";
import { test } from "node:test";
import { applyPatch, patchedViews } from "../../src/houseway/server/web/kit/patch.js";
import { Player } from "../../src/houseway/server/web/rooms/table/player.js";
import { holds, stepsOf } from "../../src/houseway/server/web/rooms/table/steps.js";

test("a patch changes fields by name, drops null fields and replaces whole lists", () => {
  const view = { board: ["As"], seats: { 1: { chips: 100, act: "checked" }, 2: { chips: 5 } }, void: true };
  const patch = { board: ["As", "Kd"], seats: { 1: { chips: 50 }, 2: null, 3: { chips: 7 } }, void: null };
  assert.deepEqual(applyPatch(view, patch),
    { board: ["As", "Kd"], seats: { 1: { chips: 50, act: "checked" }, 3: { chips: 7 } } });
});

test("a patch leaves the old view unchanged and shares the parts it does not change", () => {
  const view = { seats: { 1: { chips: 100 }, 2: { chips: 5 } }, meters: { main: 1 } };
  const before = structuredClone(view);
  const after = applyPatch(view, { seats: { 1: { chips: 0 } } });
  assert.deepEqual(view, before);
  assert.equal(after.seats[2], view.seats[2]);
  assert.equal(after.meters, view.meters);
});

test("a patch may set zero, false, an empty list and a field that is new", () => {
  assert.deepEqual(applyPatch({ turn: 3, cards: ["As"], light: true }, { turn: 0, cards: [], light: false }),
    { turn: 0, cards: [], light: false });
  assert.deepEqual(applyPatch({}, { net: { 3: -500 } }), { net: { 3: -500 } });
  assert.deepEqual(applyPatch({ held: ["Ann", "noon"] }, { held: { 1: null, 2: ["Bo", "one"] } }),
    { held: { 2: ["Bo", "one"] } });
});

test("each update gives the next view, even without a patch", () => {
  const updates = [{ seq: 1, patch: { table: { turn: 1 } } }, { seq: 2 }, { seq: 3, patch: { table: { turn: 2 } } }];
  assert.deepEqual(patchedViews({ table: { turn: 0, round: 7 } }, updates),
    [{ table: { turn: 1, round: 7 } }, { table: { turn: 1, round: 7 } }, { table: { turn: 2, round: 7 } }]);
});

const settled = (seat) => ({ type: "WagerSettled", seat });

test("every settled wager of the viewer is shown for a while, and only the first of another seat", () => {
  assert.deepEqual(holds([settled(3), settled(3), settled(5), settled(5), settled(3)], 3),
    [700, 700, 700, 0, 700]);
});

test("acts, cards and the dealer's hand have a display time, other events have none", () => {
  const events = [{ type: "Checked", seat: 1 }, { type: "CardsDealt", count: 2 }, { type: "DealerRevealed" },
    { type: "StepTaken" }, null];
  assert.deepEqual(holds(events, 3), [300, 120, 700, 0, 0]);
});

test("a long deal takes three seconds, and everything together nine", () => {
  const total = (events) => Math.round(holds(events, 0).reduce((all, ms) => all + ms, 0));
  assert.equal(total(Array(100).fill({ type: "CardsDealt", count: 1 })), 3000);
  assert.equal(total(Array(50).fill({ type: "HandTurned" })), 9000);
});

const updates = (count) => Array.from({ length: count }, (_, n) => ({ seq: n + 1 }));
const views = (count) => Array.from({ length: count }, (_, n) => ({ table: { round: n + 1 } }));

test("an update without a display time joins the next step; the last update always makes a step", () => {
  const steps = stepsOf(views(5), updates(5), [0, 300, 0, 0, 0]);
  assert.deepEqual(steps.map(({ view, updates: group, hold }) => [view.table.round, group.map(({ seq }) => seq), hold]),
    [[2, [1, 2], 300], [5, [3, 4, 5], 0]]);
});

/** A clock that a test advances with `pass(ms)`. */
function clock(t) {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  t.after(() => Object.assign(globalThis, real));
  const due = new Map();
  let now = 0;
  let last = 0;
  globalThis.setTimeout = (call, ms) => {
    last += 1;
    due.set(last, { at: now + ms, call });
    return last;
  };
  globalThis.clearTimeout = (timer) => due.delete(timer);
  return (ms) => {
    const end = now + ms;
    for (;;) {
      const [first] = [...due].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at);
      if (!first) break;
      due.delete(first[0]);
      now = first[1].at;
      first[1].call();
    }
    now = end;
  };
}

/** A step player on a test clock, and the steps it showed. */
function playing(t) {
  const pass = clock(t);
  const shown = [];
  const player = new Player({ pace: () => 2,
    show: ({ view, updates: group }, { hurried }) => shown.push([view.table.round, group.length, Boolean(hurried)]) });
  return { player, shown, pass };
}

test("steps are shown one after the other, each for its own time, adjusted by the pace", (t) => {
  const { player, shown, pass } = playing(t);
  player.add(stepsOf(views(3), updates(3), [100, 100, 100]));
  assert.deepEqual(shown, [[1, 1, false]]);
  assert.equal(player.busy, true);
  pass(199);
  assert.equal(shown.length, 1);
  pass(1);
  assert.deepEqual(shown.at(-1), [2, 1, false]);
  pass(200);
  assert.deepEqual(shown.at(-1), [3, 1, false]);
  assert.equal(player.busy, false);
  assert.equal(player.playing, false);
});

test("added steps wait for the ones being shown", (t) => {
  const { player, shown, pass } = playing(t);
  player.add(stepsOf(views(2), updates(2), [100, 100]));
  player.add(stepsOf(views(9).slice(8), updates(1), [100]));
  pass(200);
  pass(200);
  assert.deepEqual(shown.map(([round]) => round), [1, 2, 9]);
});

test("skipping ahead shows the last view once, with the updates of all skipped steps", (t) => {
  const { player, shown, pass } = playing(t);
  player.add(stepsOf(views(4), updates(4), [100, 100, 100, 100]));
  player.finish();
  assert.deepEqual(shown.at(-1), [4, 3, true]);
  pass(10000);
  assert.equal(shown.length, 2);
});

test("a replay seeks, plays from there to the end and pauses", (t) => {
  const { player, shown, pass } = playing(t);
  player.load(stepsOf(views(4), updates(4), [700, 700, 700, 700]), 3);
  assert.deepEqual(shown, []);
  assert.equal(player.at, 3);
  player.seek(1);
  player.play();
  assert.equal(player.playing, true);
  pass(1400);
  assert.deepEqual(shown.map(([round]) => round), [2, 3]);
  player.pause();
  pass(5000);
  assert.equal(player.at, 2);
  player.seek(99);
  assert.equal(player.at, 3);
  player.seek(-1);
  assert.equal(player.at, 0);
});

test("the next step is scheduled before a step is shown, so that the drawing shows whether the replay is playing", (t) => {
  const pass = clock(t);
  const seen = [];
  const player = new Player({ pace: () => 1, show: () => seen.push(player.playing) });
  player.add(stepsOf(views(2), updates(2), [100, 100]));
  pass(100);
  assert.deepEqual(seen, [true, false]);
});
