// The felt as surveillance sees it, from the dealer's side or the players' side.

import { card } from "../../../kit/card.js";
import "../../../kit/circle.js";
import { h, morph, picture, s } from "../../../kit/dom.js";
import { money } from "../../../kit/words.js";
import { chipLabel } from "../chips.js";
import { machine, rack, shoe, tube } from "../furniture.js";
import { handKey } from "./moments.js";

const [WIDTH, HEIGHT] = [1080, 660];
const RAIL = "M8 626Q8 654 36 654H1044Q1072 654 1072 626V400C1072 150 816 4 540 4S8 150 8 400Z";
const CLOTH = "M22 620Q22 640 42 640H1038Q1058 640 1058 620V402C1058 162 808 18 540 18S22 162 22 402Z";
const INNER = "M30 614Q30 632 48 632H1032Q1050 632 1050 614V402C1050 168 804 26 540 26S30 168 30 402Z";

/**
 * The top centre of every seat, from the dealer's side, by the number of seats.
 *
 * @type {Record<number, [x: number, y: number][]>}
 */
const PLACES = {
  6: [[112, 246], [256, 112], [430, 46], [650, 46], [824, 112], [968, 246]],
  7: [[100, 268], [206, 142], [358, 66], [540, 42], [722, 66], [874, 142], [980, 268]],
};

/** The phases in which a hand without cards is settled. */
const SETTLED = ["Settlement", "Close"];
/** Seats nearer to the rim than this have no room for the names of bets on that side. */
const RIM = 180;

/** @typedef {import("./moments.js").Layout} Layout */
/** @typedef {{ seat: number, wager: string }} Place */
/** @typedef {{ round: api.WatchedRound, layout: Layout, step: api.WatchStep | undefined, chosen: Place,
 *   choose: ((place: Place) => void) | null, side: string }} Shown */

export class WatchedFelt {
  constructor() {
    this.element = h("div", { class: "felt watched-felt" });
  }

  /** @param {Shown} shown */
  paint(shown) {
    const { round, layout, step, side } = shown;
    const players = side === "players";
    morph(this.element, [h("div", { class: players ? "watch-stage from-players" : "watch-stage", "data-key": "stage" },
      picture(`0 0 ${WIDTH} ${HEIGHT}`, { class: "cloth", "data-key": "cloth", preserveAspectRatio: "none" },
        s("g", players ? { transform: `rotate(180 ${WIDTH / 2} ${HEIGHT / 2})` } : {}, s("path", { d: RAIL, class: "rail" }),
          s("path", { d: CLOTH, class: "cover" }), s("path", { d: INNER, class: "inner" }))),
      this.furniture(round, layout, step),
      this.house(layout, step),
      h("div", { class: "seats", role: "group", "aria-label": "Seats", "data-key": "seats" },
        Array.from({ length: round.positions }, (_, n) => this.seat(n + 1, shown)))),
    this.strip(shown)]);
  }

  /**
   * The bets of one seat with their amounts, for phones: their felt has no room for them.
   *
   * @param {Shown} shown
   */
  strip({ round, layout, step, chosen, choose }) {
    const seat = chosen.seat || step?.seat || 0;
    const player = round.players.find((one) => one.seat === seat);
    if (!player) return h("p", { class: "bet-strip quiet", "data-key": "strip" }, "Press a seat to see its bets.");
    const hands = [1, 2].map((hand) => layout.hands.get(handKey({ seat, hand }))).filter((hand) => hand !== undefined);
    const bets = round.spots.map((spot) => ({ spot, ...amountsOf(hands, spot) })).filter(({ cents, paid }) => cents + paid > 0);
    return h("div", { class: "bet-strip", role: "group", "aria-label": `Bets of seat ${seat}`, "data-key": "strip" },
      h("p", {}, h("b", { class: "seat-no lit" }, seat), " ", h("strong", {}, player.name), " ", h("span", {}, stateOf(hands[0], step))),
      bets.map(({ spot, cents, paid }) => h(choose ? "button" : "span", { type: choose && "button", class: "bet", "data-key": spot.wager,
        "aria-pressed": choose ? String(chosen.seat === seat && chosen.wager === spot.wager) : null,
        onclick: choose ? () => choose({ seat, wager: spot.wager }) : null }, amountWords(spot, cents, paid))));
  }

  /**
   * @param {api.WatchedRound} round
   * @param {Layout} layout
   * @param {api.WatchStep | undefined} step
   */
  furniture(round, { hands }, step) {
    const [drawing, name] = round.mode === "device" ? [machine, "dealing machine"] : [shoe, "dealing shoe"];
    const racked = [...hands.values()].filter((hand) => ["folded", "settled"].includes(stateOf(hand, step))).length * 2;
    return h("div", { class: "furniture", "aria-hidden": "true", "data-key": "furniture" },
      h("div", { class: "machine" }, drawing(), h("span", {}, name)),
      h("div", { class: "tray" }, round.chips.map((cents, n) => h("div", { class: "tube", "data-key": String(cents) },
        tube(cents, n), h("span", {}, chipLabel(cents))))),
      h("div", { class: "discards" }, rack(racked), h("span", {}, "discard rack")));
  }

  /**
   * @param {Layout} layout
   * @param {api.WatchStep | undefined} step
   */
  house({ board, dealer }, step) {
    /** @type {(faces: string[], name: string) => Child} */
    const cards = (faces, name) => h("div", { class: `cards ${name}`, role: "group", "aria-label": name === "dealer-cards"
      ? "Dealer's hand" : "Board" }, faces.map((face, n) => card(face, { "data-key": `${name}${n}`, back: "blue" })));
    return h("div", { class: "middle", "data-key": "middle" },
      h("div", { class: "row" }, cards(dealer, "dealer-cards"), cards(board, "board-cards")),
      h("p", { class: "spoken" }, step?.spoken ? `“${step.spoken}”` : ""));
  }

  /**
   * @param {number} seat
   * @param {Shown} shown
   */
  seat(seat, { round, layout, step, chosen, choose, side }) {
    const places = PLACES[round.positions] ?? PLACES[7];
    const [x, y] = places[seat - 1] ?? places[0];
    const players = side === "players";
    const player = round.players.find((one) => one.seat === seat);
    const hands = [1, 2].map((hand) => layout.hands.get(handKey({ seat, hand }))).filter((hand) => hand !== undefined);
    const [first] = hands;
    const lit = step?.seat === seat;
    const picked = chosen.seat === seat;
    const names = ["watched-seat", picked && "picked", lit && "lit", !player && "empty"];
    const spots = spotPlaces(round.spots, players);
    const left = players ? WIDTH - x : x;
    // A seat at an end of the table has no room on the side of the rim: its first bets share a label.
    const shared = left < RIM || left > WIDTH - RIM ? round.spots.filter((spot) => isFirst(spot)) : [];
    return h("div", { class: names.filter(Boolean).join(" "), "data-key": `seat-${seat}`,
      vars: { "--x": left, "--y": players ? HEIGHT - y : y } },
    player && h(choose ? "button" : "p", { class: "who", type: choose && "button", "aria-pressed": choose
      ? String(picked) : null, "data-key": choose ? "press" : "plain",
    onclick: choose ? () => choose({ seat, wager: picked ? chosen.wager : "" }) : null },
    h("span", {}, h("b", { class: picked ? "seat-no lit" : "seat-no" }, seat), " ", h("strong", {}, player.name)),
    h("span", { class: "does" }, stateOf(first, step))),
    h("div", { class: "hand" }, hands.map((hand) => h("span", { class: "cards", "data-key": String(hand.hand ?? 1) },
      (hand.cards ?? []).map((face, n) => card(face, { size: "small", "data-key": `c${n}`, back: "blue" }))))),
    h("div", { class: "spots" }, round.spots.map((spot) => {
      const { cents, paid } = amountsOf(hands, spot);
      const [dx, dy] = spots[spot.wager];
      const press = choose && player ? () => choose({ seat, wager: spot.wager }) : null;
      return [h("hw-circle", { class: "at", "data-key": `w-${spot.wager}`, wager: spot.wager, shape: spot.shape,
        label: `Seat ${seat}, ${spot.title}`, state: cents ? "placed" : "empty", cents, staked: cents, later: spot.later,
        paid: paid || null, lit: spot.shape === "sensor" && cents > 0, takes: Boolean(press), ".press": press,
        marked: picked && chosen.wager === spot.wager, vars: { "--dx": dx, "--dy": dy, "--d": spot.shape === "sensor" ? 26 : 42 } }),
      (picked || lit) && cents + paid > 0 && spot.shape !== "sensor" && !shared.includes(spot)
        && h("span", { class: `at amount-label ${dx < 0 || (!dx && left > WIDTH / 2) ? "left" : "right"}`,
          "data-key": `l-${spot.wager}`, "aria-hidden": "true", vars: { "--dx": dx, "--dy": dy } }, amountWords(spot, cents, paid))];
    }),
    (picked || lit) && shared.length > 0 && h("span", { class: `at amount-label both ${left < RIM ? "right" : "left"}`,
      "data-key": "l-both", "aria-hidden": "true",
      vars: { "--dx": (left < RIM ? 1 : -1) * Math.max(...shared.map(({ wager }) => spots[wager][0])), "--dy": spots[shared[0].wager][1] } },
    shared.map((spot) => {
      const { cents, paid } = amountsOf(hands, spot);
      return cents + paid > 0 && [h("span", {}, amountWords(spot, cents, 0)),
        paid > 0 && h("span", {}, `+ ${money(paid, { short: true })}`)];
    }))));
  }
}

/** @type {(hands: api.WatchedHand[], spot: api.WatchedSpot) => { cents: number, paid: number }} */
const amountsOf = (hands, { wager }) => ({ cents: hands.reduce((sum, hand) => sum + (hand.wagers?.[wager] ?? 0), 0),
  paid: hands.reduce((sum, hand) => sum + (hand.paid?.[wager] ?? 0), 0) });

/** @param {api.WatchedSpot} spot */
const isFirst = ({ shape, later }) => shape === "circle" && !later;

/** @type {(spot: api.WatchedSpot, cents: number, paid: number) => Child[]} */
const amountWords = ({ title }, cents, paid) => [h("span", { class: "caps" }, `${title} `),
  h("strong", {}, money(cents, { short: true })), paid > 0 && h("span", {}, ` + ${money(paid, { short: true })}`)];

/**
 * Describe a hand in a word; empty if its state shows on the felt.
 *
 * @param {api.WatchedHand | undefined} hand
 * @param {api.WatchStep | undefined} step
 */
function stateOf(hand, step) {
  if (!hand) return "";
  if (hand.folded) return "folded";
  if (!hand.cards?.length && SETTLED.includes(step?.phase ?? "")) return "settled";
  const { play } = hand.wagers ?? {};
  const { ante } = hand.wagers ?? {};
  return play && ante ? `${Math.round(play / ante)}×, ${money(play, { short: true })}` : "";
}

/**
 * Return the place of each spot, from the top centre of its seat. The side bets are nearest the dealer.
 *
 * @param {api.WatchedSpot[]} spots
 * @param {boolean} players
 */
function spotPlaces(spots, players) {
  /** @type {Record<string, [number, number]>} */
  const places = {};
  const later = spots.filter(({ later: one }) => one);
  const first = spots.filter(({ shape, later: one }) => shape === "circle" && !one);
  const side = spots.filter(({ shape }) => shape !== "circle");
  /** @type {(row: api.WatchedSpot[], y: number, gap: number) => void} */
  const spread = (row, y, gap) => row.forEach(({ wager }, n) => {
    // The first bet is the player's right one, as on the layout; the side bets are in the other order.
    const dx = ((row.length - 1) / 2 - n) * gap * (row === side ? -1 : 1);
    places[wager] = players ? [-dx, -y] : [dx, y];
  });
  spread(later, 126, 46);
  spread(first, later.length ? 171 : 140, 50);
  spread(side, later.length ? 214 : 190, 44);
  return places;
}

