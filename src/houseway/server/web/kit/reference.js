// The sheet with the hand classes and the words of the game. A button or a key opens it over the room.

import { card } from "./card.js";
import { clauseTags } from "./clause.js";
import { h, painted } from "./dom.js";
import { asTitle, cardName } from "./words.js";

/** The ID of the sheet, for the buttons that open it. */
export const REFERENCE = "reference";

/**
 * Draw the hand classes, the highest first, each with an example.
 *
 * @param {readonly api.HandExampleReply[]} hands
 */
export const handList = (hands) => h("ol", { class: "hand-list" }, hands.map(({ name, cards, says, clause }) => h("li", {},
  h("span", { class: "hand-cards", role: "img", "aria-label": `Example: ${cards.map(cardName).join(", ")}` },
    cards.map((one) => card(one, { size: "small", "aria-hidden": "true" }))),
  h("p", {}, h("strong", {}, asTitle(name)), h("span", {}, asTitle(says))),
  h("span", { class: "tags" }, clauseTags(clause)))));

/** The sheet, loaded when it is first opened: `client` loads it, `rulebook` is the ID of the rulebook. */
export class HwReference extends painted(["rulebook"], { words: /** @type {api.TableWords | null} */ (null), failed: "" }) {
  /** @type {import("../api_client.js").ApiClient | null} */
  client = null;

  connectedCallback() {
    super.connectedCallback();
    this.onbeforetoggle = (event) => {
      if (/** @type {ToggleEvent} */ (event).newState === "open") this.load();
    };
    // A clause opens beside the room, below the sheet, so the sheet closes.
    this.addEventListener("clause", () => this.hidePopover());
  }

  async load() {
    const rulebook = this.getAttribute("rulebook") ?? "";
    if (!rulebook || this.words?.rulebook === rulebook) return;
    this.failed = "";
    try {
      this.words = await this.client?.get(`/api/rulebooks/${encodeURIComponent(rulebook)}/words`);
    } catch (refused) {
      this.failed = /** @type {Error} */ (refused).message;
    }
  }

  drawn() {
    const { words, failed } = this;
    return h("div", { class: "reference-sheet" },
      h("header", {}, h("h2", {}, "Hands and words"),
        h("button", { type: "button", class: "close", "aria-label": "Close", popovertarget: REFERENCE,
          popovertargetaction: "hide" }, "×")),
      words ? [h("h3", {}, "Hands, the highest first"), handList(words.hands),
        h("h3", {}, "Words"), h("dl", { class: "word-list" }, words.words.map(({ word, meaning }) => h("div", {},
          h("dt", {}, asTitle(word)), h("dd", {}, asTitle(meaning)))))]
        : failed ? h("p", { role: "alert" }, asTitle(failed), " ",
          h("button", { type: "button", class: "button text", onclick: () => this.load() }, "Try again"))
          : h("p", { class: "quiet", role: "status" }, "Loading…"));
  }
}
customElements.define("hw-reference", HwReference);

/**
 * Create the sheet for a room.
 *
 * @param {import("../api_client.js").ApiClient} client
 * @param {string} rulebook
 */
export const referenceSheet = (client, rulebook) => h("hw-reference", { id: REFERENCE, popover: "auto", class: "box", role: "dialog",
  "aria-label": "Hands and words", "data-key": REFERENCE, rulebook, ".client": client });

/** Create the button that opens the sheet. @param {string} [style] */
export const referenceButton = (style = "button") => h("button", { type: "button", class: `${style} reference-button`, "data-key": "reference-button",
  popovertarget: REFERENCE, "aria-keyshortcuts": "g" }, h("span", {}, "Hands and words"), h("kbd", { "aria-hidden": "true" }, "G"));

/** Open or close the sheet; return false if the room has none. */
export function toggleReference() {
  const sheet = document.getElementById(REFERENCE);
  sheet?.togglePopover();
  return Boolean(sheet);
}
