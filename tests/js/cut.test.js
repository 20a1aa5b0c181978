import assert from "node:assert/strict";
import { test } from "node:test";

/** @param {Record<string, string>} items */
const storage = (items) => ({ getItem: (name) => items[name] ?? null,
  setItem: (name, value) => { items[name] = String(value); }, removeItem: (name) => { delete items[name]; } });
globalThis.localStorage = storage({});
globalThis.sessionStorage = storage({});

const { PlayersCut } = await import("../../src/houseway/server/web/rooms/table/cut.js");
const { commitmentsSeen, saltsGiven } = await import("../../src/houseway/server/web/seals.js");
const { commitment } = await import("../../src/houseway/server/web/verify.js");

let shoes = 0;
/** A table with a new seal. */
const table = (given = {}) => ({ round: 1, betting: "open", seal: (shoes += 1).toString(16).padStart(64, "0"), ...given });

/** A room that records the commands that it sends. */
function room(refuses = () => false) {
  const sent = [];
  const cut = new PlayersCut(async (command) => {
    if (refuses(command)) throw new Error("refused");
    sent.push(command);
  });
  return { cut, sent };
}

test("a browser commits to a salt while betting is open and opens it once betting is closed, without a press", async () => {
  const { cut, sent } = room();
  const open = table();
  await cut.see({ yours: { seat: 3, commit_due: true }, table: open });
  await cut.see({ yours: { seat: 3, commit_due: true }, table: open });
  assert.deepEqual(sent.map(({ type }) => type), ["CommitSalt"]);
  const mine = sent[0].commitment;
  await cut.see({ yours: { seat: 3, commitment: mine }, table: open });
  const closed = { ...open, betting: "closed", commitments: { 3: mine, 4: "f".repeat(64) } };
  await cut.see({ yours: { seat: 3, openings: { 3: mine } }, table: closed });
  await cut.see({ yours: { seat: 3, openings: { 3: mine } }, table: closed });
  assert.deepEqual(sent.map(({ type }) => type), ["CommitSalt", "OpenSalt"]);
  assert.equal(await commitment(open.seal, 3, sent[1].salt), mine);
  assert.deepEqual(saltsGiven(open.seal), [{ seat: 3, salt: sent[1].salt }]);
  assert.deepEqual(commitmentsSeen(open.seal), closed.commitments);
});

test("no salt is opened while betting is open, whatever the server asks for", async () => {
  const { cut, sent } = room();
  const open = table();
  await cut.see({ yours: { seat: 3, commit_due: true }, table: open });
  await cut.see({ yours: { seat: 3, openings: { 3: sent[0].commitment } }, table: open });
  assert.equal(sent.length, 1);
});

test("another tab of the same browser opens the salt", async () => {
  const [one, two] = [room(), room()];
  const open = table();
  await one.cut.see({ yours: { seat: 2, commit_due: true }, table: open });
  const mine = one.sent[0].commitment;
  await two.cut.see({ yours: { seat: 2, commitment: mine }, table: open });
  await two.cut.see({ yours: { seat: 2, openings: { 2: mine } }, table: { ...open, betting: "closed" } });
  assert.deepEqual(two.sent.map(({ type }) => type), ["OpenSalt"]);
});

test("another browser of the same player commits again, once", async () => {
  const { cut, sent } = room();
  const open = table();
  const elsewhere = { seat: 2, commitment: "a".repeat(64) };
  await cut.see({ yours: elsewhere, table: open });
  await cut.see({ yours: elsewhere, table: open });
  assert.equal(sent.length, 1);
  assert.equal(sent[0].type, "CommitSalt");
});

test("the salts of all seats of a player are opened", async () => {
  const { cut, sent } = room();
  const open = table();
  for (const seat of [1, 2]) await cut.see({ yours: { seat, commit_due: true }, table: open });
  const openings = Object.fromEntries(sent.map(({ seat, commitment: mine }) => [seat, mine]));
  await cut.see({ yours: { seat: 2, openings }, table: { ...open, betting: "closed" } });
  assert.deepEqual(sent.slice(2).map(({ seat }) => seat), [1, 2]);
});

test("a table from before commitments gets a salt in the clear", async () => {
  const { cut, sent } = room();
  await cut.see({ yours: { seat: 1, salt_due: true }, table: table() });
  assert.deepEqual(sent.map(({ type }) => type), ["AddSalt"]);
});

test("an opening that was not answered is sent again", async () => {
  let fails = true;
  const { cut, sent } = room(({ type }) => type === "OpenSalt" && fails);
  const open = table();
  await cut.see({ yours: { seat: 1, commit_due: true }, table: open });
  const view = { yours: { seat: 1, openings: { 1: sent[0].commitment } }, table: { ...open, betting: "closed" } };
  await cut.see(view);
  fails = false;
  await cut.see(view);
  assert.deepEqual(sent.map(({ type }) => type), ["CommitSalt", "OpenSalt"]);
});

test("a discarded deck is explained, with the seats that did not open their bytes", async () => {
  const { discardedNotice } = await import("../../src/houseway/server/web/rooms/table/notices.js");
  const updates = [{ seq: 1, event: { type: "DeckDiscarded", deck: "A", seats: [2, 3] } }];
  const notice = discardedNotice(updates, 3, () => "Ann");
  assert.match(notice.text, /^Ann's and your browsers did not send their shares of the players' cut \(the random bytes that help to shuffle\) in time/);
  assert.equal(notice.stays, true);
  assert.equal(discardedNotice([{ seq: 1 }], 3, () => "Ann"), null);
});
