// The text table: a view as headings and lists.

import { h } from "../../kit/dom.js";
import { asTitle, cardName, joinWords, money, nameWords } from "../../kit/words.js";
import { statusOf, dealerAndBoard, seats } from "./state.js";

/** @typedef {import("./state.js").Seat} Seat */
/** @typedef {import("./state.js").Hand} Hand */

/** @param {string[]} faces */
const cardsOf = (faces, covered = 0) => [...faces.map(cardName),
  ...(covered ? [`${covered} face down`] : [])].join(", ") || "none";

/** @param {Hand} hand */
const reading = ({ reads }) => (reads ? `: ${reads}` : "");

/** @type {(seat: Seat, view: api.View) => string} */
const playerText = (seat, view) =>
  [seat.name, seat.kind === "bot" ? "bot" : "", statusOf(seat, view)].filter(Boolean).join(", ");

/** @type {(least: number, most: number | null) => string} */
function bounds(least, most) {
  if (least === most) return `Exactly ${money(least)}`;
  return most ? `${money(least)} to ${money(most)}` : `${money(least)} or more`;
}

/** @type {(hand: Hand, sheet: api.TableSheet) => HTMLElement[]} */
function wagersOf(hand, sheet) {
  const titles = new Map(sheet.circles.map(({ wager, title }) => [wager, asTitle(title)]));
  const tips = Object.entries(hand.tips).map(([wager, cents]) =>
    h("li", {}, `Tip on ${titles.get(wager)?.toLowerCase() ?? wager} ${money(cents)}`));
  const coupon = hand.coupon ? [h("li", {}, `Coupon ${money(hand.coupon)}`)] : [];
  return Object.entries(hand.stakes).map(([wager, cents]) => {
    const line = hand.results[wager];
    const by = line?.clause ? ` (${line.clause})` : "";
    const result = line ? `: ${money(line.net, { signed: true })}. ${line.reason}${by}` : "";
    return h("li", {}, `${titles.get(wager) ?? wager} ${money(cents)}${result}`);
  }).concat(tips, coupon);
}

/**
 * Describe another player's wagers in a sentence.
 *
 * @param {Seat} seat
 * @param {api.TableSheet} sheet
 */
function stakesText({ hands, settled }, sheet) {
  const titles = new Map(sheet.circles.map(({ wager, title }) => [wager, title.toLowerCase()]));
  const out = settled ? [] : hands.flatMap(({ stakes }) => Object.entries(stakes))
    .map(([wager, cents]) => `${titles.get(wager) ?? wager} ${money(cents)}`);
  return out.length > 0 && `${asTitle(joinWords(out))}. `;
}

/**
 * Create the text table.
 *
 * @param {api.View} view
 * @param {api.TableSheet} sheet
 * @param {import("./felt.js").More} more
 */
export function textTable(view, sheet, { script = null, press, sit, go, draft, tipping = false }) {
  const { board, dealer, reads, qualifies } = dealerAndBoard(view, sheet);
  const up = board.filter(({ face }) => face).map(({ face }) => face);
  const down = board.filter(({ face, dealt }) => !face && dealt).length;
  const all = seats(view, sheet);
  const own = all.find(({ you }) => you);
  const others = all.filter(({ you }) => !you);
  const qualifying = qualifies === true ? ", qualifies" : qualifies === false ? ", does not qualify" : "";
  const meters = Object.entries(view.table.meters ?? {});
  const spots = view.yours.spots ?? [];
  const tipSpots = view.yours.tip_spots ?? [];
  return h("div", { class: "text-table" },
    script && h("p", {}, script.says, " ", script.clause && h("hw-clause", { clause: script.clause })),
    h("section", {}, h("h2", {}, "Board"), h("p", {}, cardsOf(up, down))),
    h("section", {}, h("h2", {}, "Dealer"),
      h("p", {}, cardsOf(dealer.filter(Boolean), dealer.filter((face) => !face).length),
        reads && `: ${reads}${qualifying}`)),
    meters.length > 0 && h("section", {}, h("h2", {}, "Meters"),
      h("ul", {}, meters.map(([name, cents]) => h("li", {}, `${name}: ${money(cents)}`)))),
    own && h("section", {}, h("h2", {}, `Your place, seat ${own.seat}`),
      own.hands.map((hand) => [
        h("p", {}, `Your cards: ${cardsOf(hand.faces, hand.covered)}${reading(hand)}`),
        h("ul", {}, wagersOf(hand, sheet), own.lammers.includes(hand.number)
          && h("li", {}, "Envy lammer: this bonus wager qualifies for the Envy Bonus"))]),
      press && spots.length > 0 && h("ul", { class: "text-spots" },
        tipping ? tipSpots.map((wager) => h("li", {}, h("button", { type: "button", class: "button ring",
          "data-wager": wager, onclick: () => press(wager, 1) },
        `Tip on ${nameWords(wager)}: ${money(draft?.[`tip ${wager}`] ?? 0)}`)))
        : spots.map(({ wager, least, most }) => h("li", {},
        h("button", { type: "button", class: "button ring", "data-wager": wager,
          onclick: () => press(wager, 1) },
          [`${asTitle(nameWords(wager))}: ${money(draft?.[wager] ?? 0)}. `,
            bounds(least, most)]))))),
    h("section", {}, h("h2", {}, "Seats"), h("ul", {}, others.map((seat) => seat.free
      ? h("li", {}, `${seat.seat}, ${seat.held || "free"} `, sit && h("button",
        { type: "button", class: "button", onclick: () => sit(seat.seat) }, "Sit here"))
      : h("li", {}, `${seat.seat}, ${playerText(seat, view)}. `, stakesText(seat, sheet),
        seat.hands[0]?.faces.length > 0
          && `Shows ${cardsOf(seat.hands[0].faces)}${reading(seat.hands[0])}. `,
        seat.lines.length > 0 && `Total ${money(seat.net, { signed: true })}.`,
        seat.mine && go && h("button", { type: "button", class: "button", onclick: () => go(seat.seat) },
          `Play seat ${seat.seat}`))))));
}
