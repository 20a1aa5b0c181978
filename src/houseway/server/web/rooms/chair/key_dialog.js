// The list of keys. A key can be changed: press its button, then the new letter.

import { h } from "../../kit/dom.js";
import { isLetter } from "./keymap.js";

/** @type {[string, string][]} */
const FIXED = [["1 to 9", "Take a chip from that tube; set the number of cards; name a hand"], ["Enter", "Do the act"],
  ["Backspace", "Put back one chip, or everything you are holding"], ["Esc", "Put everything back"], ["arrows", "Move around the table"],
  ["/", "Find an act"], ["+ − =", "Announce win, lose or push; qualifies or not"], ["?", "Show this list"]];

export class KeyDialog {
  /** The act whose key is being changed. */
  changing = "";
  note = "";

  /**
   * @param {{ acts: () => api.ActOption[], keys: () => Map<string, string>, change: (name: string, key: string) => void,
   *   reset: () => void }} options
   */
  constructor({ acts, keys, change, reset }) {
    this.acts = acts;
    this.keys = keys;
    this.change = change;
    this.reset = reset;
  }

  /** @returns {HTMLElement | null} */
  get dialog() { return document.getElementById("chair-keys"); }

  open() {
    this.changing = "";
    this.note = "";
    this.dialog?.showPopover();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.changing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" || event.key === "Tab") {
      this.changing = "";
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (!isLetter(event.key)) {
      this.note = "Choose a letter from A to Z.";
      this.change("", "");
      return;
    }
    const name = this.changing;
    this.changing = "";
    this.note = "";
    this.change(name, event.key);
  }

  element() {
    const keys = this.keys();
    return h("div", { id: "chair-keys", popover: "auto", class: "box", role: "dialog", "aria-label": "Keys", "data-key": "chair-keys",
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event) },
    h("h2", {}, "Keys"),
    h("p", { class: "small", role: "status" }, this.note || (this.changing ? `Press the new key for “${this.changing}”.`
      : "Press a key's button to change it. If another act has the new key, the two exchange their keys.")),
    h("dl", { class: "keys" }, FIXED.map(([name, does]) => [h("dt", {}, h("kbd", {}, name)), h("dd", {}, does)])),
    h("ul", { class: "key-list" }, this.acts().map(({ name }) => h("li", { "data-key": name }, h("span", {}, name),
      h("button", { type: "button", class: "key-button", "aria-label": `${name}: key ${keys.get(name) || "none"}. Change it`,
        "aria-pressed": String(this.changing === name), onclick: () => {
          this.changing = name;
          this.note = "";
          this.change("", "");
        } }, h("kbd", {}, keys.get(name) || "–"))))),
    h("button", { type: "button", class: "button", onclick: () => this.reset() }, "Restore all keys"));
  }
}
