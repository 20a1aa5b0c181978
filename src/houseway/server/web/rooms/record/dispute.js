// The sheet for a dispute: the hands rebuilt from the discard rack, and the amounts paid and due for each
// wager.

import { clauseTag } from "../../kit/clause.js";
import { h } from "../../kit/dom.js";
import { asTitle, money, nameWords } from "../../kit/words.js";
import { refusals } from "../parts.js";
import { formatSentence } from "./story.js";

const STAFF = ["floor", "surveillance"];

/**
 * Return the role in which a person may open a dispute at a table; empty if there is none.
 *
 * @param {api.Person | null | undefined} you
 * @param {string} table
 */
export function disputeRole(you, table) {
  const roles = [table, "*"].flatMap((where) => you?.roles?.[where] ?? []);
  return STAFF.find((role) => roles.some((own) => own === role)) ?? "";
}

/** Loads a dispute and draws it. */
export class DisputeSheet {
  /** @type {api.Dispute | null} */
  dispute = null;
  /** @type {unknown} Why loading failed. */
  refused = null;
  loading = false;
  shown = false;

  /**
   * `changed()` is called after every change.
   *
   * @param {{ client: import("../../api_client.js").ApiClient, path: string, changed: () => void }} options
   */
  constructor({ client, path, changed }) {
    this.client = client;
    this.path = path;
    this.changed = changed;
  }

  /**
   * Show or hide the sheet; the first time, load it.
   *
   * @param {string} role
   */
  async toggle(role) {
    this.shown = !this.shown;
    if (this.shown && !this.dispute && !this.loading) {
      this.loading = true;
      this.refused = null;
      this.changed();
      try {
        this.dispute = await this.client.get(`${this.path}?as=${encodeURIComponent(role)}`);
      } catch (refused) {
        this.refused = refused;
      }
      this.loading = false;
    }
    this.changed();
  }

  /** Create the content of the sheet. */
  content() {
    return [h("header", { "data-key": "head" }, h("h2", {}, "Dispute"),
      h("p", { class: "quiet" }, "Every hand, rebuilt from the discard rack, with the amounts paid and due on each wager.")),
    this.loading && h("p", { class: "quiet", role: "status" }, "Settling the round again…"),
    ...refusals(this.refused), ...(this.dispute ? sheet(this.dispute) : [])].filter(Boolean);
  }
}

/** @param {api.Dispute} dispute */
function sheet({ hands, wagers, difference, proved = 0, notes = [] }) {
  return [
    h("p", { class: difference ? "verdict wrong" : "verdict" }, verdict(wagers, difference)),
    wagers.length > 0 && h("table", { class: "pays" },
      h("thead", {}, h("tr", {}, ["Wager", "Paid", "Due", "Clause"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, wagers.map(wagerRow))),
    h("h3", {}, "The discard rack, from the bottom up"),
    hands.length ? h("ol", { class: "racked" }, hands.map(({ place, cards, count, reads = "", differs = false }) =>
      h("li", {}, h("strong", {}, asTitle(place)), " ",
        cards.length ? formatSentence(cards.join(" ")) : `${count} cards`,
        reads && h("span", { class: "quiet" }, `, ${reads}`),
        differs && h("b", { class: "wrong" }, " (not the cards dealt to this place)"))))
      : h("p", { class: "quiet" }, "No cards of this round are in the discard rack."),
    proved > 0 && h("p", { class: "quiet" }, `${proved} cards match the seal of the shuffle.`),
    ...notes.map((note) => h("p", { class: "quiet" }, `Not checked: ${note}.`)),
  ].filter(Boolean);
}

/**
 * @param {api.DisputedWager[]} wagers
 * @param {number} difference
 */
function verdict(wagers, difference) {
  if (!wagers.some(({ due }) => due !== null)) return "This round could not be settled again.";
  if (!difference) return "Every wager was paid as the rules say.";
  return wagers.filter((wager) => wager.difference).map(({ seat, wager, difference: owed }) => owed > 0
    ? `The house owes seat ${seat} ${money(owed)} on the ${nameWords(wager)}.`
    : `Seat ${seat} was paid ${money(-owed)} too much on the ${nameWords(wager)}.`).join(" ");
}

/** @param {api.DisputedWager} wager */
function wagerRow({ seat, hand, wager, stake, paid, due, difference, clause, for_dealer: tip }) {
  const place = hand > 1 ? `${seat}.${hand}` : seat;
  return h("tr", { class: difference ? "hit" : null },
    h("th", { scope: "row" }, `Seat ${place}, ${nameWords(wager)} ${money(stake, { short: true })}${tip ? " (tip)" : ""}`),
    h("td", {}, money(paid, { signed: true })), h("td", {}, due === null ? "" : money(due, { signed: true })),
    h("td", {}, clauseTag(clause)));
}
