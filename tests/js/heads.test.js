import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";

const stored = new Map();
globalThis.localStorage = { getItem: (name) => stored.get(name) ?? null, setItem: (name, text) => stored.set(name, text) };
globalThis.HTMLElement ??= class {};
globalThis.customElements ??= { define() {} };
const said = [];
const line = { append: (text) => said.push(text), replaceChildren() {}, remove() {}, children: [], textContent: "" };
globalThis.document ??= { getElementById: () => line, createElement: () => ({ ...line }) };
const { checkSignature, keepHead, keptHead } = await import("../../src/houseway/server/web/heads.js");
const { RecordWatch } = await import("../../src/houseway/server/web/rooms/table/record_watch.js");

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const key = publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("hex");
const chainOf = (name) => Buffer.from(name.padEnd(32)).toString("hex");

/** A head signed as docs/record.md specifies. */
function head(events, name = `c${events}`, stream = "loire-1") {
  const chain = chainOf(name);
  const count = Buffer.alloc(8);
  count.writeBigUInt64BE(BigInt(events));
  const message = Buffer.concat([Buffer.from(`houseway head 1\0${stream}\0`), count, Buffer.from(chain, "hex")]);
  return { stream, events, chain, signature: sign(null, message, privateKey).toString("hex"), key };
}

const watch = (answer) => new RecordWatch({ table: "loire-1", changed: () => {}, client: { get: async () => {
  if (answer instanceof Error) throw answer;
  return answer;
} } });

test("the newest head of each table is kept, for the last 200 tables", () => {
  stored.clear();
  for (let n = 0; n < 250; n += 1) keepHead(head(1, "x", `t${n}`));
  keepHead(head(2, "y", "t249"));
  assert.equal(keptHead("t49"), null);
  assert.equal(keptHead("t50").events, 1);
  assert.equal(keptHead("t249").chain, chainOf("y"));
  stored.set("houseway-heads", "not JSON");
  assert.equal(keptHead("t249"), null);
});

test("a record that contains the kept head gives no warning", async () => {
  stored.clear();
  keepHead(head(10));
  const record = watch({ head: head(20), chain_at: chainOf("c10") });
  await record.compare();
  assert.equal(record.warning, null);
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
    assert.equal(record.warning.head.events, 10);
    await record.closed(head(99));
    assert.equal(keptHead("loire-1").events, 10);
  }
});

test("without an answer from the server, there is no warning", async () => {
  stored.clear();
  keepHead(head(10));
  const record = watch(Object.assign(new Error(), { code: "no-house" }));
  await record.compare();
  assert.equal(record.warning, null);
});

test("a head of fewer events than the kept one gives a warning", async () => {
  stored.clear();
  keepHead(head(10));
  const record = watch({ head: head(10), chain_at: chainOf("c10") });
  await record.closed(head(8));
  assert.equal(record.warning.head.events, 10);
});

test("the signature covers the table, the number of events and the chain", async () => {
  const signed = head(10);
  assert.equal(await checkSignature(signed), "valid");
  for (const change of [{ stream: "loire-2" }, { events: 11 }, { chain: chainOf("c11") }, { key: "00".repeat(32) },
    { signature: head(11).signature }, { signature: "" }, { key: "abc" }, { key: "00" }, { events: -1 }]) {
    assert.equal(await checkSignature({ ...signed, ...change }), "invalid", JSON.stringify(change));
  }
});

test("a head with an invalid signature, or of another table, is not kept and gives a warning", async () => {
  for (const bad of [{ ...head(20), signature: head(21).signature }, head(20, "c20", "loire-2")]) {
    stored.clear();
    keepHead(head(10));
    const record = watch({ head: head(10), chain_at: chainOf("c10") });
    await record.closed(bad);
    assert.match(record.warning.heading, /signature .* not valid/);
    assert.equal(keptHead("loire-1").events, 10);
  }
});

test("a kept head with an invalid signature gives a warning", async () => {
  stored.clear();
  keepHead({ ...head(10), events: 11 });
  const record = watch({ head: head(11), chain_at: chainOf("c10") });
  await record.compare();
  assert.match(record.warning.heading, /signature .* not valid/);
});

test("heads that arrive while another one is checked are kept in order", async () => {
  stored.clear();
  const record = watch({ head: head(10), chain_at: "" });
  await Promise.all([record.closed(head(10)), record.closed(head(20))]);
  assert.equal(record.warning, null);
  assert.deepEqual(record.kept, { events: 20, signature: "valid" });
});

test("without Ed25519 the head is kept and its signature counts as unchecked", async (t) => {
  stored.clear();
  t.mock.method(globalThis.crypto.subtle, "importKey",
    async () => { throw new DOMException("Unrecognized name.", "NotSupportedError"); });
  const record = watch({ head: head(10), chain_at: "" });
  await record.closed(head(10));
  assert.deepEqual(record.kept, { events: 10, signature: "unchecked" });
  assert.equal(keptHead("loire-1").events, 10);
});
