// The chip rail and the other controls before the deal.

import { chipFace } from "../../kit/art.js";
import { h } from "../../kit/dom.js";
import { money } from "../../kit/words.js";

/**
 * Create the chip rail; `ready`, `seatBot` and `watch` handle its buttons.
 *
 * @param {import("./betting.js").Betting} betting
 * @param {{ ready: () => void, waiting: boolean, offline: boolean, seatBot: (() => void) | false,
 *   watch: (() => void) | false }} options
 */
export function chipRail(betting, { ready, waiting, offline, seatBot, watch }) {
  const { stakes, last } = betting;
  const hasWagers = stakes.laid;
  const canRepeat = Object.keys(last).length > 0 && !hasWagers;
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
        onclick: () => canRepeat && betting.setDraft(last) }, "Same as last round"),
      h("button", { type: "button", class: "button", "aria-disabled": String(!hasWagers || offline),
        onclick: () => hasWagers && betting.setDraft({}) }, "Clear"),
      h("button", { type: "button", class: hasWagers ? "button main" : "button",
        "aria-disabled": String(waiting || offline), onclick: () => !waiting && !offline && ready() },
      waiting ? "Ready, waiting" : hasWagers ? "Ready" : "Sit out")),
    h("p", { class: "small" }, stakes.missing || stakes.line, seatBot && [" You are the only player. ",
      h("button", { type: "button", class: "link", "data-key": "bot", onclick: seatBot }, "Seat a bot")],
    !hasWagers && watch && [" ", h("button", { type: "button", class: "link", "data-key": "watch",
      onclick: watch }, "Watch instead")]));
}
