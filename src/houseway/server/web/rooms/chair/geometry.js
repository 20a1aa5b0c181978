// Positions on the felt from the dealer's side, in a box of 1080 by 650. Seat 1 is on the left.

export const WIDTH = 1080;
export const HEIGHT = 650;

/** @typedef {[x: number, y: number]} Point */
/** @typedef {{ x: number, y: number, d: number }} Spot The centre of a circle, from the top centre of its place. */

/** The top centre of every place of the left half; the right half is its mirror image. @type {Record<number, Point[]>} */
const LEFT = {
  6: [[118, 240], [260, 102], [424, 44]],
  7: [[112, 262], [218, 132], [364, 64], [540, 40]],
};

/** The distance of the spots of a place from its top, by row: the play circle, ante and blind, side bets. */
const ROWS = { later: 113, main: 157, side: 203 };
/** The rows of a layout without a wager that is made later. */
const FLAT_ROWS = { later: 113, main: 124, side: 124 };
const CIRCLE = 41;
const DIAMOND = 36;
const SENSOR = 20;

/**
 * Return the top centre of every place, by seat.
 *
 * @param {number} positions
 * @returns {Record<number, Point>}
 */
export function places(positions) {
  const count = positions > 6 ? 7 : 6;
  const left = LEFT[count];
  /** @type {Record<number, Point>} */
  const all = {};
  for (let seat = 1; seat <= count; seat += 1) {
    const mirrored = count + 1 - seat;
    const [x, y] = left[Math.min(seat, mirrored) - 1];
    all[seat] = seat <= mirrored ? [x, y] : [WIDTH - x, y];
  }
  return all;
}

/** @type {(positions: number, seat: number) => number} */
const fromEdge = (positions, seat) => Math.min(seat, (positions > 6 ? 7 : 6) + 1 - seat);

/**
 * True for the two places at the ends of the table.
 *
 * @param {number} positions
 * @param {number} seat
 */
export const isOuter = (positions, seat) => fromEdge(positions, seat) === 1;

/**
 * Return the factor by which the place that the dealer works on is enlarged. The outer places have less room below.
 *
 * @param {number} positions
 * @param {number} seat
 */
export const enlargement = (positions, seat) => (isOuter(positions, seat) ? 1.06 : 1.18);

/**
 * Return the centre of the chips that the dealer has cut for a place: in front of it, where no other place is.
 *
 * @param {number} positions
 * @param {number} seat
 * @returns {Point}
 */
export function cutPlace(positions, seat) {
  const [x, y] = places(positions)[seat];
  const inward = x < WIDTH / 2 ? 1 : -1;
  const edge = fromEdge(positions, seat);
  if (edge === 1) return [x + inward * (positions > 6 ? 82 : 100), y + 205];
  if (edge === 2) return [x - inward * 48, y + 286];
  return [x + inward * 124, y + 238];
}

/** @type {Record<string, number>} */
const SIZES = { circle: CIRCLE, diamond: DIAMOND, sensor: SENSOR };

/**
 * Return the spot of each wager of a place. The layout is turned round: what a player has on the left, the dealer has on
 * the right, and what is nearest the player is farthest from the dealer.
 *
 * @param {Pick<api.Circle, "wager" | "shape" | "later">[]} circles
 * @param {number} hands The number of hands at this place; a split has two.
 * @returns {Record<string, Spot>[]} the spots of each hand
 */
export function spotsOf(circles, hands = 1) {
  const side = circles.filter(({ shape }) => shape !== "circle");
  const first = circles.filter(({ shape, later }) => shape === "circle" && !later);
  const later = circles.filter(({ shape, later: after }) => shape === "circle" && after);
  /** @type {Record<string, number>} */
  const order = { diamond: 0, sensor: 1 };
  const sides = [...side].reverse().sort((a, b) => order[a.shape] - order[b.shape]);
  const flat = later.length === 0;
  const rows = flat ? FLAT_ROWS : ROWS;
  return Array.from({ length: hands }, (_, hand) => {
    /** @type {Record<string, Spot>} */
    const at = {};
    const shift = hands > 1 ? (hand - (hands - 1) / 2) * 84 : 0;
    /** @type {(row: typeof circles, gap: number, y: number) => void} */
    const spread = (row, gap, y) => row.forEach(({ wager, shape }, n) => {
      at[wager] = { x: shift + (n - (row.length - 1) / 2) * gap, y, d: SIZES[shape] };
    });
    if (flat) {
      spread([...sides, ...first.reverse()], hands > 1 ? 40 : 50, rows.main);
      return at;
    }
    spread(later, 46, rows.later);
    spread([...first].reverse(), 56, rows.main);
    spread(sides, sides.length > 2 ? 42 : 46, rows.side);
    return at;
  });
}

/**
 * Return the index of the next thing in the direction of an arrow key, or the same index if there is none.
 *
 * @param {Point[]} centres
 * @param {number} at
 * @param {string} key
 */
export function neighbour(centres, at, key) {
  const [x, y] = centres[at];
  const across = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  let best = at;
  let least = Infinity;
  centres.forEach(([cx, cy], n) => {
    const [along, aside] = across ? [(cx - x) * sign, Math.abs(cy - y)] : [(cy - y) * sign, Math.abs(cx - x)];
    if (n === at || along <= 2) return;
    // A thing straight ahead counts as nearer than one to the side. A thing that is farther to the side than ahead comes last.
    const distance = along + aside * 1.5 + (aside > along ? 10000 : 0);
    if (distance < least) [best, least] = [n, distance];
  });
  return best;
}
