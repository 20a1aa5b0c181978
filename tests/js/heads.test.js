import assert from "node:assert/strict";
import { test } from "node:test";

const stored = new Map();
globalThis.localStorage = { getItem: (name) => stored.get(name) ?? null, setItem: (name, text) => stored.set(name, text) };
globalThis.HTMLElement ??= class {};
globalThis.customElements ??= { define() {} };
const said = [];
const line = { append: (text) => said.push(text), replaceChildren() {}, remove() {}, children: [], textContent: "" };
globalThis.document ??= { getElementById: () => line, createElement: () => ({ ...line }) };
const { keepHead, keptHead } = await import("../../src/houseway/server/web/heads.js");
const { RecordWatch } = await import("../../src/houseway/server/web/rooms/table/record_watch.js");

const head = (events, chain = `c${events}`, stream = "loire-1") => ({ stream, events, chain, signature: "", key: "" });
const watch = (answer) => new RecordWatch({ table: "loire-1", changed: () => {}, house: { get: async () => {
  if (answer instanceof Error) throw answer;
  return answer;
} } });

test("the newest head of each table is kept, for the last 200 tables", () => {
  stored.clear();
  for (let n = 0; n < 250; n += 1) keepHead(head(1, "x", `t${n}`));
  keepHead(head(2, "y", "t249"));
  assert.equal(keptHead("t49"), null);
  assert.equal(keptHead("t50").events, 1);
  assert.equal(keptHead("t249").chain, "y");
  stored.set("houseway-heads", "not JSON");
  assert.equal(keptHead("t249"), null);
});

test("a record that contains the kept head gives no warning", async () => {
  stored.clear();
  keepHead(head(10));
  const record = watch({ head: head(20), chain_at: "c10" });
  await record.compare();
  assert.equal(record.lacking, null);
  await record.closed(head(30));
  assert.equal(keptHead("loire-1").events, 30);
});

test("a record with another chain, a shorter record and a missing table give a warning, and the head stays", async () => {
  for (const answer of [{ head: head(20), chain_at: "other" }, { head: head(5) },
    Object.assign(new Error(), { code: "no-table" })]) {
    stored.clear();
    keepHead(head(10));
    const record = watch(answer);
    await record.compare();
    assert.equal(record.lacking.events, 10);
    await record.closed(head(99));
    assert.equal(keptHead("loire-1").events, 10);
  }
});

test("without an answer nothing is known", async () => {
  stored.clear();
  keepHead(head(10));
  const record = watch(Object.assign(new Error(), { code: "no-house" }));
  await record.compare();
  assert.equal(record.lacking, null);
});

test("a head of fewer events than the kept one gives a warning", async () => {
  stored.clear();
  keepHead(head(10));
  const record = watch({ head: head(10), chain_at: "c10" });
  await record.closed(head(8));
  assert.equal(record.lacking.events, 10);
});
