// Text for amounts, cards and tables.

/**
 * The names of the ranks, by letter or digit.
 *
 * @type {Record<string, string>}
 */
export const RANK_NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight", 7: "seven",
  6: "six", 5: "five", 4: "four", 3: "three", 2: "two" };
/** @type {Record<string, string>} */
const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
/** @type {Record<string, string>} */
const SIGNS = { s: "♠\uFE0E", h: "♥\uFE0E", d: "♦\uFE0E", c: "♣\uFE0E" };
const NUMBERS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/**
 * Format cents: "$1,245.00". `signed` adds a plus to wins; `short` drops ".00".
 *
 * @param {number} cents
 */
export function money(cents, { signed = false, short = false } = {}) {
  const whole = short && cents % 100 === 0;
  const figure = (Math.abs(cents) / 100).toLocaleString("en-US", {
    minimumFractionDigits: whole ? 0 : 2, maximumFractionDigits: 2,
  });
  const sign = cents < 0 ? "−" : signed && cents > 0 ? "+" : "";
  return `${sign}$${figure}`;
}

/**
 * Return an amount for screen readers: "minus 5 dollars". `signed` adds "plus" to wins.
 *
 * @param {number} cents
 */
export function moneyWords(cents, { signed = false } = {}) {
  const [whole, rest] = [Math.floor(Math.abs(cents) / 100), Math.abs(cents) % 100];
  const sign = cents < 0 ? "minus " : signed && cents > 0 ? "plus " : "";
  const dollars = `${whole.toLocaleString("en-US")} ${whole === 1 ? "dollar" : "dollars"}`;
  return `${sign}${dollars}${rest ? ` and ${plural(rest, "cent")}` : ""}`;
}

/**
 * Return the direction of a wrong payment.
 *
 * @param {number} cents The cents beyond the right amount.
 */
export const mispaidWord = (cents) => (cents > 0 ? "overpaid" : "underpaid");

/**
 * Return a wrong payment with its direction: "$7.50 underpaid". Empty if nothing is wrong.
 *
 * @param {number} cents The cents beyond the right amount.
 */
export const mispaidText = (cents) => (cents ? `${money(Math.abs(cents))} ${mispaidWord(cents)}` : "");

/**
 * Return the amounts that were paid too much and too little, with their directions.
 *
 * @param {number} over
 * @param {number} under
 */
export const mispaidTexts = (over, under) => [mispaidText(over), mispaidText(-under)].filter(Boolean);

/**
 * Return the name of a card: "ten of spades".
 *
 * @param {string} card
 */
export const cardName = (card) => `${RANK_NAMES[card[0]]} of ${SUITS[card[1]]}`;

/**
 * Return a card as symbols: "10♠".
 *
 * @param {string} card
 */
export const cardSigns = (card) => `${card[0] === "T" ? "10" : card[0]}${SIGNS[card[1]]}`;

/**
 * Return the ranks of cards in words: "jack, eight and two".
 *
 * @param {string[]} cards
 */
export const rankNames = (cards) => joinWords(cards.map((card) => RANK_NAMES[card[0]]));

/**
 * Join a list with commas and "and": "1, 5 and 6".
 *
 * @param {(string | number)[]} things
 */
export function joinWords(things) {
  return things.length < 2 ? things.join("") : `${things.slice(0, -1).join(", ")} and ${things.at(-1)}`;
}

/**
 * Return a count with its noun: "1 event", "2 events".
 *
 * @param {number} n
 * @param {string} thing
 */
export const plural = (n, thing) => `${n} ${thing}${n === 1 ? "" : "s"}`;

/**
 * Return a count with its total: "3 of 5". Without a total there is nothing to count, and the result is a dash.
 *
 * @param {number} n
 * @param {number} total
 * @param {string} [none] The words for a total of 0.
 */
export const countOf = (n, total, none = "–") => (total ? `${n} of ${total}` : none);

/**
 * Return a small number as a word.
 *
 * @param {number} n
 */
export const numberWord = (n) => NUMBERS[n] ?? String(n);

/**
 * Capitalize a phrase for a button or the start of a sentence: "Play 2×".
 *
 * @param {string} text
 */
export function asTitle(text) {
  const words = text.replace(/(\d)x\b/g, "$1×");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Return a phrase without its capital, to continue a sentence.
 *
 * @param {string} text
 */
export const inSentence = (text) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/**
 * Return the words of a name with underscores, such as a wager's: "cover all".
 *
 * @param {string} name
 */
export const nameWords = (name) => name.replaceAll("_", " ");

/**
 * Return a noun with its article: "an exposed card".
 *
 * @param {string} noun
 */
export const withArticle = (noun) => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;

/**
 * Return the first sentence of a text and the rest, to show them apart.
 *
 * @param {string} text
 * @returns {[first: string, rest: string]}
 */
export function firstSentence(text) {
  const end = /[.!?]\s+(?=[A-Z])/.exec(text)?.index ?? -1;
  return end < 0 ? [text, ""] : [text.slice(0, end + 1), text.slice(end + 1).trim()];
}

/**
 * Return a text with a mark at its end, unless it has one.
 *
 * @param {string} text
 * @param {string} mark
 */
export const ended = (text, mark = ".") => `${text}${/[.!?]$/.test(text) ? "" : mark}`;

/**
 * Return a hand in words in two parts, so that the second can be hidden if there is no room: "full house", "nines over kings".
 *
 * @param {string} reads
 * @returns {[name: string, detail: string]}
 */
export function handParts(reads) {
  const at = reads.indexOf(", ");
  return at < 0 ? [reads, ""] : [reads.slice(0, at), reads.slice(at + 2)];
}

/**
 * Return the title of a table: "Table Loire".
 *
 * @param {string} name
 */
export const tableTitle = (name) => (/^table\b/i.test(name) ? name : `Table ${name}`);

/**
 * Replace the cards in a phrase with symbols: "keep A♠ A♦".
 *
 * @param {string} text
 */
export const withCardSigns = (text) => text.replace(/\b[2-9TJQKA][shdc]\b/g, cardSigns);

/** Clearer words for dealer's steps. Rulebooks and records keep the step's own name. @type {Record<string, string>} */
const STEPS = { "settle what folded hands kept": "settle the remaining wagers of folded hands",
  "collect the cards left out": "collect the cards still on the table", "announce no more bets": "announce “no more bets”" };

/**
 * Return the name of a dealer's step in words for people.
 *
 * @param {string} step
 */
export const stepWords = (step) => STEPS[step] ?? step;

/**
 * Return the place of a clause in its document: "Massachusetts, section 14(a)".
 *
 * @param {{ document?: string, section?: string }} clause
 */
export const sourceOf = ({ document = "", section = "" }) =>
  [document, section && `section ${section}`].filter(Boolean).join(", ");
