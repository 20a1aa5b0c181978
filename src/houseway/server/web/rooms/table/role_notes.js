// The panel with the notes of the dealer, the floor supervisor or surveillance.

import { clauseTag } from "../../kit/clause.js";
import { h } from "../../kit/dom.js";
import { asTitle, cardSigns, money, nameWords, plural, withCardSigns } from "../../kit/words.js";

/** @type {Record<string, string>} */
const ROLE_TEXT = { dealer: "You are the dealer", floor: "You are the floor supervisor",
  surveillance: "You are watching as surveillance", rail: "You are watching" };
/** @type {Record<string, string>} */
const TITLES = { next: "Next step", cards: "Cards needed", waits_for: "Waiting for", tips: "Tips",
  approval: "Needs your approval", minima: "Minimum bets", kept: "Players who keep an old minimum", decks: "Decks",
  house: "House result, without the meters", rack: "In the discard rack" };

/**
 * Describe a role without a seat: "You are the dealer".
 *
 * @param {string} role
 */
export const roleText = (role) => ROLE_TEXT[role] ?? "";

/**
 * Return a short name of the role for the top bar: "dealer", "watching".
 *
 * @param {string} role
 */
export function shortRole(role) {
  if (role === "rail") return "watching";
  return ROLE_TEXT[role] ? role : "";
}

/**
 * Formatters for notes that are not plain text.
 *
 * @type {{ [name: string]: (value: any) => string[] }}
 */
const FORMATS = {
  decks: (/** @type {[string, string, string][]} */ decks) => decks.map(([name, back, place]) =>
    [`deck ${name}`, back && `${back} back`, place].filter(Boolean).join(", ")),
  rack: (/** @type {api.Pile[]} */ rack) => rack.map(({ what, count, faces }) =>
    `${what}: ${faces.length ? faces.map(cardSigns).join(" ") : plural(count, "card")}`),
  minima: (/** @type {Record<string, number>} */ minima) =>
    Object.entries(minima).map(([wager, cents]) => `${wager} ${money(cents)}`),
  kept: (/** @type {Record<number, number>} */ kept) =>
    Object.entries(kept).map(([seat, cents]) => `seat ${seat}, ${money(cents)}`),
  tips: (/** @type {number} */ tips) => (tips ? [money(tips)] : []),
  house: (/** @type {number} */ won) => [money(won, { signed: true })],
  cards: (/** @type {number} */ count) => (count ? [String(count)] : []),
};

/**
 * Return the lines of a note; an empty note has no lines.
 *
 * @param {string} name
 * @param {any} value
 * @returns {string[]}
 */
const linesOf = (name, value) => FORMATS[name]?.(value) ?? (value ? [withCardSigns(String(value))] : []);

/**
 * Create the panel of the dealer, the floor supervisor or surveillance.
 *
 * @param {api.Notes} notes
 * @param {string} role
 */
export function roleNotes({ script = [], ...rest }, role) {
  const notes = Object.entries(rest).map(([name, value]) => /** @type {[string, string[]]} */ ([name, linesOf(name, value)]))
    .filter(([, lines]) => lines.length > 0);
  return h("section", { class: "role-notes", "aria-label": "Your role" },
    h("h2", {}, roleText(role)),
    script.length > 0 && h("ol", { class: "script-lines" }, script.map(({ says, clause }) => h("li", {},
      h("span", {}, withCardSigns(says)), clauseTag(clause)))),
    !rest.next && !rest.approval && role !== "surveillance"
      && h("p", { class: "small" }, "Nothing to do right now."),
    h("dl", { class: "notes" }, notes.map(([name, lines]) => [
      h("dt", {}, TITLES[name] ?? asTitle(nameWords(name))),
      h("dd", {}, lines.map((line) => h("span", {}, line)))])));
}
