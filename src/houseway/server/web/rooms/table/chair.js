// @ts-nocheck
// The chair of a dealer, the floor or surveillance: what it sees beside the layout, in words.

import { clauseTag } from "../../kit/clause.js";
import { h } from "../../kit/dom.js";
import { cardSigns, centsOf, counted, money, signed, titled } from "../../kit/words.js";

const SAID = { dealer: "You deal", floor: "You are the floor", surveillance: "You watch as surveillance",
  rail: "You watch" };
const TITLES = { next: "Next act", cards: "Cards it takes", waits_for: "Waits for", tips: "Tips",
  approval: "Your word is asked", minima: "Minima", kept: "Seats kept", decks: "Decks", house: "House, after meters",
  rack: "In the rack" };

/** What somebody is at a table without a seat: "You deal". */
export const roleSaid = (role) => SAID[role] ?? "";

/** The same where there is little room: "you deal", "surveillance". */
export const shortly = (role) => ({ dealer: "you deal", rail: "you watch" })[role]
  ?? (SAID[role] ? role : "");

const WORDS = {
  decks: (decks) => decks.map(([name, back, place]) =>
    [`deck ${name}`, back && `${back} back`, place].filter(Boolean).join(", ")),
  rack: (rack) => rack.map(({ what, count, faces }) =>
    `${what}: ${faces.length ? faces.map(cardSigns).join(" ") : counted(count, "card")}`),
  minima: (minima) => Object.entries(minima).map(([wager, least]) => `${wager} ${money(centsOf(least))}`),
  kept: (kept) => Object.entries(kept).map(([seat, player]) => `seat ${seat}, ${player}`),
  tips: (tips) => (centsOf(tips) ? [money(centsOf(tips))] : []),
  house: (won) => [money(centsOf(won), { signed: true })],
  cards: (count) => (count ? [String(count)] : []),
};

/** What a value of the chair says, line by line; nothing where it says nothing. */
const linesOf = (name, value) => (WORDS[name] ?? ((text) => (text ? [signed(String(text))] : [])))(value);

/** What a dealer, the floor or surveillance sees beside the layout. */
export function chair({ script = [], ...rest }, role) {
  const notes = Object.entries(rest).map(([name, value]) => [name, linesOf(name, value)])
    .filter(([, lines]) => lines.length > 0);
  return h("section", { class: "chair", "aria-label": "Your chair" },
    h("h2", {}, roleSaid(role)),
    script.length > 0 && h("ol", { class: "script-lines" }, script.map(({ says, clause }) => h("li", {},
      h("span", {}, signed(says)), clauseTag(clause)))),
    !rest.next && !rest.approval && role !== "surveillance"
      && h("p", { class: "small" }, "Nothing waits for you."),
    h("dl", { class: "notes" }, notes.map(([name, lines]) => [
      h("dt", {}, TITLES[name] ?? titled(name.replaceAll("_", " "))),
      h("dd", {}, lines.map((line) => h("span", {}, line)))])));
}
