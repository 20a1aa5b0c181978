// The settings panel in the top bar.

import { onSettings, set, setting } from "../settings.js";
import { segmented } from "./choices.js";
import { h, painted, picture, s } from "./dom.js";

const SLIDERS = "M4 8h9m5 0h2M4 16h3m5 0h8M15.5 5.5v5M9.5 13.5v5";

/** @type {[name: import("../settings.js").Name, label: string, choices: [string, string][]][]} */
const CHOICES = [
  ["theme", "Theme", [["system", "as your system"], ["dark", "dark"], ["light", "light"]]],
  ["deck", "Deck", [["2", "two colours"], ["4", "four colours"]]],
  ["pace", "Pace", [["brisk", "fast"], ["normal", "normal"], ["unhurried", "slow"]]],
  ["keys", "Keyboard shortcuts", [["on", "on"], ["off", "off"]]],
  ["sound", "Sound of cards and chips", [["off", "off"], ["on", "on"]]],
  ["text", "Table as text", [["off", "off"], ["on", "on"]]],
];

class HwSettings extends painted([]) {
  off = () => {};

  connectedCallback() {
    super.connectedCallback();
    this.off = onSettings(() => this.changed());
  }

  disconnectedCallback() {
    this.off();
  }

  drawn() {
    return h("div", {},
      h("button", { class: "quiet-button", type: "button", popovertarget: "settings" },
        h("span", {}, "Settings"), picture("0 0 24 24", {}, s("path", { d: SLIDERS }))),
      h("div", { id: "settings", popover: "auto", class: "box" },
        h("h2", {}, "Settings"),
        CHOICES.map(([name, label, choices]) => h("div", { class: "field" },
          h("span", { class: "label" }, label),
          segmented(label, choices, setting(name), (value) => set(name, value)))),
        h("p", { class: "small" },
          "If playing for money stops being fun, talk to someone you trust or to a "
          + "gambling helpline where you live.")));
  }
}
customElements.define("hw-settings", HwSettings);

export const settingsPanel = () => h("hw-settings");
