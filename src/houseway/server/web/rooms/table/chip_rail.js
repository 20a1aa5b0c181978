// The chip rail and the other controls before the deal.

import { chipFace } from "../../kit/art.js";
import { h } from "../../kit/dom.js";
import { money } from "../../kit/words.js";

/**
 * Create a button under the chips that switches something on or off.
 *
 * @param {string} key
 * @param {boolean} on
 * @param {() => void} press
 * @param {string} text
 */
const toggle = (key, on, press, text) => h("button", { type: "button", class: on ? "button on" : "button",
  "data-key": key, onclick: press }, text);

/**
 * Create the chip rail; `ready`, `seatBot`, `watch` and `goTo` handle its buttons. `others` are the player's other
 * seats.
 *
 * @param {import("./betting.js").Betting} betting
 * @param {{ ready: () => void, waiting: boolean, offline: boolean, seatBot: (() => void) | false,
 *   watch: (() => void) | false, others?: number[], goTo?: (seat: number) => void }} options
 */
export function chipRail(betting, { ready, waiting, offline, seatBot, watch, others = [], goTo }) {
  const { stakes, repeatable: canRepeat } = betting;
  const hasWagers = stakes.laid;
  /** @param {number} cents */
  const choose = (cents) => () => {
    stakes.chip = cents;
    betting.changed();
  };
  return h("div", { class: "betting", id: "choices", tabindex: "-1", role: "group", "aria-label": "Wagers" },
    h("div", { class: "chips", role: "radiogroup", "aria-label": "Chip" },
      stakes.chips.map((cents) => h("button", { type: "button", role: "radio", class: "chip-button",
        "aria-checked": String(cents === stakes.chip), "aria-label": money(cents, { short: true }),
        onclick: choose(cents) }, chipFace(cents)))),
    h("div", { class: "row" },
      h("button", { type: "button", class: "button", "aria-disabled": String(!canRepeat || offline),
        onclick: () => betting.repeat() }, "Same as last round"),
      h("button", { type: "button", class: "button", "aria-disabled": String(!hasWagers || offline),
        onclick: () => hasWagers && betting.setDraft({}) }, "Clear"),
      h("button", { type: "button", class: hasWagers ? "button main" : "button",
        "aria-disabled": String(waiting || offline), onclick: () => !waiting && !offline && ready() },
      waiting ? "Ready, waiting" : hasWagers ? "Ready" : "Sit out")),
    (stakes.tipSpots.length > 0 || stakes.coupons) && h("div", { class: "row extras" },
      stakes.tipSpots.length > 0 && toggle("tip", stakes.tipping, () => betting.toggleTip(),
        stakes.tipping ? "Stop tipping" : "Tip the dealer"),
      stakes.coupons && toggle("coupon", Boolean(stakes.wagers.coupon), () => betting.toggleCoupon(),
        stakes.wagers.coupon ? "Take the coupon back" : "Use a match play coupon")),
    h("p", { class: "small" }, stakes.missing || stakes.line, seatBot && [" You are the only player. ",
      h("button", { type: "button", class: "link", "data-key": "bot", onclick: seatBot }, "Seat a bot")],
    others.map((seat) => [" ", h("button", { type: "button", class: "link", "data-key": `seat-${seat}`,
      onclick: () => goTo?.(seat) }, `Bet for seat ${seat}`)]),
    !hasWagers && watch && [" ", h("button", { type: "button", class: "link", "data-key": "watch",
      onclick: watch }, "Watch instead")]));
}
