"""Refused bets cite the document's own clause: play wagers before the deal, bets after a play wager."""

from __future__ import annotations

import pytest

from houseway.cards import cards
from houseway.client.messages import Answered, OpenTable, Rejected
from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.testing.driver import stacked
from server.hosted_rounds import Room
from server.test_shootout_live import DANA, room_of, take_step
from table_driver import table

WAIT = "your cards have not been dealt; wait for your cards, then play"
PLAYS = [
    pytest.param("uth-ma", "MA-1.play", marks=pytest.mark.clause("MA-1.play", "MA-6.d")),
    pytest.param("uth-sd", "SD-7-b", marks=pytest.mark.clause("SD-7-b")),
    pytest.param("uth-card", "CARD-8", marks=pytest.mark.clause("CARD-8")),
    pytest.param("uth-proc", "PROC-D.3.b", marks=pytest.mark.clause("PROC-D.3.b")),
]
"""The clause of each document that says when a play wager is made."""
LOCKS = [
    pytest.param("uth-proc", 0, 4, "PROC-D.3.c", marks=pytest.mark.clause("PROC-D.3.c")),
    pytest.param("uth-proc", 1, 2, "PROC-D.3.c", marks=pytest.mark.clause("PROC-D.3.c")),
    pytest.param("uth-proc", 2, 1, "PROC-D.3.c", marks=pytest.mark.clause("PROC-D.3.c")),
    pytest.param("uth-sd", 0, 4, "SD-7-d", marks=pytest.mark.clause("SD-7-d")),
    pytest.param("uth-sd", 1, 2, "SD-9-d", marks=pytest.mark.clause("SD-9-d")),
    pytest.param("uth-sd", 2, 1, "SD-11-d", marks=pytest.mark.clause("SD-11-d")),
    pytest.param("uth-card", 0, 4, "CARD-10-a", marks=pytest.mark.clause("CARD-10-a")),
    pytest.param("uth-card", 1, 2, "CARD-12-a", marks=pytest.mark.clause("CARD-12-a")),
    pytest.param("uth-ma", 0, 4, "MA-6.b-b", marks=pytest.mark.clause("MA-6.b-b")),
]
"""The clause that ends the betting of a hand after a play wager, by document and number of checks before it."""


def why(answer: Answered | Rejected) -> Refusal:
    assert isinstance(answer, Rejected), answer
    return answer.refused[0]


def betting_room(rulebook: str, *, dealer: str = "machine") -> Room:
    """A table with players 1 and 2 whose betting is open."""
    deck = stacked("device", "Qd Th 6h 5c 3d", "Kd Kc", "As Ah", "9c 8s").split()
    order = OpenTable(rulebook=rulebook, mode="device", dealer=dealer)  # type: ignore[arg-type]
    room = Room(rulebook, [deck], seats=(1, 2), order=order)
    for seat in (1, 2):
        room.watch(f"seat {seat}")
    return room


@pytest.mark.parametrize(("rulebook", "clause"), PLAYS)
def test_a_play_decision_before_the_deal_is_refused_with_the_clause(rulebook: str, clause: str) -> None:
    t = table(rulebook, mode="device").bet(1, ante=10)
    early = c.Play(seat=1, times=4)
    for _ in ("while betting is open", "after no more bets"):
        refused = t.refuses(early)
        assert (refused.code, refused.clause, refused.message) == ("not-in-the-round", clause, WAIT)
        t.step()
    room = betting_room(rulebook)
    for seat in (1, 2):
        room.bet(seat, side=False)
    refused = why(room.do(1, early))
    assert (refused.code, refused.clause, refused.message) == ("not-in-the-round", clause, WAIT)
    t.deal().play(1, 4)


@pytest.mark.parametrize(("rulebook", "clause"), PLAYS)
def test_a_play_wager_placed_as_a_bet_before_the_deal_is_refused_with_the_clause(
    rulebook: str, clause: str
) -> None:
    room = betting_room(rulebook)
    bet = c.Bet(seat=1, wagers={"ante": 1000, "play": 4000})
    for refused in (why(room.do(1, bet)), table(rulebook, mode="device").sit(1).refuses(bet)):
        assert (refused.code, refused.clause) == ("not-offered", clause)
        assert "wait for your cards, then play" in refused.message


@pytest.mark.clause("MA-12.a")
def test_cover_all_after_no_more_bets_is_refused_with_its_own_clause() -> None:
    room = betting_room("uth-ma")
    for seat in (1, 2):
        room.bet(seat, side=False)
    room.ready()
    refused = why(room.do(1, c.Bet(seat=1, wagers={"cover_all": 500})))
    assert (refused.code, refused.clause) == ("no-more-bets", "MA-12.a")


@pytest.mark.clause("TS-8-a")
def test_four_cards_are_set_after_the_deal() -> None:
    early = c.Keep(seat=1, cards=cards("Kd Kc"))
    room = room_of()
    for seat in (1, 2):
        room.watch(f"seat {seat}")
        room.bet(seat, side=False)
    for refused in (table("shootout-sd").bet(1, wager=10).refuses(early), why(room.do(1, early))):
        assert (refused.code, refused.clause) == ("not-in-the-round", "TS-8-a")
        assert refused.message.endswith("wait for your cards, then set your hand")


@pytest.mark.parametrize(("rulebook", "checks", "times", "clause"), LOCKS)
def test_a_play_wager_ends_the_bets_of_its_hand(
    rulebook: str, checks: int, times: int, clause: str
) -> None:
    changes = (c.TakeBack(seat=1), c.Bet(seat=1, wagers={"ante": 500}))
    t = table(rulebook, mode="device").bet(1, ante=10).bet(2, ante=10).deal()
    room = betting_room(rulebook)
    for seat in (1, 2):
        room.bet(seat, side=False)
    room.ready()
    while room.hosted.waits().why != "decision":
        room.clock.move(1)
    for _ in range(checks):
        t.check(1, 2).deal()
        for seat in (1, 2):
            assert isinstance(room.do(seat, c.Check(seat=seat)), Answered)
    t.play(1, times)
    assert isinstance(room.do(1, c.Play(seat=1, times=times)), Answered)
    for change in changes:
        for refused in (t.refuses(change), why(room.do(1, change))):
            assert (refused.code, refused.clause) == ("no-more-bets", clause)
        # Seat 2 has made no play wager, so the general sentence on bets applies to it.
        other = t.refuses(c.TakeBack(seat=2))
        assert (other.code, other.clause) == ("no-more-bets", "MA-6.b-b")


@pytest.mark.clause("TS-7-b", "TS-7-c")
@pytest.mark.parametrize(
    ("pattern", "each"), [("one at a time", 1), ("four at a time", 4)], ids=["one", "four"]
)
def test_the_rotation_and_the_number_of_cards_have_their_own_clauses(pattern: str, each: int) -> None:
    room = room_of(dealer="person", house={"deal_pattern": pattern})
    introduced = room.people.introduce("Dana")
    assert isinstance(introduced, tuple)
    room.persons[DANA] = room.people.give(introduced[0].handle, "room", "dealer")
    while not room.hosted.phase.betting:
        take_step(room)
    for seat in (1, 2):
        room.watch(f"seat {seat}")
        room.bet(seat, side=False)
    room.ready()
    while not room.hosted.view("dealer").table.step.startswith("deal"):
        take_step(room)
    t = table("shootout-sd", open=False, house={"deal_pattern": pattern}).open(dealer="person").ready()
    t.bet(1, wager=10).bet(2, wager=10)
    while not t.next.startswith("deal"):
        t.step()
    hand, step = cards("Kd Kc 7s 2h")[:each], t.next
    wrong_seat = c.Perform(step=step, cards=hand, seat=2)
    wrong_count = c.Perform(step=step, cards=hand[1:], seat=1)
    for refused in (t.refuses(wrong_seat), why(room.do(DANA, c.Perform(step=step, seat=2)))):
        assert (refused.code, refused.clause) == ("out-of-order", "TS-7-c")
    # A live table takes the right number of cards from its shoe.
    refused = t.refuses(wrong_count)
    assert (refused.code, refused.clause) == ("cards-needed", "TS-7-b")


SEATED = [
    pytest.param("uth-ma", "MA-6.e-a", marks=pytest.mark.clause("MA-6.e-a")),
    pytest.param("uth-card", "CARD-27", marks=pytest.mark.clause("CARD-27")),
    pytest.param("uth-proc", "PROC-H.9", marks=pytest.mark.clause("PROC-H.9")),
    pytest.param("uth-sd", "MA-6.e-a"),
]
"""The clause that lets only seated players wager. South Dakota has none and uses that of Massachusetts."""


@pytest.mark.parametrize(("rulebook", "clause"), SEATED)
def test_a_wager_at_another_seat_cites_the_clause_on_seated_players(rulebook: str, clause: str) -> None:
    room = betting_room(rulebook)
    visitor = room.people.introduce("Vera")
    assert isinstance(visitor, tuple)
    room.persons[7] = visitor[0]
    for person, seat in ((7, 1), (7, 5), (2, 1)):
        refused = why(room.do(person, c.Bet(seat=seat, wagers={"ante": 1000})))
        assert (refused.code, refused.clause) == ("not-your-seat", clause)
    # The refusal of a decision without a wager cites no clause.
    assert why(room.do(2, c.Fold(seat=1))).clause is None
    for by, code in (("rail", "only-watching"), ("seat 2", "not-your-seat")):
        t = table(rulebook, mode="device").sit(1)
        refused = t.refuses(c.Bet(by=by, seat=1, wagers={"ante": 1000}))
        assert (refused.code, refused.clause) == (code, clause)
        assert t.refuses(c.Check(by=by, seat=1)).clause is None
