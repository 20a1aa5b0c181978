// Evidence about the shuffle that this browser stores: the seal seen before betting, and its own salt.

/** @type {(table: string, round: number) => string} */
const sealKey = (table, round) => `houseway-seal/${table}/${round}`;
/** @type {(seal: string) => string} */
const saltKey = (seal) => `houseway-salt/${seal}`;

/**
 * Store the seal shown before the wagers of a round; a later seal never replaces it.
 *
 * @param {string} table
 * @param {number} round
 * @param {string} seal
 */
export function keepSeal(table, round, seal) {
  const name = sealKey(table, round);
  if (seal && !sessionStorage.getItem(name)) sessionStorage.setItem(name, seal);
}

/**
 * Return the seal seen before the wagers of a round, or "".
 *
 * @param {string} table
 * @param {number} round
 */
export const sealSeen = (table, round) => sessionStorage.getItem(sealKey(table, round)) ?? "";

/**
 * Store the salt that a seat added to the cut of a sealed shoe.
 *
 * @param {string} seal
 * @param {number} seat
 * @param {string} salt
 */
export function keepSalt(seal, seat, salt) {
  sessionStorage.setItem(saltKey(seal), JSON.stringify({ seat, salt }));
}

/**
 * Return the salt this browser added to a shoe, or null.
 *
 * @param {string} seal
 * @returns {{ seat: number, salt: string } | null}
 */
export function saltGiven(seal) {
  try {
    return JSON.parse(sessionStorage.getItem(saltKey(seal)) ?? "null");
  } catch {
    return null;
  }
}
