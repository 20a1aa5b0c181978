// @ts-nocheck
// The panel beside the felt: result, hand, coach, pay tables and rounds.

import { clauseTag, clauseTags } from "../../kit/clause.js";
import { h } from "../../kit/dom.js";
import { titled } from "../../kit/words.js";
import { goings } from "./bar.js";
import { chair } from "./chair.js";
import { settlement } from "./settle.js";
import { seats } from "./state.js";

const TITLES = { notes: "Your chair", result: "Result", hand: "Your hand", coach: "Coach", pays: "Pays",
  rounds: "Rounds" };

/** The pay tables of the layout and what is posted beside them. */
function pays(sheet) {
  const table = (title, clause, lines) => h("section", { class: "posted" },
    h("header", {}, h("h2", {}, title), h("span", { class: "tags" }, clauseTags(clause))),
    h("table", { class: "pays" }, h("tbody", {}, lines.map(({ hand, pays: odds }) => h("tr", {},
      h("th", { scope: "row" }, titled(hand)), h("td", {}, odds))))));
  return [
    ...sheet.circles.filter((circle) => circle.pays?.length).map((circle) => table(
      `${titled(circle.title)}${circle.table ? `, table ${circle.table}` : ""}`, circle.pays[0].clause
        ?? circle.clause, circle.pays)),
    ...Object.entries(sheet.signs ?? {}).map(([heading, lines]) => table(titled(heading), lines[0]?.clause,
      lines)),
  ];
}

function rounds(list, table, seat) {
  if (!list) return h("p", { class: "small" }, "Looking them up.");
  if (!list.length) return h("p", { class: "small" }, "The first round is not over yet.");
  return h("ul", { class: "rounds" }, list.map(({ number, net }) => h("li", {},
    h("a", { href: `/table/${encodeURIComponent(table)}/round/${number}` }, `Round ${number}`),
    net?.[seat] !== undefined && h("hw-money", { cents: net[seat], signed: true }))));
}

/** What the panel can show now, in its order. */
function tabsOf({ own, shown, picking, notes }) {
  return [notes && "notes", shown?.lines.length && "result", picking && "hand", own && "coach", "pays",
    "rounds"].filter(Boolean);
}

/** The panel; `room` has what it shows and what its presses do. */
export function panel(room, own) {
  const { notes } = room.sight.yours;
  // The result is one's own, or that of the seat one looks at.
  const looked = seats(room.sight, room.sheet).find(({ seat }) => seat === room.openedPod);
  const shown = looked?.lines?.length ? looked : own;
  const tabs = tabsOf({ own, shown, picking: room.picking, notes: Object.keys(notes ?? {}).length > 0 });
  const tab = tabs.includes(room.tab) ? room.tab : tabs[0];
  const inside = {
    notes: () => chair(notes, room.role),
    result: () => settlement(shown, room.sheet),
    hand: () => [room.pick.panel(), room.coach.panel()],
    coach: () => room.coach.panel(),
    pays: () => pays(room.sheet),
    rounds: () => rounds(room.rounds, room.table, room.sight.yours.seat),
  }[tab]();
  return h("aside", { class: room.panelOpen ? "panel open" : "panel", id: "panel", tabindex: "-1",
    "aria-label": "Panel" },
    h("div", { class: "tabs", role: "tablist" },
      tabs.map((name) => h("button", { type: "button", role: "tab", "data-key": name,
        "aria-selected": String(name === tab), onclick: () => room.choose(name) }, TITLES[name])),
      h("button", { type: "button", class: "close", "data-key": "close", "aria-label": "Close the panel",
        onclick: () => room.openPanel(false) }, "×")),
    h("div", { class: "tab", role: "tabpanel", "aria-label": TITLES[tab], "data-key": tab }, inside,
      ["notes", "coach", "result"].includes(tab) && log(room)),
    h("footer", { class: "panel-goings", "data-key": "goings" }, goings(room)),
    h("hw-drawer", { "data-key": "drawer", ".house": room.house, ".table": room.table }));
}

function log(room) {
  const lines = room.log.lines();
  return lines.length > 0 && h("section", { class: "log" }, h("h2", {}, "This round"),
    h("ol", {}, lines.map(({ text, clause }) => h("li", {}, h("span", {}, text), clauseTag(clause))),
      room.turn && h("li", {}, h("strong", {}, "Your turn"), clauseTag(room.options[0]?.clause))));
}
