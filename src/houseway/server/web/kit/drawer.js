// The clause drawer: the text of a clause, in the panel or as a bottom sheet.

import { clauseTag } from "./clause.js";
import { h, painted } from "./dom.js";
import { asTitle } from "./words.js";

/** `clause` is the ID, absent while the drawer is closed; `client` and `table` load it; `line` is highlighted. */
export class HwDrawer extends painted(["clause"],
  { shown: /** @type {api.Clause | null} */ (null), line: "" }) {
  /** @type {import("../api_client.js").ApiClient | null} */
  client = null;
  table = "";
  /** @type {HTMLElement | null} */
  from = null;

  connectedCallback() {
    super.connectedCallback();
    this.onkeydown = (event) => {
      if (event.key === "Escape") {
        event.stopPropagation();
        this.close();
      }
    };
  }

  /**
   * Open a clause; closing the drawer returns the focus to `from`.
   *
   * @param {string} clause
   * @param {{ line?: string, from?: HTMLElement | null }} options
   */
  async open(clause, { line = "", from = null } = {}) {
    this.from?.closest("hw-clause")?.removeAttribute("open");
    this.from = from;
    this.shown = null;
    this.line = line;
    this.setAttribute("clause", clause);
    from?.closest("hw-clause")?.setAttribute("open", "");
    const query = this.table ? `?table=${encodeURIComponent(this.table)}` : "";
    try {
      const text = await this.client?.get(`/api/clauses/${encodeURIComponent(clause)}${query}`);
      if (this.getAttribute("clause") === clause) this.shown = text;
    } catch (refused) {
      const { message } = /** @type {Error} */ (refused);
      if (this.getAttribute("clause") === clause) this.shown = { id: clause, says: message };
    }
    from?.scrollIntoView({ block: "nearest" });
    if (from && document.activeElement === from) this.querySelector("h2")?.focus({ preventScroll: true });
  }

  close() {
    const from = this.from;
    from?.closest("hw-clause")?.removeAttribute("open");
    const inside = this.contains(document.activeElement);
    this.removeAttribute("clause");
    this.from = null;
    if (inside) from?.focus();
    this.dispatchEvent(new CustomEvent("closed", { bubbles: true }));
  }

  drawn() {
    const clause = this.getAttribute("clause");
    if (!clause) return h("div", { hidden: true });
    const { shown } = this;
    return h("section", { class: "drawer paper", "aria-label": `Clause ${clause}` },
      h("header", {},
        h("h2", { class: "id", tabindex: "-1" }, clause),
        h("span", { class: "citation" }, shown?.citation ?? ""),
        h("button", { class: "close", type: "button", "aria-label": "Close the clause",
          onclick: () => this.close() }, "×")),
      shown ? this.text(shown) : h("p", { class: "quiet" }, "Loading the clause…"));
  }

  /** @param {api.Clause} text */
  text({ id: clause, says, reading, citation, fills, rulebook, also: others = [], conflicts = [], lines = [] }) {
    const also = others.slice(0, 8);
    return [
      fills && h("p", { class: "borrowed" }, h("b", {}, "Borrowed. "),
        `${fills}, does not cover this. The rule is taken from ${citation}.`),
      h("p", {}, says),
      reading && h("p", { class: "reading" }, h("b", {}, "Our reading: "), reading),
      lines.length > 0 && this.lines(lines),
      h("footer", {},
        conflicts.length > 0 && h("span", { class: "also" }, "Other clauses say something different:",
          conflicts.map((id) => clauseTag(id))),
        also.length > 0 && h("span", { class: "also" }, "Also based on:", also.map((id) => clauseTag(id))),
        rulebook && h("a", { href: `/rulebooks/${rulebook}#${clause}` },
          "Read it in the rulebook")),
    ];
  }

  /** @param {{ hand: string, pays: string }[]} lines */
  lines(lines) {
    const marked = this.line.toLowerCase();
    return h("table", { class: "pays" }, h("tbody", {}, lines.map((line) => h("tr",
      { class: marked && line.pays.toLowerCase() === marked && "hit" },
      h("th", { scope: "row" }, asTitle(line.hand)), h("td", {}, line.pays)))));
  }
}
customElements.define("hw-drawer", HwDrawer);
