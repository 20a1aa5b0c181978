// Positions on the felt, in a box of 1080 by 756.

const MIDDLE = 540;

/** @typedef {Record<number, [x: number, y: number]> & { you?: [x: number, y: number] }} Places */
/** @typedef {{ x: number, y: number, d: number, label: string }} Spot A circle's place, width and label side. */

/**
 * The top centre of every seat, by the number of seats and the near seat (0: none).
 *
 * @type {Record<number, Record<number, Places>>}
 */
const PLACES = {
  6: {
    0: { 1: [976, 150], 2: [870, 382], 3: [652, 500], 4: [428, 500], 5: [210, 382], 6: [104, 150] },
    1: { you: [700, 348], 2: [516, 486], 3: [408, 490], 4: [306, 462], 5: [206, 359], 6: [104, 130] },
    2: { you: [640, 354], 1: [916, 300], 3: [420, 488], 4: [312, 465], 5: [206, 359], 6: [104, 130] },
    3: { you: [540, 356], 1: [942, 248], 2: [800, 444], 4: [336, 468], 5: [212, 372], 6: [104, 144] },
  },
  7: {
    0: { 1: [968, 150], 2: [900, 330], 3: [760, 470], 4: [540, 510], 5: [320, 470], 6: [180, 330],
      7: [112, 150] },
    1: { you: [708, 350], 2: [456, 512], 3: [336, 482], 4: [218, 424], 5: [122, 302], 6: [104, 174],
      7: [100, 46] },
    2: { you: [660, 352], 1: [968, 150], 3: [410, 500], 4: [290, 462], 5: [182, 382], 6: [112, 250],
      7: [98, 110] },
    3: { you: [600, 354], 1: [972, 150], 2: [872, 380], 4: [346, 484], 5: [226, 426], 6: [132, 300],
      7: [100, 140] },
    4: { you: [540, 356], 1: [980, 130], 2: [904, 330], 3: [804, 458], 5: [276, 458], 6: [176, 330],
      7: [100, 130] },
  },
};

/**
 * Return the top centre of every seat, seen from seat `you` (0: from the rail). Seat 1 is on the right.
 *
 * @param {number} positions
 * @param {number} you
 * @returns {Places}
 */
export function slots(positions, you) {
  const seats = positions > 6 ? 7 : 6;
  if (you <= Math.ceil(seats / 2)) return PLACES[seats][you];
  return Object.fromEntries(Object.entries(PLACES[seats][seats + 1 - you]).map(([seat, [x, y]]) =>
    [seat === "you" ? seat : seats + 1 - Number(seat), [2 * MIDDLE - x, y]]));
}

/** The distance of a split's hands from the middle of the seat. */
const APART = 104;

/**
 * True if the seats are so close that the label of a seat has room only for a name and an amount.
 *
 * @param {number} positions
 * @param {number} you
 */
export const crowded = (positions, you) => positions > 6 && you > 0 && you !== 4;

/** Return the spot of each circle of a seat: its offset from the top centre, its width and its label's side.
 *
 * `results` makes room for amounts, `lammer` for the lammer; `hand` is 1 or 2 for the hands of a split, else 0.
 *
 * @param {api.Circle[]} circles
 * @param {boolean} own
 */
export function spotsOf(circles, own, { results = false, lammer = false, hand = 0 } = {}) {
  const side = circles.filter(({ shape }) => shape !== "circle");
  const first = circles.filter(({ shape, later }) => shape === "circle" && !later);
  const later = circles.filter((circle) => circle.shape === "circle" && circle.later);
  /** @type {Record<string, Spot>} */
  const at = {};
  /** @type {(row: api.Circle[], gap: number, y: number, given: { d: number, label: string }) => void} */
  const spread = (row, gap, y, shape) => row.forEach(({ wager }, n) => {
    at[wager] = { x: (n - (row.length - 1) / 2) * gap, y, ...shape };
  });
  if (!later.length) {
    const gap = own ? (hand ? 84 : 150) : 44;
    spread([...first, ...side], gap, own ? 46 : 48, { d: own ? 66 : 40, label: own ? "below" : "above" });
    for (const spot of own ? Object.values(at) : []) {
      spot.x += hand ? (2 * hand - 3) * APART : lammer ? -22 : 0;
    }
    return at;
  }
  /** @type {Record<string, number>} */
  const order = { sensor: 0, diamond: 1 };
  side.sort((a, b) => order[a.shape] - order[b.shape]);
  spread(side, own ? (results ? 132 : 120) : 40, own ? 14 : 6, { d: own ? 58 : 33, label: "above" });
  spread(first, own ? 92 : 50, own ? 88 : 48, { d: own ? 72 : 40, label: own ? "left" : "under left" });
  const last = first.at(-1);
  if (last && first.length > 1) at[last.wager].label = own ? "right" : "under right";
  spread(later, own ? 84 : 46, own ? 166 : 90, { d: own ? 72 : 40, label: own ? "right" : "low right" });
  return at;
}
