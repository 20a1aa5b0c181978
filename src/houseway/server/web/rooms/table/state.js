// @ts-nocheck
// A sight, arranged for drawing: what lies at each seat, what came of it, and what one may do there.

import { centsOf } from "../../kit/words.js";

const LEAVING = new Set(["Stand", "Leave", "Sit", "TakeBack"]);

/** A name without the word that says it is a program's; that stands apart. */
export const named = (player) => player.replace(/ \(bot\)$/, "");

const sum = (lines) => lines.reduce((total, { net }) => total + net, 0);

/** The choices that answer the dealer, and those that have to do with coming and going. */
export function sorted(choices) {
  return {
    answers: choices.filter(({ command }) => !LEAVING.has(command.type)),
    goings: choices.filter(({ command }) => LEAVING.has(command.type)),
  };
}

/** Whether the viewer's seat is asked for something now. */
export function yourTurn({ yours, waits }) {
  return waits.why === "decision" && Boolean(yours.seat) && waits.seats.includes(yours.seat)
    && sorted(yours.choices ?? []).answers.length > 0;
}

/** Everybody at the table, by seat; a free seat is there too. */
export function seats(sight, sheet) {
  const seated = new Map(sight.layout.seats.map((seat) => [seat.seat, seat]));
  return Array.from({ length: sheet.positions }, (_, n) => n + 1)
    .map((n) => seated.has(n) ? taken(sight, sheet, seated.get(n)) : { seat: n, free: true, hands: [] });
}

function taken(sight, sheet, seen) {
  const n = seen.seat;
  const { yours, waits, people, seen: round } = sight;
  const lines = (round.lines ?? []).filter((line) => line.seat === n && !line.for_dealer);
  const hands = seen.hands.map((hand, index) => handOf(sight, sheet, seen, hand, index + 1, lines));
  const made = round.bets?.[n] ?? {};
  const staked = hands.reduce((all, { stakes }) => all + Object.keys(stakes).length, 0);
  return {
    seat: n,
    name: named(seen.player),
    chips: centsOf(seen.chips),
    you: yours.seat === n,
    kind: people[n]?.kind ?? "person",
    here: people[n]?.here ?? true,
    leaves: people[n]?.leaves ?? false,
    seated: seen.seated !== false,
    turn: sight.layout.turn === n,
    asked: ["decision", "bets"].includes(waits.why) && waits.seats?.includes(n),
    ready: waits.ready?.includes(n) ?? false,
    act: round.acts?.[n] ?? "",
    play: made.play ?? 0,
    wagered: Object.keys(made).length > 0,
    lit: seen.light === true,
    lammer: seen.lammer === true,
    hands,
    lines,
    net: sum(lines),
    settled: lines.length > 0 && lines.length >= staked,
  };
}

/** Whether the viewer has wagers out in a round that goes on. */
export function standing(sight, sheet) {
  const { closed, void: over } = sight.seen;
  const own = seats(sight, sheet).find(({ you }) => you);
  return Boolean(own) && !closed && !over && !own.settled
    && own.hands.some(({ folded, stakes }) => !folded && Object.keys(stakes).length > 0);
}

function handOf({ layout, yours, seen: round }, sheet, seat, hand, number, lines) {
  const own = yours.seat === seat.seat ? yours.cards?.[number - 1] ?? [] : [];
  const turned = (round.hands ?? []).find((one) => one.seat === seat.seat && one.hand === number);
  const lies = hand.racked ? 0 : hand.cards;
  const faces = turned?.cards ?? (hand.faces?.length ? hand.faces : own);
  const stakes = Object.fromEntries(Object.entries(hand.wagers
    ?? {}).map(([name, text]) => [name, centsOf(text)]));
  if (number === 1) Object.assign(stakes, round.bets?.[seat.seat]);
  for (const { hand: of, wager, stake } of lines) if (of === number && stake) stakes[wager] ??= stake;
  const results = Object.fromEntries(lines.filter((line) => line.hand === number).map((line) => [line.wager,
    line]));
  const covered = Math.max(0, Math.min(lies, sheet.cards) - faces.length);
  return {
    number,
    faces,
    covered: hand.folded ? 0 : covered,
    stakes,
    results,
    folded: hand.folded === true,
    dealt: lies > 0 || layout.board_down > 0 || layout.board.length > 0,
    reads: turned?.reads || (own.length ? yours.reads ?? "" : ""),
    plays: turned?.plays ?? [],
  };
}

/** The dealer's hand and the board, with what of them plays in the viewer's hand. */
export function house(sight, sheet) {
  const { layout, seen, yours } = sight;
  const faces = seen.board?.length ? seen.board : layout.board;
  const folded = layout.seats.find(({ seat }) => seat === yours.seat)?.hands[0]?.folded;
  const mine = folded ? null : (seen.hands ?? []).find(({ seat, plays }) => seat === yours.seat
    && plays?.length);
  const plays = new Set(mine?.plays ?? []);
  const marked = plays.size > 0 && (seen.lines ?? []).length > 0;
  const board = Array.from({ length: sheet.board }, (_, n) => {
    if (n < faces.length) return { face: faces[n], state: marked
      ? (plays.has(faces[n]) ? "plays" : "unused") : null };
    return { face: "", dealt: n < faces.length + layout.board_down };
  });
  const shown = seen.dealer?.length ? seen.dealer : layout.dealer;
  const dealer = shown.length ? shown.map((face) => ({ face }))
    : Array.from({ length: layout.dealer_cards }, () => ({ face: "" }));
  return { board, dealer, marked, reads: seen.dealer_reads ?? "", qualifies: seen.qualifies };
}

/** In a word or two what a seat does, did or is awaited for. */
export function doing(seat, { layout, waits }) {
  if (!seat.here && seat.kind === "person") return "away";
  if (!seat.seated) return "stands";
  const act = seat.act.replace(/(\d)x/, "$1×");
  if (seat.turn) return seat.you ? "to act" : "decides";
  if (seat.leaves) return "leaves after this round";
  if (act.startsWith("played") && seat.play) return `${act}, $${(seat.play / 100).toLocaleString("en-US")}`;
  if (act) return act;
  if (waits.why === "bets" && layout.betting === "open" && !seat.ready && seat.kind !== "bot") {
    return "betting";
  }
  if (layout.betting && !seat.wagered && (seat.ready || layout.betting === "closed")) return "sits out";
  return waits.why === "bets" && layout.betting === "open" ? "ready" : "";
}
