// @ts-nocheck
// The text table: the same state as headings and lists.

import { h } from "../../kit/dom.js";
import { cardSaid, listed, money, titled } from "../../kit/words.js";
import { doing, house, seats } from "./state.js";

const cardsOf = (faces, covered = 0) => [...faces.map(cardSaid),
  ...(covered ? [`${covered} covered`] : [])].join(", ") || "none";

const reading = ({ reads }) => (reads ? `: ${reads}` : "");

const who = (seat, sight) =>
  [seat.name, seat.kind === "bot" ? "bot" : "", doing(seat, sight)].filter(Boolean).join(", ");

function bounds(least, most) {
  if (least === most) return `Exactly ${money(least)}`;
  return most ? `${money(least)} to ${money(most)}` : `${money(least)} or more`;
}

function wagersOf(hand, sheet) {
  const titles = new Map(sheet.circles.map(({ wager, title }) => [wager, titled(title)]));
  return Object.entries(hand?.stakes ?? {}).map(([wager, cents]) => {
    const line = hand.results[wager];
    const by = line?.clause ? ` (${line.clause})` : "";
    const result = line ? `: ${money(line.net, { signed: true })}. ${line.why}${by}` : "";
    return h("li", {}, `${titles.get(wager) ?? wager} ${money(cents)}${result}`);
  });
}

/** What somebody else has out, in a sentence. */
function stakesSaid({ hands, settled }, sheet) {
  const titles = new Map(sheet.circles.map(({ wager, title }) => [wager, title.toLowerCase()]));
  const out = settled ? [] : hands.flatMap(({ stakes }) => Object.entries(stakes))
    .map(([wager, cents]) => `${titles.get(wager) ?? wager} ${money(cents)}`);
  return out.length > 0 && `${titled(listed(out))}. `;
}

/** A table in words. */
export function textTable(sight, sheet, { script = null, press, sit, draft }) {
  const { board, dealer, reads, qualifies } = house(sight, sheet);
  const up = board.filter(({ face }) => face).map(({ face }) => face);
  const down = board.filter(({ face, dealt }) => !face && dealt).length;
  const all = seats(sight, sheet);
  const own = all.find(({ you }) => you);
  const others = all.filter(({ you }) => !you);
  const called = qualifies === true ? ", qualifies" : qualifies === false ? ", does not qualify" : "";
  return h("div", { class: "text-table" },
    script && h("p", {}, script.says, " ", script.clause && h("hw-clause", { clause: script.clause })),
    h("section", {}, h("h2", {}, "Board"), h("p", {}, cardsOf(up, down))),
    h("section", {}, h("h2", {}, "Dealer"),
      h("p", {}, cardsOf(dealer.filter(({ face }) => face).map(({ face }) => face),
        dealer.filter(({ face }) => !face).length),
        reads && `: ${reads}${called}`)),
    Object.keys(sight.layout.meters ?? {}).length > 0 && h("section", {}, h("h2", {}, "Meters"),
      h("ul", {}, Object.entries(sight.layout.meters).map(([name, amount]) => h("li", {},
        `${name}: $${amount}`)))),
    own && h("section", {}, h("h2", {}, `Your place, seat ${own.seat}`),
      own.hands.map((hand) => [
        h("p", {}, `Your cards: ${cardsOf(hand.faces, hand.covered)}${reading(hand)}`),
        h("ul", {}, wagersOf(hand, sheet))]),
      press && sight.yours.spots?.length > 0 && h("ul", { class: "text-spots" },
        sight.yours.spots.map(({ wager, least, most }) => h("li", {},
        h("button", { type: "button", class: "button ring", "data-wager": wager,
          onclick: () => press(wager) },
          [`${titled(wager.replaceAll("_", " "))}: ${money(draft?.[wager] ?? 0)}. `,
            bounds(least, most)]))))),
    h("section", {}, h("h2", {}, "Seats"), h("ul", {}, others.map((seat) => seat.free
      ? h("li", {}, `${seat.seat}, free `, sit && h("button",
        { type: "button", class: "button", onclick: () => sit(seat.seat) }, "Sit here"))
      : h("li", {}, `${seat.seat}, ${who(seat, sight)}. `, stakesSaid(seat, sheet),
        seat.hands[0]?.faces.length > 0
          && `Shows ${cardsOf(seat.hands[0].faces)}${reading(seat.hands[0])}. `,
        seat.lines.length > 0 && `In all ${money(seat.net, { signed: true })}.`)))));
}
