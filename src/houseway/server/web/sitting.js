// This session of play: its start, rounds and net result, and reminders to take a break.

import { h } from "./kit/dom.js";

const STORAGE_KEY = "houseway-sitting";
const MINUTE = 60000;
let timer = 0;

/**
 * This session so far: its start (`since`), `net` in cents, the `last` table, the last round of each of its
 * `tables`, and `breaks`, the minutes between reminders.
 *
 * @typedef {{ since: number | null, rounds: number, net: number, last: string, tables: Record<string, number>,
 *   breaks: number, due: number }} Session
 */

/** @returns {Session} */
export function session() {
  const empty = { since: null, rounds: 0, net: 0, last: "", tables: {}, breaks: 0, due: 0 };
  try {
    return { ...empty, ...JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}") };
  } catch {
    return empty;
  }
}

/** @param {Partial<Session>} changes */
function save(changes) {
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ ...session(), ...changes }));
}

/** Start the session when the person takes a seat. */
export function startSession() {
  if (!session().since) save({ since: Date.now() });
}

/**
 * Count a round played in this browser, once.
 *
 * @param {string} table
 * @param {number} number
 * @param {number} net
 */
export function countRound(table, number, net) {
  const { rounds, net: before, tables } = session();
  if (tables[table] >= number) return;
  save({ rounds: rounds + 1, net: before + net, last: table, tables: { ...tables, [table]: number } });
}

/**
 * Return how long the session has lasted, in words.
 *
 * @param {number} since
 */
export function durationText(since) {
  const minutes = Math.floor((Date.now() - since) / MINUTE);
  return `${minutes} minute${minutes === 1 ? "" : "s"}`;
}

/**
 * Set the minutes between break reminders; 0 turns them off.
 *
 * @param {number} breaks
 */
export function setReminder(breaks) {
  save({ breaks, due: breaks ? Date.now() + breaks * MINUTE : 0 });
  schedule();
}

function schedule() {
  clearTimeout(timer);
  const { due } = session();
  if (due) timer = setTimeout(showReminder, Math.max(0, due - Date.now()));
}

function showReminder() {
  const { since, breaks } = session();
  setReminder(breaks);
  const text = since ? `You have been at the tables for ${durationText(since)}.` : "You asked for this reminder.";
  const notice = h("hw-notice", { class: "break", role: "status", head: "Time for a break.", text,
    away: true, onaway: () => notice.remove() });
  document.querySelector("hw-notice.break")?.remove();
  document.body.append(notice);
}

schedule();
