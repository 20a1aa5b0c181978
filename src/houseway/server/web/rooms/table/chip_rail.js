// The rail of chips, and what else there is to do before the cards are dealt.

import { chipFace } from "../../kit/art.js";
import { h } from "../../kit/dom.js";
import { money } from "../../kit/words.js";

/**
 * The rail; `ready`, `seatBot` and `watch` are what its buttons do.
 *
 * @param {import("./betting.js").Betting} betting
 * @param {{ ready: () => void, waiting: boolean, offline: boolean, seatBot: (() => void) | false,
 *   watch: (() => void) | false }} given
 */
export function chipRail(betting, { ready, waiting, offline, seatBot, watch }) {
  const { stakes, last } = betting;
  const out = stakes.laid;
  const again = Object.keys(last).length > 0 && !out;
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
      h("button", { type: "button", class: "button", "aria-disabled": String(!again || offline),
        onclick: () => again && betting.want(last) }, "Same as last round"),
      h("button", { type: "button", class: "button", "aria-disabled": String(!out || offline),
        onclick: () => out && betting.want({}) }, "Clear"),
      h("button", { type: "button", class: out ? "button main" : "button",
        "aria-disabled": String(waiting || offline), onclick: () => !waiting && !offline && ready() },
      waiting ? "Ready, waiting" : out ? "Ready" : "Sit out")),
    h("p", { class: "small" }, stakes.missing || stakes.line, seatBot && [" You play alone. ",
      h("button", { type: "button", class: "link", "data-key": "bot", onclick: seatBot }, "Seat a bot")],
    !out && watch && [" ", h("button", { type: "button", class: "link", "data-key": "watch",
      onclick: watch }, "Watch instead")]));
}
