// The settlement of a seat's wagers, line by line, with the total.

import { h } from "../../kit/dom.js";
import { asTitle, money, nameWords } from "../../kit/words.js";

/** @typedef {import("./state.js").Seat} Seat */

/**
 * Return the title of a settlement line: the wager, with the multiple of a play and the number of a split hand; or
 * the tip or the coupon.
 *
 * @param {{ wager: string, hand: number, for_dealer?: boolean, coupon?: number }} line
 * @param {api.TableSheet} sheet
 * @param {Seat} seat
 */
function titleOf(line, sheet, seat) {
  const circle = sheet.circles.find(({ wager }) => wager === line.wager);
  const times = circle?.later && seat.times;
  const title = `${asTitle(circle?.title ?? nameWords(line.wager))}${times ? ` ${times}×` : ""}`;
  if (line.for_dealer) return `Tip on ${title.toLowerCase()}`;
  if (line.coupon) return `Coupon ${money(line.coupon, { short: true })}`;
  return seat.hands.length > 1 ? `${title}, hand ${line.hand}` : title;
}

/** @param {api.SettledWager} line */
const reasonOf = ({ reason, cut, cut_clause: limit, for_dealer: dealer }) =>
  [reason, cut ? `The payout limit reduced this win by ${money(cut)}${limit ? ` [${limit}]` : ""}.` : "",
    dealer ? "For the dealer." : ""].filter(Boolean).join(" ");

/**
 * Return the path of the review of a finished round.
 *
 * @param {string} table
 * @param {number} round
 * @param {number} seat
 */
export const reviewPath = (table, round, seat) => `/school/review/${encodeURIComponent(table)}/${round}?seat=${seat}`;

/**
 * Create the settlement for the panel; null if nothing is settled yet.
 *
 * @param {Seat | undefined} seat
 * @param {api.TableSheet} sheet
 */
export function settlement(seat, sheet) {
  if (!seat?.lines.length) return null;
  const hand = seat.hands[0];
  const waits = seat.hands.flatMap((one) => Object.entries(one.stakes)
    .filter(([wager]) => !one.results[wager] && seat.lines.every((line) => line.wager !== wager
      || line.hand !== one.number))
    .map(([wager, stake]) => ({ wager, stake, hand: one.number })));
  return h("section", { class: "settlement", "aria-label": "Settlement" },
    h("header", {},
      h("div", {},
        h("p", { class: "small" }, `Settlement, ${seat.you ? "" : `${seat.name}, `}seat ${seat.seat}`),
        h("h2", {}, seat.hands.length > 1 ? "Two hands"
          : hand?.folded ? "Folded" : asTitle(hand?.reads || "Wagers"))),
      h("p", { class: "sum" }, h("span", { class: "small" }, waits.length ? "so far" : "total"),
        h("hw-money", { class: "figure", cents: seat.net, signed: true }))),
    seat.lines.map((line) => h("hw-line", {
      "data-key": `${line.hand}-${line.wager}${line.for_dealer ? "-tip" : line.coupon ? "-coupon" : ""}`,
      wager: titleOf(line, sheet, seat),
      net: line.net, why: reasonOf(line), clause: line.clause, odds: line.odds || null })),
    waits.map((line) => h("hw-line", { "data-key": `waits-${line.hand}-${line.wager}`,
      wager: titleOf(line, sheet, seat),
      waits: line.stake, why: "Not settled yet" })));
}

/**
 * Create the strip with the viewer's newest line, for phones.
 *
 * @param {Seat | undefined} seat
 * @param {api.TableSheet} sheet
 */
export function newestLine(seat, sheet) {
  const line = seat?.lines.at(-1);
  return seat && line ? h("div", { class: "strip result" },
    h("hw-line", { wager: titleOf(line, sheet, seat), net: line.net, why: reasonOf(line),
      clause: line.clause, odds: line.odds || null }),
    h("p", {}, h("span", { class: "small" }, seat.settled ? "total" : "so far"), h("hw-money",
      { class: "amount", cents: seat.net, signed: true }))) : null;
}
