// The history of the round: its felts, for the replay of a moment, and the announcements after each view.

import { announce } from "../parts.js";
import { incidentWords, seatsOf } from "./felt.js";
import { eventText } from "./room_parts.js";

/** The number of felts that are kept for a replay. */
const MOST_MOMENTS = 12;

export class RoundHistory {
  /** @type {import("./ruling.js").Moment[]} */
  moments = [];

  /** @type {(before: api.ChairView | null, view: api.ChairView) => void} */
  remember(before, view) {
    if (before && before.felt.round !== view.felt.round) this.moments = [];
    const last = [...(view.log ?? []), ...(view.announcements ?? [])].sort((a, b) => a.number - b.number).at(-1);
    const words = last ? eventText(last) : "";
    this.moments = [...this.moments, { felt: view.felt, time: last?.time ?? view.clock, words }].slice(-MOST_MOMENTS);
  }
}

/**
 * Announce what players did and said since the last view, and cards that came face up.
 *
 * @param {api.ChairView | null} before
 * @param {api.ChairView} view
 */
export function speakChanges(before, view) {
  if (!before) return;
  const last = before.announcements?.at(-1)?.number ?? 0;
  for (const event of view.announcements ?? []) {
    if (event.number > last && event.who === "table") announce(incidentWords(before.felt, view.felt) || event.words);
    else if (event.number > last && event.who !== "you") announce(`${eventText(event)}.`);
  }
  for (const seat of seatsOf(view.felt)) {
    const old = seatsOf(before.felt).find((one) => one.seat === seat.seat);
    if (seat.says && seat.says !== old?.says) announce(`Seat ${seat.seat} says: ${seat.says}`);
  }
}
