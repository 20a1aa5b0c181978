// A line of the dealer's script, with its clause.

import { clauseTag } from "./clause.js";
import { h, painted } from "./dom.js";

/** Attributes: `text`, `clause`, and `voice` if the words are spoken. */
export class HwScript extends painted(["text", "clause", "voice"]) {
  drawn() {
    const text = this.getAttribute("text") ?? "";
    return h("p", { class: "script" },
      text && (this.hasAttribute("voice") ? h("span", { class: "voice" }, `“${text}”`)
        : h("span", {}, text)), text && " ",
      clauseTag(text && this.getAttribute("clause")));
  }
}
customElements.define("hw-script", HwScript);
