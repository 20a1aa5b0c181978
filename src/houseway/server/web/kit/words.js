// Amounts, cards and seats in words.

/**
 * The ranks in words, by their letter or digit.
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
 * An amount of cents: "$1,245.00"; signed it has its sign, short it drops cents that are none.
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
 * An amount as it is read aloud: "minus 5 dollars".
 *
 * @param {number} cents
 */
export function moneySaid(cents) {
  const [whole, rest] = [Math.floor(Math.abs(cents) / 100), Math.abs(cents) % 100];
  const sign = cents < 0 ? "minus " : cents > 0 ? "plus " : "";
  const dollars = `${whole.toLocaleString("en-US")} ${whole === 1 ? "dollar" : "dollars"}`;
  return `${sign}${dollars}${rest ? ` and ${counted(rest, "cent")}` : ""}`;
}

/**
 * A card in words: "ten of spades".
 *
 * @param {string} card
 */
export const cardSaid = (card) => `${RANK_NAMES[card[0]]} of ${SUITS[card[1]]}`;

/**
 * A card in signs: "10♠".
 *
 * @param {string} card
 */
export const cardSigns = (card) => `${card[0] === "T" ? "10" : card[0]}${SIGNS[card[1]]}`;

/**
 * Cards in words, the way a dealer calls a board: "jack, eight, two".
 *
 * @param {string[]} cards
 */
export const ranksSaid = (cards) => cards.map((card) => RANK_NAMES[card[0]]).join(", ");

/**
 * A few things in a row: "1, 5 and 6".
 *
 * @param {(string | number)[]} things
 */
export function listed(things) {
  return things.length < 2 ? things.join("") : `${things.slice(0, -1).join(", ")} and ${things.at(-1)}`;
}

/**
 * How many of a thing: "1 event", "2 events".
 *
 * @param {number} n
 * @param {string} thing
 */
export const counted = (n, thing) => `${n} ${thing}${n === 1 ? "" : "s"}`;

/**
 * A small number in words.
 *
 * @param {number} n
 */
export const numberSaid = (n) => NUMBERS[n] ?? String(n);

/**
 * A phrase as it begins a sentence or stands on a button: "Play 2×".
 *
 * @param {string} text
 */
export function titled(text) {
  const said = text.replace(/(\d)x\b/g, "$1×");
  return said.charAt(0).toUpperCase() + said.slice(1);
}

/**
 * The name of a table: "Table Loire".
 *
 * @param {string} name
 */
export const tableSaid = (name) => (/^table\b/i.test(name) ? name : `Table ${name}`);

/**
 * A phrase with its cards as signs: "keep A♠ A♦".
 *
 * @param {string} text
 */
export const signed = (text) => text.replace(/\b[2-9TJQKA][shdc]\b/g, cardSigns);
