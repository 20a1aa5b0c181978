// The felt from the dealer's side: six or seven places, the dealer's hand, the board, tray, deck and rack.

import { lammer } from "../../kit/art.js";
import { card } from "../../kit/card.js";
import "../../kit/circle.js";
import { h, morph, picture, s } from "../../kit/dom.js";
import { seatOf } from "../../kit/places.js";
import { asTitle, cardName, money, plural } from "../../kit/words.js";
import { chipLabel, cutText, stacksOf, sum, tubesOf } from "./chips.js";
import { chipStack, coverCard, deck, machine, rack, shoe, tube } from "./furniture.js";
import { HEIGHT, WIDTH, cutPlace, enlargement, isOuter, places, spotsOf } from "./geometry.js";

/** @typedef {import("./draft.js").Thing} Thing */
/** @typedef {import("./draft.js").Draft} Draft */

const RAIL = "M8 616Q8 644 36 644H1044Q1072 644 1072 616V360C1072 130 816 4 540 4S8 130 8 360Z";
const CLOTH = "M22 610Q22 630 42 630H1038Q1058 630 1058 610V360C1058 142 808 18 540 18S22 142 22 360Z";
const INNER = "M30 604Q30 622 48 622H1032Q1050 622 1050 604V360C1050 148 804 26 540 26S30 148 30 360Z";

/** The tray has room for this many tubes of the usual width; at a table with more tubes, they are narrower. */
const TUBES = 7;

/**
 * What is drawn besides the felt: the dealer's draft, the seat that a phone shows, and the handler of presses. A felt
 * without `press` is a picture of an earlier moment.
 *
 * @typedef {{ draft?: Draft | null, press?: ((thing: Thing) => void) | null, opened?: number, said?: Said,
 *   compact?: boolean }} Options
 */
/** @typedef {{ text: string, spoken?: boolean }} Said Words under the board; only words that the dealer speaks are in italics. */
/** @typedef {{ view: api.ChairView, felt: api.ChairFelt, options: Options, details: Draft["details"] | null }} Drawn */

/**
 * Draw the felt at one moment.
 *
 * @param {HTMLElement} parent
 * @param {api.ChairView} view
 * @param {api.ChairFelt} felt
 * @param {Options} options
 */
export function paintFelt(parent, view, felt, options = {}) {
  const at = places(view.places);
  const flat = !view.spots.some(({ later, shape }) => later && shape === "circle");
  const drawn = { view, felt, options, details: options.draft?.details ?? null };
  const kind = [flat && "flat", view.places > 6 && "seven", options.compact && "compact"].filter(Boolean).join(" ");
  morph(parent, [h("div", { class: `stage chair-stage ${kind}`, "data-key": "stage" },
    picture(`0 0 ${WIDTH} ${HEIGHT}`, { class: "cloth", "data-key": "cloth", preserveAspectRatio: "none" },
      s("path", { d: RAIL, class: "rail" }), s("path", { d: CLOTH, class: "cover" }),
      s("path", { d: INNER, class: "inner" })),
    h("div", { class: "places", role: "group", "aria-label": "Players", "data-key": "places" },
      Object.keys(at).map(Number).map((seat) => place(drawn, seat, at[seat]))),
    cutChips(drawn, at),
    exposed(drawn, at),
    incidents(drawn, at),
    middle(drawn),
    h("p", { class: options.said?.spoken ? "said" : "said told", "data-key": "said" }, options.said?.text ?? ""),
    payouts(felt),
    side(drawn))]);
}

/**
 * Return the seats of a felt that have a player.
 *
 * @param {api.ChairFelt} felt
 */
export const seatsOf = (felt) => felt.seats ?? [];

/** @type {(seat: number, positions: number) => number} */
const outward = (seat, positions) => (seat <= (positions > 6 ? 7 : 6) / 2 ? -1 : 1);

/**
 * Create a thing on the felt: a button or, if the felt shows an earlier moment, only a picture.
 *
 * @param {Drawn} drawn
 * @param {Thing} thing
 * @param {ElementProps} props
 * @param {Child[]} children
 */
function pressable({ options: { press } }, thing, props, ...children) {
  if (!press) return h("span", { ...props, role: "img", "aria-pressed": null }, ...children);
  return h("button", { type: "button", tabindex: "-1", ...props, onclick: () => press(thing) }, ...children);
}

/**
 * @param {Drawn} drawn
 * @param {number} number
 * @param {import("./geometry.js").Point} at
 */
function place(drawn, number, [x, y]) {
  const { view, felt, options, details } = drawn;
  const seat = seatsOf(felt).find((one) => one.seat === number);
  const picked = details?.seat === number;
  const names = ["place", picked && "picked", options.opened === number && "opened", !seat && "free"];
  const vars = { "--x": x, "--y": y, "--k": picked ? enlargement(view.places, number) : 1 };
  const hands = seat?.hands ?? [];
  const spots = spotsOf(view.spots, Math.max(1, hands.length));
  const name = seat?.name ?? "free";
  return h("div", { class: names.filter(Boolean).join(" "), "data-key": `seat-${number}`, vars },
    h("div", { class: "turned" },
      pressable(drawn, { kind: "seat", seat: number }, { class: "who", "data-thing": `seat-${number}`,
        "aria-pressed": String(picked && !details?.wager),
        "aria-label": [`Seat ${number}`, name, status(seat), seat?.says && `says: ${seat.says}`].filter(Boolean).join(", ") },
      h("b", { class: picked ? "seat-no lit" : "seat-no" }, number), " ", h("strong", {}, name), " ",
      h("span", { class: "does" }, status(seat)), " ",
      seat?.says && h("span", { class: "says" }, `“${seat.says}”`)),
      h("div", { class: "hands" }, hands.map(({ cards = [] }, n) => cards.length > 0 && pressable(drawn,
        { kind: "hand", seat: number, hand: n + 1 }, { class: `held n${cards.length}`, "data-key": `h${n}`,
          "data-thing": `hand-${number}-${n + 1}`, "aria-label": handLabel(number, n, hands.length, cards),
          "aria-pressed": String(picked && details?.hand === n + 1 && !details?.wager) },
        cards.map((face, c) => card(face, { size: "small", "data-key": `c${c}`, back: backOf(felt), class: exposedClass(drawn, face) }))))),
      h("div", { class: "spots" }, spots.map((row, n) => view.spots.map((circle) =>
        spot(drawn, number, seat, n, circle, row[circle.wager], spots.length))),
      hands.some(({ lammer: lies }) => lies) && h("span", { class: "at envy", "data-key": "envy",
        vars: { "--dx": -62, "--dy": 124 } }, lammer(), h("span", { class: "unseen" }, "Envy"))),
      hands.some(({ discards = 0 }) => discards > 0) && h("span", { class: "laid-aside" },
        hands.map(({ discards = 0 }) => Array.from({ length: discards }, () => card("", { size: "small", back: backOf(felt) }))))));
}

/** @type {(seat: api.ChairSeat | undefined) => string} */
function status(seat) {
  const hands = seat?.hands ?? [];
  if (!seat || !hands.length) return "";
  if (hands.every(({ folded }) => folded)) return "folded";
  if (hands.every(({ settled, folded }) => settled || folded)) return "settled";
  return seat.decision ?? "";
}

/** @param {api.ChairFelt} felt */
const backOf = ({ decks = [] }) => decks[0]?.back ?? "";

/** @param {Record<string, number> | undefined} chips */
const chipSum = (chips) => Object.entries(chips ?? {}).reduce((total, [value, count]) => total + Number(value) * count, 0);

/**
 * @param {Drawn} drawn
 * @param {number} number
 * @param {api.ChairSeat | undefined} seat
 * @param {number} n
 * @param {api.ChairSpot} circle
 * @param {import("./geometry.js").Spot} at
 * @param {number} hands
 */
function spot({ view, options, details }, number, seat, n, circle, at, hands) {
  const { wager, shape, later } = circle;
  const hand = seat?.hands[n];
  const staked = hand?.wagers?.[wager] ?? 0;
  const paid = staked ? chipSum(hand?.paid?.[wager]) : 0;
  const picked = details?.seat === number;
  const chosen = picked && details?.wager === wager && details?.hand === n + 1;
  const { press } = options;
  return h("hw-circle", { class: ["at", chosen && "chosen", labelRoom(view, number, circle)].filter(Boolean).join(" "), "data-key": `w-${wager}-${n + 1}`, wager, hand: n + 1,
    shape, later, state: staked ? "placed" : "empty",
    label: `Seat ${number}${hands > 1 ? `, hand ${n + 1}` : ""}, ${circle.title}`,
    short: asTitle(circle.title),
    side: picked && staked > 0 && hands < 2 && (shape === "circle" || chosen) && labelSide(circle, number, view), cents: staked, staked, paid: paid || null,
    tip: hand?.tips?.[wager] || null, coupon: Boolean(hand?.coupon) && view.spots[0]?.wager === wager,
    lit: shape === "sensor" && (staked > 0 || Boolean(seat?.lit)), marked: chosen, takes: Boolean(press),
    "data-thing": `wager-${number}-${n + 1}-${wager}`,
    ".press": press && ((/** @type {string} */ of, /** @type {number} */ to) =>
      press({ kind: "wager", seat: number, hand: to || 1, wager: of })),
    vars: { "--dx": at.x, "--dy": at.y, "--d": at.d } });
}

/**
 * Return the room of a label: "tight" if there is room for the amount only, "stacked" if the name has to stand above the
 * amount. A longer label would reach the rail or the neighbouring place.
 *
 * @type {(view: api.ChairView, seat: number, circle: api.ChairSpot) => "tight" | "stacked" | ""}
 */
function labelRoom(view, seat, circle) {
  if (circle.shape !== "circle") return "";
  const out = outward(seat, view.places) < 0 ? "left" : "right";
  if (isOuter(view.places, seat)) return "tight";
  return labelSide(circle, seat, view) === out ? "stacked" : "";
}

/** @type {(circle: api.ChairSpot, seat: number, view: api.ChairView) => string} */
function labelSide(circle, seat, view) {
  if (circle.shape !== "circle" || !view.spots.some(({ later }) => later)) return "below";
  // The label of the wager that is farthest from the dealer is on the side that faces the middle of the table.
  if (circle.later) return outward(seat, view.places) < 0 ? "right" : "left";
  const first = view.spots.filter(({ shape, later }) => shape === "circle" && !later);
  // The layout is turned round: the last of the first wagers is on the left.
  return first.at(-1)?.wager === circle.wager && first.length > 1 ? "left" : "right";
}

/** @type {(seat: number, n: number, hands: number, cards: string[]) => string} */
function handLabel(seat, n, hands, cards) {
  const whose = `Seat ${seat}'s ${hands > 1 ? `hand ${n + 1}` : "cards"}`;
  return `${whose}: ${cardsText(cards)}`;
}

/**
 * Return a sentence for each place at which a card has come face up by itself: the place and its cards, named as on the felt.
 * Empty if no such card can be seen.
 *
 * @type {(before: api.ChairFelt, felt: api.ChairFelt) => string}
 */
export function incidentWords(before, felt) {
  const known = new Set((before.exposed ?? []).flatMap(({ place: where, cards }) => cards.map((face) => `${where} ${face}`)));
  const fresh = (felt.exposed ?? []).filter(({ place: where, cards }) => cards.some((face) => !known.has(`${where} ${face}`)));
  return fresh.map(({ place: where, cards }) => {
    if (where === "dealer") return `Your cards: ${cardsText(felt.dealer)}.`;
    if (where === "board") return `Board: ${cardsText(felt.board)}.`;
    const seat = seatOf(where);
    const hands = seatsOf(felt).find((one) => one.seat === seat)?.hands ?? [];
    const n = hands.findIndex((hand) => cards.some((face) => hand.cards?.includes(face)));
    if (n < 0) return `${asTitle(where)}: ${cardsText(cards)}, face up.`;
    return `${handLabel(seat, n, hands.length, hands[n].cards ?? [])}.`;
  }).join(" ");
}

/** @param {string[]} cards */
export function cardsText(cards) {
  const up = cards.filter(Boolean).map(cardName);
  const down = cards.length - up.length;
  return [...up, down && `${plural(down, "card")} face down`].filter(Boolean).join(", ") || "no cards";
}

/**
 * The chips that the dealer has cut, in front of the bet.
 *
 * @param {Drawn} drawn
 * @param {Record<number, import("./geometry.js").Point>} at
 */
function cutChips({ view, felt, details }, at) {
  const { seat = 0, wager = "", hand = 1, cut: chips = [] } = details ?? {};
  if (!seat || !chips.length || !at[seat]) return null;
  const [x, y] = at[seat];
  const k = enlargement(view.places, seat);
  const [cx, cy] = cutPlace(view.places, seat);
  const hands = seatsOf(felt).find((one) => one.seat === seat)?.hands.length || 1;
  const bet = spotsOf(view.spots, hands)[hand - 1]?.[wager];
  const [bx, by] = bet ? [x + bet.x * k, y + bet.y * k] : [x, y + 120];
  const [dx, dy] = [bx - cx, by - cy];
  const far = Math.hypot(dx, dy) || 1;
  const [from, to] = [42, (bet ? bet.d * k / 2 : 10) + 6];
  // The arrow to the bet on the other side of the place runs below the bet between them.
  const behind = bet && Math.sign(bet.x) === -Math.sign(cx - x) && Math.abs(cx - x) > 60;
  const side = Math.sign(dx);
  const ends = behind ? [cx + side * 46, cy - 20, bx - side * to * 0.66, by + to * 0.78]
    : [cx + dx / far * from, cy + dy / far * from, bx - dx / far * to, by - dy / far * to];
  return h("div", { class: Math.abs(x - WIDTH / 2) < 130 ? "cut wide" : isOuter(view.places, seat) ? "cut outer" : "cut", "data-key": "cut", vars: { "--x": cx, "--y": cy } },
    far > 76 && picture(`0 0 ${WIDTH} ${HEIGHT}`, { class: "arrow" },
      s("path", { d: `M${ends[0]} ${ends[1]}L${ends[2]} ${ends[3]}` }),
      s("path", { d: arrowHead(ends), class: "head" })),
    h("div", { class: "stacks" }, stacksOf(chips).map(([value, count]) =>
      h("span", { class: "pile", "data-key": String(value) }, chipStack(value, count)))),
    h("span", { class: "sum" }, h("span", { class: "word" }, "you cut "), h("strong", {}, money(sum(chips))),
      h("span", { class: "unseen" }, `, ${cutText(chips)}`)));
}

/** @param {number[]} ends */
function arrowHead([ax, ay, bx, by]) {
  const turn = Math.atan2(by - ay, bx - ax);
  const [one, two] = [turn + 2.6, turn - 2.6].map((angle) => [bx + 8 * Math.cos(angle), by + 8 * Math.sin(angle)]);
  return `M${one[0]} ${one[1]}L${bx} ${by}L${two[0]} ${two[1]}`;
}

/**
 * Return the class of an exposed card. Only an earlier moment marks it: at the table, the trainee has to notice it.
 *
 * @param {Drawn} drawn
 * @param {string} face
 */
const exposedClass = ({ felt, options }, face) => (!options.press && face
  && (felt.exposed ?? []).some(({ cards }) => cards.includes(face)) ? "by-mistake" : null);

/** @type {(felt: api.ChairFelt, place: string) => string[]} */
function facesAt({ dealer, board, seats = [] }, place) {
  if (place === "dealer" || place === "board") return place === "dealer" ? dealer : board;
  const seat = seatOf(place);
  return (seats.find((one) => one.seat === seat)?.hands ?? []).flatMap(({ cards = [] }) => cards);
}

/**
 * Exposed cards that are in no hand and not on the board. If the felt shows an earlier moment, each exposed card has words
 * beside it.
 *
 * @param {Drawn} drawn
 * @param {Record<number, import("./geometry.js").Point>} at
 */
function exposed({ felt, options }, at) {
  return (felt.exposed ?? []).map(({ place: where, cards }) => {
    const seat = seatOf(where);
    const lying = facesAt(felt, where);
    const apart = cards.filter((face) => !lying.includes(face));
    const named = !options.press && where !== "dealer";
    if ((!apart.length && !named) || (where !== "deck" && !lying.length)) return null;
    const [x, y] = seat && at[seat] ? [at[seat][0] + (at[seat][0] < WIDTH / 2 ? 66 : -66), at[seat][1] + 74]
      : where === "board" ? [634, 342] : [198, 424];
    return h("div", { class: "exposed", "data-key": `x-${where}`, vars: { "--x": x, "--y": y } },
      named && h("span", {}, where === "board" ? "board card, exposed" : `card of ${where}, exposed`),
      apart.map((face, n) => card(face, { "data-key": `x${n}` })));
  });
}

/**
 * What the dealer can see besides cards and wagers: a machine that stops, a card beside the deck.
 *
 * @param {Drawn} drawn
 * @param {Record<number, import("./geometry.js").Point>} at
 */
function incidents({ felt }, at) {
  return (felt.incidents ?? []).map(({ place: where, words }, n) => {
    const seat = seatOf(where);
    const [x, y] = seat && at[seat] ? [at[seat][0], at[seat][1] + 70] : where === "board" ? [634, 344]
      : where === "dealer" ? [330, 344] : [153, 486];
    return h("p", { class: "incident", "data-key": `i-${where}-${n}`, vars: { "--x": x, "--y": y } }, words);
  });
}

/**
 * The odds of Cover All on the machine's display.
 *
 * @param {api.ChairFelt} felt
 */
function payouts({ payouts: odds = {} }) {
  const rows = Object.entries(odds);
  return rows.length > 0 && h("dl", { class: "payouts", "data-key": "payouts", "aria-label": "Cover All, on the display" },
    rows.map(([hand, pays]) => h("div", { "data-key": hand }, h("dt", {}, hand), h("dd", {}, pays))));
}

/**
 * The dealer's hand and the board.
 *
 * @param {Drawn} drawn
 */
function middle(drawn) {
  const { view, felt, details } = drawn;
  const { dealer, board, kept = [] } = felt;
  const picked = details?.place ?? "";
  const chosen = details?.cards ?? [];
  /** @type {(faces: string[], count: number, key: string) => HTMLElement[]} */
  const row = (faces, count, key) => Array.from({ length: Math.max(count, faces.length) }, (_, n) => (n < faces.length
    ? card(faces[n], { "data-key": `${key}${n}`, back: backOf(felt), class: exposedClass(drawn, faces[n]), state: key !== "d" ? null
      : chosen.includes(faces[n]) ? "chosen" : kept.length && !kept.includes(faces[n]) ? "unused" : null })
    : h("span", { class: "slot", "data-key": `e${key}${n}` })));
  const isExposed = !drawn.options.press && (felt.exposed ?? []).some(({ place: where }) => where === "dealer");
  // The caption leaves room for the amounts of the first two places.
  const beside = details !== null && details.seat > 0 && details.seat < 3;
  return h("div", { class: `middle-row d${Math.max(view.hand_size, dealer.length)}`, "data-key": "middle" },
    isExposed ? h("span", { class: "exposed-words" }, "dealer's card, exposed") : !beside && h("span", { class: "caps" }, "Dealer"),
    pressable(drawn, { kind: "dealer" }, { class: "dealer-hand", "data-thing": "dealer",
      "aria-label": `Your cards: ${cardsText(dealer)}`, "aria-pressed": String(picked === "dealer") },
    row(dealer, view.hand_size, "d")),
    pressable(drawn, { kind: "board" }, { class: "board-cards", "data-thing": "board",
      "aria-label": `Board: ${cardsText(board)}`, "aria-pressed": String(picked === "board") },
    row(board, view.board_size, "b")));
}

/** @type {Record<string, [() => SVGElement, string]>} */
const DECKS = { machine: [machine, "dealing machine"], shoe: [shoe, "dealing shoe"], deck: [deck, "deck"] };

/** @type {(view: api.ChairView, felt: api.ChairFelt) => "machine" | "shoe" | "deck"} */
function deckKind({ mode }, { decks = [] }) {
  if (mode === "device") return "machine";
  return decks.some(({ stands }) => stands === "shoe") ? "shoe" : "deck";
}

/** Return the note beside the deck in two parts: a figure or a word, and a unit. @type {(kind: string, felt: api.ChairFelt) => [string, string]} */
function deckNote(kind, { decks = [] }) {
  const left = decks.find((one) => one.left !== undefined && one.left !== null)?.left;
  if (left !== undefined && left !== null) return [String(left), left === 1 ? " card" : " cards"];
  const [first] = decks;
  if (!first) return ["no", " deck"];
  return [kind === "machine" && !["machine", "device"].includes(first.stands) ? "empty" : "", ""];
}

/**
 * The dealer's side: deck, tray and rack.
 *
 * @param {Drawn} drawn
 */
function side(drawn) {
  const { view, felt, options } = drawn;
  const kind = deckKind(view, felt);
  const [drawing, name] = DECKS[kind];
  const [figure, unit] = deckNote(kind, felt);
  const note = figure + unit;
  const tubes = tubesOf(view.tray);
  const racked = felt.rack ?? 0;
  const cover = view.acts.some((act) => act.thing === "cover");
  return h("div", { class: "dealers-side", "data-key": "side" },
    pressable(drawn, { kind: "deck" }, { class: `thing ${kind}`, "data-thing": "deck",
      "aria-label": asTitle([note, name].filter(Boolean).join(", ")) },
    drawing(), note && h("span", { class: "note", "data-figure": figure, "data-unit": unit }),
    h("span", { class: "of" }, name)),
    h("div", { class: "tray", role: "group", "aria-label": "Chip tray", vars: { "--tubes": Math.max(TUBES, tubes.length) } },
      tubes.map((value, n) => pressable(drawn, { kind: "tube", value }, { class: "tube", "data-key": String(value),
        "data-thing": `tube-${value}`, "aria-label": `${chipLabel(value)} chips` }, tube(value, n),
      h("span", { class: "of" }, h("b", {}, chipLabel(value)), options.press && n < 9 && h("kbd", { "data-sign": n + 1 }))))),
    cover && pressable(drawn, { kind: "cover" }, { class: "thing cover-card", "data-thing": "cover", "aria-label": "Cover card" },
      coverCard()),
    pressable(drawn, { kind: "rack" }, { class: "thing rack", "data-thing": "rack",
      "aria-label": `Discard rack, ${racked ? plural(racked, "card") : "empty"}`,
      "aria-pressed": String(options.draft?.type === "Rack") }, rack(racked), h("span", { class: "of" }, "discard rack")));
}
