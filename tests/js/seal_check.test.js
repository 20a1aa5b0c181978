import assert from "node:assert/strict";
import { test } from "node:test";

// The module also draws a box, which these tests do not use.
globalThis.HTMLElement ??= class {};
const { cardsSeen } = await import("../../src/houseway/server/web/rooms/record/seal_check.js");

const seat = (faces) => ({ player: "Ann", chips: 0, hands: { 1: { cards: 2, faces } } });

test("every face-up card counts, and so do the viewer's own cards in the discard rack", () => {
  const views = [{ table: {}, yours: { cards: [["As", "Ad"]] } },
    { table: { board: ["Kc"], dealer: ["2c", "2d"], seats: { 2: seat([]), 5: seat(["Qc", "Qd"]) } }, yours: {} }];
  assert.deepEqual(cardsSeen(views, "seat 2"),
    { board: ["Kc"], dealer: ["2c", "2d"], "seat 2": ["As", "Ad"], "seat 5": ["Qc", "Qd"] });
});

test("a spectator has no cards of their own", () => {
  assert.deepEqual(cardsSeen([{ table: {}, yours: {} }], "rail"), { board: [], dealer: [] });
});
