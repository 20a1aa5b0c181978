// The places and roles at a table, as messages name them: "seat 3", "dealer", "board", "deck", "rail".

/**
 * Return the number of a seat; 0 for any other place or role.
 *
 * @param {string} place
 */
export const seatOf = (place) => Number(/^seat (\d+)$/.exec(place)?.[1] ?? 0);
