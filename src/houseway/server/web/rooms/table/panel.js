// The panel beside the felt, with tabs for the role, result, hand, coach, pay tables and rounds.

import { clauseTag, clauseTags } from "../../kit/clause.js";
import { h } from "../../kit/dom.js";
import { asTitle } from "../../kit/words.js";
import { tableMenu } from "./bar.js";
import { roleNotes } from "./role_notes.js";
import { reviewPath, settlement } from "./settle.js";
import { seats } from "./state.js";

/** @typedef {import("../table.js").TableRoom} TableRoom */
/** @typedef {import("./state.js").Seat} Seat */

/** @type {Record<string, string>} */
const TITLES = { notes: "Your role", result: "Result", hand: "Your hand", coach: "Coach", pays: "Payouts",
  rounds: "Rounds" };

/**
 * Create the list of the house way, which decides the two of four cards that the dealer keeps. `decided` is the
 * line that decided in this round.
 *
 * @param {api.HouseLine[]} lines
 * @param {string} decided
 */
const houseWay = (lines, decided) => lines.length > 0 && h("section", { class: "posted house-way" },
  h("header", {}, h("h2", {}, "House way"), h("span", { class: "tags" }, clauseTags(lines[0].clause))),
  h("p", { class: "small" }, "The dealer keeps two of four cards. Read the list from the top and stop at "
    + "the first line that fits two of the cards: the dealer keeps those two."),
  h("ol", {}, lines.map(({ keeps }) => h("li", { "aria-current": keeps === decided ? "true" : null },
    keeps === decided ? h("strong", {}, `${asTitle(keeps)}: this round's line`) : asTitle(keeps)))));

/**
 * Create the pay tables and the house way.
 *
 * @param {api.TableSheet} sheet
 * @param {api.View} view
 */
function pays(sheet, { table: { dealer_line: decided = "" } }) {
  /** @type {(title: string, clause: string | null | undefined, lines: api.PayLine[]) => HTMLElement} */
  const table = (title, clause, lines) => h("section", { class: "posted" },
    h("header", {}, h("h2", {}, title), h("span", { class: "tags" }, clauseTags(clause))),
    h("table", { class: "pays" }, h("tbody", {}, lines.map(({ hand, pays: odds }) => h("tr", {},
      h("th", { scope: "row" }, asTitle(hand)), h("td", {}, odds))))));
  return [
    ...sheet.circles.map(({ title, table: name, clause, pays: lines = [] }) => lines.length > 0 && table(
      `${asTitle(title)}${name ? `, table ${name}` : ""}`, lines[0].clause ?? clause, lines)),
    ...Object.entries(sheet.signs ?? {}).map(([heading, lines]) => table(asTitle(heading), lines[0]?.clause,
      lines)),
    houseWay(sheet.house_way ?? [], decided),
  ];
}

/**
 * Create the link to the review of a finished round.
 *
 * @param {string} table
 * @param {number} round
 * @param {number} seat
 */
const reviewLink = (table, round, seat) => h("p", { class: "review-link", "data-key": "review" },
  h("a", { class: "button", href: reviewPath(table, round, seat) }, "Review this round"));

/** @type {(list: api.RoundEntry[] | null, table: string, seat: number) => HTMLElement} */
function rounds(list, table, seat) {
  if (!list) return h("p", { class: "small" }, "Loading the rounds…");
  if (!list.length) return h("p", { class: "small" }, "The first round is still in progress.");
  return h("ul", { class: "rounds" }, list.map(({ number, net }) => h("li", {},
    h("a", { href: `/table/${encodeURIComponent(table)}/round/${number}` }, `Round ${number}`),
    net?.[seat] !== undefined && h("hw-money", { cents: net[seat], signed: true }))));
}

/**
 * Return the tabs of the panel, in order.
 *
 * @param {{ own: Seat | undefined, shown: Seat | undefined, picking: boolean, notes: boolean }} options
 * @returns {string[]}
 */
function tabsOf({ own, shown, picking, notes }) {
  return [notes ? "notes" : "", shown?.lines.length ? "result" : "", picking ? "hand" : "", own ? "coach" : "",
    "pays", "rounds"].filter(Boolean);
}

/**
 * Create the panel.
 *
 * @param {TableRoom} room
 * @param {Seat | undefined} own
 */
export function panel(room, own) {
  const { view, sheet, panels, decision, coach, table } = room;
  const { notes, seat: number = 0 } = view.yours;
  // Show the result of the selected seat; without one, show the viewer's own result.
  const looked = seats(view, sheet).find(({ seat }) => seat === panels.looked);
  const shown = looked?.lines.length ? looked : own;
  const tabs = tabsOf({ own, shown, picking: decision.picking, notes: Object.keys(notes ?? {}).length > 0 });
  const tab = tabs.includes(panels.tab) ? panels.tab : tabs[0];
  /** @type {Record<string, () => Child>} */
  const contents = {
    notes: () => [roleNotes(notes ?? {}, room.connection.role), room.houseEvents.list()],
    result: () => [settlement(shown, sheet), shown?.you && view.table.closed
      && reviewLink(table, view.table.round, shown.seat)],
    hand: () => [decision.pick.panel(), coach.panel()],
    coach: () => coach.panel(),
    pays: () => pays(sheet, view),
    rounds: () => [rounds(panels.rounds, table, number), room.record.line()],
  };
  return h("aside", { class: panels.open ? "panel open" : "panel", id: "panel", tabindex: "-1",
    "aria-label": "Table information" },
    h("div", { class: "tabs", role: "tablist" },
      tabs.map((name) => h("button", { type: "button", role: "tab", "data-key": name,
        "aria-selected": String(name === tab), onclick: () => panels.choose(name) }, TITLES[name])),
      h("button", { type: "button", class: "close", "data-key": "close", "aria-label": "Close the panel",
        onclick: () => panels.show(false) }, "×")),
    h("div", { class: "tab", role: "tabpanel", "aria-label": TITLES[tab], "data-key": tab }, contents[tab](),
      ["notes", "coach", "result"].includes(tab) && log(room)),
    h("footer", { class: "panel-menu", "data-key": "menu" }, tableMenu(room)),
    h("hw-drawer", { "data-key": "drawer", ".client": room.client, ".table": table }));
}

/** @param {TableRoom} room */
function log({ view, decision }) {
  const lines = Object.values(view.yours.log ?? {});
  return lines.length > 0 && h("section", { class: "log" }, h("h2", {}, "This round"),
    h("ol", {}, lines.map(({ text, clause }) => h("li", {}, h("span", {}, text), clauseTag(clause))),
      decision.turn && h("li", {}, h("strong", {}, "Your turn"), clauseTag(decision.options[0]?.clause))));
}
