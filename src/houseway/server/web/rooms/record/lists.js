// The lists of tables on record and of a table's rounds.

import { h } from "../../kit/dom.js";
import { amount } from "../../kit/money.js";
import { plural, tableTitle } from "../../kit/words.js";
import { displayName } from "../table/state.js";

const when = new Intl.DateTimeFormat("en-GB",
  { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" });

/**
 * Format a time: "14 November, 21:04".
 *
 * @param {string} at
 */
export function timeText(at) {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "" : when.format(date).replace(" at ", ", ");
}

/**
 * Return the path of a round's page.
 *
 * @param {string} table
 * @param {number} number
 */
export const roundPath = (table, number) => `/table/${encodeURIComponent(table)}/round/${number}`;

/**
 * Create the list of tables on record.
 *
 * @param {api.TableCard[]} tables
 * @param {string | null} chosen
 */
export function tablesList(tables, chosen) {
  return h("nav", { class: "books", "aria-label": "Tables" }, tables.map((table) =>
    h("a", { href: `/record?table=${encodeURIComponent(table.table)}`,
      "aria-current": table.table === chosen && "page", "data-key": table.table },
      h("strong", {}, tableTitle(table.name)), h("span", { class: "id" }, table.rulebook),
        h("span", { class: "small" }, table.limits))));
}

/**
 * Create the list of a table's rounds, newest first; `more` loads older ones.
 *
 * @param {api.TableCard | undefined} table
 * @param {string} id
 * @param {api.RoundEntry[]} rounds
 * @param {(() => void) | false} more
 */
export function roundsList(table, id, rounds, more) {
  return h("section", { class: "box", "aria-label": "Rounds" },
    h("h2", {}, table ? tableTitle(table.name) : id),
    rounds.length ? h("ul", {}, rounds.map((round) => h("li", { "data-key": String(round.number) },
      h("a", { href: roundPath(id, round.number) }, `Round ${round.number}`),
      h("span", { class: "quiet" }, timeText(round.at)),
      h("span", { class: "nets" }, Object.entries(round.net)
        .map(([seat, net]) => h("span", {}, h("b", { class: "seat-no", "aria-hidden": "true" }, seat),
          h("span", { class: "unseen" }, `seat ${seat}`), ` ${displayName(round.players?.[Number(seat)] ?? "")} `,
          amount(net, { signed: true })))),
      h("span", { class: "quiet small" }, plural(round.events, "event")))))
      : h("p", { class: "quiet" }, "No rounds have been played here yet."),
    more && h("button", { type: "button", class: "button", onclick: more }, "Older rounds"));
}
