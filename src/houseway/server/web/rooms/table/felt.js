// The felt: everything on the table, drawn from a view.

import { lammer } from "../../kit/art.js";
import { card } from "../../kit/card.js";
import "../../kit/actions.js";
import "../../kit/circle.js";
import "../../kit/meter.js";
import "../../kit/script.js";
import { h, morph, picture, s } from "../../kit/dom.js";
import { asTitle, cardName, handParts } from "../../kit/words.js";
import { shoe } from "../chair/furniture.js";
import { houseWaySign, postedSign, roundSign } from "./signs.js";
import { crowded, slots, spotsOf } from "./slots.js";
import { dealerAndBoard, playText, seats, statusOf } from "./state.js";

/** @typedef {import("./state.js").Seat} Seat */
/** @typedef {import("./state.js").Hand} Hand */
/** @typedef {{ says: string, voice: boolean, clause?: string | null, asked?: boolean }} Script A line of the dealer's
 *   script; `asked` is true for a question to the viewer. */
/**
 * Additions to a view: the line of the dealer's script, the open clause, unsent wagers, chosen cards, the deadline,
 * the selected seat, and the handlers of presses.
 *
 * @typedef {{ script?: Script | null, clause?: string | null, draft?: Record<string, number> | null, tipping?: boolean,
 *   chosen?: number[] | null, choose?: ((n: number) => void) | null,
 *   press?: ((wager: string, hand: number) => void) | null, sit?: ((seat: number) => void) | null, go?: ((seat: number) => void) | null,
 *   until?: number | null, opened?: number, open?: ((seat: number) => void) | null }} More
 */
/** @typedef {{ view: api.View, sheet: api.TableSheet, more: More, places: import("./slots.js").Places }} Drawn */

const RAIL = "M8 34Q8 6 36 6H1044Q1072 6 1072 34V318C1072 596 816 752 540 752S8 596 8 318Z";
const CLOTH = "M22 40Q22 20 42 20H1038Q1058 20 1058 40V318C1058 584 808 738 540 738S22 584 22 318Z";
const INNER = "M30 46Q30 28 48 28H1032Q1050 28 1050 46V318C1050 578 804 730 540 730S30 578 30 318Z";

/** @type {Record<string, string>} */
const STATES = { win: "won", lose: "lost", push: "push" };

/** A pod (another seat) to the right of this x coordinate has no room on its right side. */
const RIM = 940;

export class Felt {
  /**
   * `seat` is the seat at the front of the felt, the viewer's (0: none); `compact` shortens the text of the other
   * seats' pods; `voiced` also draws the line of the dealer's script.
   */
  constructor({ seat = 0, compact = false, voiced = true } = {}) {
    this.seat = seat;
    this.compact = compact;
    this.voiced = voiced;
    this.element = h("div", { class: compact ? "felt compact" : "felt" });
  }

  /**
   * Draw a table.
   *
   * @param {api.View} view
   * @param {api.TableSheet} sheet
   * @param {More} more
   */
  paint(view, sheet, more = {}) {
    const all = seats(view, sheet);
    const places = slots(sheet.positions, this.seat);
    const near = all.find(({ seat, free }) => seat === this.seat && !free);
    const others = all.filter((seat) => seat !== near);
    const drawn = { view, sheet, more, places };
    const flat = !sheet.circles.some(({ later, shape }) => later && shape === "circle");
    const kind = [flat && "flat", crowded(sheet.positions, near ? this.seat : 0) && "crowded"];
    morph(this.element, [h("div", { class: ["stage", ...kind].filter(Boolean).join(" "), "data-key": "stage" },
      this.cloth(near && places.you, near?.turn),
      this.corner(view, sheet),
      this.sign(view, sheet),
      this.voiced && scriptLine(more.script),
      near && this.near(near, drawn),
      this.top(drawn),
      h("div", { class: "seats", role: "group", "aria-label": "Seats", "data-key": "seats" },
        others.map((seat) => this.pod(seat, drawn, others.find(({ free }) => !free)))),
    )]);
  }

  /**
   * @param {[x: number, y: number] | undefined} you
   * @param {boolean | undefined} lit
   */
  cloth(you, lit) {
    return picture("0 0 1080 756", { class: "cloth", "data-key": "cloth", preserveAspectRatio: "none" },
      s("path", { d: RAIL, class: "rail" }), s("path", { d: CLOTH, class: "cover" }),
        s("path", { d: INNER, class: "inner" }),
      lit && you && s("ellipse", { cx: you[0], cy: you[1] + 160, rx: 300, ry: 260, fill: "url(#hw-light)" }));
  }

  /**
   * @param {api.View} view
   * @param {api.TableSheet} sheet
   */
  corner({ table }, sheet) {
    const sensor = sheet.circles.find(({ shape }) => shape === "sensor");
    const meters = Object.entries(table.meters ?? {});
    // Where no meter is, the shoe of a game that is dealt by hand has its place.
    if (!meters.length && sheet.card.mode === "manual") {
      return h("div", { class: "meters", "data-key": "meters" }, h("div", { class: "shoe-sign" }, shoe(),
        h("span", { class: "caps" }, "Shoe")));
    }
    return h("div", { class: "meters", "data-key": "meters" }, meters.map(([name, cents]) =>
      h("hw-meter", { "data-key": name, name: sensor?.title ?? "Meter", table: sensor?.table ?? name,
        cents, note: meters.length > 1 ? name : null })));
  }

  /**
   * @param {api.View} view
   * @param {api.TableSheet} sheet
   */
  sign({ table }, sheet) {
    const title = asTitle(sheet.circles.find(({ shape, pays }) => shape !== "circle" && !pays?.length)?.title
      ?? "Pays");
    const now = Object.entries(table.payouts ?? {});
    const posted = Object.entries(sheet.signs ?? {});
    if (now.length) return roundSign(title, now);
    if (posted.length) return postedSign(title, posted);
    return sheet.house_way?.length ? houseWaySign(sheet.house_way, table.dealer_line ?? "") : null;
  }

  /** @param {Drawn} drawn */
  top({ view, sheet }) {
    const { board, dealer, marked, reads, qualifies } = dealerAndBoard(view, sheet);
    const back = backOf(view);
    const qualifying = qualifies === undefined || qualifies === null ? "" : qualifies ? "qualifies"
      : "does not qualify";
    const count = dealer.length || sheet.cards;
    return h("div", { class: "house", id: "board", tabindex: "-1", "data-key": "house", role: "group",
      "aria-label": "Dealer and board" },
      h("div", { class: "dealer", vars: { "--n": count } },
        h("span", { class: "caps" }, "Dealer"),
        h("span", { class: "hand" }, Array.from({ length: count }, (_, n) => n < dealer.length
          ? card(dealer[n], { back, size: "small", "data-key": `d${n}` })
          : h("span", { class: "slot", "data-key": `e${n}` }))),
        h("span", { class: "note" }, reads && h("strong", {}, asTitle(reads)),
          h("span", {}, reads ? qualifying : sheet.qualifies && [h("span", { class: "long" }, "qualifies with "),
            sheet.qualifies]))),
      h("div", { class: marked ? "board marked" : "board" },
        board.map(({ face, state, dealt }, n) => face || dealt
        ? card(face, { back, state, "data-key": `b${n}` })
        : h("span", { class: "slot", "data-key": `s${n}` }))));
  }

  /**
   * @param {Seat} seat
   * @param {Drawn} drawn
   */
  near(seat, { view, sheet, more, places }) {
    const [x, y] = places.you ?? [0, 0];
    const hand = seat.hands[0];
    const split = seat.hands.length > 1;
    const results = seat.lines.length > 0 || Boolean(view.table.void);
    const spots = [hand, ...seat.hands.slice(1)].map((one) => spotsOf(sheet.circles, true,
      { results, lammer: seat.lammer, hand: split ? one.number : 0 }));
    /** @param {api.Circle} circle */
    const spot = (circle) => spots.map((at, n) => this.spot(circle, at[circle.wager], seat, seat.hands[n],
      { view, more, own: true, split }));
    const mains = sheet.circles.filter(({ shape }) => shape === "circle").sort((a, b) => Number(Boolean(a.later)) - Number(Boolean(b.later)));
    const cards = seat.hands.flatMap((one) => [...one.faces, ...Array(one.covered).fill("")]
      .map((face) => /** @type {[string, Hand]} */ ([face, one])));
    const first = cards.findIndex(([, one]) => one !== hand);
    return h("div", { class: split ? "near split" : "near", id: "place", tabindex: "-1", "data-key": "near",
      vars: { "--x": x, "--y": y },
      role: "group", "aria-label": `Your place, seat ${seat.seat}` },
    h("div", { class: "spots" },
      h("div", { class: "side" },
        sheet.circles.filter(({ shape }) => shape !== "circle").sort(sensorFirst).map(spot),
        seat.lammer && h("span", { class: "at envy", "data-key": "envy",
          vars: { "--dx": split ? 0 : 118, "--dy": 46 }, title: envyText(seat) }, lammer(),
        h("span", { class: "unseen" }, envyText(seat)))),
      h("div", { class: "main" }, mains.map((circle, n) => [spot(circle), n === 0
        && this.equals(sheet, spots[0])]))),
    h("div", { class: `hand n${cards.length}` }, cards.map(([face, one], n) => {
      const chosen = more.chosen?.includes(n);
      const state = more.chosen ? (chosen ? "chosen" : more.chosen.length >= 2 ? "unused" : null)
        : one.plays.length && seat.lines.length && !one.folded
        ? (one.plays.includes(face) ? "plays" : "unused") : null;
      const drawn = card(face, { "data-key": `y${n}`, state, back: backOf(view),
        class: n > 0 && n === first && "second" });
      const { choose } = more;
      if (!choose) return drawn;
      return h("button", { type: "button", class: "pick", "data-key": `p${n}`,
        "aria-pressed": String(Boolean(chosen)),
        onclick: () => choose(n) }, drawn, h("span", { class: "fate" }, chosen ? "plays"
          : "discard"));
    })),
    h("p", { class: "name" }, h("b", { class: seat.turn ? "seat-no lit" : "seat-no" }, seat.seat),
      h("strong", {}, ownLine(seat, hand, view))),
    more.choose && h("p", { class: "hint" }, "Tap a card to play it, or press ", h("kbd", {}, "1"), " to ",
      h("kbd", {}, cards.length)));
  }

  /**
   * @param {api.TableSheet} sheet
   * @param {Record<string, import("./slots.js").Spot>} spots
   */
  equals(sheet, spots) {
    const twin = sheet.circles.find(({ equals, shape }) => equals && shape === "circle");
    const [a, b] = [spots[twin?.wager ?? ""], spots[twin?.equals ?? ""]];
    return a && b && h("span", { class: "at equals", "aria-hidden": "true", "data-key": "=",
      vars: { "--dx": (a.x + b.x) / 2, "--dy": a.y } }, "=");
  }

  /**
   * @param {api.Circle} circle
   * @param {import("./slots.js").Spot} at
   * @param {Seat} seat
   * @param {Hand | null | undefined} hand
   * @param {{ view: api.View, more: More, own?: boolean, split?: boolean }} options
   */
  spot(circle, at, seat, hand, { view, more, own = false, split = false }) {
    const { wager } = circle;
    const draft = own && more.draft;
    const number = hand?.number ?? 1;
    const placed = own ? hand?.stakes[wager] ?? 0
      : seat.hands.reduce((all, { stakes }) => all + (stakes[wager] ?? 0), 0);
    const staked = draft ? draftOf(draft, circle) : placed;
    const tip = (draft && !circle.later ? draft[`tip ${wager}`] : hand?.tips[wager]) ?? 0;
    const coupon = wager === "ante" && Boolean(draft ? draft.coupon : hand?.coupon);
    const line = hand?.results[wager];
    const gone = !own && seat.settled;
    const may = own && view.yours.spots?.find((spot) => spot.wager === (circle.equals || wager));
    const open = own && !line && (may ? !staked : circle.later && !staked && canPlay(view.yours));
    const returned = view.table.void && view.table.closed && staked && !line;
    const state = returned ? "void"
      : line && !gone ? STATES[line.result] ?? line.result
      : open ? "open" : staked && !gone ? "placed" : "empty";
    const times = circle.later && staked > 0 && seat.times;
    const title = `${asTitle(circle.title)}${times ? ` ${times}×` : ""}`;
    return h("hw-circle", { class: "at", "data-key": `w-${wager}-${number}`, wager, state,
      shape: circle.shape,
      label: own ? `${title}${split ? `, hand ${number}` : ""}` : null, hand: number > 1 && number,
      short: split && `hand ${number}`, side: at.label, figure: own ? null : title, later: circle.later,
      cents: gone || returned ? 0 : line && line.result === "lose" ? 0 : staked, staked,
      paid: line && !gone && line.net > 0 ? line.net : null, net: own && line ? line.net : null,
      lit: circle.shape === "sensor" && (seat.lit || (staked > 0 && !line && !returned)),
      tip: own && !line && tip ? tip : null, coupon: own && !line && coupon,
      clause: own && line ? line.clause : null,
      ".press": own ? more.press : null,
      marked: Boolean(own && line?.clause && line.clause === more.clause),
      takes: Boolean(own && more.press && (may || line?.clause)),
      vars: { "--dx": at.x, "--dy": at.y, "--d": at.d } });
  }

  /**
   * @param {Seat} seat
   * @param {Drawn} drawn
   * @param {Seat | undefined} first
   */
  pod(seat, { view, sheet, more, places }, first) {
    const [x, y] = places[seat.seat] ?? [540, 500];
    const spots = spotsOf(sheet.circles, false);
    const key = `seat-${seat.seat}`;
    const { sit, open, go } = more;
    if (seat.free) {
      return h("div", { class: "pod free", "data-key": key, vars: { "--x": x, "--y": y } },
        h("div", { class: "spots" }, sheet.circles.map((circle) =>
          this.spot(circle, spots[circle.wager], seat, null, { view, more }))),
        h(sit ? "button" : "p", { class: "who", type: sit && "button", "data-key": sit ? "sit" : "free",
          onclick: sit ? () => sit(seat.seat) : null },
        h("b", { class: "seat-no" }, seat.seat), h("strong", {}, seat.held ? "Held" : "Free"),
          h("span", { class: "does" }, seat.held || (sit ? "sit here" : ""))));
    }
    const hand = seat.hands[0];
    const [names, result] = [["pod"], seat.lines.length > 0];
    if (seat.turn) names.push("turn");
    if (hand?.folded) names.push("folded");
    if (seat.settled) names.push("settled");
    if (more.opened === seat.seat) names.push("opened");
    if (x > RIM) names.push("at-rim");
    return h("div", { class: names.join(" "), "data-key": key, vars: { "--x": x, "--y": y } },
      h("div", { class: "spots" },
        sheet.circles.map((circle) => this.spot(circle, spots[circle.wager], seat, hand,
          { view, more })),
        seat.lammer && h("span", { class: "at envy", "data-key": "envy", vars: { "--dx": 52, "--dy": 48 } },
          lammer(), h("span", { class: "unseen" }, envyText(seat)))),
      h("div", { class: "hand" }, seat.hands.map((one) => h("span", { class: "cards" },
        one.faces.map((face, n) => card(face, { size: "small", "data-key": `c${n}` })),
        !one.faces.length && covered(one, view)))),
      hand?.faces.length > 0 && hand.covered > 0 && h("div", { class: "discards" }, covered(hand, view)),
      h("button", { type: "button", class: "who", tabindex: seat === first ? "0" : "-1",
        "aria-expanded": String(more.opened === seat.seat),
        onclick: seat.mine && go ? () => go(seat.seat) : open ? () => open(seat.seat) : null },
      h("b", { class: seat.turn ? "seat-no lit" : "seat-no" }, seat.seat),
      h("strong", {}, seat.mine ? "You" : seat.name),
      result && h("hw-money", { cents: seat.net, signed: true }),
      h("span", { class: "does" }, podLine(seat, hand, view, more.until)),
      h("span", { class: "unseen" }, podCards(hand))));
  }
}

/**
 * Describe the envy lammer; if only one hand of a split has one, name that hand.
 *
 * @param {Seat} seat
 */
const envyText = ({ hands, lammers }) => (hands.length > 1 && lammers.length < hands.length
  ? `Envy, hand ${lammers.join(" and ")}` : "Envy");

/**
 * Create the line of the dealer's script.
 *
 * @param {Script | null | undefined} line
 */
export const scriptLine = (line) => h("hw-script", { "data-key": "script", text: line?.says ?? "",
  clause: line?.clause, voice: line?.voice });

/**
 * Return the colour of the backs of the cards in play.
 *
 * @param {api.View} view
 */
const backOf = ({ table }) => table.back ?? "";

/** @type {(hand: Hand, view: api.View) => HTMLElement[]} */
const covered = (hand, view) => Array.from({ length: hand.covered }, (_, n) =>
  card("", { size: "small", "data-key": `c${n}`, back: backOf(view) }));

/** @type {(a: api.Circle, b: api.Circle) => number} */
const sensorFirst = (a, b) => Number(b.shape === "sensor") - Number(a.shape === "sensor");

/** @param {api.Yours} yours */
const canPlay = ({ choices }) => (choices ?? []).some(({ costs = 0, command }) => costs > 0
  && command.type === "Play");

/**
 * Return the cents of a wager in the draft; a wager that equals another has the same amount.
 *
 * @param {Record<string, number>} draft
 * @param {api.Circle} circle
 */
const draftOf = (draft, circle) => (circle.later ? 0 : draft[circle.equals || circle.wager] ?? 0);

/** @type {(seat: Seat, hand: Hand | undefined, view: api.View) => string} */
function ownLine(seat, hand, view) {
  if (hand?.folded) return "You folded";
  const you = seat.turn && !view.table.closed ? "You, to act" : "You";
  if (statusOf(seat, view) === "sits out") return "You sit out";
  const reads = seat.hands.map((one) => one.reads).filter(Boolean).join("; ");
  return `${you}${reads && `: ${reads}`}${seat.here ? "" : " (away)"}`;
}

/** @type {(seat: Seat, hand: Hand | undefined, view: api.View, until: number | null | undefined) => Child} */
function podLine(seat, hand, view, until) {
  if (seat.lines.length && hand?.reads) {
    const [name, detail] = handParts(hand.reads);
    return [hand.folded && "folded ", name, detail && h("span", { class: "detail" }, `, ${detail}`)];
  }
  const line = statusOf(seat, view);
  const bot = seat.kind === "bot" && h("span", { class: line ? "bot" : "" }, line ? "bot · " : "bot");
  const play = playText(seat);
  if (play && line === `played ${play}`) return [bot, h("span", { class: "long" }, "played "), play];
  const clock = until && line && seat.awaited && !seat.ready && seat.kind === "person";
  const status = line === "away" ? "away: plays automatically" : line;
  return clock ? [h("span", { class: "worded" }, status), h("span", { "aria-hidden": "true" },
    h("span", { class: "long" }, " · "), h("hw-seconds", { ".until": until }))] : [bot, status];
}

/** @param {Hand | undefined} hand */
const podCards = (hand) => (hand?.faces.length ? `, shows ${hand.faces.map(cardName).join(", ")}` : "");
