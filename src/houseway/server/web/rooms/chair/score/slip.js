// The open slip beside the sheet: the cards, what you did, what is right, the clause and the replay.

import { sensor, stack } from "../../../kit/art.js";
import { card } from "../../../kit/card.js";
import { h, picture, s } from "../../../kit/dom.js";
import { judgementMark } from "../../../kit/judgement.js";
import { asTitle, mispaidText, money, nameWords } from "../../../kit/words.js";
import { drillPath } from "./sheet.js";

/** @typedef {import("./sheet.js").SheetSlip} SheetSlip */

/** @param {string} shape */
const place = (shape) => (shape === "diamond"
  ? s("rect", { x: -34, y: -34, width: 68, height: 68, rx: 8, transform: "rotate(45)", class: "edge" })
  : s("circle", { r: 47, class: "edge" }));

/** @param {SheetSlip} slip */
function felt({ cards, wager, stake, shape, paid }) {
  if (!cards.length) return null;
  return h("div", { class: "slip-felt" }, cards.map(({ place, cards: listed, owner }) =>
    h("div", { class: `slip-cards of-${owner}` }, h("span", { class: "caps" }, place),
      h("div", { class: "cards" }, listed.map((one) => card(one, { size: "small" }))))),
  stake > 0 && h("div", { class: "slip-bet" }, picture("-50 -50 100 100", {},
    place(shape), shape === "sensor" ? sensor(true, 26) : stack(stake, 30, paid ? -14 : 0, 4),
    paid > 0 && stack(paid, 30, 26, 14)),
  h("p", {}, h("span", { class: "caps" }, nameWords(wager)), " ", h("strong", {}, money(stake, { short: true })))));
}

/**
 * Draw the open slip.
 *
 * @param {import("./sheet.js").Sheet} sheet
 * @param {number} open
 * @param {(n: number) => void} show
 */
export function openSlip({ slips, session, rulebook }, open, show) {
  const slip = slips[open];
  if (!slip) return [h("p", { class: "small quiet" }, slips.length ? "Choose a slip." : "No slips to show.")];
  const { round, seat, kind, heading, did, right, amount, clause, source, says } = slip;
  const mispaid = mispaidText(amount);
  return [
    h("p", { class: "small" }, `Slip ${open + 1} of ${slips.length}, round ${round}${seat ? `, seat ${seat}` : ""}`),
    h("h2", { id: "slip-title", tabindex: "-1" }, asTitle(heading || kind)),
    felt(slip),
    h("dl", { class: "slip-facts" },
      h("div", {}, h("dt", {}, "You did"), h("dd", {}, judgementMark(kind === "late" ? "late" : "wrong"), " ",
        did ? asTitle(did) : "Nothing")),
      right && h("div", {}, h("dt", {}, "Right"), h("dd", {}, judgementMark("right"), " ", asTitle(right))),
      mispaid && h("div", {}, h("dt", {}, "Difference"), h("dd", {}, mispaid))),
    says && h("div", { class: "slip-clause paper" }, h("p", { class: "small" }, h("b", { class: "id" }, clause), source && ` ${asTitle(source)}`),
      h("p", {}, says)),
    h("p", { class: "slip-acts" },
      h("a", { class: "button", href: `/chair/table/${encodeURIComponent(session)}?round=${round}` }, "Replay on the felt"),
      h("a", { class: "button", href: drillPath(slip, rulebook) }, "Drill this kind")),
    h("p", { class: "slip-walk" },
      h("button", { type: "button", class: "quiet-button", "aria-disabled": String(open === 0),
        onclick: () => show(Math.max(0, open - 1)) }, "‹ ", h("kbd", {}, ","), " previous slip"),
      h("button", { type: "button", class: "quiet-button", "aria-disabled": String(open === slips.length - 1),
        onclick: () => show(Math.min(slips.length - 1, open + 1)) }, "next slip ", h("kbd", {}, "."), " ›")),
  ].filter(Boolean);
}
