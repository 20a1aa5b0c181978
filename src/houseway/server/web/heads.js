// Signed heads of records that this browser keeps, the newest of each table. A later record must contain them.

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
 * Keep a head instead of the earlier one of the same table. The tables not visited for the longest time go first.
 *
 * @param {api.RecordHead} head
 */
export function keepHead(head) {
  const others = heads().filter(({ stream }) => stream !== head.stream);
  localStorage.setItem(HEADS, JSON.stringify([...others, head].slice(-MOST_HEADS)));
}
