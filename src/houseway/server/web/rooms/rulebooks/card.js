// The rules card of a rulebook or of a table: pay tables, limits and betting points, each with its clauses.

import { clauseTag } from "../../kit/clause.js";
import { h, morph } from "../../kit/dom.js";
import { asTitle, ended } from "../../kit/words.js";
import { copyLink, reader, refusals } from "../parts.js";
import { contents } from "./contents.js";

/** @param {import("../../app.js").Context} context */
export default function room({ client, params, setTop, setSkips }) {
  const table = new URLSearchParams(location.search).get("table") ?? "";
  const list = h("aside", { class: "shelf", "aria-label": "Rules card" });
  const paper = h("article", { class: "book paper rules-card", id: "text", tabindex: "-1" });
  const element = h("div", { class: "rulebooks" }, list, paper);
  element.append(reader(element, client, table));
  setTop({ title: "Rules card", back: table ? `/table/${table}` : "/rulebooks" });
  setSkips([["Skip to the rules card", "text"]]);
  let left = false;
  const load = async () => {
    morph(list, [h("h1", {}, "Rules card")]);
    morph(paper, [h("p", { class: "quiet", role: "status" }, "Loading the rules card…")]);
    try {
      /** @type {api.PlayersCard} */
      const card = await client.get(table ? `/api/tables/${encodeURIComponent(table)}/card`
        : `/api/rulebooks/${encodeURIComponent(params.rulebook)}/card`);
      if (left) return;
      morph(list, [h("h1", {}, "Rules card"), contents(card.sections.map(({ title }, n) => [anchor(n), title])),
        h("div", { class: "acts" }, table && h("a", { class: "button main", href: `/table/${encodeURIComponent(table)}` }, "Back to the table"),
          h("a", { class: "button", href: `/rulebooks/${encodeURIComponent(card.rulebook)}` }, "Read the whole rulebook"), copyLink())]);
      morph(paper, cardSheet(card));
      document.getElementById(location.hash.slice(1))?.scrollIntoView();
    } catch (refused) {
      if (left) return;
      morph(paper, [...refusals(refused), h("p", { class: "acts" }, h("button", { type: "button", class: "button", onclick: load }, "Try again"),
        h("a", { class: "button", href: "/rulebooks" }, "Go to the rulebooks"))]);
    }
  };
  load();
  return { element, leave() { left = true; } };
}

/** Return the anchor of a section. @param {number} n */
const anchor = (n) => `part-${n + 1}`;

/** @param {api.PlayersCard} card */
function cardSheet({ title, source, table, sections, hash }) {
  return [h("header", {}, h("h2", {}, title),
    h("p", { class: "quiet" }, `${table ? `As played at table ${table}. ` : ""}From: ${ended(source)} Press a clause to read it.`)),
  ...sections.map((section, n) => part(section, anchor(n))),
  h("footer", { class: "quiet" }, `rulebook ${hash}`)];
}

/**
 * Create a section. The sections that a player does not need are folded.
 *
 * @param {api.CardSection} section
 * @param {string} id
 */
function part({ title, for_staff: staff, parts }, id) {
  const inside = parts.map(({ title: heading, lines, columns = [], rows = [], foot = [] }) => [
    heading && h("h4", {}, heading),
    lines && lines.length > 0 && h("ul", { class: "card-lines" }, lines.map(({ text, clauses }) =>
      h("li", {}, h("span", {}, asTitle(text)), tags(clauses)))),
    rows.length > 0 && table(columns, rows, foot)]);
  return staff ? h("details", { class: "section", id, tabindex: "-1" }, h("summary", {}, h("h3", {}, title), h("span", { class: "quiet" }, "for dealers and the house")), inside)
    : h("section", { class: "section", id, tabindex: "-1" }, h("h3", {}, title), inside);
}

/**
 * @param {readonly string[]} columns
 * @param {readonly api.CardRow[]} rows
 * @param {readonly (readonly string[])[]} foot
 */
function table(columns, rows, foot) {
  const cited = rows.some(({ clauses }) => clauses?.length);
  const titled = columns.some(Boolean);
  return h("div", { class: "card-table" }, h("table", { class: columns[0] ? "pays" : "pays numbered" },
    titled && h("thead", {}, h("tr", {}, columns.map((column) => (column ? h("th", { scope: "col" }, asTitle(column)) : h("td", {}))),
      cited && h("th", { scope: "col" }, "Clause"))),
    h("tbody", {}, rows.map(({ cells, clauses = [] }) => h("tr", {}, cells.map((cell, n) => (n || !cell ? h("td", {}, cell)
      : h("th", { scope: "row" }, asTitle(cell)))), cited && h("td", {}, tags(clauses))))),
    foot.some((one) => one.length) && h("tfoot", {}, h("tr", {}, foot.map((one, n) => (n ? h("td", {}, tags(one)) : h("th", { scope: "row" }, "Clause")))))));
}

/** @param {readonly string[]} clauses */
const tags = (clauses) => clauses.length > 0 && h("span", { class: "tags" }, clauses.map((one) => clauseTag(one)));
