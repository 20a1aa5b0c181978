// The felt of a drill, seen from the dealer's side: one large hand, or every place of the table.

import { chipStack, sensor, stack } from "../../../kit/art.js";
import { card } from "../../../kit/card.js";
import { clauseTag } from "../../../kit/clause.js";
import { h, picture, s } from "../../../kit/dom.js";
import { judgementMark } from "../../../kit/judgement.js";
import { asTitle, money } from "../../../kit/words.js";
import { seconds, total } from "./answers.js";

/**
 * What the felt shows besides the question: results, the wager to settle, and the chips that are cut.
 *
 * @typedef {{ circles: readonly api.DrillCircle[], settled: Map<string, api.DrillPartGrade>,
 *   tried: Map<string, api.DrillPartGrade>, active: string, cut: import("./answers.js").Stack,
 *   choose: ((part: string) => void) | null }} FeltState
 */
/** @typedef {{ circle: api.DrillCircle, cents: number, part: api.DrillPart | null, times: number }} Bet */
/** @typedef {{ x: number, y: number, d: number, side: "right" | "below" }} Spot */

const MIDDLE = 181;
const WIDE = 96;
const GAP = 184;
/** The row of the side bets. */
const SIDE = 400;

/**
 * Return the bets of a hand in the layout's order, with envy if it is asked about.
 *
 * @param {api.DrillQuestion} question
 * @param {api.DrillHand} hand
 * @param {readonly api.DrillCircle[]} circles
 * @returns {Bet[]}
 */
export function betsOf(question, hand, circles) {
  const parts = question.parts.filter(({ seat, hand: number = 1 }) => seat === hand.seat && number === (hand.hand ?? 1));
  const wagers = hand.wagers ?? {};
  const bets = circles.filter(({ wager }) => wager in wagers).map((circle) => {
    const entry = circles.find(({ later, shape }) => !later && shape === "circle");
    const times = circle.later && entry ? wagers[circle.wager] / wagers[entry.wager] : 0;
    return { circle, cents: wagers[circle.wager], part: parts.find(({ wager }) => wager === circle.wager) ?? null,
      times };
  });
  const envy = parts.find(({ wager }) => wager === "envy");
  return envy ? [...bets, { circle: { wager: "envy", title: envy.title, shape: "diamond" }, cents: 0, part: envy,
    times: 0 }] : bets;
}

/**
 * Return the place of each bet of a large hand, in a box of 400 by 582. The play is farthest from the dealer.
 *
 * @param {Bet[]} bets
 * @returns {Map<string, Spot>}
 */
export function spots(bets) {
  const later = bets.filter(({ circle }) => circle.later);
  const first = bets.filter(({ circle }) => circle.shape === "circle" && !circle.later).reverse();
  const side = bets.filter(({ circle }) => circle.shape !== "circle");
  /** @type {Map<string, Spot>} */
  const at = new Map();
  /** @type {(row: Bet[], y: number, gap: number, d: number, alone: "right" | "below") => void} */
  const spread = (row, y, gap, d, alone) => row.forEach(({ circle }, n) => at.set(circle.wager, {
    x: MIDDLE + (n - (row.length - 1) / 2) * gap, y, d, side: row.length === 1 ? alone : "below" }));
  spread(later, 92, GAP, WIDE, "right");
  spread(first, 219, GAP, WIDE, "right");
  spread(side, SIDE, side.length > 2 ? 122 : GAP, side.length > 2 ? 76 : WIDE, "right");
  return at;
}

/**
 * Return the result beside a bet.
 *
 * @param {Bet} bet
 * @param {FeltState} state
 */
function result({ part }, { settled, tried }) {
  const grade = part && (settled.get(part.name) ?? tried.get(part.name));
  if (!grade) return null;
  const judgement = grade.is_right ? (grade.late ? "late" : "right") : "wrong";
  return h("span", { class: `bet-result ${judgement}`, "data-key": "result" },
    h("span", { class: "given" }, judgementMark(judgement), h("span", {}, grade.given)), h("span", { class: "took" }, seconds(grade.time ?? 0)),
    !grade.is_right && (grade.again ? h("span", { class: "says" }, "once more")
      : h("span", { class: "says" }, grade.right, grade.sum && ` · ${grade.sum}`, " ", clauseTag(grade.clause))));
}

/**
 * Return the words of a bet for a screen reader.
 *
 * @param {Bet} bet
 */
const betName = ({ circle, cents, times }) => `${circle.title}${times ? ` ${times} times` : ""}${cents
  ? `, ${money(cents, { short: true })}` : ""}`;

/**
 * Draw a bet: its place, its chips and what was paid.
 *
 * @param {Bet} bet
 * @param {FeltState} state
 * @param {number} paid
 */
function place(bet, { active, choose }, paid) {
  const { circle, cents, part } = bet;
  const chosen = part && part.name === active;
  // A sensor takes no chips: it is lit while the bet is on.
  const ring = picture("-50 -50 100 100", {},
    circle.shape === "sensor" ? [sensor(cents > 0, 24), chosen && s("circle", { r: 46, class: "outline" })]
      : circle.shape === "circle" ? s("circle", { r: 48, class: "edge" })
        : s("rect", { x: -34, y: -34, width: 68, height: 68, rx: 8, transform: "rotate(45)", class: "edge" }),
    circle.later && s("circle", { r: 40, class: "edge inner" }),
    cents > 0 && circle.shape !== "sensor" && stack(cents, 27, paid ? -16 : 0, paid ? -2 : 6),
    paid > 0 && s("g", { class: "payment" }, stack(paid, 27, 25, 14)));
  const props = { class: `bet-ring ${circle.shape} ${chosen ? "chosen" : ""}`, "data-wager": circle.wager };
  if (!choose || !part) return h("span", props, ring, h("span", { class: "unseen" }, betName(bet)));
  return h("button", { ...props, type: "button", "data-part": part.name, "aria-pressed": String(Boolean(chosen)),
    "aria-label": `Seat ${part.seat} ${betName(bet)}`, onclick: () => choose(part.name) }, ring);
}

/**
 * Return what was paid on a bet, in cents.
 *
 * @param {Bet} bet
 * @param {FeltState} state
 */
const paidOn = ({ part }, { settled }) => (part && settled.get(part.name)?.paid) || 0;

/** @param {Bet} bet */
const label = ({ circle, cents, times }) => [h("span", { class: "caps" }, circle.title, times ? ` ${times}×` : ""),
  cents > 0 && h("strong", {}, " ", money(cents, { short: true }))];

/**
 * Draw cards: those face up, then those face down. A card that is face up by mistake is marked.
 *
 * @param {readonly string[]} cards
 * @param {number} down
 * @param {readonly string[]} exposed
 */
const cardsOf = (cards, down, exposed, size = "large") => [
  ...cards.map((one) => (exposed.includes(one) ? h("span", { class: "by-mistake" }, card(one, { size }),
    h("span", { class: "unseen" }, "face up by mistake")) : card(one, { size }))),
  ...Array.from({ length: down }, () => card("", { size }))];

/**
 * @param {string} title
 * @param {readonly string[]} cards
 * @param {number} down
 * @param {string} reads
 * @param {{ size?: string, exposed?: readonly string[] }} options
 */
function cardRow(title, cards, down, reads, { size = "large", exposed = [] } = {}) {
  return h("div", { class: "card-row", role: "group", "aria-label": title },
    h("span", { class: "caps", "aria-hidden": "true" }, title),
    h("div", { class: "cards" }, cardsOf(cards, down, exposed, size),
      !cards.length && !down && h("span", { class: "no-cards" }, "no cards")),
    reads && h("p", { class: "read-aloud" }, `“${asTitle(reads)}.”`));
}

/**
 * Draw the dashed arrow from the cut chips to the bet. Chips beside a row of bets have an arrow only to the last bet of the
 * row: an arrow to any other bet would cross the bets between them.
 *
 * @param {Spot} to
 * @param {boolean} beside
 * @param {boolean} isLast
 */
function arrow({ x, y, d }, beside, isLast) {
  if (beside) {
    const tip = x + d / 2 + 3;
    return isLast && Math.abs(y - SIDE) < 2 && picture("0 0 400 582", { class: "arrow" }, s("path", { d: `M384 ${y - 6}H${tip}` }),
      s("path", { class: "tip", d: `M${tip + 9} ${y - 12}L${tip} ${y - 6}L${tip + 9} ${y}` }));
  }
  const [fromX, fromY, tipX, tipY] = [MIDDLE + 38, 500, x + d / 2 + 2, y + 30];
  return picture("0 0 400 582", { class: "arrow" },
    s("path", { d: `M${fromX} ${fromY}C${fromX + 26} ${fromY - 22} ${tipX + 22} ${tipY + 44} ${tipX} ${tipY}` }),
    s("path", { class: "tip", d: `M${tipX - 3} ${tipY + 11}L${tipX} ${tipY}L${tipX + 10} ${tipY + 6}` }));
}

/**
 * Draw the chips in front of the bet, with their sum.
 *
 * @param {FeltState} state
 * @param {boolean} beside True if they are beside the bets: the labels below the bets need the room in front.
 */
const cutChips = ({ cut }, beside = false) => h("div", { class: beside ? "cut-chips beside" : "cut-chips", "data-key": "cut", "aria-hidden": "true" },
  picture("-40 -44 80 84", {}, chipStack(cut, 30, 0, 8)),
  h("p", {}, "you cut ", h("strong", {}, money(total(cut)))));

/**
 * Return the meters of a bet: "main meter $74,167.00".
 *
 * @param {api.DrillQuestion} question
 * @param {string} wager
 */
const metersOf = ({ meters = [] }, wager) => meters.filter((meter) => meter.wager === wager)
  .map(({ name, cents }) => `${name} meter ${money(cents)}`);

/**
 * Draw the meters, without those of bets that show them, and the most that the house pays.
 *
 * @param {api.DrillQuestion} question
 * @param {Bet[]} bets
 */
function feltNotes({ meters = [], limit = 0 }, bets = []) {
  const apart = meters.filter(({ wager }) => !bets.some(({ circle }) => circle.wager === wager));
  const notes = apart.map(({ title, name, cents }) => `${title} meter (${name}): ${money(cents)}`);
  if (limit) notes.push(`The house pays at most ${money(limit)} for one hand`);
  return notes.length > 0 && h("p", { class: "felt-notes" }, notes.map((note) => h("span", {}, note, h("br"))));
}

/**
 * Draw one player's hand, the board, the dealer and the bets, large.
 *
 * @param {api.DrillQuestion} question
 * @param {FeltState} state
 */
function single(question, state) {
  const felt = /** @type {api.DrillFelt} */ (question.felt);
  const [hand] = felt.hands ?? [];
  const bets = betsOf(question, hand, state.circles);
  const at = spots(bets);
  const active = bets.find(({ part }) => part && part.name === state.active);
  const firsts = bets.filter(({ circle }) => circle.shape === "circle" && !circle.later);
  const { exposed = [] } = felt;
  const to = active && at.get(active.circle.wager);
  const beside = [...at.values()].some(({ y, side }) => y === SIDE && side === "below");
  const isLast = [...at.values()].every(({ x, y }) => !to || y !== to.y || x <= to.x);
  return h("div", { class: `cloth single ${bets.length ? "" : "no-bets"}` },
    h("div", { class: "rows" },
      cardRow(hand.folded ? "Player, folded" : "Player", hand.cards ?? [], hand.down ?? 0, hand.reads ?? "", { exposed }),
      cardRow("Board", felt.board ?? [], 0, "", { exposed }),
      (felt.dealer || felt.dealer_down) && cardRow("Dealer", felt.dealer ?? [], felt.dealer_down ?? 0,
        felt.dealer_reads ?? "", { exposed })),
    feltNotes(question, bets),
    bets.length > 0 && h("div", { class: "drill-bets", role: "group", "aria-label": "Wagers" },
      bets.map((bet) => {
        const spot = /** @type {Spot} */ (at.get(bet.circle.wager));
        return h("div", { class: `bet ${spot.side}`, "data-key": `${question.number}-${bet.circle.wager}`,
          "data-part": bet.part?.name ?? "", vars: { "--x": spot.x, "--y": spot.y, "--d": spot.d } },
        place(bet, state, paidOn(bet, state)),
        h("p", { class: "bet-label" }, h("span", { "aria-hidden": "true" }, label(bet)),
          metersOf(question, bet.circle.wager).map((words) => h("span", { class: "bet-meter" }, words)), result(bet, state)));
      }),
      firsts.length === 2 && firsts[1].circle.equals
        && h("span", { class: "same-amount", "aria-hidden": "true" }, "="),
      state.cut.size > 0 && to && [arrow(to, beside, isLast), cutChips(state, beside)]));
}

/**
 * Return bets in the order of a small place: first row blind and ante, then play and side bets.
 *
 * @param {Bet[]} bets
 */
function fromDealer(bets) {
  const first = bets.filter(({ circle }) => circle.shape === "circle" && !circle.later);
  return [...first.reverse(), ...bets.filter((bet) => !first.includes(bet))];
}

/**
 * Draw the places of a table, seat 1 on the left, with the board and the dealer's hand below.
 *
 * @param {api.DrillQuestion} question
 * @param {FeltState} state
 */
function places(question, state) {
  const felt = /** @type {api.DrillFelt} */ (question.felt);
  const { hands = [], exposed = [] } = felt;
  return h("div", { class: `cloth places of-${Math.min(hands.length, 6)}` },
    h("div", { class: "pods" }, hands.map((hand) => {
      const name = `Seat ${hand.seat}${(hand.hand ?? 1) > 1 ? `, hand ${hand.hand}` : ""}`;
      return h("section", { class: "drill-pod", "aria-label": name,
        "data-key": `${question.number}-${hand.seat}-${hand.hand ?? 1}` },
      h("h2", {}, h("span", { class: "seat-no" }, hand.seat),
        (hand.hand ?? 1) > 1 && ` hand ${hand.hand}`, hand.folded && " folded",
        hand.reads && h("em", { class: "read-aloud" }, ` “${asTitle(hand.reads)}.”`)),
      h("div", { class: "pod-row" },
        h("div", { class: "cards" }, cardsOf(hand.cards ?? [], hand.down ?? 0, exposed, "small")),
        h("div", { class: "pod-bets" }, fromDealer(betsOf(question, hand, state.circles)).map((bet) =>
          h("div", { class: "pod-bet", "data-part": bet.part?.name ?? "", "data-key": bet.circle.wager },
            place(bet, state, paidOn(bet, state)),
            h("p", { class: "bet-label" },
              h("span", { "aria-hidden": "true" }, bet.circle.title, bet.times ? ` ${bet.times}×` : "", " ",
                bet.cents > 0 && h("strong", {}, money(bet.cents, { short: true }))), result(bet, state)))))));
    })),
    h("div", { class: "middle" },
      cardRow("Board", felt.board ?? [], 0, "", { size: "small", exposed }),
      (felt.dealer || felt.dealer_down) && cardRow("Dealer", felt.dealer ?? [], felt.dealer_down ?? 0,
        felt.dealer_reads ?? "", { size: "small", exposed }),
      state.cut.size > 0 && cutChips(state), feltNotes(question)));
}

/**
 * Draw the stack that the trainee reads, with one column for each value.
 *
 * @param {Record<string, number>} chips
 */
function stackToRead(chips) {
  const columns = Object.entries(chips).map(([value, count]) => [Number(value), count]).sort(([a], [b]) => b - a);
  return h("div", { class: "cloth reading-stack" }, h("div", { class: "columns", role: "img",
    "aria-label": columns.map(([value, count]) => `${count} chips of ${money(value)}`).join(", ") },
  columns.map(([value, count]) => picture("-34 -190 68 220", { class: "column" },
    Array.from({ length: count }, (_, n) => stack(value, 30, 0, -n * 8))))));
}

/**
 * Draw the felt of a question; without one, an empty felt.
 *
 * @param {api.DrillQuestion | null} question
 * @param {FeltState} state
 */
export function drillFelt(question, state) {
  if (!question) return h("div", { class: "drill-felt", "aria-busy": "true" }, h("div", { class: "cloth" }));
  const { felt, stack: chips } = question;
  const large = felt && (felt.hands ?? []).length === 1;
  return h("div", { class: "drill-felt" }, felt ? (large ? single(question, state) : places(question, state))
    : chips && Object.keys(chips).length ? stackToRead(chips)
      : h("div", { class: "cloth making" }, h("p", { class: "voice" }, question.asks),
        state.cut.size > 0 && cutChips(state)));
}
