// The chances of net results, grouped for a chart.

const FARTHEST = 15;
const NEAR = 10;

/** @param {string} net */
const exact = (net) => {
  const [over, under = 1] = net.split("/").map(Number);
  return over / under;
};

/**
 * Format a net result with its sign.
 *
 * @param {number} net
 */
export const signedNet = (net) => (net > 0 ? `+${net}` : net < 0 ? `−${-net}` : "0");

/**
 * True if a result has its own bar on the chart.
 *
 * @param {number} net
 */
export const isCharted = (net) => Math.abs(net) <= FARTHEST;

/**
 * Sum the chances by whole number of antes; halves are rounded down.
 *
 * @param {api.Outcome[] | null} outcomes
 * @returns {Map<number, number>}
 */
export function chancesByNet(outcomes) {
  const chances = new Map();
  for (const { net, chance } of outcomes ?? []) {
    const whole = Math.floor(exact(net));
    chances.set(whole, (chances.get(whole) ?? 0) + chance);
  }
  return chances;
}

/**
 * Describe the results beyond the chart; neighbouring results are grouped.
 *
 * @param {Map<number, number>} chances
 */
export function offChart(chances) {
  /** @type {{ from: number, to: number, chance: number }[]} */
  const groups = [];
  for (const [net, chance] of [...chances].filter(([one]) => !isCharted(one)).sort(([a], [b]) => a - b)) {
    const last = groups.at(-1);
    if (last && net - last.to <= NEAR) Object.assign(last, { to: net, chance: last.chance + chance });
    else groups.push({ from: net, to: net, chance });
  }
  return groups.map(({ from, to, chance }) => {
    const range = from === to ? signedNet(from) : `${signedNet(from)} to ${signedNet(to)}`;
    return `${range}, 1 in ${Math.round(1 / chance).toLocaleString("en-US")} rounds`;
  });
}
