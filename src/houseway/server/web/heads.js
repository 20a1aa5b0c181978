// The newest signed head of each table's record, kept in this browser, and the check of its signature. A later
// record must contain the head.

const HEADS = "houseway-heads";
const MOST_HEADS = 200;

/** @returns {api.RecordHead[]} */
function heads() {
  try {
    return JSON.parse(localStorage.getItem(HEADS) ?? "[]");
  } catch {
    return [];
  }
}

/**
 * Return the head that this browser keeps for a table, if any.
 *
 * @param {string} table
 */
export const keptHead = (table) => heads().find(({ stream }) => stream === table) ?? null;

/**
 * Keep a head in place of the table's earlier one. If there are too many heads, the oldest are removed.
 *
 * @param {api.RecordHead} head
 */
export function keepHead(head) {
  const others = heads().filter(({ stream }) => stream !== head.stream);
  localStorage.setItem(HEADS, JSON.stringify([...others, head].slice(-MOST_HEADS)));
}

/** @typedef {"valid" | "invalid" | "unchecked"} SignatureCheck `unchecked`: this browser has no Ed25519. */

const text = new TextEncoder();

/**
 * Check the signature of a head under the key that it names. docs/record.md specifies the signed bytes. Browsers offer
 * WebCrypto only over https or on localhost, and older ones lack Ed25519.
 *
 * @param {api.RecordHead} head
 * @returns {Promise<SignatureCheck>}
 */
export async function checkSignature({ stream, events, chain, signature, key }) {
  const bytes = [key, signature, chain].map(unhex);
  if (bytes.some((part) => part === null) || !Number.isSafeInteger(events) || events < 0) return "invalid";
  const [publicKey, signed, digest] = /** @type {Uint8Array<ArrayBuffer>[]} */ (bytes);
  const count = new DataView(new ArrayBuffer(8));
  count.setBigUint64(0, BigInt(events));
  const message = Uint8Array.from([...text.encode(`houseway head 1\0${stream}\0`),
    ...new Uint8Array(count.buffer), ...digest]);
  const subtle = globalThis.crypto?.subtle;
  try {
    if (!subtle) return "unchecked";
    const imported = await subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
    return await subtle.verify("Ed25519", imported, signed, message) ? "valid" : "invalid";
  } catch (error) {
    return /** @type {Error} */ (error).name === "NotSupportedError" ? "unchecked" : "invalid";
  }
}

/**
 * Return the bytes of lower-case hexadecimal digits, or null if they are not well-formed.
 *
 * @param {string} digits
 */
function unhex(digits) {
  if (!/^([0-9a-f]{2})+$/.test(digits)) return null;
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
