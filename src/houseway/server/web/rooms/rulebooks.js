// The rulebooks room: one rulebook clause by clause, or two side by side.

import { select } from "../kit/choices.js";
import { h, morph } from "../kit/dom.js";
import { plural } from "../kit/words.js";
import { clauseSheet, comparisonSheet } from "./rulebooks/paper.js";
import { announce, copyLink, fullest, reader, refusals, shortNames } from "./parts.js";

const SETTLED = 500;

/** @param {import("../app.js").Context} context */
export default function room({ client, params, setTop }) {
  const rulebooks = new Rulebooks(client, setTop, params.rulebook,
    new URLSearchParams(location.search).get("with"));
  rulebooks.start();
  return { element: rulebooks.element, leave: () => rulebooks.leave() };
}

class Rulebooks {
  /** @type {api.RulebookEntry[]} */
  books = [];
  /** @type {Map<string, string>} */
  names = new Map();
  /** @type {api.Rulebook | null} */
  book = null;
  /** @type {api.Differences | null} */
  differences = null;
  /** @type {unknown} */
  refused = null;
  query = "";
  timer = 0;

  /**
   * @param {import("../api_client.js").ApiClient} client
   * @param {import("../app.js").Context["setTop"]} setTop
   * @param {string | undefined} id
   * @param {string | null} other
   */
  constructor(client, setTop, id, other) {
    this.client = client;
    this.setTop = setTop;
    this.id = id ?? "";
    this.other = other ?? "";
    this.list = h("aside", { class: "shelf", "aria-label": "Rulebooks" });
    this.paper = h("article", { class: "book paper", id: "text", tabindex: "-1" });
    this.element = h("div", { class: "rulebooks" }, this.list, this.paper);
    this.element.append(reader(this.element, client));
    this.onHashChange = () => this.mark();
    addEventListener("hashchange", this.onHashChange);
  }

  leave() {
    clearTimeout(this.timer);
    removeEventListener("hashchange", this.onHashChange);
  }

  async start() {
    this.paint();
    try {
      this.books = (await this.client.get("/api/rulebooks")).rulebooks;
      this.names = shortNames(this.books);
      this.id ||= fullest(this.books).id;
      this.paint();
      const path = encodeURIComponent(this.id);
      [this.book, this.differences] = await Promise.all([
        this.client.get(`/api/rulebooks/${path}`),
        this.other ? this.client.get(`/api/differences/${path}/${encodeURIComponent(this.other)}`) : null]);
      this.setTop({ title: this.names.get(this.id) ?? this.id });
    } catch (refused) {
      this.refused = refused;
    }
    this.paint();
    this.mark();
  }

  /** Highlight the clause named in the address. */
  mark() {
    this.paper.querySelector(".clause.hit")?.classList.remove("hit");
    const clause = /** @type {HTMLElement | null} */ (this.paper.querySelector(
      `[id="${CSS.escape(decodeURIComponent(location.hash.slice(1)))}"]`));
    if (!clause) return;
    clause.classList.add("hit");
    clause.scrollIntoView({ block: "center" });
    clause.focus();
  }

  /** @param {string} words */
  search(words) {
    this.query = words.trim().toLowerCase();
    this.paint();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => announce(plural(this.matches().length, "clause")), SETTLED);
  }

  /** Return the clauses that contain the query. */
  matches() {
    /** @param {string} text */
    const has = (text) => text.toLowerCase().includes(this.query);
    return (this.book?.clauses ?? []).filter(({ id, says, reading }) => !this.query || has(id)
      || has(says) || has(reading));
  }

  paint() {
    morph(this.list, [h("h1", {}, "Rulebooks"), ...this.shelf()]);
    const text = this.refused ? refusals(this.refused)
      : this.differences ? comparisonSheet(this.differences, this.books)
        : this.book ? clauseSheet(this.book, this.matches(), this.query)
          : [h("p", { class: "quiet" }, "Loading the rulebook…")];
    morph(this.paper, text);
  }

  shelf() {
    const others = this.books.filter(({ id }) => id !== this.id)
      .map(({ id }) => /** @type {[string, string]} */ ([id, `${this.names.get(id)}, ${id}`]));
    return [
      !this.other && h("label", { class: "field" }, h("span", { class: "label" }, "Find in this rulebook"),
        h("input", { type: "search", placeholder: "a word or a clause id",
          
          oninput: (/** @type {Event & { target: HTMLInputElement }} */ { target }) => this.search(target.value) })),
      h("ul", { class: "books" }, this.books.map((book) => h("li", { "data-key": book.id },
        h("a", { href: `/rulebooks/${book.id}`, "aria-current": book.id === this.id && "page" },
          h("strong", {}, this.names.get(book.id)), h("span", { class: "id" }, book.id),
          h("span", { class: "small" }, `${book.title}. ${book.clauses} clauses`))))),
      others.length > 0 && h("label", { class: "field" },
        h("span", { class: "label" }, "Compare with"),
        select("Compare with", [["", "none"], ...others], this.other,
          (other) => this.compare(other))),
      this.book && h("div", { class: "acts" }, copyLink(),
        h("a", { class: "button", href: `/lab?rulebook=${encodeURIComponent(this.id)}` }, "Lab")),
    ].filter(Boolean);
  }

  /** @param {string} other */
  compare(other) {
    history.pushState(null, "",
      `/rulebooks/${encodeURIComponent(this.id)}${other ? `?with=${encodeURIComponent(other)}` : ""}`);
    Object.assign(this, { other, query: "", differences: null });
    this.start();
  }
}
