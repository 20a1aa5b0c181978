// An amount with its sign and its colour; the words beside it say what it is.

import { h, painted } from "./dom.js";
import { money, moneySaid } from "./words.js";

/** `cents`; `signed` shows the sign of a result; `short` drops cents that are none. */
export class HwMoney extends painted(["cents", "signed", "short"]) {
  drawn() {
    const cents = Number(this.getAttribute("cents"));
    const signed = this.hasAttribute("signed");
    const kind = signed ? (cents > 0 ? "won" : cents < 0 ? "lost" : "even") : "plain";
    const short = this.hasAttribute("short") || cents % 100 === 0;
    return h("span", { class: `money ${kind}` },
      h("span", { "aria-hidden": "true" }, money(cents, { signed, short }),
        short && !this.hasAttribute("short") && h("span", { class: "no-cents" }, ".00")),
      h("span", { class: "unseen" }, signed ? moneySaid(cents) : moneySaid(cents).replace(/^plus /, "")));
  }
}
customElements.define("hw-money", HwMoney);

/**
 * An amount element.
 *
 * @param {number} cents
 * @param {Given} given
 */
export const amount = (cents, given = {}) => h("hw-money", { cents, ...given });
