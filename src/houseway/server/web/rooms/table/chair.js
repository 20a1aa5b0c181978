// The chair of a dealer, the floor or surveillance: what it sees beside the layout, in words.

import { clauseTag } from "../../kit/clause.js";
import { h } from "../../kit/dom.js";
import { cardSigns, counted, money, signed, titled } from "../../kit/words.js";

/** @type {Record<string, string>} */
const SAID = { dealer: "You deal", floor: "You are the floor", surveillance: "You watch as surveillance",
  rail: "You watch" };
/** @type {Record<string, string>} */
const TITLES = { next: "Next act", cards: "Cards needed", waits_for: "Waiting for", tips: "Tips",
  approval: "Needs your approval", minima: "Minima", kept: "Seats held", decks: "Decks", house: "House, after meters",
  rack: "In the rack" };

/**
 * A role at a table without a seat: "You deal".
 *
 * @param {string} role
 */
export const roleSaid = (role) => SAID[role] ?? "";

/**
 * The same where there is little room: "you deal", "surveillance".
 *
 * @param {string} role
 */
export function shortly(role) {
  if (role === "dealer") return "you deal";
  if (role === "rail") return "you watch";
  return SAID[role] ? role : "";
}

/**
 * The notes that are not a text of their own, in lines.
 *
 * @type {{ [name: string]: (value: any) => string[] }}
 */
const WORDS = {
  decks: (/** @type {[string, string, string][]} */ decks) => decks.map(([name, back, place]) =>
    [`deck ${name}`, back && `${back} back`, place].filter(Boolean).join(", ")),
  rack: (/** @type {api.Pile[]} */ rack) => rack.map(({ what, count, faces }) =>
    `${what}: ${faces.length ? faces.map(cardSigns).join(" ") : counted(count, "card")}`),
  minima: (/** @type {Record<string, number>} */ minima) =>
    Object.entries(minima).map(([wager, cents]) => `${wager} ${money(cents)}`),
  kept: (/** @type {Record<number, number>} */ kept) =>
    Object.entries(kept).map(([seat, cents]) => `seat ${seat}, ${money(cents)}`),
  tips: (/** @type {number} */ tips) => (tips ? [money(tips)] : []),
  house: (/** @type {number} */ won) => [money(won, { signed: true })],
  cards: (/** @type {number} */ count) => (count ? [String(count)] : []),
};

/**
 * A note in lines; none if it says nothing.
 *
 * @param {string} name
 * @param {any} value
 * @returns {string[]}
 */
const linesOf = (name, value) => WORDS[name]?.(value) ?? (value ? [signed(String(value))] : []);

/**
 * What a dealer, the floor or surveillance sees beside the table.
 *
 * @param {api.Notes} notes
 * @param {string} role
 */
export function chair({ script = [], ...rest }, role) {
  const notes = Object.entries(rest).map(([name, value]) => /** @type {[string, string[]]} */ ([name, linesOf(name, value)]))
    .filter(([, lines]) => lines.length > 0);
  return h("section", { class: "chair", "aria-label": "Your chair" },
    h("h2", {}, roleSaid(role)),
    script.length > 0 && h("ol", { class: "script-lines" }, script.map(({ says, clause }) => h("li", {},
      h("span", {}, signed(says)), clauseTag(clause)))),
    !rest.next && !rest.approval && role !== "surveillance"
      && h("p", { class: "small" }, "Nothing needs you now."),
    h("dl", { class: "notes" }, notes.map(([name, lines]) => [
      h("dt", {}, TITLES[name] ?? titled(name.replaceAll("_", " "))),
      h("dd", {}, lines.map((line) => h("span", {}, line)))])));
}
