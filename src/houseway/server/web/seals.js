// What this browser saw of the shuffle while a round was played: the seal before the wagers, its own salt.

const sealed = (table, round) => `houseway-seal/${table}/${round}`;
const salted = (seal) => `houseway-salt/${seal}`;

/** Keep the seal that stood before the wagers of a round; the first one seen holds. */
export function keepSeal(table, round, seal) {
  const name = sealed(table, round);
  if (seal && !sessionStorage.getItem(name)) sessionStorage.setItem(name, seal);
}

/** The seal seen before the wagers of a round, or "". */
export const sealSeen = (table, round) => sessionStorage.getItem(sealed(table, round)) ?? "";

/** Keep the salt that went into the cut of a sealed shoe from a seat. */
export function keepSalt(seal, seat, salt) {
  sessionStorage.setItem(salted(seal), JSON.stringify({ seat, salt }));
}

/** The salt this browser gave to a shoe: `seat` and `salt`, or null. */
export function saltGiven(seal) {
  try {
    return JSON.parse(sessionStorage.getItem(salted(seal)));
  } catch {
    return null;
  }
}
