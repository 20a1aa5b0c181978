// A clause's tag: pressed, it asks the room to open the clause.

import { h, painted } from "./dom.js";

/** `clause` its id; `open` while it is shown; `line` the line of a pay table to mark in it. */
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
 * A tag for a clause, or nothing if there is none.
 *
 * @param {string | null | undefined} clause
 * @param {Given} given
 */
export const clauseTag = (clause, given = {}) => (clause ? h("hw-clause", { clause, ...given }) : null);

/**
 * Tags for clauses cited in a row, divided by a stroke where cards are dealt in two ways; one that fills a
 * silence is marked by a word in brackets.
 *
 * @param {string | null | undefined} cited
 */
export const clauseTags = (cited) => (cited ?? "").split(" / ")
  .map((one) => one.replace(/ \([a-z]+\)$/, "")).filter((one) => one && one !== "silent")
  .map((one) => clauseTag(one));
