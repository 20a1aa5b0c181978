// A playing card. A face-down card has no `card` attribute, so the page cannot reveal it.

import { cardBack, cardFace } from "./art.js";
import { h, painted } from "./dom.js";
import { cardName } from "./words.js";

/** Attributes: `card` ("Ts"; absent if face down), `size`, `back` (a colour), `state` plays, unused or chosen. */
export class HwCard extends painted(["card", "size", "back"]) {
  drawn() {
    const card = this.getAttribute("card");
    const small = this.getAttribute("size") === "small";
    return h("span", { class: card ? "card" : "card covered", "data-key": card ?? "covered" },
      card ? cardFace(card, small) : cardBack(),
      h("span", { class: "unseen" }, card ? cardName(card) : "a face-down card"));
  }
}
customElements.define("hw-card", HwCard);

/**
 * Create a card element; `face` is empty for a face-down card.
 *
 * @param {string} face
 * @param {ElementProps} props
 */
export function card(face, props = {}) {
  return h("hw-card", { card: face || null, size: "large", ...props });
}
