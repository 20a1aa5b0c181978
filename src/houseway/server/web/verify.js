// Checks the cards of a round against the seal published before it, independently of the Python verifier.
//
// The exact bytes that are hashed and cut are specified in docs/shuffle.md. Browsers offer WebCrypto only over
// https or on localhost; elsewhere the SHA-256 implementation below is used.

/**
 * The proofs of a round as the server sends them; every field is checked before it is used.
 *
 * @typedef {{ format: string, shoe: string, size: number, root: string, cuts: any[], deals: any[],
 *   cards: any[] }} Proofs
 */
/** @typedef {Uint8Array<ArrayBuffer> | number[]} Bytes */
/** @typedef {{ round: number, to: string }} Destination The round in which a card was dealt, and its place. */
/** @typedef {{ faults: string[], shown: number, matched: number, covered: number, kept?: boolean }} Proof */

const FORMAT = "houseway-proofs-1";
/** The format of a shoe whose players commit to their salts first. */
const COMMITTED = "houseway-proofs-2";
const FIELDS = ["format", "shoe", "size", "root", "cuts", "deals", "cards"];
const CARD_FIELDS = ["dealt", "round", "to", "card", "position", "nonce", "path"];
const PLACE = /^(seat [1-9][0-9]{0,4}|dealer|board|burn|face up|drawn in error)$/;
const CARD = /^[23456789TJQKA][cdhs]$/;
const SEAT = /^(0|[1-9][0-9]{0,4})$/;
const MOST_CARDS = 65536;
const text = new TextEncoder();

class Fault extends Error {}

// --- SHA-256, HMAC, HKDF and ChaCha20 ---

/** @type {number[]} */
const PRIMES = [];
for (let n = 2; PRIMES.length < 64; n += 1) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
/** @param {number} root */
const fraction = (root) => ((root % 1) * 2 ** 32) >>> 0;
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
/** @type {(word: number, by: number) => number} */
const right = (word, by) => (word >>> by) | (word << (32 - by));

/**
 * SHA-256 (FIPS 180-4).
 *
 * @param {Uint8Array} bytes
 */
export function digest(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const hash = Uint32Array.from(START);
  const w = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 64; i += 1) {
      if (i < 16) {
        w[i] = view.getUint32(at + 4 * i);
        continue;
      }
      const [a, b] = [w[i - 15], w[i - 2]];
      w[i] = w[i - 16] + w[i - 7] + (right(a, 7) ^ right(a, 18) ^ (a >>> 3))
        + (right(b, 17) ^ right(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i += 1) {
      const one = h + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i];
      const two = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { hash[i] += word; });
  }
  const out = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => out.setUint32(4 * i, word));
  return new Uint8Array(out.buffer);
}

/** @param {Bytes[]} parts */
async function sha256(...parts) {
  const bytes = joined(parts);
  const subtle = globalThis.crypto?.subtle;
  return subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes)) : digest(bytes);
}

/**
 * @param {Bytes} key
 * @param {Bytes[]} parts
 */
async function hmac(key, ...parts) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? await sha256(key) : key);
  const inner = await sha256(block.map((byte) => byte ^ 0x36), ...parts);
  return sha256(block.map((byte) => byte ^ 0x5c), inner);
}

/**
 * @param {Bytes} material
 * @param {Bytes} salt
 * @param {Bytes} info
 */
async function hkdf(material, salt, info) {
  return hmac(await hmac(salt, material), info, [1]);
}

/**
 * Return one 64-byte block of the ChaCha20 keystream.
 *
 * @param {Bytes} key
 * @param {Bytes} nonce
 * @param {number} counter
 */
function block(key, nonce, counter) {
  const state = new DataView(joined(
    [text.encode("expand 32-byte k"), key, new Uint8Array(4), nonce]).buffer);
  state.setUint32(48, counter, true);
  const start = Uint32Array.from({ length: 16 }, (_, i) => state.getUint32(4 * i, true));
  const x = start.slice();
  /** @type {(word: number, by: number) => number} */
  const turn = (word, by) => (word << by) | (word >>> (32 - by));
  /** @type {(a: number, b: number, c: number, d: number) => void} */
  const quarter = (a, b, c, d) => {
    x[a] += x[b]; x[d] = turn(x[d] ^ x[a], 16);
    x[c] += x[d]; x[b] = turn(x[b] ^ x[c], 12);
    x[a] += x[b]; x[d] = turn(x[d] ^ x[a], 8);
    x[c] += x[d]; x[b] = turn(x[b] ^ x[c], 7);
  };
  for (let i = 0; i < 10; i += 1) {
    for (let n = 0; n < 4; n += 1) quarter(n, n + 4, n + 8, n + 12);
    for (let n = 0; n < 4; n += 1) quarter(n, ((n + 1) % 4) + 4, ((n + 2) % 4) + 8, ((n + 3) % 4) + 12);
  }
  const out = new DataView(new ArrayBuffer(64));
  x.forEach((word, i) => out.setUint32(4 * i, word + start[i], true));
  return new Uint8Array(out.buffer);
}

// --- the shoe: the players' cut, the hash tree, the order of the deal ---

/**
 * Return the numbers 0 to size - 1, shuffled with the keystream of a key.
 *
 * @param {Bytes} key
 * @param {Bytes} nonce
 * @param {number} size
 */
function shuffled(key, nonce, size) {
  const width = size > 256 ? 2 : 1;
  const words = 256 ** width;
  let [stream, at, counter] = [new Uint8Array(0), 0, 0];
  const numbers = Array.from({ length: size }, (_, n) => n);
  for (let last = size - 1; last > 0; last -= 1) {
    let word;
    do {
      if (at >= stream.length) [stream, at, counter] = [block(key, nonce, counter), 0, counter + 1];
      word = stream[at] + (width > 1 ? 256 * stream[at + 1] : 0);
      at += width;
    } while (word >= words - (words % (last + 1)));
    const chosen = word % (last + 1);
    [numbers[last], numbers[chosen]] = [numbers[chosen], numbers[last]];
  }
  return numbers;
}

/**
 * Return the rest of a shoe, rearranged by the players' salts.
 *
 * @param {number[]} rest
 * @param {Record<string, Bytes>} salts
 * @param {Bytes} root
 * @param {string} shoe
 */
async function playersCut(rest, salts, root, shoe) {
  const seats = Object.keys(salts).map(Number).sort((a, b) => a - b);
  if (!seats.length) return rest;
  const material = joined(seats.flatMap((seat) => [[seat >> 8, seat & 255], salts[seat]]));
  const key = await hkdf(material, root, text.encode(`houseway players' cut 1\0${shoe}`));
  return shuffled(key, text.encode("player cut 1"), rest.length).map((n) => rest[n]);
}

/**
 * Return a seat's commitment to a salt, for the shoe with this root. The root, the salt and the result are hexadecimal.
 *
 * @param {string} root
 * @param {number} seat
 * @param {string} salt
 */
export async function commitment(root, seat, salt) {
  return hex(await sha256(text.encode("houseway salt commitment 1\0"), unhex(root, 32, "the seal"),
    [seat >> 8, seat & 255], unhex(salt, 16, "the salt")));
}

/**
 * Check that every seat in a players' cut committed to its salt before betting closed, and opened it after that.
 *
 * @param {any} cut
 * @param {string} where
 * @param {Proofs} proofs
 */
async function checkCommitments(cut, where, { root }) {
  fields(cut, ["dealt", "salts", "closed", "commitments"], where);
  readSalts(cut.salts, where);
  const closed = whole(cut, "closed", 1, Number.MAX_SAFE_INTEGER, where);
  const seats = Object.keys(cut.salts);
  if (!seats.length) throw new Fault(`${where}: a players' cut must have a salt`);
  const committed = typeof cut.commitments === "object" && cut.commitments !== null ? Object.keys(cut.commitments) : [];
  if (committed.sort().join() !== seats.sort().join()) {
    throw new Fault(`${where}: the seats that committed to a salt and those that opened one are not the same`);
  }
  for (const seat of seats) {
    const record = cut.commitments[seat];
    const label = `${where}: seat ${seat}`;
    fields(record, ["commitment", "committed", "opened"], label);
    unhex(record.commitment, 32, `${label}: the commitment`);
    const [from, to] = ["committed", "opened"].map((name) =>
      whole(record, name, 1, Number.MAX_SAFE_INTEGER, label));
    if (from >= closed) throw new Fault(`${label} committed to its salt after betting was closed`);
    if (to <= closed) throw new Fault(`${label} opened its salt before betting was closed`);
    if (await commitment(root, Number(seat), cut.salts[seat]) !== record.commitment) {
      throw new Fault(`${label} opened a salt that it had not committed to`);
    }
  }
}

/**
 * Compute the root from a card and its path.
 *
 * @param {{ position: number, card: string, nonce: Bytes, path: Bytes[] }} card
 * @param {Pick<Proofs, "size" | "shoe">} proofs
 */
async function rootOf({ position, card, nonce, path }, { size, shoe }) {
  let hash = await sha256([0], number4(position), nonce, text.encode(card));
  const rest = [...path];
  for (let [at, width] = [position, size]; width > 1; [at, width] = [at >> 1, (width + 1) >> 1]) {
    if (at % 2 === 0 && at + 1 >= width) continue;
    const sibling = rest.shift();
    if (!sibling) throw new Fault("its path to the root is too short");
    hash = await sha256([1], ...(at % 2 ? [sibling, hash] : [hash, sibling]));
  }
  if (rest.length) throw new Fault("its path to the root is too long");
  return sha256([2], hash, number4(size), text.encode(shoe));
}

/**
 * Return the destination of every dealt card, in the order of the deal.
 *
 * @param {Proofs} proofs
 */
function dealingPlaces({ deals, size }) {
  /** @type {Destination[]} */
  const places = [];
  let before = 1;
  items(deals, "the file: deals").forEach((deal, n) => {
    fields(deal, ["round", "to", "count"], `deal ${n}`);
    before = whole(deal, "round", before, Number.MAX_SAFE_INTEGER, `deal ${n}`);
    const count = whole(deal, "count", 1, size - places.length, `deal ${n}`);
    place(deal.to, `deal ${n}`);
    for (let i = 0; i < count; i += 1) places.push({ round: before, to: deal.to });
  });
  return places;
}

/**
 * Return the committed positions in dealing order, after all cuts.
 *
 * @param {Proofs} proofs
 * @param {Bytes} root
 * @param {number} allDealt
 */
async function dealingSequence(proofs, root, allDealt) {
  const { cuts, size, shoe, format } = proofs;
  let sequence = Array.from({ length: size }, (_, n) => n);
  let before = 0;
  for (const [n, cut] of items(cuts, "the file: cuts").entries()) {
    const byPlayers = typeof cut === "object" && cut !== null && "salts" in cut;
    if (byPlayers && format === COMMITTED) await checkCommitments(cut, `cut ${n}`, proofs);
    else fields(cut, ["dealt", byPlayers ? "salts" : "count"], `cut ${n}`);
    before = whole(cut, "dealt", before, allDealt, `cut ${n}`);
    let rest = sequence.slice(before);
    if (byPlayers) {
      rest = await playersCut(rest, readSalts(cut.salts, `cut ${n}`), root, shoe);
    } else {
      const count = whole(cut, "count", 1, rest.length - 1, `cut ${n}`);
      rest = [...rest.slice(count), ...rest.slice(0, count)];
    }
    sequence = [...sequence.slice(0, before), ...rest];
  }
  return sequence;
}

// --- reading: anything unexpected is a fault ---

/**
 * @param {any} record
 * @param {string[]} names
 * @param {string} where
 */
function fields(record, names, where) {
  const has = typeof record === "object" && record !== null ? Object.keys(record).sort() : [];
  const due = [...names].sort();
  if (has.join() !== due.join()) throw new Fault(
    `${where} must have exactly these fields: ${due.join(", ")}`);
}

/**
 * @param {any} list
 * @param {string} where
 */
function items(list, where) {
  if (!Array.isArray(list)) throw new Fault(`${where} must be a list`);
  return list;
}

/**
 * @param {any} record
 * @param {string} name
 * @param {number} least
 * @param {number} most
 * @param {string} where
 * @returns {number}
 */
function whole(record, name, least, most, where) {
  const number = record[name];
  if (!Number.isInteger(number) || number < least || number > most) {
    throw new Fault(`${where}: ${name} must be a whole number from ${least} to ${most}, not ${number}`);
  }
  return number;
}

/**
 * @param {any} name
 * @param {string} where
 */
function place(name, where) {
  if (typeof name !== "string" || !PLACE.test(name)) throw new Fault(
    `${where}: cards cannot be dealt to ${name}`);
}

/**
 * @param {any} digits
 * @param {number} count
 * @param {string} what
 */
function unhex(digits, count, what) {
  if (typeof digits !== "string" || digits.length !== 2 * count || !/^[0-9a-f]*$/.test(digits)) {
    throw new Fault(`${what} must be ${2 * count} lower-case hexadecimal digits, not ${digits}`);
  }
  return Uint8Array.from({ length: count }, (_, n) => parseInt(digits.slice(2 * n, 2 * n + 2), 16));
}

/**
 * @param {any} salts
 * @param {string} where
 */
function readSalts(salts, where) {
  const seats = typeof salts === "object" && salts !== null ? Object.keys(salts) : [""];
  if (!seats.every((seat) => SEAT.test(seat) && Number(seat) < 65536)) {
    throw new Fault(`${where}: salts must be listed by seat number`);
  }
  return Object.fromEntries(seats.map((seat) =>
    [seat, unhex(salts[seat], 16, `${where}: the salt of seat ${seat}`)]));
}

/**
 * @param {any} card
 * @param {string} where
 * @param {Proofs} proofs
 * @param {Bytes} root
 * @param {number[]} sequence
 * @param {Destination[]} places
 */
async function checkCard(card, where, proofs, root, sequence, places) {
  fields(card, CARD_FIELDS, where);
  const dealt = whole(card, "dealt", 0, proofs.size - 1, where);
  const position = whole(card, "position", 0, proofs.size - 1, where);
  if (typeof card.card !== "string" || !CARD.test(card.card)) throw new Fault(
    `${where}: ${card.card} is not a card`);
  const label = `${where} (${card.card}, dealt as number ${dealt})`;
  const destination = places[dealt] ?? { round: 0, to: "stub" };
  if (card.round !== destination.round || card.to !== destination.to) {
    throw new Fault(`${label}: the deals put it at ${at(destination)}, but the file claims ${at(card)}`);
  }
  if (sequence[dealt] !== position) {
    throw new Fault(`${label}: after the cuts, card number ${dealt} of the deal is the one committed at position `
      + `${sequence[dealt]}, not at position ${position}`);
  }
  const nonce = unhex(card.nonce, 16, `${label}: the nonce`);
  const path = items(card.path, `${label}: path`)
    .map((hash) => unhex(hash, 32, `${label}: a hash of the path`));
  let computed;
  try {
    computed = await rootOf({ position, card: card.card, nonce, path }, proofs);
  } catch (fault) {
    throw fault instanceof Fault ? new Fault(`${label}: ${fault.message}`) : fault;
  }
  if (!root.every((byte, n) => byte === computed[n])) {
    throw new Fault(`${label}: this card was not committed at position ${position}`);
  }
}

/**
 * Return the faults of a round's proofs, as sentences; none if every card is as it was committed.
 *
 * @param {Proofs} proofs
 */
export async function faults(proofs, seal = "") {
  try {
    return await allFaults(proofs, seal);
  } catch (fault) {
    if (fault instanceof Fault) return [fault.message];
    throw fault;
  }
}

/**
 * @param {Proofs} proofs
 * @param {string} seal
 */
async function allFaults(proofs, seal) {
  fields(proofs, FIELDS, "the file");
  if (proofs.format !== FORMAT && proofs.format !== COMMITTED) throw new Fault(
    `the file must have the format ${FORMAT} or ${COMMITTED}, not ${proofs.format}`);
  if (typeof proofs.shoe !== "string") throw new Fault("the file: shoe must be a string");
  if (whole(proofs, "size", 52, MOST_CARDS, "the file") % 52) {
    throw new Fault(`a shoe has whole decks of 52 cards, so it cannot have ${proofs.size} cards`);
  }
  const root = unhex(proofs.root, 32, "the root");
  if (seal && proofs.root !== seal) {
    throw new Fault(`the proofs are for another shoe: their root is ${proofs.root}, not ${seal}`);
  }
  const places = dealingPlaces(proofs);
  const sequence = await dealingSequence(proofs, root, places.length);
  if (!items(proofs.cards, "the file: cards").length) throw new Fault("the file contains no card proofs");
  /** @type {string[]} */
  const wrong = [];
  /** @type {Map<number, string>} */
  const sound = new Map();
  for (const [n, card] of proofs.cards.entries()) {
    try {
      await checkCard(card, `card ${n}`, proofs, root, sequence, places);
      if (sound.has(card.dealt)) wrong.push(`the card dealt as number ${card.dealt} is listed more than once`);
      sound.set(card.dealt, card.card);
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      wrong.push(fault.message);
    }
  }
  const decks = proofs.size / 52;
  for (const [card, times] of countValues(sound.values())) {
    if (times > decks) wrong.push(`the ${card} appears ${times} times, but the shoe has ${decks}`);
  }
  return wrong;
}

/**
 * Check a round against its proofs. `shown` lists the cards seen, by place; `salts` lists the salts that this browser
 * added to the cut, and `commitments` the commitments that it saw before it opened its own salt, by seat.
 *
 * Valid proofs are not enough: each card seen must be among the cards proved for its place.
 *
 * @param {Proofs} proofs
 * @param {{ seal: string, round: number, shown: Record<string, string[]>,
 *   salts?: { seat: number, salt: string }[], commitments?: Record<string, string> }} watched
 * @returns {Promise<Proof>}
 */
export async function verify(proofs, { seal, round, shown, salts: given = [], commitments = {} }) {
  const wrong = await faults(proofs, seal);
  for (const { seat, salt } of wrong.length ? [] : given) {
    if (!proofs.cuts.some(({ salts }) => salts?.[seat] === salt)) {
      wrong.push(`the salt that this browser added for seat ${seat} is missing from the cuts of the shoe`);
    }
  }
  if (!wrong.length && Object.keys(commitments).length) wrong.push(...differences(proofs, commitments));
  const count = Object.values(shown).flat().length;
  let matched = 0;
  if (!wrong.length) {
    for (const [to, cards] of Object.entries(shown)) {
      const proved = proofs.cards.filter((card) => card.round === round && card.to === to)
        .map((card) => card.card);
      for (const card of cards) {
        const n = proved.indexOf(card);
        if (n < 0) {
          wrong.push(`the ${card} seen at ${at({ round, to })} is not among the cards that the proofs list for that place`);
        } else {
          proved.splice(n, 1);
          matched += 1;
        }
      }
    }
  }
  return { faults: wrong, shown: count, matched, covered: wrong.length ? 0
    : proofs.size - proofs.cards.length };
}

/**
 * Return the differences between the commitments in the proofs and those seen before this browser opened its salt.
 *
 * A seat whose commitment came later could have chosen its salt after seeing this browser's.
 *
 * @param {Proofs} proofs
 * @param {Record<string, string>} seen
 */
function differences(proofs, seen) {
  /** @type {Record<string, { commitment: string }>} */
  const listed = Object.assign({}, ...proofs.cuts.map((cut) => cut.commitments ?? {}));
  const seats = new Set([...Object.keys(seen), ...Object.keys(listed)]);
  return [...seats].filter((seat) => listed[seat]?.commitment !== seen[seat])
    .map((seat) => `seat ${seat}: the commitment in the cut is not the one that this browser saw before opening its salt`);
}

// --- helpers ---

/** @param {Destination} going */
const at = ({ round, to }) => (round ? `${to} in round ${round}` : to);

/** @param {number} n */
const number4 = (n) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];

/** @param {Uint8Array} bytes */
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {Bytes[]} parts */
function joined(parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
}

/** @param {Iterable<string>} values */
function countValues(values) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
