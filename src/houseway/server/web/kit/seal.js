// The seal box: the result of checking a round's cards against the seal published before it.

import { h, painted } from "./dom.js";

/**
 * Shorten a seal for display.
 *
 * @param {string} seal
 */
export const shortSeal = (seal) => `${seal.slice(0, 4)} ${seal.slice(4, 8)} … ${seal.slice(-2)}`;

/** @type {Record<string, string>} */
const SIGNS = { matches: "✓", differs: "≠" };
/** @param {number} n */
const count = (n) => `${n} card${n === 1 ? "" : "s"}`;

/** `state`: unchecked, checking, matches or differs; `proof`: the result; `seal`; `file`: the address of the proofs. */
export class HwSeal extends painted(["state", "seal", "file"],
  { proof: /** @type {import("../verify.js").Proof} */ ({ faults: [], shown: 0, matched: 0, covered: 0 }) }) {
  drawn() {
    const state = this.getAttribute("state") ?? "unchecked";
    const differs = state === "differs";
    return h("section", { class: differs ? "seal paper differs" : `seal ${state}`,
      "aria-label": "The shuffle" },
      h("span", { class: "seal-sign", "aria-hidden": "true" }, SIGNS[state] ?? "·"),
      h("div", { class: "found", role: differs ? "alert" : "status" }, this.report(state)),
      h("button", { type: "button", class: "button", disabled: state === "checking",
        onclick: () => this.dispatchEvent(new CustomEvent("check", { bubbles: true })) },
      state === "unchecked" ? "Check" : "Check again"));
  }

  /** @param {string} state */
  report(state) {
    const seal = this.getAttribute("seal") ?? "";
    const digits = h("span", { class: "digits", title: seal }, shortSeal(seal));
    if (state === "matches") {
      const { shown, matched, covered, kept } = this.proof;
      return [h("strong", {}, "Shuffle verified in this browser"),
        h("p", {}, `${count(shown)} shown, ${matched} match the seal `, digits,
          kept ? ", which this browser saw before the first bet." : ", made before the first bet.",
          ` ${covered} cards stay face down.`)];
    }
    if (state === "differs") {
      return [h("strong", {}, "The seal does not match"),
        h("ul", {}, this.proof.faults.map((fault) => h("li", {}, fault))),
        h("p", {}, "Export the proofs and ask the floor supervisor to investigate. ",
          h("a", { href: this.getAttribute("file"), download: "proofs.json" }, "Export the proofs"))];
    }
    const status = state === "checking" ? "Checking the cards against the seal…"
      : "Check that the cards shown match the seal published before betting.";
    return [h("strong", {}, "Shuffle sealed"), h("p", {}, status, " ", seal && digits)];
  }
}
customElements.define("hw-seal", HwSeal);
