// This session: since when, how many rounds, what they came to, and a break if one was asked for.

import { h } from "./kit/dom.js";

const KEPT = "houseway-sitting";
const MINUTE = 60000;
let timer = 0;

/**
 * This session so far: `since` when, `net` in cents, the `last` table, the last round of each of its
 * `tables`, `breaks` in minutes.
 *
 * @typedef {{ since: number | null, rounds: number, net: number, last: string, tables: Record<string, number>,
 *   breaks: number, due: number }} Sitting
 */

/** @returns {Sitting} */
export function sitting() {
  const none = { since: null, rounds: 0, net: 0, last: "", tables: {}, breaks: 0, due: 0 };
  try {
    return { ...none, ...JSON.parse(sessionStorage.getItem(KEPT) ?? "{}") };
  } catch {
    return none;
  }
}

/** @param {Partial<Sitting>} changes */
function keep(changes) {
  sessionStorage.setItem(KEPT, JSON.stringify({ ...sitting(), ...changes }));
}

/** Say that somebody sits at a table now. */
export function begun() {
  if (!sitting().since) keep({ since: Date.now() });
}

/**
 * Count a round that was played here; told again, it counts once.
 *
 * @param {string} table
 * @param {number} number
 * @param {number} net
 */
export function played(table, number, net) {
  const { rounds, net: before, tables } = sitting();
  if (tables[table] >= number) return;
  keep({ rounds: rounds + 1, net: before + net, last: table, tables: { ...tables, [table]: number } });
}

/**
 * How long the sitting has lasted, in words.
 *
 * @param {number} since
 */
export function lasted(since) {
  const minutes = Math.floor((Date.now() - since) / MINUTE);
  return `${minutes} minute${minutes === 1 ? "" : "s"}`;
}

/**
 * Remind of a break after so many minutes; 0 for not at all.
 *
 * @param {number} breaks
 */
export function remind(breaks) {
  keep({ breaks, due: breaks ? Date.now() + breaks * MINUTE : 0 });
  wait();
}

function wait() {
  clearTimeout(timer);
  const { due } = sitting();
  if (due) timer = setTimeout(say, Math.max(0, due - Date.now()));
}

function say() {
  const { since, breaks } = sitting();
  remind(breaks);
  const text = since ? `You have been at the tables for ${lasted(since)}.` : "You asked to be reminded.";
  const notice = h("hw-notice", { class: "break", role: "status", head: "Time for a break.", text,
    away: true, onaway: () => notice.remove() });
  document.querySelector("hw-notice.break")?.remove();
  document.body.append(notice);
}

wait();
