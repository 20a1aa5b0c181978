// The palette: every act of the rulebook in fixed groups. Nothing in it depends on the state of the round.

import { h } from "../../kit/dom.js";

/** @typedef {import("./draft.js").Act} Act */

/** The acts that have their own buttons beside the palette. */
export const ELSEWHERE = new Set(["CallFloor", "ReportIrregularity"]);
/** @type {[api.ActOption["group"], string][]} */
const GROUPS = [["cards", "Cards"], ["players", "Players"], ["wagers", "Wagers"], ["table", "Table"]];

/**
 * Create the palette. Only the act that the dealer has picked is marked.
 *
 * @param {Act[]} acts
 * @param {Map<string, string>} keys
 * @param {string} picked
 * @param {(act: Act) => void} pick
 * @param {() => void} close Closes the sheet in which a phone shows the palette.
 */
export function palette(acts, keys, picked, pick, close) {
  const groups = GROUPS.map(([group, title]) => ({ group, title,
    own: acts.filter((act) => act.group === group && !ELSEWHERE.has(act.type)) })).filter(({ own }) => own.length);
  /** @param {Act} act */
  const button = (act) => actButton(act, keys.get(act.name) ?? "", act.name === picked, pick);
  return h("div", { class: "palette", role: "group", "aria-label": "Acts", "data-key": "palette" },
    h("button", { type: "button", class: "close drawer-close", "aria-label": "Close the acts", "data-key": "close", onclick: close }, "×"),
    groups.map(({ group, title, own: [first, ...rest] }) => h("section", { class: "group", "data-key": group, "aria-label": title },
      h("h2", { class: "caps" }, title),
      // On a wide screen the acts of all groups share their rows. The title stays beside the group's first act.
      h("div", { class: "acts" }, h("div", { class: "lead", "data-key": "lead" },
        h("span", { class: "caps", "aria-hidden": "true" }, title), button(first)), rest.map(button)))));
}

/**
 * Mark the rows of acts that continue beyond their right edge.
 *
 * @param {HTMLElement} bar
 */
export function markOverflow(bar) {
  for (const row of bar.querySelectorAll(".group .acts")) {
    row.classList.toggle("more", row.scrollWidth - row.clientWidth - row.scrollLeft > 4);
  }
}

/**
 * @param {Act} act
 * @param {string} key
 * @param {boolean} picked
 * @param {(act: Act) => void} pick
 */
export function actButton(act, key, picked, pick) {
  return h("button", { type: "button", class: "act", "data-key": act.name, "aria-pressed": String(picked),
    title: act.means || null, "aria-keyshortcuts": key || null, onclick: () => pick(act) },
  h("span", {}, act.name), key && h("kbd", { "aria-hidden": "true" }, key));
}

/**
 * Return the acts whose names or meanings contain a text.
 *
 * @param {Act[]} acts
 * @param {string} text
 */
export function matching(acts, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  /** @param {Act} act */
  const has = ({ name, means = "" }) => words.every((word) => `${name} ${means}`.toLowerCase().includes(word));
  const starts = acts.filter((act) => act.name.toLowerCase().startsWith(text.toLowerCase().trim()));
  return words.length ? [...new Set([...starts, ...acts.filter(has)])] : acts;
}

/** The box that finds an act by its name. */
export class ActFinder {
  text = "";
  open = false;
  at = 0;

  /** @param {{ acts: () => Act[], keys: () => Map<string, string>, pick: (act: Act) => void, changed: () => void }} options */
  constructor({ acts, keys, pick, changed }) {
    this.acts = acts;
    this.keys = keys;
    this.pick = pick;
    this.changed = changed;
  }

  get matches() { return matching(this.acts(), this.text).slice(0, 12); }

  /** @param {string} text */
  show(text = "") {
    Object.assign(this, { text, open: true, at: 0 });
    this.changed();
    const field = /** @type {HTMLInputElement | null} */ (document.getElementById("find-act"));
    if (field) {
      field.value = text;
      field.focus();
    }
  }

  close() {
    Object.assign(this, { open: false, text: "", at: 0 });
    this.changed();
    document.getElementById("find-act")?.blur();
  }

  /** @param {Act | undefined} act */
  choose(act) {
    this.close();
    const field = /** @type {HTMLInputElement | null} */ (document.getElementById("find-act"));
    if (field) field.value = "";
    if (act) this.pick(act);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { matches } = this;
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter") this.choose(matches[this.at]);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      this.at = (this.at + (event.key === "ArrowDown" ? 1 : -1) + matches.length) % Math.max(1, matches.length);
      this.changed();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  element() {
    const { matches, open } = this;
    return h("div", { class: "finder", "data-key": "finder" },
      h("input", { id: "find-act", type: "text", role: "combobox", "aria-label": "Find an act", placeholder: "Find an act",
        autocomplete: "off", "aria-expanded": String(open), "aria-controls": "found-acts",
        "aria-activedescendant": open && matches.length ? `found-${this.at}` : null,
        onfocus: () => !this.open && this.show(), // The box may have been opened again in the meantime.
        onblur: () => setTimeout(() => this.open && document.activeElement?.id !== "find-act" && this.close(), 150),
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
        oninput: (/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) => {
          Object.assign(this, { text: target.value, at: 0 });
          this.changed();
        } }),
      h("kbd", { "aria-hidden": "true" }, "/"),
      h("ul", { id: "found-acts", role: "listbox", "aria-label": "Acts", hidden: !open }, open && matches.map((act, n) =>
        h("li", { id: `found-${n}`, role: "option", "data-key": act.name, "aria-selected": String(n === this.at),
          onpointerdown: (/** @type {Event} */ event) => {
            event.preventDefault();
            this.choose(act);
          } }, h("span", {}, act.name), h("span", { class: "small" }, act.means ?? ""), h("kbd", {}, this.keys().get(act.name) ?? "")))));
  }
}
