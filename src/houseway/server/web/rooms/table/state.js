// A view, arranged for drawing: what is at each seat, what came of it, and what the viewer may do there.

import { money } from "../../kit/words.js";

/**
 * A hand at a seat: its cards, the cents on each circle and what they came to.
 *
 * @typedef {{ number: number, faces: string[], covered: number, stakes: Record<string, number>,
 *   results: Record<string, api.SettledWager>, folded: boolean, reads: string, plays: string[] }} Hand
 */
/**
 * A seat at the table; a free one has no hands.
 *
 * @typedef {{ seat: number, free: boolean, name: string, you: boolean, kind: string, here: boolean,
 *   leaves: boolean, seated: boolean, turn: boolean, asked: boolean, ready: boolean, act: string, play: number,
 *   wagered: boolean, lit: boolean, lammer: boolean, hands: Hand[], lines: api.SettledWager[], net: number,
 *   settled: boolean }} Seat
 */

const LEAVING = new Set(["Stand", "Leave", "Sit", "TakeBack"]);

/**
 * A name without the word that marks a bot; the page shows that apart.
 *
 * @param {string} player
 */
export const named = (player) => player.replace(/ \(bot\)$/, "");

/**
 * The numbers of the seats that are taken.
 *
 * @param {api.View} view
 */
export const takenSeats = ({ table }) => Object.keys(table.seats ?? {}).map(Number);

/**
 * The wagers settled so far, in their order.
 *
 * @param {api.View} view
 */
export const settledWagers = ({ table }) => Object.values(table.settled ?? {});

/**
 * The cents that the viewer has wagered in this round, by wager.
 *
 * @param {api.View} view
 */
export const ownBets = ({ table, yours }) => table.seats?.[yours.seat ?? 0]?.bets ?? {};

/**
 * The choices that answer the dealer, and those that have to do with coming and going.
 *
 * @param {api.View} view
 */
export function sorted({ yours }) {
  const choices = yours.choices ?? [];
  return {
    answers: choices.filter(({ command }) => !LEAVING.has(command.type)),
    goings: choices.filter(({ command }) => LEAVING.has(command.type)),
  };
}

/**
 * True if the viewer's seat is asked for a decision now.
 *
 * @param {api.View} view
 */
export function yourTurn(view) {
  const { yours, waits } = view;
  return waits.why === "decision" && Boolean(yours.seat) && (waits.seats ?? []).includes(yours.seat ?? 0)
    && sorted(view).answers.length > 0;
}

/**
 * Everybody at the table, by seat; a free seat is in the list too.
 *
 * @param {api.View} view
 * @param {api.TableSheet} sheet
 */
export function seats(view, sheet) {
  return Array.from({ length: sheet.positions }, (_, n) => seatOf(view, sheet, n + 1));
}

/**
 * @param {api.View} view
 * @param {api.TableSheet} sheet
 * @param {number} number
 * @returns {Seat}
 */
function seatOf(view, sheet, number) {
  const { table, yours, waits } = view;
  const seat = table.seats?.[number];
  const person = view.people?.[number];
  const lines = seat ? settledWagers(view).filter((line) => line.seat === number && !line.for_dealer) : [];
  const hands = Object.entries(seat?.hands ?? {})
    .map(([n, hand]) => handOf(view, sheet, { seat: number, number: Number(n), hand, lines }));
  const bets = seat?.bets ?? {};
  const staked = hands.reduce((all, { stakes }) => all + Object.keys(stakes).length, 0);
  return {
    seat: number,
    free: !seat,
    name: named(seat?.player ?? ""),
    you: Boolean(seat) && yours.seat === number,
    kind: person?.kind ?? "person",
    here: person?.here ?? true,
    leaves: person?.leaves ?? false,
    seated: seat?.seated !== false,
    turn: table.turn === number,
    asked: ["decision", "bets"].includes(waits.why) && (waits.seats ?? []).includes(number),
    ready: (waits.ready ?? []).includes(number),
    act: seat?.act ?? "",
    play: bets.play ?? 0,
    wagered: Object.keys(bets).length > 0,
    lit: seat?.light === true,
    lammer: seat?.lammer === true,
    hands,
    lines,
    net: lines.reduce((total, { net }) => total + net, 0),
    settled: lines.length > 0 && lines.length >= staked,
  };
}

/**
 * @param {api.View} view
 * @param {api.TableSheet} sheet
 * @param {{ seat: number, number: number, hand: api.HandView, lines: api.SettledWager[] }} of
 * @returns {Hand}
 */
function handOf({ table, yours }, sheet, { seat, number, hand, lines }) {
  const own = yours.seat === seat ? yours.cards?.[number - 1] ?? [] : [];
  const faces = hand.faces?.length ? hand.faces : own;
  const dealt = hand.racked ? 0 : hand.cards ?? 0;
  const stakes = { ...hand.wagers, ...(number === 1 ? table.seats?.[seat]?.bets : {}) };
  const settled = lines.filter((line) => line.hand === number);
  for (const { wager, stake } of settled) if (stake) stakes[wager] ??= stake;
  return {
    number,
    faces,
    covered: hand.folded ? 0 : Math.max(0, Math.min(dealt, sheet.cards) - faces.length),
    stakes,
    results: Object.fromEntries(settled.map((line) => [line.wager, line])),
    folded: hand.folded === true,
    reads: hand.reads || (own.length ? yours.reads ?? "" : ""),
    plays: hand.plays ?? [],
  };
}

/**
 * True if the viewer has wagers out in a round that is under way.
 *
 * @param {api.View} view
 * @param {api.TableSheet} sheet
 */
export function standing(view, sheet) {
  const { closed, void: over } = view.table;
  const own = seats(view, sheet).find(({ you }) => you);
  return own !== undefined && !closed && !over && !own.settled
    && own.hands.some(({ folded, stakes }) => !folded && Object.keys(stakes).length > 0);
}

/** @typedef {{ face: string, state?: string | null, dealt?: boolean }} BoardCard */

/**
 * The dealer's hand and the board, with what of them plays in the viewer's hand.
 *
 * @param {api.View} view
 * @param {api.TableSheet} sheet
 */
export function house(view, sheet) {
  const { table, yours } = view;
  const faces = table.board ?? [];
  const own = table.seats?.[yours.seat ?? 0]?.hands[1];
  const plays = new Set(own?.folded ? [] : own?.plays);
  const marked = plays.size > 0 && settledWagers(view).length > 0;
  const board = Array.from({ length: sheet.board }, (_, n) => {
    const face = faces[n] ?? "";
    const state = face && marked ? (plays.has(face) ? "plays" : "unused") : null;
    return { face, state, dealt: n < faces.length + (table.board_down ?? 0) };
  });
  const shown = table.dealer_keeps?.length ? table.dealer_keeps : table.dealer ?? [];
  const dealer = shown.length ? shown : Array(table.dealer_cards ?? 0).fill("");
  return { board, dealer, marked, reads: table.dealer_reads ?? "", qualifies: table.qualifies };
}

/**
 * In a word or two: what a seat does, did or is awaited for.
 *
 * @param {Seat} seat
 * @param {api.View} view
 */
export function doing(seat, { table, waits }) {
  if (!seat.here && seat.kind === "person") return "away";
  if (!seat.seated) return "stands";
  const act = seat.act.replace(/(\d)x/, "$1×");
  if (seat.turn) return seat.you ? "to act" : "decides";
  if (seat.leaves) return "leaves after this round";
  if (act.startsWith("played") && seat.play) return `${act}, ${money(seat.play, { short: true })}`;
  if (act) return act;
  const betting = waits.why === "bets" && table.betting === "open";
  if (betting && !seat.ready && seat.kind !== "bot") return "betting";
  if (table.betting && !seat.wagered && (seat.ready || table.betting === "closed")) return "sits out";
  return betting ? "ready" : "";
}
