// What this browser saw of the shuffle while a round was played: the seal before the wagers, its own salt.

/** @type {(table: string, round: number) => string} */
const sealed = (table, round) => `houseway-seal/${table}/${round}`;
/** @type {(seal: string) => string} */
const salted = (seal) => `houseway-salt/${seal}`;

/**
 * Keep the seal that was shown before the wagers of a round; the first one seen holds.
 *
 * @param {string} table
 * @param {number} round
 * @param {string} seal
 */
export function keepSeal(table, round, seal) {
  const name = sealed(table, round);
  if (seal && !sessionStorage.getItem(name)) sessionStorage.setItem(name, seal);
}

/**
 * The seal seen before the wagers of a round, or "".
 *
 * @param {string} table
 * @param {number} round
 */
export const sealSeen = (table, round) => sessionStorage.getItem(sealed(table, round)) ?? "";

/**
 * Keep the salt that went into the cut of a sealed shoe from a seat.
 *
 * @param {string} seal
 * @param {number} seat
 * @param {string} salt
 */
export function keepSalt(seal, seat, salt) {
  sessionStorage.setItem(salted(seal), JSON.stringify({ seat, salt }));
}

/**
 * The salt this browser gave to a shoe, or null.
 *
 * @param {string} seal
 * @returns {{ seat: number, salt: string } | null}
 */
export function saltGiven(seal) {
  try {
    return JSON.parse(sessionStorage.getItem(salted(seal)) ?? "null");
  } catch {
    return null;
  }
}
