// A rulebook's clauses on paper, and two rulebooks beside each other.

import { clauseTag } from "../../kit/clause.js";
import { h } from "../../kit/dom.js";
import { counted } from "../../kit/words.js";

/**
 * A text with what was sought marked in it.
 *
 * @param {string} text
 * @param {string} sought
 * @returns {Child}
 */
function marked(text, sought) {
  const at = sought ? text.toLowerCase().indexOf(sought) : -1;
  if (at < 0) return text;
  const end = at + sought.length;
  return [text.slice(0, at), h("mark", {}, text.slice(at, end)), marked(text.slice(end), sought)];
}

/**
 * @param {api.Clause} clause
 * @param {string} sought
 */
function clause({ id, says, reading, conflicts }, sought) {
  return h("section", { class: "clause", id, tabindex: "-1", "data-key": id },
    h("a", { class: "id", href: `#${encodeURIComponent(id)}`, "aria-label": `Clause ${id}` },
      marked(id, sought)),
    h("div", {},
      h("p", {}, marked(says, sought)),
      reading && h("p", { class: "reading" }, h("b", {}, "Reading. "), marked(reading, sought)),
      conflicts && conflicts.length > 0 && h("p", { class: "conflicts" }, "Conflicts with",
        conflicts.map((other) => clauseTag(other)))));
}

/**
 * A rulebook, or those of its clauses that match, by section.
 *
 * @param {api.Rulebook} book
 * @param {api.Clause[]} matches
 * @param {string} sought
 */
export function clausesOnPaper(book, matches, sought) {
  const sections = Map.groupBy(matches, (one) => one.section);
  return [
    h("header", { "data-key": "head" }, h("h2", {}, book.title),
      h("p", { class: "quiet" }, `${book.source}. Each clause is in our own words; `
      + "if the text is silent or unclear, our reading is shown separately."),
    sought && h("p", { class: "quiet", role: "status" },
      `${matches.length} of ${book.clauses.length} clauses ${matches.length === 1 ? "speaks" : "speak"} of `
      + `“${sought}”.`)),
    ...[...sections].map(([name, clauses]) => h("div", { class: "section", "data-key": `section ${name}` },
      h("h3", {}, name ? `Section ${name}` : "Clauses"), clauses.map((one) => clause(one, sought)))),
    h("footer", { class: "quiet", "data-key": "foot" }, `rulebook ${book.hash}`),
  ];
}

/** @param {api.Stated | null} stated */
function side(stated) {
  if (!stated) return h("td", { class: "quiet" }, "–");
  return h("td", {}, h("span", {}, stated.says),
    (stated.clauses ?? [stated.clause]).filter(Boolean).map((id) => clauseTag(id)),
    stated.filled && h("span", { class: "borrowed" }, " filled from another document"));
}

/**
 * @param {api.Differences["rows"]} compared
 * @param {string[]} names
 */
function rows(compared, names) {
  return h("table", { class: "beside" },
    h("thead", {}, h("tr", {}, ["", ...names].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, compared.map((row) => h("tr", {}, h("th", { scope: "row" }, row.title), side(row.a),
      side(row.b)))));
}

/**
 * Two rulebooks beside each other, what differs first.
 *
 * @param {api.Differences} differences
 * @param {api.RulebookEntry[]} books
 */
export function differencesOnPaper({ a, b, rows: all }, books) {
  /** @param {string} id */
  const title = (id) => books.find((book) => book.id === id)?.title ?? id;
  const same = all.filter((row) => row.same);
  const differs = all.filter((row) => !row.same);
  return [
    h("header", { "data-key": "head" }, h("h2", {}, `${a} and ${b}`),
      h("p", { class: "quiet" }, `${title(a)}; ${title(b)}. `
      + `${counted(differs.length, "difference")}, ${counted(same.length, "thing")} alike.`)),
    differs.length > 0 && rows(differs, [a, b]),
    same.length > 0 && h("details", {}, h("summary", {}, `${counted(same.length, "thing")} alike`),
      rows(same, [a, b])),
  ].filter(Boolean);
}
