// Odds and sizes as rulebooks write them: "3 to 2", "10 for 1", "push", "1, 2".

/**
 * Return odds without "to 1", which a heading or the end of a row says: "70 to 1" is "70".
 *
 * @param {string} odds
 */
export const bareOdds = (odds) => odds.replace(/ to 1$/, "");

/**
 * Return a number by which payments or sizes are sorted: "3 to 2" is between "1 to 1" and "2 to 1".
 *
 * @param {string} value
 */
export function orderOf(value) {
  const [units, per] = value.match(/\d+/g)?.map(Number) ?? [value === "push" ? 0 : -1];
  return / (to|for) /.test(value) ? units / per : units;
}

/**
 * Return the sizes in a list: "4, 3" is ["4", "3"].
 *
 * @param {string} value
 */
export const sizesOf = (value) => value.split(/,\s*/);
