// A betting circle on the layout, with its chips and its result.

import { chipsOf, sensor, stack } from "./art.js";
import { h, painted, picture, s } from "./dom.js";
import { money, moneyWords } from "./words.js";

/**
 * Return how far to lower a stack to centre it in the circle.
 *
 * @param {number} cents
 */
const low = (cents) => Math.min(12, (chipsOf(cents).length - 2) * 3.75);

/** @type {Record<string, string>} */
const RESULTS = { won: "won", lost: "lost", push: "pushes", void: "is void" };

/**
 * Attributes: `wager`; `label` (`short` in a tight layout) and its `side`; `shape`: circle, diamond or sensor; `state`:
 * empty, open, placed, won, lost, push or void. In cents: `cents`, the chips in the circle now; `staked`, the original
 * stake; `tip`, the tip for the dealer; `paid`, the winnings beside the stake; `net`, the result. `coupon` is set if a
 * coupon is on the wager; `figure` is set for another player's wager, whose amount is shown beside the circle; `marked`
 * is set while the clause of the result is open; `hand` is 2 for the second hand of a split. With `takes`, a press calls
 * `press(wager, hand)`.
 */
export class HwCircle extends painted(["wager", "label", "shape", "state", "cents", "staked", "paid", "net", "side",
  "takes", "lit", "later", "marked", "hand", "short", "figure", "tip", "coupon"],
{ press: /** @type {((wager: string, hand: number) => void) | null} */ (null) }) {
  /** @param {string} name */
  number(name) { return Number(this.getAttribute(name) ?? 0); }

  drawn() {
    /** @param {string} name */
    const of = (name) => this.getAttribute(name) ?? "";
    const takes = this.hasAttribute("takes");
    const inside = this.hasAttribute("later") && of("state") === "open";
    const marked = this.hasAttribute("marked") ? "clause-open" : "";
    return h("span", { class: `spot ${of("shape")} ${of("state")} ${marked}` },
      h(takes ? "button" : "span", { class: "ring", type: takes && "button", "data-key": takes ? "b" : "s",
        "data-wager": of("wager"),
        "aria-label": takes ? this.description() : null, onclick: takes
          ? () => this.press?.(of("wager"), this.number("hand") || 1) : null },
      this.shape(of("shape"), of("state")),
      inside && h("span", { class: "caps inside" }, of("label"))),
      of("label") && of("side") && !inside && h("span", { class: `spot-label ${of("side")}` },
        h("span", { class: "caps" }, of("short") || of("label")), " ", this.amount(), this.extras()),
      of("label") && !takes && h("span", { class: "unseen" }, this.description()),
      of("figure") && this.number("cents") > 0 && h("span", { class: `spot-label figure ${of("side")}` },
        h("span", { class: "unseen" }, of("figure"), " "),
        h("strong", {}, money(this.number("cents"), { short: true }))));
  }

  amount() {
    const cents = this.number("staked");
    if (["push", "void"].includes(this.getAttribute("state") ?? "") && cents > 0) {
      return h("strong", { "aria-hidden": "true" }, `${money(cents, { short: true })} back`);
    }
    if (this.hasAttribute("net")) return h("hw-money", { cents: this.getAttribute("net"), signed: true });
    return cents > 0 && h("strong", { "aria-hidden": "true" }, money(cents, { short: true }));
  }

  extras() {
    const tip = this.number("tip");
    return [tip > 0 && h("span", { class: "extra", "aria-hidden": "true" }, `tip ${money(tip, { short: true })}`),
      this.hasAttribute("coupon") && h("span", { class: "extra", "aria-hidden": "true" }, "coupon")];
  }

  description() {
    const [label, cents] = [this.getAttribute("label") ?? "", this.number("staked")];
    const state = this.getAttribute("state") ?? "";
    if (RESULTS[state]) return `${label} ${RESULTS[state]}, ${moneyWords(this.number("net"), { signed: true })}`;
    const tip = this.number("tip");
    return `${label}: ${cents ? moneyWords(cents) : "nothing"}${
      tip ? `, tip ${moneyWords(tip)}` : ""}${this.hasAttribute("coupon") ? ", coupon" : ""}`;
  }

  /**
   * @param {string} shape
   * @param {string} state
   */
  shape(shape, state) {
    const [cents, paid] = [this.number("cents"), this.number("paid")];
    const drawing = picture("-50 -50 100 100", {});
    if (shape === "sensor") {
      drawing.append(sensor(this.hasAttribute("lit"), 31));
      if (paid) drawing.append(stack(paid, 29, 16, 8));
      return drawing;
    }
    drawing.append(shape === "diamond"
      ? s("rect", { x: -33, y: -33, width: 66, height: 66, rx: 7, transform: "rotate(45)", class: "edge" })
      : s("circle", { r: 48, class: "edge" }));
    if (this.hasAttribute("later") && state !== "open") drawing.append(s("circle",
      { r: 40, class: "edge inner" }));
    if (cents) drawing.append(stack(cents, 30, paid ? -16 : 0, (paid ? -4 : 0) + low(cents)));
    if (paid) drawing.append(stack(paid, 30, 24, 6 + low(paid)));
    return drawing;
  }
}
customElements.define("hw-circle", HwCircle);
