import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { commitment, digest, faults, verify } from "../../src/houseway/server/web/verify.js";

const text = await readFile(new URL("./proofs.json", import.meta.url), "utf8");
const proofs = () => JSON.parse(text);
const SALT = { seat: 2, salt: "000102030405060708090a0b0c0d0e0f" };

/** The cards as seat 2 saw them, by place. */
function shown() {
  const cards = {};
  for (const { to, card } of proofs().cards) (cards[to] ??= []).push(card);
  return cards;
}

const watched = (given = {}) => ({ seal: proofs().root, round: 1, shown: shown(), salts: [SALT], ...given });

test("the JavaScript digest is SHA-256", () => {
  for (const length of [0, 1, 3, 55, 56, 63, 64, 65, 119, 1000]) {
    const bytes = Uint8Array.from({ length }, (_, n) => n % 251);
    assert.deepEqual([...digest(bytes)], [...createHash("sha256").update(bytes).digest()]);
  }
});

test("every card of a sealed shoe is proved", async () => {
  assert.deepEqual(await faults(proofs()), []);
  assert.deepEqual(await verify(proofs(), watched()), { faults: [], shown: 9, matched: 9, covered: 43 });
});

test("the JavaScript digest gives the same result if the browser has no WebCrypto", async () => {
  const { crypto } = globalThis;
  Object.defineProperty(globalThis, "crypto", { value: undefined, configurable: true });
  try {
    assert.deepEqual(await faults(proofs()), []);
  } finally {
    Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true });
  }
});

test("proofs with another seal are for another shoe", async () => {
  const { faults: wrong } = await verify(proofs(), watched({ seal: "0".repeat(64) }));
  assert.match(wrong[0], /another shoe/);
});

test("a card that was seen and is not proved for its place is a fault", async () => {
  const cards = shown();
  cards["seat 2"] = [cards.board[0], cards["seat 2"][1]];
  const { faults: wrong, covered } = await verify(proofs(), watched({ shown: cards }));
  assert.equal(wrong.length, 1);
  assert.match(wrong[0], /seen at seat 2 in round 1 is not among the cards that the proofs list for that place/);
  assert.equal(covered, 0);
});

test("a salt that is in no cut is a fault", async () => {
  const { faults: wrong } = await verify(proofs(), watched({ salts: [{ ...SALT, seat: 5 }] }));
  assert.match(wrong[0], /the salt that this browser added for seat 5 is missing from the cuts/);
});

const TAMPERED = {
  "another card": (file) => { file.cards[0].card = file.cards[0].card === "As" ? "Ks" : "As"; },
  "another position": (file) => { file.cards[0].position = (file.cards[0].position + 1) % 52; },
  "another nonce": (file) => { file.cards[0].nonce = "f".repeat(32); },
  "a path cut short": (file) => { file.cards[0].path.pop(); },
  "a path too long": (file) => { file.cards[0].path.push("0".repeat(64)); },
  "another place": (file) => { file.cards[0].to = "dealer"; },
  "another cut": (file) => { file.cuts[0].count += 1; },
  "another salt": (file) => { file.cuts[1].salts[2] = "f".repeat(32); },
  "another deal": (file) => { file.deals[0].count = 1; },
  "a card listed twice": (file) => { file.cards.push(file.cards[0]); },
  "no card": (file) => { file.cards = []; },
  "another format": (file) => { file.format = "other"; },
  "a field too many": (file) => { file.more = 1; },
  "part of a deck": (file) => { file.size = 53; },
};

for (const [what, tamper] of Object.entries(TAMPERED)) {
  test(`proofs with ${what} have a fault`, async () => {
    const file = proofs();
    tamper(file);
    assert.notDeepEqual(await faults(file), []);
  });
}

// --- commitments ---

const committedText = await readFile(new URL("./committed.json", import.meta.url), "utf8");
const committed = () => JSON.parse(committedText);
/** The commitments of all seats, as a browser sees them before it opens its salt. */
const seen = () => Object.fromEntries(Object.entries(committed().cuts[1].commitments)
  .map(([seat, record]) => [seat, record.commitment]));

test("a commitment is the hash that the documentation gives", async () => {
  const bytes = Buffer.concat([Buffer.from("houseway salt commitment 1\0"), Buffer.alloc(32, 171), Buffer.from([0, 3]),
    Buffer.from("000102030405060708090a0b0c0d0e0f", "hex")]);
  assert.equal(await commitment("ab".repeat(32), 3, "000102030405060708090a0b0c0d0e0f"),
    createHash("sha256").update(bytes).digest("hex"));
});

test("commitments that were made before betting closed and opened after it are proved", async () => {
  const { faults: wrong } = await verify(committed(), watched({ commitments: seen() }));
  assert.deepEqual(wrong, []);
});

const WRONG_CUTS = {
  "an opening that does not match its commitment": [(cut) => { cut.commitments[2].commitment = "f".repeat(64); },
    /seat 2 opened a salt that it had not committed to/],
  "an opening before betting closed": [(cut) => { cut.commitments[5].opened = 12; },
    /seat 5 opened its salt before betting was closed/],
  "a commitment after betting closed": [(cut) => { cut.commitments[5].committed = 13; },
    /seat 5 committed to its salt after betting was closed/],
  "a missing opening": [(cut) => { cut.commitments[3] = { ...cut.commitments[2], opened: 0 }; },
    /the seats that committed to a salt and those that opened one are not the same/],
  "a missing commitment": [(cut) => { delete cut.commitments[2]; }, /are not the same/],
  "salts in the clear": [(cut) => { delete cut.commitments; delete cut.closed; }, /must have exactly these fields/],
};

for (const [what, [tamper, message]] of Object.entries(WRONG_CUTS)) {
  test(`a cut with ${what} is a fault`, async () => {
    const file = committed();
    tamper(file.cuts[1]);
    assert.match((await faults(file))[0] ?? "", message);
  });
}

test("a commitment that this browser did not see before it opened its salt is a fault", async () => {
  for (const commitments of [{ ...seen(), 5: "0".repeat(64) }, { 2: seen()[2] }]) {
    const { faults: wrong } = await verify(committed(), watched({ commitments }));
    assert.match(wrong[0], /^seat 5: the commitment in the cut is not the one that this browser saw/);
  }
  const { faults: plain } = await verify(proofs(), watched({ commitments: seen() }));
  assert.equal(plain.length, 2);
});
