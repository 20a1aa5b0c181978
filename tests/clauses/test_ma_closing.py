"""Massachusetts, sections 7(f) to 9 and 12: stub, folds, the dealer's hand, settlement, rack and closing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from houseway.cards import Card, cards, codes
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.evolve import evolve
from houseway.engine.meters import MICRO
from houseway.engine.rack import PileRecord, RackRecord, rebuild
from houseway.engine.state import State, total
from houseway.rules.loader import load
from houseway.testing.driver import stacked
from table_driver import Driver, table

MODES = ["manual", "device"]
LOW = "Qd 9s 7h 4c 2d"
ACES, NINES, NOTHING = "As Ah", "9c 8s", "Jc 5h"
"""With the low board, the hands make a pair of aces, a pair of nines and queen high; the dealer has a pair of
queens."""
QUEENS = "Qc 3s"
KINGS_UP = "Ks Kd 7c 7h 2s"


def dealt_table(
    mode: str,
    *holes: str,
    board: str = LOW,
    dealer: str = QUEENS,
    bets: dict[int, dict[str, Any]],
    **given: Any,
) -> Driver:
    """A table with these hands at the seats that bet, dealt up to the first decision."""
    t = table("uth-ma", mode=mode, deck=stacked(mode, board, dealer, *holes), **given)
    for seat, wagers in bets.items():
        t.bet(seat, **{"ante": 10, **wagers})
    return t.deal()


def to_the_river(t: Driver) -> Driver:
    """Everyone checks twice."""
    for _ in range(2):
        t.check(*[n for n, s in t.state.seats.items() if s.hands[0].cards]).deal()
    return t


def three(mode: str, **bets: dict[str, Any]) -> Driver:
    """Seats 2, 4 and 6 with aces, nines and nothing, all due to play or fold."""
    wagers = {n: bets.get(f"s{n}", {}) for n in (2, 4, 6)}
    return to_the_river(dealt_table(mode, ACES, NINES, NOTHING, bets=wagers))


# --- the end of a round ---


@pytest.mark.clause("MA-1.round")
@pytest.mark.parametrize("mode", MODES)
def test_a_round_does_not_close_while_a_trips_wager_is_open(mode: str) -> None:
    t = three(mode, s2={"trips": 5})
    t.fold(2).play(4, 1).play(6, 1).until("settle what folded hands kept")
    assert t.wagers(2) == {"trips": "5.00"}
    t.out_of_order("close the round")
    t.finish()
    closed = t.last(e.RoundClosed)
    assert (closed.number, closed.clause) == (1, "MA-1.round")
    assert closed.net == {2: -2500, 4: -3000, 6: -3000}
    t.check_books()


# --- folds ---

FOLDS = [
    pytest.param("manual", "MA-7.f.5.ii.b", marks=pytest.mark.clause("MA-7.f.5.ii.b"), id="by hand"),
    pytest.param("device", "MA-9.e.2.ii", marks=pytest.mark.clause("MA-9.e.2.ii"), id="by machine"),
]


@pytest.mark.parametrize(("mode", "clause"), FOLDS)
def test_a_fold_without_trips_is_counted_face_down_into_the_rack(mode: str, clause: str) -> None:
    t = three(mode).play(2, 1).play(4, 1).fold(6)
    counted, racked = t.last(e.CardsCounted), t.last(e.CardsRacked)
    assert (counted.seat, counted.count, counted.clause) == (6, 2, clause)
    assert (racked.what, racked.count, racked.clause) == ("seat 6", 2, clause)
    assert racked.face == ()
    assert t.state.seats[6].hands[0].racked
    # At once: the dealer's cards are still face down.
    assert not t.state.round.revealed


@pytest.mark.parametrize(("mode", "clause"), FOLDS)
def test_a_fold_with_trips_is_not_racked(mode: str, clause: str) -> None:
    t = three(mode, s4={"trips": 5}).play(2, 1).fold(4)
    assert not t.state.seats[4].hands[0].racked
    t.fold(6)
    assert [r.what for r in t.seen(e.CardsRacked) if r.clause == clause] == ["seat 6"]


# --- the dealer's hand ---


def last_call(t: Driver) -> tuple[str, set[Card]]:
    """The last hand called aloud: its name and its five cards."""
    call = next(line for line in reversed(t.says()) if " has " in line)
    _, _, hand = call.rpartition("“")[2].partition(" has ")
    reads, _, five = hand.rstrip(".”").rpartition(": ")
    return reads, set(cards(five))


@pytest.mark.clause("MA-7.f.6-a")
def test_the_cover_card_comes_off_once_all_have_folded_or_played() -> None:
    t = three("manual").play(2, 1).play(4, 1)
    for step in ("take the cover card off", "turn up the dealer's cards"):
        assert t.out_of_order(step).clause == "MA-7.f.6-a"
    t.fold(6)
    t.perform("take the cover card off")
    event = t.last(e.StepTaken)
    assert (event.step, event.clause) == ("take the cover card off", "MA-7.f.6-a")
    assert t.view("rail").table.dealer == ()


REVEALED = [
    pytest.param("manual", "MA-7.f.6-b", marks=pytest.mark.clause("MA-7.f.6-b"), id="by hand"),
    pytest.param("device", "MA-9.f", marks=pytest.mark.clause("MA-9.f"), id="by machine"),
]


@pytest.mark.parametrize(("mode", "clause"), REVEALED)
def test_the_dealers_cards_are_turned_up_and_the_hand_is_called(mode: str, clause: str) -> None:
    t = three(mode).play(2, 1).play(4, 1).fold(6).until("turn up the dealer's cards")
    revealed, step = t.perform("turn up the dealer's cards")
    assert isinstance(revealed, e.DealerRevealed)
    assert isinstance(step, e.StepTaken)
    assert (codes(revealed.face), revealed.reads, revealed.clause) == ("Qc 3s", "pair", clause)
    assert last_call(t) == ("a pair of queens", set(cards("Qc Qd 9s 7h 4c")))
    assert t.view("rail").table.dealer == ("Qc", "3s")


@pytest.mark.parametrize(("mode", "clause"), REVEALED)
def test_the_best_five_are_called_even_if_they_are_the_board(mode: str, clause: str) -> None:
    t = dealt_table(mode, ACES, board="Ad Ks Qd Jc Th", dealer="2c 3d", bets={1: {}})
    t.until("turn up the dealer's cards").step()
    assert t.last(e.DealerRevealed).clause == clause
    assert last_call(t) == ("a straight, ace high", set(cards("Ad Ks Qd Jc Th")))


@pytest.mark.clause("MA-9.f")
def test_the_machine_keeps_the_dealers_hand_until_all_have_acted() -> None:
    t = three("device").play(2, 1).play(4, 1)
    t.out_of_order("turn up the dealer's cards")
    assert t.view("rail").table.dealer == ()
    t.fold(6)
    assert t.next == "turn up the dealer's cards"


# --- the stub ---


def fifth_round(mode: str, *seats: int, **given: Any) -> Driver:
    """The fifth round since the last stub count, with wagers at these seats, dealt."""
    t = table("uth-ma", mode=mode, **given)
    for _ in range(4):
        t.bet(1, ante=10).deal().finish()
    assert t.seen(e.StubCounted) == []
    for seat in seats:
        t.bet(seat, ante=10)
    return t.deal()


COUNTS = [
    pytest.param("manual", "MA-7.g", marks=pytest.mark.clause("MA-7.g"), id="by hand"),
    pytest.param("device", "MA-8.d", marks=pytest.mark.clause("MA-8.d"), id="by machine"),
]


@pytest.mark.parametrize(("mode", "clause"), COUNTS)
def test_the_fifth_round_cannot_end_without_a_count_of_the_stub(mode: str, clause: str) -> None:
    t = fifth_round(mode, 1).until("count the stub")
    for step in ("turn up the dealer's cards", "close the round"):
        assert t.out_of_order(step).clause == clause
    t.finish()
    assert len(t.seen(e.StubCounted)) == 1


@pytest.mark.parametrize(("mode", "clause"), COUNTS)
def test_the_stub_is_counted_once_in_five_rounds(mode: str, clause: str) -> None:
    t = fifth_round(mode, 1).finish()
    for rounds in range(6, 16):
        t.bet(1, ante=10).deal().finish()
        assert len(t.seen(e.StubCounted)) == rounds // 5
    t.check_books()


FIVE = (1, 2, 3, 4, 6)


@pytest.mark.clause("MA-7.g.1")
def test_a_correct_count_racks_the_stub_unseen_and_play_continues() -> None:
    t = fifth_round("manual", *FIVE).until("count the stub")
    t.perform("count the stub", count=33)
    counted = t.last(e.StubCounted)
    assert (counted.count, counted.expected, counted.right, counted.clause) == (33, 33, True, "MA-7.g.1")
    assert [(r.what, r.count, r.cards) for r in t.state.rack if r.what == "stub"] == [("stub", 33, ())]
    hands = sum(len(s.hands[0].cards) for s in t.state.seats.values()) + len(t.state.round.dealer)
    burned = sum(r.count for r in t.state.rack if r.what == "burn")
    assert (hands, len(t.state.round.board), burned) == (12, 5, 2)
    assert t.next == "ask after the river"


@pytest.mark.clause("MA-8.d")
def test_by_machine_the_stub_with_five_players_has_35_cards() -> None:
    t = fifth_round("device", *FIVE).until("count the stub")
    t.perform("count the stub", count=35)
    counted, step = t.last(e.StubCounted), t.last(e.StepTaken)
    assert (counted.expected, counted.right) == (35, True)
    assert (step.step, step.clause) == ("count the stub", "MA-8.d")


@pytest.mark.clause("MA-7.g.1")
def test_the_count_includes_a_void_hand_and_a_card_set_aside() -> None:
    t = fifth_round("manual", *FIVE)
    t.send(c.DealExtra(at="seat 2", cards=t.shoe.take(1)))
    t.report("wrong number", at="seat 2")
    t.report("face-up card", cards=codes(t.shoe.take(1)))
    t.until("count the stub").step()
    assert (t.last(e.StubCounted).expected, t.last(e.StubCounted).right) == (31, True)
    assert not t.state.round.void
    assert sum(r.count for r in t.finish().state.rack) == 52


def a_round(t: Driver) -> Driver:
    """One more round, played to its end."""
    return t.bet(1, ante=10).deal().finish()


def void_round(t: Driver) -> Driver:
    """One more round, which is void because the dealer has three cards."""
    t.bet(1, ante=10).deal()
    t.send(c.DealExtra(at="dealer", cards=t.shoe.take(1)))
    return t.report("wrong number", at="dealer").finish()


@pytest.mark.parametrize(("mode", "clause"), COUNTS)
@pytest.mark.parametrize("moment", ["after the round", "while bets are taken"])
def test_the_stub_may_be_counted_between_any_two_rounds(mode: str, clause: str, moment: str) -> None:
    t = a_round(a_round(table("uth-ma", mode=mode)))
    left = 52 - 2 - 2 - 5 - (2 if mode == "manual" else 0)
    if moment == "while bets are taken":
        t.ready().bet(1, ante=10)
        left = 52
    before = t.next
    t.perform("count the stub", count=left)
    counted = t.last(e.StubCounted)
    assert (counted.count, counted.expected, counted.right, counted.between) == (left, left, True, True)
    assert counted.clause == "MA-7.g.1"
    assert t.next == before
    # Five rounds later the next count is due.
    counts = [len(t.seen(e.StubCounted)) for _ in range(5) if a_round(t)]
    assert counts == [1, 1, 1, 1, 2]
    t.check_books()


@pytest.mark.clause("MA-7.g", "MA-8.d")
@pytest.mark.parametrize(("mode", "clause"), COUNTS)
@pytest.mark.parametrize("wrong", [False, True])
def test_the_stub_may_be_counted_in_any_round_as_it_leaves_the_shoe(
    mode: str, clause: str, *, wrong: bool
) -> None:
    """ "The dealer shall be required to count the stub at least once every five rounds of play"."""
    t = a_round(table("uth-ma", mode=mode)).bet(1, ante=10).deal().until("remove the stub")
    left = 52 - 2 - 2 - 5 - (2 if mode == "manual" else 0)
    t.send(c.Perform(step="count the stub", count=left - wrong))
    counted = t.last(e.StubCounted)
    assert (counted.expected, counted.right, counted.between) == (left, not wrong, False)
    assert counted.clause == (clause if wrong else "MA-7.g.1")
    assert len(t.seen(e.RoundVoided)) == wrong
    t.finish()
    if not wrong:
        assert sum(pile.count for pile in t.state.rack) == 52
        # Five rounds later the next count is due.
        counts = [len(t.seen(e.StubCounted)) for _ in range(5) if a_round(t)]
        assert counts == [1, 1, 1, 1, 2]
    t.check_books()


@pytest.mark.parametrize(("mode", "clause"), COUNTS)
def test_the_stub_cannot_be_counted_while_a_hand_is_in_play(mode: str, clause: str) -> None:
    t = table("uth-ma", mode=mode).bet(1, ante=10).deal()
    early = t.refuses(c.Perform(step="count the stub", count=40))
    assert (early.code, early.clause) == ("players-first", clause)
    t.check(1).deal()
    early = t.refuses(c.Perform(step="count the stub", count=40))
    assert (early.code, early.clause) == ("players-first", clause)


@pytest.mark.clause("MA-7.g.2-b")
def test_a_wrong_count_between_rounds_takes_the_deck_off_the_table() -> None:
    t = a_round(table("uth-ma"))
    t.perform("count the stub", count=40)
    assert (t.last(e.StubCounted).expected, t.last(e.StubCounted).right) == (41, False)
    assert t.last(e.DeckRemoved).clause == "MA-7.g.2-b"
    assert not t.seen(e.RoundVoided)
    assert t.out_of_order(t.next).code == "deck-off"
    no = t.refuses(c.ReplaceDeck(deck="A"))
    assert (no.code, no.clause) == ("not-the-floor", "MA-7.g.2-b")
    t.send(c.ReplaceDeck(deck="A", by="floor"))
    a_round(t).check_books()


@pytest.mark.clause("MA-7.g.2-b")
def test_a_wrong_count_while_bets_are_taken_returns_the_wagers() -> None:
    t = a_round(table("uth-ma")).bet(1, ante=10)
    t.perform("count the stub", count=51)
    assert t.last(e.RoundVoided).clause == "MA-7.g.2-b"
    assert (t.net(1), t.last(e.DeckRemoved).deck) == ("0.00", "A")


@pytest.mark.parametrize(("mode", "clause"), COUNTS)
@pytest.mark.parametrize("void", [0, 2, 4], ids=["the first", "the third", "the fifth"])
def test_void_rounds_count_toward_the_five_rounds_between_counts(mode: str, clause: str, void: int) -> None:
    t = table("uth-ma", mode=mode)
    for number in range(5):
        void_round(t) if number == void else a_round(t)
    # The fifth round has the count, even if that round is void.
    (counted,) = t.seen(e.StubCounted)
    assert counted.right
    assert sum(r.count for r in t.state.rack) in (52, 52 - counted.count)
    counts = [len(t.seen(e.StubCounted)) for _ in range(5) if a_round(t)]
    assert counts == [1, 1, 1, 1, 2]
    t.check_books()


@pytest.mark.clause("MA-7.g.2-b")
def test_a_wrong_count_in_a_void_round_takes_the_deck_off_the_table() -> None:
    t = table("uth-ma")
    for _ in range(4):
        a_round(t)
    t.bet(1, ante=10).deal()
    t.send(c.DealExtra(at="dealer", cards=t.shoe.take(1)))
    t.report("wrong number", at="dealer")
    assert t.next == "count the stub"
    t.perform("count the stub", count=46)
    assert (t.last(e.StubCounted).expected, t.last(e.StubCounted).right) == (47, False)
    assert t.last(e.DeckRemoved).clause == "MA-7.g.2-b"
    assert len(t.seen(e.RoundVoided)) == 1
    t.finish().check_books()


def test_a_round_that_is_void_before_the_deal_does_not_count() -> None:
    t = table("uth-ma", mode="device", house={"device_counts": False})
    t.bet(1, ante=10).perform("announce no more bets")
    t.report("machine failure", device="B").finish()
    assert t.last(e.RoundClosed).dealt is False
    counts = [len(t.seen(e.StubCounted)) for _ in range(5) if a_round(t)]
    assert counts == [0, 0, 0, 0, 1]


# --- settlement ---


@pytest.mark.clause("MA-9.h-b")
@pytest.mark.parametrize("mode", MODES)
def test_a_played_hand_is_turned_up_and_called(mode: str) -> None:
    t = dealt_table(
        mode, ACES, "Kh 3d", "Jc 5h", board=KINGS_UP, dealer="4c 5d", bets={2: {}, 4: {}, 6: {}}
    )
    to_the_river(t).play(2, 1).play(4, 1).fold(6).until("settle the hands")
    t.perform("settle the hands", seat=4)
    turned = t.last(e.HandTurned)
    assert (turned.seat, codes(turned.face), turned.reads) == (4, "Kh 3d", "full house")
    assert turned.clause == "MA-9.h-b"
    assert last_call(t) == ("a full house, kings over sevens", set(cards("Kh Ks Kd 7c 7h")))
    t.finish()
    # The folded hand is not turned up.
    assert [hand.seat for hand in t.seen(e.HandTurned)] == [4, 2]


@pytest.mark.clause("MA-9.h-d")
@pytest.mark.parametrize("mode", MODES)
def test_a_settled_hand_is_in_the_rack_before_the_next_is_turned(mode: str) -> None:
    t = three(mode, s6={"trips": 5}).play(2, 1).play(4, 1).play(6, 1).until("settle the hands")
    t.perform("settle the hands", seat=6)
    racked = t.last(e.CardsRacked)
    assert (racked.what, codes(racked.face), racked.clause) == ("seat 6", NOTHING, "MA-9.h-d")
    assert t.wagers(6) == {}
    t.perform("settle the hands", seat=4)
    order = [x for x in t.events if isinstance(x, e.HandTurned | e.CardsRacked)][-4:]
    assert [type(x).__name__ for x in order] == ["HandTurned", "CardsRacked"] * 2


@pytest.mark.clause("MA-9.h-d")
def test_a_settlement_out_of_order_is_refused_with_the_next_hand() -> None:
    t = three("manual").play(2, 1).play(4, 1).play(6, 1).until("settle the hands")
    refusal = t.refuses(c.Perform(step="settle the hands", seat=4))
    assert (refusal.code, refusal.clause) == ("out-of-order", "MA-9.h-a")
    t.step()
    assert [r.what for r in t.seen(e.CardsRacked) if r.clause == "MA-9.h-d"] == [
        "seat 6",
        "seat 4",
        "seat 2",
    ]


def piles(events: Iterable[e.Event]) -> list[PileRecord]:
    """The piles in the rack after these events."""
    rack, state = RackRecord(), State()
    for event in events:
        state = evolve(state, event)
        rack.take(event, state)
    return rack.piles


@pytest.mark.clause("MA-9.i")
@pytest.mark.parametrize("mode", MODES)
def test_every_hand_can_be_rebuilt_from_the_order_of_the_rack(mode: str) -> None:
    t = three(mode, s4={"trips": 5}).play(2, 1).fold(4).fold(6).finish()
    lying = [card for pile in t.state.rack for card in (pile.cards or t.shoe.cards)]
    assert len(set(lying)) == 52
    by_place = rebuild(lying, piles(t.events))
    hands = {"seat 2": ACES, "seat 4": NINES, "seat 6": NOTHING, "board": LOW, "dealer": QUEENS}
    assert {what: codes(by_place[what]) for what in hands} == hands
    ends = {r.what: r.clause for r in t.seen(e.CardsRacked)}
    assert (ends["board"], ends["dealer"]) == ("MA-9.i", "MA-9.i")


@pytest.mark.clause("MA-9.i")
def test_the_rack_cannot_be_read_with_a_card_missing() -> None:
    t = three("manual").play(2, 1).fold(4).fold(6).finish()
    lying = [card for pile in t.state.rack for card in (pile.cards or t.shoe.cards)]
    with pytest.raises(ValueError, match="the rack has 51 cards, but 52 were put there"):
        rebuild(lying[1:], piles(t.events))
    assert "board" in rebuild(lying, piles(t.events))


# --- Cover All ---

COVER = {"cover_all": 5}
STRAIGHT_BOARD = "9s 8h 7d Kc 2c"


def covered_table(*holes: str, board: str, dealer: str, cover: bool = True) -> Driver:
    """Seats 2, 4 and 6 with these hands, all played, the dealer's cards up."""
    seats = {n: (COVER if cover else {}) for n in (2, 4, 6)}
    t = to_the_river(dealt_table("device", *holes, board=board, dealer=dealer, bets=seats))
    return t.play(2, 1).play(4, 1).play(6, 1).until("settle the hands")


@pytest.mark.clause("MA-12.e")
def test_the_payouts_are_shown_once_the_dealers_hand_is_out_and_the_button_is_pressed() -> None:
    t = dealt_table("device", ACES, NINES, NOTHING, bets={2: COVER, 4: {}, 6: {}})
    to_the_river(t).play(2, 1).play(4, 1)
    t.out_of_order("press the green button")
    t.fold(6)
    t.out_of_order("press the green button")
    t.perform("turn up the dealer's cards")
    assert t.view("rail").table.payout_hands == 0
    t.perform("press the green button")
    shown = t.last(e.PayoutsShown)
    assert (shown.hands, shown.clause) == (4, "MA-12.e")
    assert shown.odds == {
        "royal flush": "125 to 1",
        "straight flush": "70 to 1",
        "four of a kind": "40 to 1",
        "full house": "6 to 1",
    }
    assert t.view("rail").table.payout_hands == 4


@pytest.mark.clause("MA-12.e")
def test_the_cover_all_button_needs_a_cover_all_wager() -> None:
    t = covered_table(ACES, NINES, NOTHING, board=LOW, dealer=QUEENS, cover=False)
    assert t.seen(e.PayoutsShown) == []
    t = covered_table(ACES, NINES, NOTHING, board=LOW, dealer=QUEENS)
    assert len(t.seen(e.PayoutsShown)) == 1


@pytest.mark.clause("MA-12.h.a")
def test_a_straight_stays_on_the_table() -> None:
    t = covered_table("4s 4d", "7c 7h", "Jc Td", board=STRAIGHT_BOARD, dealer="Kd 3s")
    t.perform("settle the hands", seat=6)
    left = t.last(e.CardsLeft)
    assert (left.seat, left.clause) == (6, "MA-12.h.a")
    assert not t.state.seats[6].hands[0].racked
    # Three sevens are below a straight.
    t.perform("settle the hands", seat=4)
    assert t.last(e.CardsRacked).what == "seat 4"
    t.finish()
    assert [r.what for r in t.seen(e.CardsRacked)][-3:] == ["seat 6", "board", "dealer"]
    assert t.settled("cover_all", 2).result == "lose"


@pytest.mark.clause("MA-12.h.a")
def test_no_hand_stays_on_the_table_without_a_cover_all_wager() -> None:
    hands = ("4s 4d", "7c 7h", "Jc Td")
    t = covered_table(*hands, board=STRAIGHT_BOARD, dealer="Kd 3s", cover=False).finish()
    assert t.seen(e.CardsLeft) == []
    assert covered_table(*hands, board=STRAIGHT_BOARD, dealer="Kd 3s").finish().seen(e.CardsLeft) != []


@pytest.mark.clause("MA-12.i")
def test_a_higher_hand_replaces_the_hand_left_on_the_table() -> None:
    t = covered_table("4s 4d", "9h 9d", "Jc Td", board="9s 8h 7d 7c 2c", dealer="Kd 3s")
    t.perform("settle the hands", seat=6)
    assert t.state.round.left == (6,)
    t.perform("settle the hands", seat=4)
    racked = t.last(e.CardsRacked)
    assert (racked.what, codes(racked.face), racked.clause) == ("seat 6", "Jc Td", "MA-12.i")
    assert t.state.round.left == (4,)
    t.finish()
    assert [(t.settled("cover_all", n).odds, t.settled("cover_all", n).back) for n in (6, 4, 2)] == [
        ("6 to 1", 3500)
    ] * 3
    t.check_books()


@pytest.mark.clause("MA-12.i")
def test_an_equal_hand_does_not_replace_the_hand_left_on_the_table() -> None:
    t = covered_table("Jh Ts", "Js Tc", "Jc Td", board=STRAIGHT_BOARD, dealer="Kd 3s")
    t.perform("settle the hands")
    # All three stay: no hand is higher than the first.
    assert t.state.round.left == (6, 4, 2)
    higher = covered_table("Qh Jd", "Js Tc", "Th 6c", board=STRAIGHT_BOARD, dealer="Kd 3s")
    higher.perform("settle the hands")
    # Ten high at seat 6, jack high at seat 4; seat 2 has a queen and no straight.
    assert higher.state.round.left == (4,)


@pytest.mark.clause("MA-12.i")
def test_a_hand_that_triggers_envy_stays_on_the_table_beside_a_higher_one() -> None:
    board = "Qh Jh Th 2c 3d"
    t = table(
        "uth-ma",
        mode="device",
        tables={"progressive": "PTMGL01"},
        deck=stacked("device", board, "Ks Kd", "4s 4d", "Ah Kh", "9h 8h"),
    )
    t.bet(2, ante=10, progressive=5, cover_all=5).bet(4, ante=10).bet(6, ante=10).deal()
    to_the_river(t).play(2, 1).play(4, 1).play(6, 1).until("settle Cover All")
    assert t.state.round.left == (6, 4)
    t.finish()
    # The table lists $300 and $1,000 for a wager of $1; this wager is $5.
    assert [(s.from_seat, s.back) for s in t.state.round.settled if s.wager == "envy"] == [
        (6, 150_000),
        (4, 500_000),
    ]
    beaten = covered_table("4s 4d", "9h 9d", "Jc Td", board="9s 8h 7d 7c 2c", dealer="Kd 3s")
    beaten.perform("settle the hands")
    assert beaten.state.round.left == (4,)


# --- games on one meter ---


@pytest.mark.clause("MA-13.g")
@pytest.mark.parametrize(
    ("other", "wrong"),
    [
        pytest.param({"decks": 6}, "link.decks", id="six decks"),
        pytest.param({"table": "PTMGL02"}, "link.table", id="another pay table"),
        pytest.param({"wager": 100}, "link.wager", id="another wager"),
    ],
)
def test_games_on_one_meter_share_pay_table_wager_and_decks(other: dict[str, Any], wrong: str) -> None:
    meter = {"table": "PTMGL01", "wager": 500, "decks": 1}
    t = table("uth-ma", open=False, tables={"progressive": "PTMGL01"})
    refusal = t.refuses(c.OpenTable(designated=("ultimate",), link={**meter, **other}))
    assert (refusal.code, refusal.clause, refusal.where) == ("link-differs", "MA-13.g", wrong)
    t.open(link=meter)
    assert t.meter() == "50000.00"


LINKED = {"name": "north", "table": "PTMGL01", "wager": 500, "decks": 1, "clause": "MA-13.g"}
"""A linked meter of $61,000 with an empty reserve, as a live table reads it."""
LINKED |= {"at": 7, "meters": {"main": 61_000_00 * MICRO}, "reserves": {"main": 0}}


@pytest.mark.clause("MA-13.g")
def test_a_table_that_joins_a_linked_meter_leaves_its_amount_unchanged() -> None:
    t = table("uth-ma", open=False, tables={"progressive": "PTMGL01"})
    t.open(link=LINKED)
    assert t.meter() == "61000.00"
    # The money on the meter belongs to the tables that put it there.
    assert t.state.house == 0
    t.send(c.SyncMeters(meters={"main": 62_500_00 * MICRO}, reserves={"main": 0}, at=9))
    assert t.meter() == "62500.00"
    assert total(t.state) == 0
    assert t.events[-1].clause == "MA-13.g"


@pytest.mark.clause("MA-13.g")
@pytest.mark.parametrize(
    ("rulebook", "given", "code", "where"),
    [
        pytest.param("uth-ma", {"progressive": "PTMGL02"}, "link-differs", "link.table", id="pay table"),
        pytest.param("shootout-sd", {}, "link-not-allowed", "link", id="six decks"),
        pytest.param("uth-card", {}, "link-not-allowed", "link", id="no progressive in the rulebook"),
        pytest.param("uth-ma", {}, "link-not-allowed", "link", id="no progressive at the table"),
    ],
)
def test_a_game_that_differs_cannot_join_a_linked_meter(
    rulebook: str, given: dict[str, str], code: str, where: str
) -> None:
    t = table(rulebook, open=False, tables=given)
    game = load(rulebook).game
    refusal = t.refuses(c.OpenTable(designated=(game,), link=LINKED))
    assert (refusal.code, refusal.clause, refusal.where) == (code, "MA-13.g", where)


@pytest.mark.clause("MA-13.g")
def test_a_table_that_joins_cannot_set_another_reserve() -> None:
    link = {**LINKED, "seeds": {"main": 50_000_00}, "reserve": {"main": 100_000}}
    for reserve, refused in (("250", True), ("1000", False), (None, False)):
        house = {"feed": 20} | ({"reserve": {"main": reserve}} if reserve else {})
        t = table("uth-ma", open=False, tables={"progressive": "PTMGL01"}, house=house)
        if not refused:
            t.open(link=link)
            continue
        refusal = t.refuses(c.OpenTable(designated=("ultimate",), link=link))
        assert (refusal.code, refusal.clause, refusal.where) == ("link-differs", "MA-13.g", "link.reserve")
        assert refusal.message == (
            "the reserve of the main meter is $250 here but $1,000 on the linked meter; they must be equal"
        )


@pytest.mark.clause("MA-13.g")
def test_linked_tables_reset_their_meter_to_the_same_seed() -> None:
    # South Dakota leaves the seed to the house.
    tables = {"trips": "UTH-02", "progressive": "PMG-01"}
    terms: dict[str, Any] = {"tables": tables, "house": {"feed": 33, "seed": {"main": "20000"}}}
    t = table("uth-sd", open=False, **terms)
    link = {**LINKED, "table": "PMG-01", "wager": t.table.link_terms["wager"]}
    refusal = t.refuses(c.OpenTable(designated=("ultimate",), link={**link, "seeds": {"main": 10_000_00}}))
    assert (refusal.code, refusal.clause, refusal.where) == ("link-differs", "MA-13.g", "link.seeds")
    assert refusal.message == (
        "the seed of the main meter is $20,000 here but $10,000 on the linked meter; they must be equal"
    )
    # Records from before the seeds were on record open as they did.
    t.send(c.OpenTable(designated=("ultimate",), link=link))


def test_a_table_without_a_link_refuses_linked_meters() -> None:
    t = table("uth-ma", tables={"progressive": "PTMGL01"})
    assert t.refuses(c.SyncMeters(meters={"main": 0}, reserves={"main": 0}, at=1)).code == "not-linked"


# --- money through the whole round ---


def one_player(hole: str, board: str, dealer: str, **given: Any) -> Driver:
    """A table where a machine deals, with one player, at seat 1, before any wagers."""
    start = given.pop("meters", {})
    t = table("uth-ma", mode="device", open=False, deck=stacked("device", board, dealer, hole), **given)
    return t.open(meters=start).ready().sit(1, chips=1_000_000)


@pytest.mark.clause("MA-10.e", "MA-13.d")
def test_the_limits_on_a_hands_winnings_apply_over_all_passes() -> None:
    t = one_player("As Ks", "Qs Js Ts 4d 4c", "2c 3d", tables={"progressive": "PTMGL01"}, house={"feed": 0})
    t.bet(1, ante=100, trips=100, progressive=5, cover_all=500).deal()
    to_the_river(t).play(1, 1).finish()
    paid = {
        w: t.settled(w).back - t.settled(w).stake for w in ("ante", "blind", "play", "trips", "cover_all")
    }
    # $50,000 for the first four, then $75,000 with Cover All.
    assert paid == {"ante": 10_000, "blind": 4_990_000, "play": 0, "trips": 0, "cover_all": 2_500_000}
    cuts = {w: t.settled(w).cut for w in paid}
    assert cuts == {"ante": 0, "blind": 10_000, "play": 10_000, "trips": 500_000, "cover_all": 7_500_000}
    # The award of the whole meter does not count towards either limit.
    assert t.settled("progressive").back == 5_000_000
    assert t.net(1) == "124995.00"
    t.check_books()


SUITED = ("7h 8h 9h 2c 2d", "Qs Qc", "Th Jh", "5h 6h")
"""Board, dealer and two straight flushes on the flop."""


def two_awards(progressive: str, meters: dict[str, int], **house: Any) -> Driver:
    """Seats 1 and 2 with $5 on the progressive and a straight flush each, the round played to its end."""
    t = table(
        "uth-ma", open=False, tables={"progressive": progressive}, house={"feed": 20, **house},
        deck=stacked("manual", *SUITED),
    )  # fmt: skip
    t.open(meters=meters).bet(1, ante=10, progressive=5).bet(2, ante=10, progressive=5).deal()
    to_the_river(t).play(1, 1).play(2, 1).finish().check_books()
    return t


def awards(t: Driver) -> list[int]:
    """The payments, in the order of settlement."""
    return [s.back for s in t.state.round.settled if s.wager == "progressive"]


@pytest.mark.clause("MA-13.e-PTMGL01-a")
@pytest.mark.parametrize(
    ("how", "payments", "left"),
    [
        pytest.param("sequential", [600_020, 540_018], "48601.62", id="each on what is left"),
        pytest.param("shared", [600_020, 600_020], "48001.60", id="all on the meter as it stood"),
    ],
)
def test_two_shares_of_one_meter_are_paid(how: str, payments: list[int], left: str) -> None:
    # A fifth of each $5 goes on the meter before the first award: $60,002.
    t = two_awards("PTMGL01", {"main": 6_000_000}, awards=how)
    assert (awards(t), t.meter()) == (payments, left)


@pytest.mark.clause("MA-13.e-PTMGL04-b")
@pytest.mark.parametrize(
    ("how", "payments", "left"),
    [
        pytest.param("sequential", [700_200, 525_100], "5000.00", id="seed and reserve, then seed alone"),
        pytest.param("shared", [350_100, 350_100], "5251.00", id="half each, reset once"),
    ],
)
def test_a_whole_meter_is_reset_to_seed_and_reserve(how: str, payments: list[int], left: str) -> None:
    # $7,000 and $2 on the meter; $250 and a tenth of each wager in the reserve.
    t = two_awards("PTMGL04", {"main": 700_000}, awards=how, reserve={"main": "250"}, reserve_feed=10)
    assert (awards(t), t.meter()) == (payments, left)
    assert t.state.reserves == {"main": 0}


@pytest.mark.clause("MA-13.e-PTMGLML01-a")
def test_two_levels_share_the_feed_and_one_is_won() -> None:
    t = one_player(
        "5h 6h", "7h 8h 9h 2c 2d", "Qs Qc", tables={"progressive": "PTMGLML01"}, house={"feed": 20}
    )
    t.bet(1, ante=10, progressive=5).deal()
    assert (t.meter("major"), t.meter("minor")) == ("50000.50", "5000.50")
    to_the_river(t).play(1, 1).finish()
    assert t.settled("progressive").back == 500_050
    assert (t.meter("major"), t.meter("minor")) == ("50000.50", "5000.00")
    t.check_books()


@pytest.mark.clause("MA-13.e-PTMGLML02-a")
def test_a_fraction_of_a_cent_stays_on_one_of_three_meters() -> None:
    t = one_player(
        "9c 9d", "9h 9s 4d Kc 2s", "3h 5c", tables={"progressive": "PTMGLML02"}, house={"feed": 20}
    )
    t.bet(1, ante=10, progressive=5).deal()
    to_the_river(t).play(1, 1).finish()
    # A third of a dollar was added to $1,250; a fraction of a cent is not paid.
    assert t.settled("progressive").back == 125_033
    assert t.state.meters["minor"] == 125_000_333_333
    assert [t.meter(n) for n in ("mega", "major", "minor")] == ["50000.33", "5000.33", "1250.00"]
    t.check_books()


@pytest.mark.clause("MA-13.e-PTMGL01-b")
def test_envy_is_paid_last_to_all_others_who_bet_folded_or_not() -> None:
    t = table(
        "uth-ma", tables={"progressive": "PTMGL01"},
        deck=stacked("manual", "7h 8h 9h 2c 2d", "Qs Qc", "Kd 3s", "5h 6h", "Ac Jd"),
    )  # fmt: skip
    t.bet(2, ante=10, progressive=5).bet(4, ante=10).bet(6, ante=10, progressive=5).deal()
    to_the_river(t).fold(2).play(4, 1).play(6, 1).until("settle envy")
    # Seat 4 has no progressive wager; its straight flush stays on the table for the others.
    assert t.state.round.left == (4,)
    t.finish()
    assert [(s.seat, s.wager, s.from_seat, s.back) for s in t.state.round.settled][-2:] == [
        (6, "envy", 4, 150_000),
        (2, "envy", 4, 150_000),
    ]
    # Queens beat seat 6, and the fold costs seat 2 its ante and blind; both lose the progressive too.
    assert (t.net(2), t.net(6)) == ("1475.00", "1465.00")
    t.check_books()


@pytest.mark.clause("MA-6.a-b")
@pytest.mark.parametrize(
    ("hole", "dealer", "net"),
    [
        pytest.param(ACES, QUEENS, "60.00", id="won: $10 ante, $40 play, $10 for the coupon"),
        pytest.param(ACES, "Kc 8c", "40.00", id="no pair for the dealer: the play alone"),
        pytest.param(NINES, QUEENS, "-60.00", id="lost: chips alone"),
    ],
)
def test_a_coupon_is_settled_with_its_round(hole: str, dealer: str, net: str) -> None:
    t = one_player(hole, LOW, dealer, house={"match_play": True})
    t.bet(1, ante=10, coupon=10).deal().play(1, 4).finish()
    (beside,) = [s for s in t.state.round.settled if s.coupon]
    assert (beside.coupon, beside.clause) == (1000, "MA-6.a-b")
    assert t.net(1) == net
    assert t.state.seats[1].hands[0].coupon == 0
    t.check_books()


@pytest.mark.clause("MA-6.a-b")
def test_a_player_may_use_as_many_coupons_as_the_house_says() -> None:
    t = one_player(ACES, LOW, QUEENS, house={"match_play": True, "coupons_per_player": 2})
    for left in (True, False):
        t.bet(1, ante=10, coupon=10).deal().play(1, 4).finish().ready()
        assert t.view("seat 1").yours.coupons is left
    no = t.refuses(t.betting(1, ante=10, coupon=10))
    assert (no.code, no.clause) == ("match-play-used", "house.coupons_per_player")
    assert "each player may use 2 match play coupons" in no.message
    # The limit counts players, not seats: at another seat, the same player has no coupon left.
    t.send(c.Leave(seat=1))
    t.sit(2, player="player 1").sit(3)
    assert t.refuses(t.betting(2, ante=10, coupon=10)).code == "match-play-used"
    t.bet(3, ante=10, coupon=10)


@pytest.mark.clause("MA-6.a-b")
def test_a_coupon_that_is_handed_back_is_not_used() -> None:
    # The dealer has no pair, so the ante pushes and the coupon with it.
    t = one_player(ACES, LOW, "Kc 8c", house={"match_play": True})
    t.bet(1, ante=10, coupon=10).deal().play(1, 4).finish().ready()
    t.bet(1, ante=10, coupon=10)
    void = one_player(ACES, LOW, QUEENS, house={"match_play": True})
    void.bet(1, ante=10, coupon=10).deal().report("exposed card", at="dealer", cards="Qc")
    assert void.last(e.WagersReturned).coupon == 1000
    assert void.state.coupons == {}


def test_no_wager_is_taken_for_the_dealer() -> None:
    t = one_player(ACES, LOW, QUEENS)
    assert t.refuses(t.betting(1, ante=10, tips={"ante": 5})).code == "tip-not-offered"
    t.bet(1, ante=10).deal().play(1, 4).finish()
    assert t.state.tips == 0


@pytest.mark.parametrize("wrong", [500, -500])
def test_a_wrong_payment_is_corrected_under_its_own_clause(wrong: int) -> None:
    t = one_player(ACES, LOW, QUEENS)
    t.bet(1, ante=10).deal().play(1, 4)
    assert t.refuses(c.Mispay(seat=1, wager="ante", amount=wrong)).code == "not-settled"
    t.until("collect the board and the dealer's cards")
    t.send(c.Mispay(seat=1, wager="ante", amount=wrong))
    assert t.state.seats[1].chips - t.state.seats[1].started == 5000 + wrong
    assert t.refuses(c.Correct(seat=1, wager="ante")).code == "not-the-floor"
    assert t.refuses(c.Correct(by="floor", seat=1, wager="play")).code == "nothing-mispaid"
    t.send(c.Correct(by="floor", seat=1, wager="ante"))
    corrected = t.last(e.PaymentCorrected)
    assert (corrected.amount, corrected.clause) == (-wrong, "MA-10.b")
    assert t.refuses(c.Correct(by="floor", seat=1, wager="ante")).code == "nothing-mispaid"
    assert t.finish().net(1) == "50.00"
    t.check_books()


def test_no_payment_waits_for_approval() -> None:
    t = one_player("As Ks", "Qs Js Ts 4d 4c", "2c 3d")
    t.bet(1, ante=50).deal().play(1, 4).finish()
    assert t.settled("blind").back == 2_505_000
    assert t.seen(e.ApprovalAsked) == []
    assert t.refuses(c.Approve(by="floor")).code == "nothing-to-approve"
