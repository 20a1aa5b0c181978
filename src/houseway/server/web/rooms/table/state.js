// A view arranged for drawing: each seat with its hands and results, and the viewer's choices.

import { money } from "../../kit/words.js";

/**
 * A hand at a seat: its cards, the cents on each circle and their results, tips for the dealer and the coupon.
 *
 * @typedef {{ number: number, faces: string[], covered: number, stakes: Record<string, number>,
 *   tips: Record<string, number>, coupon: number, results: Record<string, api.SettledWager>, folded: boolean, reads: string, plays: string[] }} Hand
 */
/**
 * A seat at the table; a free seat has no hands.
 *
 * @typedef {{ seat: number, free: boolean, held: string, name: string, you: boolean, mine: boolean, kind: string, here: boolean,
 *   leaves: boolean, seated: boolean, turn: boolean, awaited: boolean, ready: boolean, act: string, play: number, times: number,
 *   wagered: boolean, lit: boolean, lammer: boolean, lammers: number[], hands: Hand[], lines: api.SettledWager[], net: number,
 *   settled: boolean }} Seat
 */

/** The commands in the table menu: about the seat, and the floor supervisor's orders about minimums and seats. */
const MENU = new Set(["Stand", "Leave", "Sit", "TakeBack", "ChangeMinimum", "KeepMinimum", "HoldSeat", "ReleaseSeat"]);

/**
 * Return a player's name without "(bot)", which the page shows separately.
 *
 * @param {string} player
 */
export const displayName = (player) => player.replace(/ \(bot\)$/, "");

/**
 * Return the numbers of the taken seats.
 *
 * @param {api.View} view
 */
export const takenSeats = ({ table }) => Object.keys(table.seats ?? {}).map(Number);

/**
 * Return all seats of the viewer: one, or several if the house allows more positions.
 *
 * @param {api.View} view
 */
export function ownSeats(view) {
  const { table: { seats: taken = {} }, yours } = view;
  const player = taken[yours.seat ?? 0]?.player;
  return player === undefined ? [] : takenSeats(view).filter((seat) => taken[seat].player === player);
}

/**
 * Return the seats of connected players that the table waits for, if the viewer is a floor supervisor.
 *
 * @param {api.View} view
 * @param {string[]} roles
 */
export function stallingSeats({ waits, people, yours }, roles) {
  if (!roles.includes("floor")) return [];
  return (waits.seats ?? []).filter((seat) => seat !== yours.seat && people?.[seat]?.kind === "person"
    && people[seat].here !== false && !people[seat].leaves);
}

/**
 * Return another seat of the viewer that must decide; 0 if there is none, or if the current seat must decide.
 *
 * @param {api.View} view
 */
export function nextOwnSeat(view) {
  const { waits, yours } = view;
  const deciding = waits.why === "decision" ? waits.seats ?? [] : [];
  return deciding.includes(yours.seat ?? 0) ? 0 : ownSeats(view).find((seat) => deciding.includes(seat)) ?? 0;
}

/**
 * Return the wagers settled so far, in order.
 *
 * @param {api.View} view
 */
export const settledWagers = ({ table }) => Object.values(table.settled ?? {});

/**
 * Return the viewer's wagers in this round, in cents.
 *
 * @param {api.View} view
 */
export const ownBets = ({ table, yours }) => table.seats?.[yours.seat ?? 0]?.bets ?? {};

/**
 * True if a line settles a player's own chips, not a tip or a coupon.
 *
 * @param {api.SettledWager} line
 */
const ofWager = ({ for_dealer: tip, coupon }) => !tip && !coupon;

/**
 * Return the viewer's tips for the dealer and the coupon on the layout, in cents.
 *
 * @param {api.View} view
 */
export function ownExtras({ table, yours }) {
  const hand = table.seats?.[yours.seat ?? 0]?.hands[1];
  return { tips: hand?.tips ?? {}, coupon: hand?.coupon ?? 0 };
}

/**
 * Split the viewer's choices into answers to the dealer and choices for the table menu.
 *
 * @param {api.View} view
 */
export function splitChoices({ yours }) {
  const choices = yours.choices ?? [];
  return {
    answers: choices.filter(({ command }) => !MENU.has(command.type)),
    seatChoices: choices.filter(({ command }) => MENU.has(command.type)),
  };
}

/**
 * Return the choices in their places: check or fold on the left, then the plays by size.
 *
 * @template {{ command: Record<string, any> | null }} T
 * @param {T[]} options
 * @returns {T[]}
 */
export function inPlaces(options) {
  /** @param {T} option */
  const place = ({ command }) => (command?.type === "Play" ? command.times : 0);
  return [...options].sort((a, b) => place(a) - place(b));
}

/**
 * True if it is the viewer's turn to decide.
 *
 * @param {api.View} view
 */
export function yourTurn(view) {
  const { yours, waits } = view;
  return waits.why === "decision" && Boolean(yours.seat) && (waits.seats ?? []).includes(yours.seat ?? 0)
    && splitChoices(view).answers.length > 0;
}

/**
 * Return all seats, including free ones.
 *
 * @param {api.View} view
 * @param {api.TableSheet} sheet
 */
export function seats(view, sheet) {
  return Array.from({ length: sheet.positions }, (_, n) => seatOf(view, sheet, n + 1));
}

/**
 * Describe for whom a free seat is held, and until when if the floor supervisor said so.
 *
 * @param {[string, string] | undefined} hold
 */
const heldText = (hold) => (hold ? `held for ${hold[0]}${hold[1] ? ` until ${hold[1]}` : ""}` : "");

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
  // The stake and the winnings of a tip go to the dealer.
  const lines = seat ? settledWagers(view).filter((line) => line.seat === number)
    .map((line) => (line.for_dealer ? { ...line, net: -line.stake } : line)) : [];
  const hands = Object.entries(seat?.hands ?? {})
    .map(([n, hand]) => handOf(view, sheet, { seat: number, number: Number(n), hand, lines }));
  const bets = seat?.bets ?? {};
  const staked = hands.reduce((all, { stakes }) => all + Object.keys(stakes).length, 0);
  return {
    seat: number,
    free: !seat,
    held: seat ? "" : heldText(table.held?.[number]),
    name: displayName(seat?.player ?? ""),
    you: Boolean(seat) && yours.seat === number,
    mine: ownSeats(view).includes(number),
    kind: person?.kind ?? "person",
    here: person?.here ?? true,
    leaves: person?.leaves ?? false,
    seated: seat?.seated !== false,
    turn: table.turn === number || (table.turns ?? []).includes(number),
    awaited: ["decision", "bets"].includes(waits.why) && (waits.seats ?? []).includes(number),
    ready: (waits.ready ?? []).includes(number),
    act: seat?.act ?? "",
    times: seat?.times ?? 0,
    play: bets.play ?? 0,
    wagered: Object.keys(bets).length > 0,
    lit: seat?.light === true,
    lammer: seat?.lammer === true,
    lammers: seat?.lammers ?? [],
    hands,
    lines,
    net: lines.reduce((total, { net }) => total + net, 0),
    settled: lines.length > 0 && lines.filter(ofWager).length >= staked,
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
  const settled = lines.filter((line) => line.hand === number && ofWager(line));
  for (const { wager, stake } of settled) if (stake) stakes[wager] ??= stake;
  return {
    number,
    faces,
    covered: hand.folded ? 0 : Math.max(0, Math.min(dealt, sheet.cards) - faces.length),
    stakes,
    tips: hand.tips ?? {},
    coupon: hand.coupon ?? 0,
    results: Object.fromEntries(settled.map((line) => [line.wager, line])),
    folded: hand.folded === true,
    reads: hand.reads || (own.length ? yours.reads ?? "" : ""),
    plays: hand.plays ?? [],
  };
}

/**
 * True if the viewer has wagers in a round that is still being played.
 *
 * @param {api.View} view
 * @param {api.TableSheet} sheet
 */
export function hasWagersInPlay(view, sheet) {
  const { closed, void: over } = view.table;
  const own = seats(view, sheet).find(({ you }) => you);
  return own !== undefined && !closed && !over && !own.settled
    && own.hands.some(({ folded, stakes }) => !folded && Object.keys(stakes).length > 0);
}

/**
 * Return the cents that the viewer loses by folding: the wagers against the dealer.
 *
 * @param {api.View} view
 * @param {api.TableSheet} sheet
 */
export function foldLoss(view, sheet) {
  const bets = ownBets(view);
  return sheet.circles.filter(({ shape }) => shape === "circle")
    .reduce((all, { wager }) => all + (bets[wager] ?? 0), 0);
}

/** @typedef {{ face: string, state?: string | null, dealt?: boolean }} BoardCard */

/**
 * Return the dealer's hand and the board, with the cards that play in the viewer's hand marked.
 *
 * @param {api.View} view
 * @param {api.TableSheet} sheet
 */
export function dealerAndBoard(view, sheet) {
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
 * Return a seat's play wager: "4×, $40". Empty if the seat has not played.
 *
 * @param {Seat} seat
 */
export const playText = ({ times, play }) => (times ? `${times}×${play ? `, ${money(play, { short: true })}` : ""}` : "");

/**
 * Describe in a word or two what a seat is doing or did last.
 *
 * @param {Seat} seat
 * @param {api.View} view
 */
export function statusOf(seat, { table, waits }) {
  if (!seat.here && seat.kind === "person") return "away";
  if (!seat.seated) return "stood up";
  const play = playText(seat);
  if (seat.turn) return seat.you ? "to act" : "decides";
  if (seat.leaves) return "leaves after this round";
  if (play) return `played ${play}`;
  if (seat.act) return seat.act;
  const betting = waits.why === "bets" && table.betting === "open";
  if (betting && !seat.ready && seat.kind !== "bot") return "betting";
  if (table.betting && !seat.wagered && (seat.ready || table.betting === "closed")) return "sits out";
  return betting ? "ready" : "";
}
