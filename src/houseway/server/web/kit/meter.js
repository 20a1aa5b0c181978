// A meter: what a progressive stands at.

import { h, painted } from "./dom.js";
import { money } from "./words.js";

/** `name`, `table` its pay table, `cents`, `note`. A change shows the new figure; nothing rolls. */
export class HwMeter extends painted(["name", "table", "cents", "note"]) {
  drawn() {
    /** @param {string} name */
    const of = (name) => this.getAttribute(name) ?? "";
    return h("div", { class: "meter" },
      h("span", { class: "caps" }, of("name"), " ", h("span", { class: "of" }, of("note") || of("table"))),
      h("strong", {}, money(Number(of("cents")))));
  }
}
customElements.define("hw-meter", HwMeter);
