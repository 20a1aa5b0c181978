import assert from "node:assert/strict";
import { test } from "node:test";
import { prompt, scriptAfter } from "../../src/houseway/server/web/rooms/table/prompt.js";
import { crowded, slots, spotsOf } from "../../src/houseway/server/web/rooms/table/slots.js";
import { Stakes } from "../../src/houseway/server/web/rooms/table/stakes.js";
import { inPlaces, statusOf, dealerAndBoard, nextOwnSeat, ownSeats, seats, hasWagersInPlay, stallingSeats, yourTurn } from "../../src/houseway/server/web/rooms/table/state.js";

const CIRCLES = [{ wager: "ante", title: "ante", shape: "circle" },
  { wager: "blind", title: "blind", shape: "circle", equals: "ante" },
  { wager: "play", title: "play", shape: "circle", later: true, times: [3, 4] },
  { wager: "trips", title: "trips", shape: "diamond" },
  { wager: "progressive", title: "progressive", shape: "sensor" }];
const SHEET = { circles: CIRCLES, positions: 6, cards: 2, board: 5, chips: [100, 500, 2500] };
const SPOTS = [{ wager: "ante", least: 500, most: 10000, exact: false, beside: [] },
  { wager: "trips", least: 500, most: null, exact: false, beside: ["ante"] },
  { wager: "progressive", least: 100, most: 100, exact: true, beside: ["ante"] }];

function view(table = {}, yours = {}, waits = {}) {
  const seat = { player: "Ann", chips: 50000, hands: { 1: { cards: 0 } } };
  return { table: { rulebook: "uth-ma", section: "round", round: 7, seats: { 3: seat }, ...table },
    yours: { seat: 3, chips: 50000, spots: SPOTS, ...yours }, waits: { why: "bets", seats: [3], ...waits } };
}

function staked(bets = {}, chips = 50000) {
  const stakes = new Stakes();
  stakes.see(view({ seats: { 3: { player: "Ann", chips, hands: {}, bets } } }, { chips }), SHEET);
  return stakes;
}

test("the first press bets the minimum, and the next adds the chip", () => {
  const stakes = staked();
  assert.equal(stakes.chip, 500);
  stakes.chip = 100;
  stakes.draft = stakes.added("ante").wagers;
  assert.deepEqual(stakes.draft, { ante: 500 });
  assert.deepEqual(stakes.added("ante").wagers, { ante: 600 });
});

test("a wager that equals another is pressed with it and counts twice", () => {
  const stakes = staked();
  stakes.draft = stakes.added("blind").wagers;
  assert.deepEqual(stakes.draft, { ante: 500 });
  assert.deepEqual(stakes.out, [["ante", 500], ["blind", 500]]);
  assert.equal(stakes.total, 1000);
  assert.equal(stakes.free, 49000);
});

test("a circle accepts its maximum and says so", () => {
  const stakes = staked({ ante: 9900, blind: 9900 });
  assert.deepEqual(stakes.added("ante"), { wagers: { ante: 10000 }, head: "Ante must be at most $100.", text: "" });
  stakes.draft = { ante: 10000 };
  assert.deepEqual(stakes.added("ante"), { head: "Ante must be at most $100.", text: "" });
});

test("a circle with a fixed amount accepts exactly that", () => {
  const stakes = staked({ ante: 500, blind: 500 });
  assert.deepEqual(stakes.added("progressive").wagers, { ante: 500, progressive: 100 });
  stakes.draft = { ante: 500, progressive: 100 };
  assert.equal(stakes.added("progressive").head, "Progressive must be exactly $1.");
  assert.deepEqual(stakes.removed("progressive").wagers, { ante: 500 });
});

test("chips the player does not have are not bet", () => {
  const stakes = staked({}, 900);
  assert.deepEqual(stakes.added("ante"), { head: "You have $9.00 left.", text: "Ante and Blind would cost $10.00." });
  assert.equal(stakes.broke, false);
  const poor = staked({}, 99);
  assert.equal(poor.broke, true);
});

test("removing chips below the minimum removes them all", () => {
  const stakes = staked({ ante: 1000, blind: 1000 });
  assert.deepEqual(stakes.removed("ante").wagers, { ante: 500 });
  stakes.chip = 2500;
  assert.deepEqual(stakes.removed("ante").wagers, {});
});

test("a side bet without its main wager is incomplete", () => {
  const stakes = staked();
  stakes.draft = { trips: 500 };
  assert.equal(stakes.missing, "Trips needs the ante. Bet the ante first.");
  stakes.draft = { trips: 500, ante: 500 };
  assert.equal(stakes.missing, "");
});

test("the total includes what the largest play would add", () => {
  const stakes = staked({ ante: 500, blind: 500 }, 1999);
  assert.equal(stakes.line, "Ante $5 and Blind $5: $10.00 bet. You do not have the $20.00 for a 4× play.");
  assert.match(staked({ ante: 500, blind: 500 }, 2000).line, /A 4× play would add \$20\.00\.$/);
});

test("a player's seats are those with the same name, and the one that must decide comes next", () => {
  const taken = { 2: { player: "Bo", hands: {} }, 3: { player: "Ann", hands: {} }, 5: { player: "Ann", hands: {} } };
  assert.deepEqual(ownSeats(view({ seats: taken })), [3, 5]);
  assert.deepEqual(ownSeats(view({ seats: taken }, { seat: 0 })), []);
  const waiting = (deciding) => nextOwnSeat(view({ seats: taken }, {}, { why: "decision", seats: deciding }));
  assert.deepEqual([waiting([2, 5]), waiting([3, 5]), waiting([2])], [5, 0, 0]);
});

test("the tips of the last round are repeated if the table takes them, and the coupon is not", () => {
  const last = { ante: 500, "tip ante": 200, "tip play": 100, coupon: 1 };
  const stakes = staked();
  assert.deepEqual(stakes.accepted(last), { ante: 500 });
  stakes.tipSpots = ["ante"];
  assert.deepEqual(stakes.accepted(last), { ante: 500, "tip ante": 200 });
});

test("the wagers of the last round are repeated as far as they are accepted", () => {
  assert.deepEqual(staked().accepted({ ante: 500, cover_all: 100 }), { ante: 500 });
});

test("a seat shows its own cards until its hand is turned up", () => {
  const hands = { 1: { cards: 2 } };
  const own = view({ seats: { 3: { player: "Ann", chips: 1, hands } } }, { cards: [["As", "Ad"]], reads: "pair of aces" });
  const [, , third] = seats(own, SHEET);
  assert.deepEqual(third.hands[0].faces, ["As", "Ad"]);
  assert.equal(third.hands[0].covered, 0);
  assert.equal(third.hands[0].reads, "pair of aces");
  const other = { ...own, yours: { seat: 5, spots: [] } };
  assert.deepEqual(seats(other, SHEET)[2].hands[0].faces, []);
  assert.equal(seats(other, SHEET)[2].hands[0].covered, 2);
});

test("a free seat has no hands, and a bot's name is shown alone", () => {
  const all = seats({ ...view({ seats: { 2: { player: "Otto (bot)", chips: 1, hands: {} } } }),
    people: { 2: { kind: "bot" } } }, SHEET);
  assert.deepEqual(all.map(({ free }) => free), [true, false, true, true, true, true]);
  assert.deepEqual([all[1].name, all[1].kind], ["Otto", "bot"]);
});

const LINE = { seat: 3, hand: 1, stake: 500, result: "win", net: 500 };

test("a settled wager keeps its stake and adds to the seat's result", () => {
  const settled = { 1: { ...LINE, wager: "ante" }, 2: { ...LINE, wager: "blind", result: "lose", net: -500 },
    3: { ...LINE, wager: "ante", seat: 5 }, 4: { ...LINE, wager: "tip", for_dealer: true } };
  const seat = seats(view({ settled }), SHEET)[2];
  // A tip costs the player its stake; its winnings are the dealer's.
  assert.equal(seat.net, -500);
  assert.deepEqual(seat.hands[0].stakes, { ante: 500, blind: 500 });
  assert.equal(seat.settled, true);
  assert.equal(seat.hands[0].results.blind.net, -500);
});

test("wagers are in play during an unfinished round", () => {
  const out = (hand) => ({ seats: { 3: { player: "Ann", chips: 1, hands: { 1: { wagers: { ante: 500 }, ...hand } } } } });
  assert.equal(hasWagersInPlay(view(out({})), SHEET), true);
  assert.equal(hasWagersInPlay(view(out({ folded: true })), SHEET), false);
  assert.equal(hasWagersInPlay(view({ ...out({}), closed: true }), SHEET), false);
  assert.equal(hasWagersInPlay(view(), SHEET), false);
});

test("it is the viewer's turn if their seat decides and has an answer", () => {
  const choices = [{ says: "check", command: { type: "Check" } }];
  assert.equal(yourTurn(view({}, { choices }, { why: "decision" })), true);
  assert.equal(yourTurn(view({}, { choices: [{ says: "leave", command: { type: "Leave" } }] }, { why: "decision" })), false);
  assert.equal(yourTurn(view({}, { choices }, { why: "decision", seats: [4] })), false);
});

test("the board has a place for every card; those that play are marked once wagers are settled", () => {
  const hands = { 1: { cards: 2, faces: ["As", "Ad"], plays: ["As", "Ad", "Kc", "Qc", "Jc"] } };
  const table = { seats: { 3: { player: "Ann", chips: 1, hands } }, board: ["Kc", "2d"], board_down: 1, dealer_cards: 2 };
  assert.deepEqual(dealerAndBoard(view(table), SHEET).board.map(({ face, state, dealt }) => [face, state, dealt]),
    [["Kc", null, true], ["2d", null, true], ["", null, true], ["", null, false], ["", null, false]]);
  const marked = dealerAndBoard(view({ ...table, settled: { 1: { ...LINE, wager: "ante" } } }), SHEET);
  assert.deepEqual(marked.board.slice(0, 2).map(({ state }) => state), ["plays", "unused"]);
  assert.deepEqual(marked.dealer, ["", ""]);
  assert.deepEqual(dealerAndBoard(view({ dealer: ["2c", "3c", "4c", "5c"], dealer_keeps: ["4c", "5c"] }), SHEET).dealer,
    ["4c", "5c"]);
});

test("a seat's line says what the seat does, did or must do", () => {
  const line = (seat, given = {}, waits = {}) => {
    const one = view({ betting: "open", seats: { 3: { player: "Ann", chips: 1, hands: {}, ...seat } }, ...given }, {}, waits);
    return statusOf(seats(one, SHEET)[2], one);
  };
  assert.equal(line({}), "betting");
  assert.equal(line({}, {}, { ready: [3] }), "sits out");
  assert.equal(line({ bets: { ante: 500 } }, {}, { ready: [3] }), "ready");
  assert.equal(line({}, { turn: 3 }), "to act");
  assert.equal(line({ act: "played 4x", times: 4, bets: { play: 2050 } }), "played 4×, $20.50");
  assert.equal(line({ seated: false }), "stood up");
});

test("seats on the left mirror those on the right", () => {
  for (const positions of [6, 7]) {
    for (let you = 1; you <= positions; you += 1) {
      const [here, there] = [slots(positions, you), slots(positions, positions + 1 - you)];
      assert.equal(Object.keys(here).length, positions);
      assert.equal(here.you[0] + there.you[0], 1080);
      for (let seat = 1; seat <= positions; seat += 1) {
        if (seat !== you) assert.equal(here[seat][0] + there[positions + 1 - seat][0], 1080);
      }
    }
  }
  assert.equal(crowded(7, 1), true);
  assert.equal(crowded(6, 1), false);
});

test("no two circles share a place", () => {
  for (const own of [true, false]) {
    const spots = spotsOf(CIRCLES, own);
    assert.deepEqual(Object.keys(spots).sort(), ["ante", "blind", "play", "progressive", "trips"]);
    assert.equal(new Set(Object.values(spots).map(({ x, y }) => `${x}/${y}`)).size, 5);
  }
});

test("the dealer's question names each size of the play wager in words", () => {
  const asked = (rest, ...times) => prompt(3, [{ says: rest, command: { type: rest === "fold" ? "Fold" : "Check" } },
    ...times.map((n) => ({ says: `play ${n}x`, command: { type: "Play", times: n } }))]).says;
  assert.equal(asked("check", 4, 3), "Seat three: check, or play four or three times your ante.");
  assert.equal(asked("check", 2), "Seat three: check, or play twice your ante.");
  assert.equal(asked("fold", 1), "Seat three: fold, or play 1× your ante.");
});

test("the floor supervisor may remove connected players that the table waits for", () => {
  const people = { 1: { kind: "person" }, 2: { kind: "person" }, 3: { kind: "bot" }, 4: { kind: "person", here: false },
    5: { kind: "person", leaves: true } };
  const view = /** @type {any} */ ({ waits: { why: "bets", seats: [1, 2, 3, 4, 5] }, people, yours: { seat: 1 } });
  assert.deepEqual(stallingSeats(view, ["floor"]), [2]);
  assert.deepEqual(stallingSeats({ ...view, yours: {} }, ["floor"]), [1, 2]);
  assert.deepEqual(stallingSeats(view, ["dealer"]), []);
});

test("the line shows who decides, never a step of the dealer's procedure or an old question", () => {
  const look = [{ script: [{ says: "Let the players look at their cards." }] }];
  const bets = [{ script: [{ says: "“No more bets.”", spoken: "No more bets.", clause: "MA-8.b.2" }] }];
  const other = view({ turn: 5 }, {}, { why: "decision", seats: [5] });
  const choices = [{ says: "check", command: { type: "Check" }, clause: "MA-9.a.2" }];
  const mine = view({ turn: 3 }, { choices }, { why: "decision", seats: [3] });
  const after = view({ turn: 0 }, {}, { why: "dealer", seats: [] });
  const closing = scriptAfter(null, after, bets, false);
  assert.deepEqual(closing, { says: "No more bets.", voice: true, clause: "MA-8.b.2" });
  assert.deepEqual(scriptAfter(closing, after, look, false), closing);
  assert.equal(scriptAfter(closing, other, [], false).says, "Seat five decides.");
  const asked = scriptAfter(closing, mine, [], true);
  assert.equal(asked.says, "Seat three: check.");
  assert.equal(scriptAfter(asked, other, [], false).says, "Seat five decides.");
  assert.equal(scriptAfter(asked, after, [], false), null);
  const both = view({ turns: [1, 5] }, {}, { why: "decision", seats: [1, 5] });
  assert.equal(scriptAfter(asked, both, [], false).says, "Seats one and five decide.");
});

test("choices keep their places: check or fold first, then the plays by size", () => {
  const play = (times) => ({ says: `play ${times}x`, command: { type: "Play", times } });
  const [check, fold] = ["Check", "Fold"].map((type) => ({ says: type.toLowerCase(), command: { type } }));
  assert.deepEqual(inPlaces([play(4), check, play(3)]).map(({ says }) => says), ["check", "play 3x", "play 4x"]);
  assert.deepEqual(inPlaces([play(1), fold]).map(({ says }) => says), ["fold", "play 1x"]);
});

test("the chip keys change the main wager if no circle has the focus", () => {
  assert.equal(staked().main, "ante");
  assert.equal(new Stakes().main, "");
});
