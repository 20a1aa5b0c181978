// A notice: a heading, an explanation and a clause.

import { clauseTag } from "./clause.js";
import { h, painted } from "./dom.js";

/** Attributes: `kind` plain, refused, waiting, void or paper; `head`, `text`, `clause`; `away` adds a close
 * button. */
export class HwNotice extends painted(["kind", "head", "text", "clause", "away"]) {
  /** @type {(() => void) | null} */
  onaway = null;

  drawn() {
    /** @param {string} name */
    const of = (name) => this.getAttribute(name) ?? "";
    return h("div", { class: `notice ${of("kind") || "plain"}` },
      of("kind") === "waiting" && h("span", { class: "turning", "aria-hidden": "true" }),
      h("p", {}, of("head") && h("strong", {}, of("head"), " "), of("text")),
      clauseTag(of("clause")),
      this.hasAttribute("away") && h("button", { class: "close", type: "button", "aria-label": "Close",
        onclick: () => this.onaway?.() }, "×"));
  }
}
customElements.define("hw-notice", HwNotice);
