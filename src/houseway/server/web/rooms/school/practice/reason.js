// The answer: the verdict, the reason in words, and one picture of the reason.

import { h, picture, s } from "../../../kit/dom.js";
import { judgementMark } from "../../../kit/judgement.js";
import { asTitle, money } from "../../../kit/words.js";
import { copyLink } from "../../parts.js";

const RANKS = "AKQJT98765432";
const SUITS = "shdc";
/** The size of a cell of the card picture, and the room for the names of suits and ranks. */
const CELL = 24;
/** @type {Record<string, [mark: "right" | "wrong" | "none", words: string]>} */
const VERDICTS = { right: ["right", "right"], wrong: ["wrong", "wrong"], close: ["none", "close call"] };

/**
 * Draw the answer to a position. `rulebook` names the game of the lab.
 *
 * @param {api.SpotAnalysis} analysis
 * @param {api.PracticeSpot} spot
 * @param {string} rulebook
 */
export function reasonBox(analysis, spot, rulebook) {
  const { verdict, sentence, because, stake, unit, kind, themes, link, picture: drawn } = analysis;
  const [mark, words] = VERDICTS[verdict];
  const [first, ...rest] = because;
  return h("section", { class: "reason box", "data-key": "reason", "aria-label": "The answer" },
    h("div", { class: "verdict" }, sentence && judgementMark(mark, { words }),
      h("div", {}, h("h2", {}, sentence || "The analysis"),
        verdict === "wrong" && h("p", { class: "small" }, `At a ${money(stake, { short: true })} ${unit}.`))),
    h("p", { class: "because" }, h("strong", {}, first), rest.map((one) => ` ${one}`)),
    drawn && pictureOf(drawn, spot),
    h("div", { class: "about" }, h("h3", {}, "About this position"),
      h("p", {}, `${asTitle(kind)}.`), themes.length > 0 && h("ul", {}, themes.map((one) => h("li", {}, asTitle(one)))),
      h("p", { class: "acts" }, copyLink(`/school/position/${link}`),
        h("a", { class: "button", href: `/lab?rulebook=${encodeURIComponent(rulebook)}` }, "Open the lab"))));
}

/**
 * @param {api.SpotPicture} drawn
 * @param {api.PracticeSpot} spot
 */
function pictureOf(drawn, spot) {
  if (drawn.form === "cards") return cardPicture(drawn.against ?? [], [...spot.cards, ...spot.board]);
  if (drawn.form === "hands") return handBar(drawn, spot.board.length === 3);
  return linePicture(drawn.line ?? []);
}

/**
 * Draw every card: those that beat you, those that do not, and those that you see.
 *
 * @param {readonly string[]} against
 * @param {readonly string[]} seen
 */
function cardPicture(against, seen) {
  const x = (/** @type {number} */ n) => CELL * (n + 1.5);
  const cells = [...SUITS].flatMap((suit, row) => [...RANKS].map((rank, n) => {
    const [cx, cy] = [x(n), CELL * (row + 1.5)];
    if (seen.includes(rank + suit)) return s("path", { class: "seen", d: `M${cx - 4} ${cy}h8` });
    return against.includes(rank + suit) ? s("rect", { class: "beats", x: cx - 7.5, y: cy - 7.5, width: 15, height: 15, rx: 4 })
      : s("circle", { class: "below", cx, cy, r: 3 });
  }));
  return h("figure", { class: "card-picture" },
    picture(`0 0 ${CELL * 14.25} ${CELL * 5}`, {},
      [...RANKS].map((rank, n) => s("text", { x: x(n), y: CELL * 0.75, class: [...SUITS].some((suit) => against.includes(rank + suit))
        ? "rank" : "rank none" }, rank === "T" ? "10" : rank)),
      [...SUITS].map((suit, row) => s("text", { x: CELL * 0.5, y: CELL * (row + 1.75), class: `suit ${suit}` },
        { s: "♠\uFE0E", h: "♥\uFE0E", d: "♦\uFE0E", c: "♣\uFE0E" }[suit] ?? "")), cells),
    h("figcaption", { class: "picture-legend" },
      h("span", {}, sign(s("rect", { class: "beats", x: 1, y: 1, width: 14, height: 14, rx: 4 })), "beats you"),
      h("span", {}, sign(s("circle", { class: "below", cx: 8, cy: 8, r: 3 })), "does not"),
      h("span", {}, sign(s("path", { class: "seen", d: "M4 8h8" })), "seen")));
}

/** @param {SVGElement} shape */
const sign = (shape) => picture("0 0 16 16", { class: "picture-sign" }, shape);

/**
 * Draw the dealer's hands as one bar: those that you beat, tie with and lose to.
 *
 * @param {api.SpotPicture} drawn
 * @param {boolean} onFlop
 */
function handBar({ ahead = 0, ties = 0, behind = 0 }, onFlop) {
  const total = ahead + ties + behind || 1;
  /** @type {[string, number, string][]} */
  const parts = [["ahead", ahead, onFlop ? "ahead now" : "you beat"], ["tied", ties, onFlop ? "tied now" : "tie"],
    ["behind", behind, onFlop ? "behind now" : "beat you"]];
  let from = 0;
  return h("figure", { class: "hand-bar" },
    picture("0 0 340 26", { preserveAspectRatio: "none" },
      s("defs", {}, s("pattern", { id: "behind-hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
        s("path", { d: "M0 0v6", class: "hatch" }))),
      parts.map(([name, count]) => {
        const width = (340 * count) / total;
        const bar = s("rect", { class: name, x: from, y: 0, width, height: 26 });
        const hatch = name === "behind" ? s("rect", { x: from, y: 0, width, height: 26, fill: "url(#behind-hatch)" }) : null;
        from += width;
        return [bar, hatch];
      })),
    h("figcaption", { class: "picture-legend" }, parts.filter(([, count]) => count).map(([name, count, words]) =>
      h("span", { class: name }, h("strong", {}, count.toLocaleString("en-US")), ` ${words}`))),
    h("p", { class: "small quiet" }, `of the dealer’s ${total.toLocaleString("en-US")} hands`));
}

/**
 * Draw the hands of a family, highest first: those that play, and those that check.
 *
 * @param {readonly api.PictureHand[]} line
 */
function linePicture(line) {
  return h("figure", { class: "hand-line" }, h("ol", {}, line.map(({ hand, plays, yours }) =>
    h("li", { class: `${plays ? "plays" : "checks"} ${yours ? "own" : ""}` },
      h("span", {}, hand.replaceAll("T", "10")), h("span", { class: "unseen" }, ` ${plays ? "plays" : "checks"}${yours ? ", your hand" : ""}`)))),
  h("figcaption", { class: "picture-legend" }, h("span", {}, h("i", { class: "plays" }), "plays"), h("span", {}, h("i", { class: "checks" }), "checks"),
    line.some(({ yours }) => yours) && h("span", {}, h("i", { class: "own" }), "yours")));
}
