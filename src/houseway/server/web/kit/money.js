// An amount of money, with colour and sign for results.

import { h, painted } from "./dom.js";
import { money, moneyWords } from "./words.js";

/** Attributes: `cents`; `signed` shows a plus or minus; `short` hides ".00". */
export class HwMoney extends painted(["cents", "signed", "short"]) {
  drawn() {
    const cents = Number(this.getAttribute("cents"));
    const signed = this.hasAttribute("signed");
    const kind = signed ? (cents > 0 ? "won" : cents < 0 ? "lost" : "even") : "plain";
    // Whole amounts get ".00" in its own element, so that the style sheet can hide it.
    const whole = cents % 100 === 0;
    return h("span", { class: `money ${kind}` },
      h("span", { "aria-hidden": "true" }, money(cents, { signed, short: true }),
        whole && !this.hasAttribute("short") && h("span", { class: "no-cents" }, ".00")),
      h("span", { class: "unseen" }, moneyWords(cents, { signed })));
  }
}
customElements.define("hw-money", HwMoney);

/**
 * Create an amount element.
 *
 * @param {number} cents
 * @param {ElementProps} props
 */
export const amount = (cents, props = {}) => h("hw-money", { cents, ...props });
