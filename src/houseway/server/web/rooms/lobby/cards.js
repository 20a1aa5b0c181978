// A table's card in the lobby: seats, rules, limits and meters.

import { h, picture, s } from "../../kit/dom.js";
import { plural, joinWords, money, numberWord, tableTitle } from "../../kit/words.js";

const CLOTH = "M2 5Q2 2 5 2H95Q98 2 98 5V30C98 54 76 68 50 68S2 54 2 30Z";
/** The number of names that fit on a card. */
const FEW = 3;
const [MIDDLE, ACROSS, DOWN] = [[50, 24], 45, 45];

/**
 * Return the seats' positions in the picture. Seat 1 is at the dealer's left, on the right of the picture.
 *
 * @param {number} count
 * @returns {[x: number, y: number][]}
 */
function places(count) {
  return Array.from({ length: count }, (_, n) => {
    const turn = Math.PI * (0.1 + (count > 1 ? (0.8 * n) / (count - 1) : 0.4));
    return [MIDDLE[0] + ACROSS * Math.cos(turn), MIDDLE[1] + DOWN * Math.sin(turn)];
  });
}

/**
 * Draw the table from above: players are discs, bots squares, free seats dashed.
 *
 * @param {api.Place[]} seats
 */
export function feltPicture(seats) {
  const at = places(seats.length);
  return picture("0 -2 100 80", { class: "small-felt" },
    s("path", { d: CLOTH, class: "small-cloth" }),
    Array.from({ length: 5 }, (_, n) => s("rect",
      { x: 26.5 + 9.6 * n, y: 16, width: 7.6, height: 10.6, rx: 1.4,
      class: n < 3 ? "up" : "down" })),
    seats.map(({ seat, kind }, n) => mark(kind, at[n], String(seat))));
}

/**
 * @param {string | null | undefined} kind
 * @param {[x: number, y: number]} at
 * @param {string} key
 */
function mark(kind, [x, y], key) {
  if (kind === "bot") return s("rect",
    { x: x - 5.4, y: y - 5.4, width: 10.8, height: 10.8, rx: 3, class: "bot", "data-key": key });
  return s("circle", { cx: x, cy: y, r: 5.8, class: kind ? "person" : "free", "data-key": key });
}

/** @param {number} free */
const seatsText = (free) => (free ? `${plural(free, "seat")} free` : "no free seat");

/**
 * Describe who sits at a table: the names of the people, and how many bots there are.
 *
 * @param {api.Place[]} seats
 */
export function company(seats) {
  const people = seats.filter(({ kind }) => kind === "person").map(({ player }) => player ?? "");
  const bots = seats.filter(({ kind }) => kind === "bot").length;
  const some = people.length > FEW ? [...people.slice(0, FEW - 1), `${people.length - FEW + 1} more`]
    : people;
  const all = [...some, ...(bots ? [`${numberWord(bots)} bot${bots === 1 ? "" : "s"}`] : [])];
  return all.length ? `with ${joinWords(all)}` : "no players yet";
}

/**
 * Create a table's card, with `foot` below it.
 *
 * @param {api.TableCard} table
 * @param {string} named
 * @param {Child} foot
 */
export function tableCard(table, named, foot) {
  const free = table.seats.filter(({ kind }) => !kind).length;
  const meters = Object.entries(table.meters);
  const progressive = table.link ? `Linked progressive ${table.link}` : "Progressive";
  return h("li", { class: "table-card box", "data-key": table.table },
    feltPicture(table.seats),
    h("div", { class: "what" },
      h("h2", {}, h("a", { href: `/table/${encodeURIComponent(table.table)}` }, tableTitle(table.name))),
      h("p", {}, `${named} `, h("a", { href: `/rulebooks/${table.rulebook}` }, table.rulebook)),
      h("p", { class: "quiet" }, table.notes.join(", ")),
      h("p", { class: "with" }, company(table.seats))),
    h("div", { class: "limits" }, h("strong", {}, table.limits), h("p", {}, seatsText(free))),
    h("dl", { class: "table-meters" }, meters.length
      ? meters.map(([name, cents]) => h("div", { "data-key": name },
        h("dt", {}, meters.length > 1 ? `${progressive}, ${name}` : progressive),
        h("dd", {}, money(cents))))
      : h("div", {}, h("dt", {}, "No progressive"))),
    h("div", { class: "foot" }, foot));
}

/** Create the legend of the pictures. */
export function legend() {
  /** @type {(kind: string | null, words: string) => HTMLElement} */
  const one = (kind, words) => h("span", {}, picture("0 0 14 14", {}, mark(kind, [7, 7], words)), words);
  return h("p", { class: "legend small-felt", "aria-hidden": "true" }, one("person", "player"),
    one("bot", "bot"), one(null, "free"));
}
