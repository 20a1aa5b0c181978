// A playing card. One that lies face down has no `card`: nothing in the page tells what it is.

import { cardBack, cardFace } from "./art.js";
import { h, painted } from "./dom.js";
import { cardSaid } from "./words.js";

/** `card` ("Ts"; absent where covered), `size`, `back` blue or red, `state` plays, unused or chosen. */
export class HwCard extends painted(["card", "size", "back"]) {
  drawn() {
    const card = this.getAttribute("card");
    const small = this.getAttribute("size") === "small";
    return h("span", { class: card ? "card" : "card covered", "data-key": card ?? "covered" },
      card ? cardFace(card, small) : cardBack(),
      h("span", { class: "unseen" }, card ? cardSaid(card) : "a face-down card"));
  }
}
customElements.define("hw-card", HwCard);

/**
 * A card element; `face` may be empty for a covered one.
 *
 * @param {string} face
 * @param {Given} given
 */
export function card(face, given = {}) {
  return h("hw-card", { card: face || null, size: "large", ...given });
}
