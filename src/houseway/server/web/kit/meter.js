// The meter of a progressive jackpot.

import { h, painted } from "./dom.js";
import { money } from "./words.js";

/** Attributes: `name`, `table` (its pay table), `cents`, `note`. Changes are shown without animation. */
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
