// @ts-nocheck
// What happened, moment by moment: a sight with what has not been shown yet taken out of it again.

const ACTS = new Set(["Checked", "PlayMade", "Folded", "HandSet", "HandSplit"]);
const BOARD = new Set(["BoardTurned", "BoardArranged"]);
const HOLDS = { CardsDealt: 60, BoardTurned: 420, PlayersLooked: 150, DealerRevealed: 700,
  DealerHandSet: 500,
  HandTurned: 500, WagersPlaced: 120, RoundVoided: 700 };
const ACT = 300;
const LINE = 700;
const LONGEST = 9000;
const LONGEST_DEAL = 3000;

const facesOf = (events) => events.filter(({ type }) => type === "BoardTurned").flatMap(({ face }) => face
  ?? []);
const dealtTo = (events, to) => events.filter((event) => event.type === "CardsDealt" && event.to === to)
  .reduce((all, { count }) => all + count, 0);

/** `to` as it was once `done` had happened and `later` had not; `from` is what was seen before both. */
export function masked(from, to, done, later) {
  if (later.some(({ type }) => type === "RoundOpened")) return from;
  const before = from.seen.number === to.seen.number ? from.seen : {};
  const seen = { ...to.seen };
  const layout = { ...to.layout, turn: 0 };
  const yours = { ...to.yours, choices: [] };
  const has = (type) => later.some((event) => event.type === type);
  if (later.some(({ type }) => BOARD.has(type))) seen.board = [...(before.board ?? []), ...facesOf(done)];
  layout.board = seen.board ?? layout.board;
  layout.board_down = Math.max(0, layout.board_down + facesOf(later).length - dealtTo(later, "board"));
  layout.dealer_cards = Math.max(0, layout.dealer_cards - dealtTo(later, "dealer"));
  if (has("DealerRevealed")) Object.assign(seen, { dealer: [], dealer_reads: "", qualifies: null });
  else if (has("DealerHandSet")) {
    seen.dealer = done.find(({ type }) => type === "DealerRevealed")?.face ?? before.dealer;
    seen.dealer_reads = "";
  }
  if (has("DealerRevealed")) layout.dealer = [];
  if (has("PlayersLooked") || dealtTo(later, `seat ${yours.seat}`)) yours.cards = [];
  else if (!yours.cards?.length && before === from.seen) yours.cards = from.yours.cards;
  if (has("PayoutsShown")) seen.payouts = {};
  if (has("RoundVoided")) seen.void = "";
  if (has("RoundClosed")) Object.assign(seen, { closed: false, net: {} });
  const lines = seen.lines ?? [];
  seen.lines = lines.slice(0, lines.length - later.filter(({ type }) => type === "WagerSettled").length);
  seen.hands = (seen.hands ?? []).filter((hand) => !later.some((event) => turns(event, hand))
    || known(before, hand))
    .map((hand) => (later.some(({ type }) => BOARD.has(type)) ? { ...hand, reads: "", plays: [] } : hand));
  [seen.acts, seen.bets] = [{ ...seen.acts }, { ...seen.bets }];
  for (const { type, seat } of later) {
    if (ACTS.has(type)) seen.acts[seat] = before.acts?.[seat] ?? "";
    if (type === "PlayMade" || type === "WagersPlaced") seen.bets[seat] = before.bets?.[seat] ?? {};
  }
  const gives = later.filter(({ type, seat, for_dealer: dealer }) => type === "WagerSettled"
    && seat === yours.seat && !dealer);
  yours.chips = gives.reduce((chips, { back }) => chips - (back ?? 0), yours.chips ?? 0);
  layout.seats = layout.seats.map((seat) => ({ ...seat,
    hands: seat.hands.map((hand, n) => asItLay(hand, seat.seat, later,
      staked(lines, seat.seat, n + 1))) }));
  return { ...to, layout, seen, yours };
}

/** What was wagered on a hand, as the layout writes it, from what its wagers came to in the end. */
const staked = (lines, seat, hand) => Object.fromEntries(lines
  .filter((line) => line.seat === seat && line.hand === hand && line.stake)
  .map(({ wager, stake }) => [wager, (stake / 100).toFixed(2)]));

const known = (before, { seat, hand }) => (before.hands ?? []).some((one) => one.seat === seat
  && one.hand === hand);

function turns(event, { seat, hand }) {
  if (event.seat !== seat) return false;
  return (event.type === "HandTurned" && event.hand === hand) || event.type === "HandSet"
    || event.type === "HandSplit";
}

function asItLay(hand, seat, later, wagers) {
  const lay = { ...hand, wagers: { ...hand.wagers, ...wagers },
    cards: Math.max(0, hand.cards - dealtTo(later, `seat ${seat}`)) };
  for (const event of later) {
    if (event.type === "CardsRacked" && event.what === `seat ${seat}`) lay.racked = false;
    if (event.type === "Folded" && event.seat === seat) lay.folded = false;
    if (turns(event, { seat, hand: event.hand })) lay.faces = [];
  }
  return lay;
}

/** How long each event is held, in milliseconds at normal pace. */
export function holds(events, seat) {
  const settled = new Set();
  const held = events.map((event) => {
    if (event.type === "WagerSettled") {
      if (event.seat === seat) return LINE;
      const first = !settled.has(event.seat);
      settled.add(event.seat);
      return first ? LINE : 0;
    }
    if (ACTS.has(event.type)) return ACT;
    return (HOLDS[event.type] ?? 0) * (event.type === "CardsDealt" ? event.count : 1);
  });
  const total = (which) => held.reduce((all, ms, n) => all + (which(events[n]) ? ms : 0), 0);
  const deal = total(({ type }) => type === "CardsDealt");
  const every = total(() => true);
  return held.map((ms, n) => {
    const shorter = events[n].type === "CardsDealt" ? Math.min(1, LONGEST_DEAL / (deal || 1)) : 1;
    return ms * Math.min(shorter, LONGEST / Math.max(every, LONGEST));
  });
}
