// A rulebook's clauses, and two rulebooks side by side.

import { clauseTag } from "../../kit/clause.js";
import { h } from "../../kit/dom.js";
import { plural } from "../../kit/words.js";

/**
 * Return a text with the query highlighted.
 *
 * @param {string} text
 * @param {string} query
 * @returns {Child}
 */
function marked(text, query) {
  const at = query ? text.toLowerCase().indexOf(query) : -1;
  if (at < 0) return text;
  const end = at + query.length;
  return [text.slice(0, at), h("mark", {}, text.slice(at, end)), marked(text.slice(end), query)];
}

/**
 * Create a line with the clauses that contradict a clause, and what that means.
 *
 * @param {string} words
 * @param {string[]} clauses
 */
const differing = (words, clauses) => clauses.length > 0
  && h("p", { class: "conflicts" }, words, clauses.map((one) => clauseTag(one)));

/**
 * @param {api.Clause} clause
 * @param {string} query
 * @param {Set<string>} ids The clauses of the same document.
 */
function clause({ id, says, reading, conflicts = [] }, query, ids) {
  const [own, others] = [conflicts.filter((one) => ids.has(one)), conflicts.filter((one) => !ids.has(one))];
  return h("section", { class: "clause", id, tabindex: "-1", "data-key": id },
    h("a", { class: "id", href: `#${encodeURIComponent(id)}`, "aria-label": `Clause ${id}` },
      marked(id, query)),
    h("div", {},
      h("p", {}, marked(says, query)),
      reading && h("p", { class: "reading" }, h("b", {}, "Our reading: "), marked(reading, query)),
      differing("This document also says something different; a reading says which clause counts:", own),
      differing("Other documents say something different, for tables under their rules:", others)));
}

/**
 * Return the title of a section: "Section 7: Dealing by hand".
 *
 * @param {api.Rulebook} book
 * @param {string} [name]
 */
const sectionTitle = ({ sections }, name = "") => [name ? `Section ${name}` : "Clauses", sections[name]].filter(Boolean).join(": ");

/** Return the anchor of a section. @param {string} [name] */
export const sectionId = (name = "") => `section-${name || "clauses"}`;

/**
 * Create a rulebook's clauses by section, or only those that match.
 *
 * @param {api.Rulebook} book
 * @param {api.Clause[]} matches
 * @param {string} query
 */
export function clauseSheet(book, matches, query) {
  const sections = Map.groupBy(matches, (one) => one.section);
  const ids = new Set(book.clauses.map(({ id }) => id));
  return [
    h("header", { "data-key": "head" }, h("h2", {}, book.title),
      h("p", { class: "quiet" }, `${book.source}. Each clause is in our own words; `
      + "if the text is silent or unclear, our reading is shown separately."),
    query && h("p", { class: "quiet", role: "status" },
      `${matches.length} of ${book.clauses.length} clauses ${matches.length === 1 ? "contains" : "contain"} `
      + `“${query}”.`)),
    ...[...sections].map(([name, clauses]) => h("div", { class: "section", id: sectionId(name), tabindex: "-1", "data-key": `section ${name}` },
      h("h3", {}, sectionTitle(book, name)), clauses.map((one) => clause(one, query, ids)))),
    h("footer", { class: "quiet", "data-key": "foot" }, `rulebook ${book.hash}`),
  ];
}

/** @param {api.Stated | null} stated */
function side(stated) {
  if (!stated) return h("td", { class: "quiet" }, "–");
  return h("td", {}, h("span", {}, stated.says),
    (stated.clauses ?? [stated.clause]).filter(Boolean).map((id) => clauseTag(id)),
    stated.filled && h("span", { class: "borrowed" }, " borrowed from another document"));
}

/**
 * @param {api.Differences["rows"]} compared
 * @param {string[]} names
 */
function rows(compared, names) {
  return h("table", { class: "beside" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, "Rule")),
      names.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, compared.map((row) => h("tr", {}, h("th", { scope: "row" }, row.title), side(row.a),
      side(row.b)))));
}

/**
 * Create the comparison of two rulebooks, differences first.
 *
 * @param {api.Differences} differences
 * @param {api.RulebookEntry[]} books
 */
export function comparisonSheet({ a, b, rows: all }, books) {
  /** @param {string} id */
  const title = (id) => books.find((book) => book.id === id)?.title ?? id;
  const same = all.filter((row) => row.same);
  const differs = all.filter((row) => !row.same);
  return [
    h("header", { "data-key": "head" }, h("h2", {}, `${a} and ${b}`),
      h("p", { class: "quiet" }, `${title(a)}; ${title(b)}. `
      + `${plural(differs.length, "difference")}, ${plural(same.length, "identical rule")}.`)),
    differs.length > 0 && rows(differs, [a, b]),
    same.length > 0 && h("details", {}, h("summary", {}, plural(same.length, "identical rule")),
      rows(same, [a, b])),
  ].filter(Boolean);
}
