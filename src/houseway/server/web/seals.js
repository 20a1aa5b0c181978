// Evidence about the shuffle that this browser stores: the seal seen before betting, the commitments
// seen before this browser opened its own salt, and its own salts.

/** @type {(table: string, round: number) => string} */
const sealKey = (table, round) => `houseway-seal/${table}/${round}`;
/** @type {(seal: string) => string} */
const saltKey = (seal) => `houseway-salt/${seal}`;
/** The salts of the last commitments. All tabs share them, so that any of them can open a salt. */
const SECRETS = "houseway-committed";
const MOST_SECRETS = 50;
/** @type {(seal: string) => string} */
const commitmentsKey = (seal) => `houseway-commitments/${seal}`;

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
 * Store a salt that a seat has committed to, until it is opened. Only this browser knows it.
 *
 * @param {string} commitment
 * @param {string} salt
 */
export function keepSecret(commitment, salt) {
  localStorage.setItem(SECRETS, JSON.stringify([...secrets(), [commitment, salt]].slice(-MOST_SECRETS)));
}

/**
 * Return the salt behind a commitment, or "" if this browser does not know it.
 *
 * @param {string} commitment
 */
export const secretOf = (commitment) => secrets().find(([committed]) => committed === commitment)?.[1] ?? "";

/** @returns {[commitment: string, salt: string][]} */
const secrets = () => stored(localStorage, SECRETS, []);

/**
 * Store the salt that a seat added to the cut of a sealed shoe.
 *
 * @param {string} seal
 * @param {number} seat
 * @param {string} salt
 */
export function keepSalt(seal, seat, salt) {
  const others = saltsGiven(seal).filter((given) => given.seat !== seat);
  sessionStorage.setItem(saltKey(seal), JSON.stringify([...others, { seat, salt }]));
}

/**
 * Return the salts this browser added to a shoe, by seat.
 *
 * @param {string} seal
 * @returns {{ seat: number, salt: string }[]}
 */
export function saltsGiven(seal) {
  return stored(sessionStorage, saltKey(seal), []);
}

/**
 * Store the commitments of all seats, right before this browser opens its own salt; later ones never replace them.
 *
 * @param {string} seal
 * @param {Record<string, string>} commitments
 */
export function keepCommitments(seal, commitments) {
  const name = commitmentsKey(seal);
  if (!sessionStorage.getItem(name)) sessionStorage.setItem(name, JSON.stringify(commitments));
}

/**
 * Return the commitments seen for a sealed shoe before this browser opened its own salt, by seat.
 *
 * @param {string} seal
 * @returns {Record<string, string>}
 */
export function commitmentsSeen(seal) {
  return stored(sessionStorage, commitmentsKey(seal), {});
}

/**
 * Return a stored value, or `otherwise` if there is none.
 *
 * @template T
 * @param {Storage} storage
 * @param {string} name
 * @param {T} otherwise
 * @returns {T}
 */
function stored(storage, name, otherwise) {
  try {
    return JSON.parse(storage.getItem(name) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}
