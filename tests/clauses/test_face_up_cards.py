"""Massachusetts 14(b), which other rulebooks use too: a face-up card that is noticed after its group was dealt."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.cards import UNSEEN, cards, codes
from houseway.engine import events as e
from houseway.engine.dealer_act import next_act
from houseway.engine.evolve import evolve
from houseway.engine.rack import RackRecord, rebuild
from houseway.engine.state import State
from houseway.testing.driver import stacked
from table_driver import Driver, table

BOARD, DEALER = "7s Kh 9d 4c 2s", "9c 3d"
SEVENS, ACE_HIGH, KINGS = "7c 7d", "Ac Jd", "Kc Ks"
"""With this board, the hands make three sevens, ace high and three kings; the dealer has a pair of nines."""
TRIPS = {"ante": 10, "trips": 5}
GROUPS = [
    ("manual", "deal the first card to each player", "seat 6", (1,)),
    ("manual", "deal the second card to the dealer", "dealer", (2,)),
    ("manual", "deal the flop", "board", (1, 2, 3)),
    ("manual", "deal the turn and river", "board", (4, 5)),
    ("device", "dispense the community cards", "board", (1, 2, 3, 4, 5)),
    ("device", "dispense two cards to each player", "seat 6", (1, 2)),
    ("device", "dispense the dealer's hand", "dealer", (1, 2)),
]
"""The groups of cards that are dealt: the deal mode, the step, the place that gets the step's last group, and the
numbers of that group's cards at the place."""


def bets(mode: str, book: str = "uth-ma", **each: dict[str, Any]) -> Driver:
    """Seats 2, 4 and 6 with three sevens, ace high and three kings, their wagers placed."""
    t = table(book, mode=mode, deck=stacked(mode, BOARD, DEALER, SEVENS, ACE_HIGH, KINGS))
    for seat in (2, 4, 6):
        t.bet(seat, **each.get(f"s{seat}", {"ante": 10}))
    return t


def deal_with_card(t: Driver, step: str, card: str, number: int) -> Driver:
    """Deal a step whose last group has the given card as its card number `number`."""
    t.until(step)
    act = next_act(t.table, t.state)
    assert act is not None
    t.shoe.cards = [other for other in t.shoe.cards if str(other) != card]
    t.shoe.cards.insert(act.cards - t.table.steps[step].each + number - 1, *cards(card))
    t.perform(step)
    return t


def report_face_up(t: Driver, place: str, which: int, card: str = "") -> Driver:
    """Report that a card was face up when it was dealt; the next card replaces it."""
    return t.report("face-up card", at=place, which=which, cards=card or codes(t.shoe.cards[:1]))


def code(t: Driver, place: str, which: int, card: str = "8h") -> tuple[str, str | None]:
    """The code and the clause of a refused report."""
    refused = t.refuses(t.reporting("face-up card", at=place, which=which, cards=card))
    return refused.code, refused.clause


def nets(t: Driver) -> list[str]:
    """Each seat's net once the round is over and the books balance."""
    t.finish().check_books()
    return [t.net(seat) for seat in t.state.seats]


@pytest.mark.clause("MA-14.b-a")
@pytest.mark.parametrize(
    ("mode", "step", "place", "number", "which"),
    [
        (mode, step, place, number, which)
        for mode, step, place, numbers in GROUPS
        for number, which in enumerate(numbers, 1)
    ],
)
def test_a_face_up_card_of_the_group_just_dealt_is_racked(
    mode: str, step: str, place: str, number: int, which: int
) -> None:
    t = report_face_up(deal_with_card(bets(mode, s2=TRIPS), step, "7h", number), place, which)
    found, replaced = t.last(e.FaceUpFound), t.last(e.CardReplaced)
    assert (codes(found.face), found.at, found.which, found.clause) == ("7h", place, which, "MA-14.b-a")
    assert bool(replaced.face) == (mode == "manual" and place == "board")
    assert (replaced.at, replaced.clause) == (place, "MA-14.b-a")
    assert t.state.rack[-1].what == "face up"
    assert not t.state.round.void
    # Every card is where it would be if the face-up card had been set aside while it was dealt.
    assert nets(t) == ["-5.00", "-20.00", "-20.00"]
    assert (t.board, t.dealer) == (BOARD, DEALER)
    assert [t.hole(n) for n in (2, 4, 6)] == [SEVENS, ACE_HIGH, KINGS]


@pytest.mark.clause("MA-14.b-a")
def test_without_a_number_the_card_dealt_last_is_set_aside() -> None:
    t = report_face_up(deal_with_card(bets("manual"), "deal the flop", "7h", 3), "board", 0)
    assert (codes(t.last(e.FaceUpFound).face), t.last(e.FaceUpFound).which, t.board) == (
        "7h",
        3,
        "7s Kh 9d",
    )


@pytest.mark.clause("MA-14.b-a")
def test_a_card_drawn_in_error_takes_the_place_of_the_face_up_card() -> None:
    t = deal_with_card(bets("manual"), "deal the flop", "7h", 2)
    t.report("card drawn in error", cards=codes(t.shoe.take(1)))
    t.report("face-up card", at="board", which=2)
    assert t.board == "7s Kh 9d"
    assert t.state.round.drawn == ()


@pytest.mark.clause("MA-14.b-a")
@pytest.mark.parametrize("book", ["uth-card", "uth-proc"])
def test_rulebooks_that_use_the_massachusetts_rule_set_the_card_aside_too(book: str) -> None:
    t = table(book, mode="device" if book == "uth-proc" else "manual").bet(1, ante=10)
    step = "dispense the community cards" if book == "uth-proc" else "deal the flop"
    t.until(step)
    t.perform(step)
    second, others = t.state.round.board[1], t.state.round.board
    after = t.shoe.cards[0]
    report_face_up(t, "board", 2)
    assert t.state.round.board == (*others[:1], *others[2:], after)
    assert (t.last(e.FaceUpFound).face, t.last(e.FaceUpFound).clause) == ((second,), "MA-14.b-a")
    t.finish().check_books()


@pytest.mark.clause("MA-14.b-a")
def test_only_the_group_dealt_last_can_be_reported() -> None:
    t = bets("manual").until("deal the flop")
    assert code(t, "seat 2", 1) == ("not-dealt-last", "MA-14.b-a")
    assert code(t, "board", 1) == ("unknown-place", "MA-14.b-a")
    t.perform("deal the flop")
    for place in ("seat 5", "rail", "burn"):
        assert code(t, place, 1) == ("unknown-place", "MA-14.b-a")
    assert code(t, "board", 4) == ("not-there", "MA-14.b-a")
    assert code(t, "dealer", 1) == ("not-dealt-last", "MA-14.b-a")
    assert code(t, "deck", 2)[0] == "not-there"
    t.check(2)
    # The player in seat 2 has used the flop to decide.
    assert code(t, "board", 2) == ("not-dealt-last", "MA-14.b-a")
    t.check(4, 6).until("deal the turn and river")
    assert code(t, "board", 2) == ("not-dealt-last", "MA-14.b-a")
    t.perform("deal the turn and river")
    assert code(t, "board", 3) == ("not-there", "MA-14.b-a")
    t.finish()
    assert code(t, "board", 5)[0] == "no-round"


@pytest.mark.clause("MA-14.b-a")
def test_in_the_middle_of_a_deal_only_the_last_hand_can_be_reported() -> None:
    t = bets("device").until("dispense two cards to each player")
    for _ in range(2):
        t.perform("dispense two cards to each player", cards=t.shoe.take(2))
    assert code(t, "seat 2", 2) == ("not-dealt-last", "MA-14.b-a")
    second, after = codes(t.state.seats[4].hands[0].cards[1:]), codes(t.shoe.cards[:1])
    report_face_up(t, "seat 4", 2)
    assert (codes(t.last(e.FaceUpFound).face), t.hole(4).split()[1]) == (second, after)
    # The next hand is dealt as usual.
    t.perform("dispense two cards to each player", cards=t.shoe.take(2))
    assert t.next == "dispense the dealer's hand"
    t.finish().check_books()


@pytest.mark.clause("MA-14.b-b")
@pytest.mark.parametrize("place", ["seat 6", "dealer"])
def test_the_second_face_up_card_of_a_hand_just_dealt_voids_the_round(place: str) -> None:
    step = {"seat 6": "dispense two cards to each player", "dealer": "dispense the dealer's hand"}[place]
    t = report_face_up(deal_with_card(bets("device", s2=TRIPS), step, "7h", 1), place, 1)
    used = t.state.playing.used
    t.report("face-up card", at=place, which=2)
    voided = t.last(e.RoundVoided)
    # The hand is not complete without the card, so trips is returned and no card replaces it.
    assert (voided.trips, voided.clause) == (False, "MA-14.b-b")
    assert (t.state.playing.used, len(t.seen(e.CardReplaced))) == (used, 1)
    assert nets(t) == ["0.00", "0.00", "0.00"]
    assert t.next == "shuffle"


@pytest.mark.clause("MA-14.b-c")
def test_the_second_face_up_card_of_the_flop_leaves_trips_to_be_settled() -> None:
    t = report_face_up(
        deal_with_card(bets("manual", s2=TRIPS, s4=TRIPS), "deal the flop", "7h", 2), "board", 2
    )
    report_face_up(t, "board", 3)
    voided = t.last(e.RoundVoided)
    assert (voided.trips, voided.clause) == (True, "MA-14.b-c")
    assert len(t.seen(e.CardReplaced)) == 2
    assert len(t.board.split()) == 3
    t.finish().check_books()
    assert "7h" not in t.board.split()
    assert {line.wager for line in t.state.round.settled} == {"trips"}


@pytest.mark.clause("SD-5-b")
def test_in_south_dakota_a_face_up_card_stays_where_it_was_dealt() -> None:
    t = bets("manual", "uth-sd").until("deal the flop")
    t.perform("deal the flop")
    before = t.state.round
    t.report("face-up card", at="board", which=2)
    found = t.last(e.FaceUpFound)
    assert (found.used, found.face, found.clause) == (True, before.board[1:2], "SD-5-b")
    assert (t.state.round.board, t.state.round.up, t.state.round.drawn) == (before.board, 3, ())
    assert code(t, "board", 2, "8h") == ("cards-needed", "SD-5-b")
    t.finish().check_books()


@pytest.mark.clause("MA-14.b-a")
def test_the_stub_count_and_the_rack_include_the_card() -> None:
    t = report_face_up(deal_with_card(bets("manual"), "deal the flop", "7h", 2), "board", 2)
    t.finish().check_books()
    state, rack = State(), RackRecord()
    for event in t.events:
        state = evolve(state, event)
        rack.take(event, state)
    assert all(counted.right for counted in t.seen(e.StubCounted))
    known = [card for pile in state.rack for card in pile.cards or (UNSEEN,) * pile.count]
    hands = rebuild(known, rack.piles)
    assert codes(hands["face up"]) == "7h"
    assert (codes(hands["board"]), codes(hands["dealer"])) == (BOARD, DEALER)
