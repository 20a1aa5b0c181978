// Turns updates into steps, each with its view and how long it is shown.

/**
 * A view, the updates that led to it, and how long the view is shown (`hold`), in milliseconds at normal pace.
 *
 * @typedef {{ view: api.View, updates: api.Update[], hold: number }} Step
 */
/** @typedef {Record<string, any>} Event */

const ACTS = new Set(["Checked", "PlayMade", "Folded", "HandSet", "HandSplit"]);
/** @type {Record<string, number>} */
const HOLDS = { CardsDealt: 60, BoardTurned: 420, PlayersLooked: 150, DealerRevealed: 700, DealerHandSet: 500,
  HandTurned: 500, WagersPlaced: 120, RoundVoided: 700 };
const ACT = 300;
const LINE = 700;
const LONGEST = 9000;
const LONGEST_DEAL = 3000;

/**
 * Return how long each event is shown, in milliseconds. For another seat, only the first settled wager is shown for
 * a while. If a deal or the whole list would take too long, all times are shortened.
 *
 * @param {(Event | null | undefined)[]} events
 * @param {number | undefined} seat
 */
export function holds(events, seat) {
  /** @type {Set<number>} */
  const settled = new Set();
  const held = events.map((event) => {
    if (!event) return 0;
    if (event.type === "WagerSettled") {
      const first = event.seat === seat || !settled.has(event.seat);
      settled.add(event.seat);
      return first ? LINE : 0;
    }
    if (ACTS.has(event.type)) return ACT;
    return (HOLDS[event.type] ?? 0) * (event.type === "CardsDealt" ? event.count : 1);
  });
  /** @type {(which: (event: Event | null | undefined) => boolean) => number} */
  const total = (which) => held.reduce((all, ms, n) => all + (which(events[n]) ? ms : 0), 0);
  const deal = total((event) => event?.type === "CardsDealt");
  const every = total(() => true);
  return held.map((ms, n) => {
    const shorter = events[n]?.type === "CardsDealt" ? Math.min(1, LONGEST_DEAL / (deal || 1)) : 1;
    return ms * Math.min(shorter, LONGEST / Math.max(every, LONGEST));
  });
}

/**
 * Return the steps for some updates. An update with no display time is merged into the next step.
 *
 * @param {api.View[]} views
 * @param {api.Update[]} updates
 * @param {number[]} held
 */
export function stepsOf(views, updates, held) {
  /** @type {Step[]} */
  const steps = [];
  /** @type {api.Update[]} */
  let group = [];
  updates.forEach((update, n) => {
    group.push(update);
    if (held[n] > 0 || n === updates.length - 1) {
      steps.push({ view: views[n], updates: group, hold: held[n] });
      group = [];
    }
  });
  return steps;
}
