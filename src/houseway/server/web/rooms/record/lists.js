// Tables on record and the rounds of one.

import { h } from "../../kit/dom.js";
import { amount } from "../../kit/money.js";
import { counted, tableSaid } from "../../kit/words.js";
import { named } from "../table/state.js";

const when = new Intl.DateTimeFormat("en-GB",
  { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" });

/**
 * A time of the record as people write it: "14 November, 21:04".
 *
 * @param {string} at
 */
export function whenSaid(at) {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "" : when.format(date).replace(" at ", ", ");
}

/**
 * The address of a round.
 *
 * @param {string} table
 * @param {number} number
 */
export const roundPath = (table, number) => `/table/${encodeURIComponent(table)}/round/${number}`;

/**
 * The tables on record.
 *
 * @param {api.TableCard[]} tables
 * @param {string | null} chosen
 */
export function tablesList(tables, chosen) {
  return h("nav", { class: "books", "aria-label": "Tables" }, tables.map((table) =>
    h("a", { href: `/record?table=${encodeURIComponent(table.table)}`,
      "aria-current": table.table === chosen && "page", "data-key": table.table },
      h("strong", {}, tableSaid(table.name)), h("span", { class: "id" }, table.rulebook),
        h("span", { class: "small" }, table.limits))));
}

/**
 * The rounds of a table, the newest first; `more` brings older ones.
 *
 * @param {api.TableCard | undefined} table
 * @param {string} id
 * @param {api.RoundEntry[]} rounds
 * @param {(() => void) | false} more
 */
export function roundsList(table, id, rounds, more) {
  return h("section", { class: "box", "aria-label": "Rounds" },
    h("h2", {}, table ? tableSaid(table.name) : id),
    rounds.length ? h("ul", {}, rounds.map((round) => h("li", { "data-key": String(round.number) },
      h("a", { href: roundPath(id, round.number) }, `Round ${round.number}`),
      h("span", { class: "quiet" }, whenSaid(round.at)),
      h("span", { class: "nets" }, Object.entries(round.net)
        .map(([seat, net]) => h("span", {}, h("b", { class: "seat-no", "aria-hidden": "true" }, seat),
          h("span", { class: "unseen" }, `seat ${seat}`), ` ${named(round.players?.[Number(seat)] ?? "")} `,
          amount(net, { signed: true })))),
      h("span", { class: "quiet small" }, counted(round.events, "event")))))
      : h("p", { class: "quiet" }, "No round has been played here yet."),
    more && h("button", { type: "button", class: "button", onclick: more }, "Older rounds"));
}
