// The tag of a clause; pressing it opens the clause.

import { h, painted } from "./dom.js";

/** Attributes: `clause` the id; `open` while the clause is shown; `line` the pay table line to highlight. */
export class HwClause extends painted(["clause", "open", "line"]) {
  drawn() {
    const id = this.getAttribute("clause") ?? "";
    return h("button", { class: "tag", type: "button", "aria-expanded": String(this.hasAttribute("open")),
      "aria-label": `Clause ${id}`, onclick: () => this.ask(id) }, id);
  }

  /** @param {string} clause */
  ask(clause) {
    const detail = { clause, line: this.getAttribute("line") ?? "", from: this.querySelector("button") };
    this.dispatchEvent(new CustomEvent("clause", { detail, bubbles: true }));
  }
}
customElements.define("hw-clause", HwClause);

/**
 * Create a tag for a clause; null if there is no clause.
 *
 * @param {string | null | undefined} clause
 * @param {ElementProps} props
 */
export const clauseTag = (clause, props = {}) => (clause ? h("hw-clause", { clause, ...props }) : null);

/**
 * Create tags for a citation. It may have a clause for each deal mode, separated by a slash; "(borrowed)" after a
 * clause of another document is left out.
 *
 * @param {string | null | undefined} cited
 */
export const clauseTags = (cited) => (cited ?? "").split(" / ")
  .map((one) => one.replace(/ \([a-z]+\)$/, "")).filter((one) => one && one !== "silent")
  .map((one) => clauseTag(one));
