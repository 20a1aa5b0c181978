// The clause drawer: a clause on paper, in the panel or as a sheet from below.

import { clauseTag } from "./clause.js";
import { h, Part } from "./dom.js";
import { titled } from "./words.js";

/** `clause` its id, none while closed; `house` and `table` say whom to ask; `line` the odds to mark. */
export class HwDrawer extends Part {
  connectedCallback() {
    super.connectedCallback();
    this.onkeydown = (event) => {
      if (event.key === "Escape") {
        event.stopPropagation();
        this.close();
      }
    };
  }

  /** Open a clause; focus goes back to `from` when the drawer closes. */
  async open(clause, { line = "", from = null } = {}) {
    this.from?.closest("hw-clause")?.removeAttribute("open");
    this.from = from;
    this.shown = null;
    this.line = line;
    this.setAttribute("clause", clause);
    from?.closest("hw-clause")?.setAttribute("open", "");
    const asked = this.table ? `?table=${encodeURIComponent(this.table)}` : "";
    try {
      const found = await this.house.get(`/api/clauses/${encodeURIComponent(clause)}${asked}`);
      if (this.getAttribute("clause") === clause) this.shown = found;
    } catch (refused) {
      if (this.getAttribute("clause") === clause) this.shown = { id: clause, says: refused.message };
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
    const found = this.shown;
    return h("section", { class: "drawer paper", "aria-label": `Clause ${clause}` },
      h("header", {},
        h("h2", { class: "id", tabindex: "-1" }, clause),
        h("span", { class: "citation" }, found?.citation ?? ""),
        h("button", { class: "close", type: "button", "aria-label": "Close the clause",
          onclick: () => this.close() }, "×")),
      found ? this.text(found) : h("p", { class: "quiet" }, "Looking it up."));
  }

  text(found) {
    const [also, conflicts] = [(found.also ?? []).slice(0, 8), found.conflicts ?? []];
    return [
      found.fills && h("p", { class: "borrowed" }, h("b", {}, "Borrowed. "),
        `${found.fills}, is silent here; the gap is filled from ${found.citation}.`),
      h("p", {}, found.says),
      found.reading && h("p", { class: "reading" }, h("b", {}, "A reading: "), found.reading),
      found.lines?.length > 0 && this.lines(found),
      h("footer", {},
        conflicts.length > 0 && h("span", { class: "also" }, "Conflicts with:",
          conflicts.map((id) => clauseTag(id))),
        also.length > 0 && h("span", { class: "also" }, "Also:", also.map((id) => clauseTag(id))),
        found.rulebook && h("a", { href: `/rulebooks/${found.rulebook}#${found.id}` },
          "Read it in the rulebook")),
    ];
  }

  lines(found) {
    const marked = this.line.toLowerCase();
    return h("table", { class: "pays" }, h("tbody", {}, found.lines.map((line) => h("tr",
      { class: marked && line.pays.toLowerCase() === marked && "hit" },
      h("th", { scope: "row" }, titled(line.hand)), h("td", {}, line.pays)))));
  }
}
HwDrawer.declare("hw-drawer", ["clause"], ["shown", "line"]);
