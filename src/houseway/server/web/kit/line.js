// One line of a settlement: a wager, its result, the reason and the clause.

import { clauseTag } from "./clause.js";
import { h, painted } from "./dom.js";
import { money } from "./words.js";

/** Attributes: `wager` (its title), `net`, `why`, `clause`, `odds`; `waits`, the stake if not settled yet. */
export class HwLine extends painted(["wager", "net", "why", "clause", "odds", "waits"]) {
  drawn() {
    /** @param {string} name */
    const of = (name) => this.getAttribute(name) ?? "";
    const waits = this.hasAttribute("waits");
    return h("div", { class: "line" },
      h("strong", {}, of("wager")),
      waits ? h("span", { class: "amount" }, money(Number(of("waits")), { short: true }))
        : h("hw-money", { class: "amount", cents: of("net"), signed: true }),
      h("span", { class: "why" }, of("why")),
      clauseTag(of("clause"), { line: of("odds") || null }));
  }
}
customElements.define("hw-line", HwLine);
