// Amounts, cards and seats in words.

const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight", 7: "seven",
  6: "six", 5: "five", 4: "four", 3: "three", 2: "two" };
const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const SIGNS = { s: "♠\uFE0E", h: "♥\uFE0E", d: "♦\uFE0E", c: "♣\uFE0E" };
const NUMBERS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** An amount of cents: "$1,245.00"; signed it has its sign, short it drops cents that are none. */
export function money(cents, { signed = false, short = false } = {}) {
  const whole = short && cents % 100 === 0;
  const figure = (Math.abs(cents) / 100).toLocaleString("en-US", {
    minimumFractionDigits: whole ? 0 : 2, maximumFractionDigits: 2,
  });
  const sign = cents < 0 ? "−" : signed && cents > 0 ? "+" : "";
  return `${sign}$${figure}`;
}

/** An amount as it is read aloud: "minus five dollars". */
export function moneySaid(cents) {
  const [whole, rest] = [Math.floor(Math.abs(cents) / 100), Math.abs(cents) % 100];
  const sign = cents < 0 ? "minus " : cents > 0 ? "plus " : "";
  const dollars = `${whole.toLocaleString("en-US")} ${whole === 1 ? "dollar" : "dollars"}`;
  return `${sign}${dollars}${rest ? ` and ${counted(rest, "cent")}` : ""}`;
}

/** Cents of an amount as the layout writes it: "10.55". */
export const centsOf = (text) => Math.round(Number(text) * 100);

/** A card in words: "ten of spades". */
export const cardSaid = (card) => `${RANKS[card[0]]} of ${SUITS[card[1]]}`;

/** A card in signs: "10♠". */
export const cardSigns = (card) => `${card[0] === "T" ? "10" : card[0]}${SIGNS[card[1]]}`;

/** Cards in words, the way a dealer calls a board: "jack, eight, two". */
export const ranksSaid = (cards) => cards.map((card) => RANKS[card[0]]).join(", ");

/** A few things in a row: "1, 5 and 6". */
export function listed(things) {
  return things.length < 2 ? things.join("") : `${things.slice(0, -1).join(", ")} and ${things.at(-1)}`;
}

/** How many of a thing: "1 event", "2 events". */
export const counted = (n, thing) => `${n} ${thing}${n === 1 ? "" : "s"}`;

/** A small number in words. */
export const numberSaid = (n) => NUMBERS[n] ?? String(n);

/** A phrase as it begins a sentence or stands on a button: "Play 2×". */
export function titled(text) {
  const said = text.replace(/(\d)x\b/g, "$1×");
  return said.charAt(0).toUpperCase() + said.slice(1);
}

/** What a table is called: "Table Loire". */
export const tableSaid = (name) => (/^table\b/i.test(name) ? name : `Table ${name}`);

/** Cards written in a phrase, as signs: "keep A♠ A♦". */
export const signed = (text) => text.replace(/\b[2-9TJQKA][shdc]\b/g, cardSigns);
