"""Live tables without players: the cards are spread, and the next player may inspect them.

Also: players who stand up, and the order of the deal.
"""

from __future__ import annotations

from typing import Any

import pytest

from houseway.audit.verify import verify
from houseway.client.messages import Answered, OpenTable, Rejected
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.live import LiveTable
from houseway.live.recent_events import recorded_events
from houseway.server.tables import run_table
from server.hosted_rounds import Room
from server.test_named_people import by_hand, deal_until, first, staff
from without_a_loop import WithoutLoop

BOOKS = [
    pytest.param("uth-ma", marks=pytest.mark.clause("MA-4.e-a", "MA-4.e-b")),
    pytest.param("uth-card", id="borrowed"),
]


def recorded(room: Room, kind: Any) -> list[Any]:
    return [event for _, event in recorded_events(room.hosted.live) if isinstance(event, kind)]


def play_round(room: Room) -> None:
    """Let the only player bet and play, with an automatic dealer."""
    room.bet(1, side=False)
    room.ready()
    while room.hosted.waits().why == "decision":
        assert isinstance(room.do(1, room.hosted.view("seat 1").yours.choices[0].command), Answered)


@pytest.mark.parametrize("book", BOOKS)
def test_an_automatic_dealer_spreads_the_cards_at_once(book: str) -> None:
    room = Room(book, [()] * 9, seats=(1,))
    room.watch("seat 1")
    room.watch("rail")
    play_round(room)
    assert room.hosted.phase.over
    assert isinstance(room.do(1, c.Leave(seat=1)), Answered)
    # The cards are spread without a pause after the last player leaves.
    (idled,) = recorded(room, e.TableIdled)
    assert (idled.clause, room.hosted.live.state.section) == ("MA-4.e-a", "idle")
    assert room.hosted.waits().why == "players"
    before = len(recorded(room, e.InspectionOffered)), len(recorded(room, e.DeckShuffled))
    room.sit(2)
    assert [x.clause for x in recorded(room, e.TableResumed)] == ["MA-4.e-b"]
    assert (len(recorded(room, e.InspectionOffered)), len(recorded(room, e.DeckShuffled))) == (
        before[0] + 1,
        before[1] + 1,
    )
    assert recorded(room, e.InspectionOffered)[-1].player == "player 2"
    assert len(recorded(room, e.DeckWashed)) == 2
    assert room.hosted.phase.betting
    assert verify(room.store, "room").faults == ()


@pytest.mark.clause("MA-4.e-a", "MA-4.e-b")
@pytest.mark.parametrize("sits", [False, True], ids=["empty", "a new player"])
def test_a_person_who_deals_spreads_the_cards_first(*, sits: bool) -> None:
    room = by_hand(house={"auto_approve": True})
    deal_until(room, "offer the inspection")
    while not room.hosted.phase.betting:
        assert isinstance(room.do(9, first(room, "dealer")), Answered)
    room.bet(1, side=False)
    room.ready()
    while not room.hosted.phase.over:
        role, who = ("seat 1", 1) if room.hosted.waits().why == "decision" else ("dealer", 9)
        assert isinstance(room.do(who, first(room, role)), Answered)
    assert isinstance(room.do(1, c.Leave(seat=1)), Answered)
    if sits:
        room.sit(2)
        room.watch("seat 2")
    assert room.hosted.waits().why == "dealer"
    view = room.hosted.view("dealer")
    assert [choice.says.partition(":")[0] for choice in view.yours.choices] == ["spread the cards"]
    assert view.table.emptied
    rejected = room.do(9, c.Perform(step="shuffle"))
    assert isinstance(rejected, Rejected)
    assert (rejected.refused[0].code, rejected.refused[0].clause) == ("cards-not-spread", "MA-4.e-a")
    assert isinstance(room.do(9, first(room, "dealer")), Answered)
    if not sits:
        assert room.hosted.waits().why == "players"
        room.sit(2)
        room.watch("seat 2")
    assert [choice.says for choice in room.hosted.view("dealer").yours.choices] == ["resume play"]
    assert isinstance(room.do(9, first(room, "dealer")), Answered)
    assert room.hosted.view("rail").table.step == "offer the inspection"
    early = room.do(9, c.Perform(step="shuffle"))
    assert isinstance(early, Rejected)
    assert early.refused[0].clause == "MA-4.e-b"
    while not room.hosted.phase.betting:
        assert isinstance(room.do(9, first(room, "dealer")), Answered)
    assert recorded(room, e.InspectionOffered)[-1].player == "player 2"
    assert verify(room.store, "room").faults == ()


@pytest.mark.clause("MA-4.e-a", "MA-4.e-b")
def test_a_person_who_deals_spreads_the_cards_if_the_first_player_leaves_before_the_first_round() -> None:
    room = by_hand(house={"auto_approve": True})
    deal_until(room, "wash and stack")
    assert [x.player for x in recorded(room, e.InspectionOffered)] == ["player 1"]
    assert isinstance(room.do(1, c.Leave(seat=1)), Answered)
    room.sit(2)
    room.watch("seat 2")
    assert [x.says.partition(":")[0] for x in room.hosted.view("dealer").yours.choices] == [
        "spread the cards"
    ]
    rejected = room.do(9, c.Perform(step="wash and stack"))
    assert isinstance(rejected, Rejected)
    assert (rejected.refused[0].code, rejected.refused[0].clause) == ("cards-not-spread", "MA-4.e-a")
    while not room.hosted.phase.betting:
        assert isinstance(room.do(9, first(room, "dealer")), Answered)
    assert [x.player for x in recorded(room, e.InspectionOffered)] == ["player 1", "player 2"]
    (idled,), (washed,) = recorded(room, e.TableIdled), recorded(room, e.DeckWashed)
    assert (idled.clause, washed.deck) == ("MA-4.e-a", "A")
    assert verify(room.store, "room").faults == ()


@pytest.mark.clause("MA-4.e-a")
def test_the_table_spreads_the_cards_for_an_absent_dealer() -> None:
    room = by_hand(house={"auto_approve": True})
    while not room.hosted.phase.betting:
        assert isinstance(room.do(9, first(room, "dealer")), Answered)
    for viewer in tuple(room.hosted.audience.watchers):
        room.hosted.leave(viewer)
    assert isinstance(room.do(1, c.Leave(seat=1)), Answered)
    assert not recorded(room, e.TableIdled)
    room.clock.move(120)
    assert [x.clause for x in recorded(room, e.TableIdled)] == ["MA-4.e-a"]


def test_an_idle_table_resumes_after_a_restart() -> None:
    room = Room("uth-ma", [()] * 9, seats=(1,))
    room.watch("seat 1")
    play_round(room)
    assert isinstance(room.do(1, c.Leave(seat=1)), Answered)
    live: LiveTable = room.hosted.live
    live.reload()
    room.hosted = WithoutLoop(run_table(live, room.plan, room.people, room.clock))
    assert not room.hosted.phase.over
    room.sit(2)
    assert len(recorded(room, e.TableResumed)) == 1
    assert room.hosted.phase.betting


STANDS = [
    pytest.param("uth-ma", "MA-6.e-a", marks=pytest.mark.clause("MA-6.e-a")),
    pytest.param("uth-card", "CARD-27", marks=pytest.mark.clause("CARD-27")),
    pytest.param("uth-proc", "PROC-H.9", marks=pytest.mark.clause("PROC-H.9")),
]


@pytest.mark.parametrize(("book", "clause"), STANDS)
def test_a_player_takes_the_wagers_back_before_standing_up(book: str, clause: str) -> None:
    room = Room(book, [()] * 3, seats=(1, 2))
    for seat in (1, 2):
        room.watch(f"seat {seat}")
        room.bet(seat, side=False)
    rejected = room.do(1, c.Stand(seat=1))
    assert isinstance(rejected, Rejected)
    assert (rejected.refused[0].code, rejected.refused[0].clause) == ("wagers-down", clause)
    assert "stand up" not in [choice.says for choice in room.hosted.view("seat 1").yours.choices]
    # The floor records that the player stood up anyway, and the wagers are returned.
    staff(room, 8, "Flo", "floor")
    assert isinstance(room.do(8, c.Stand(seat=1)), Answered)
    assert isinstance(room.do(1, c.Sit(seat=1)), Answered)
    room.bet(1, side=False)
    assert isinstance(room.do(1, c.TakeBack(seat=1)), Answered)
    assert isinstance(room.do(1, c.Stand(seat=1)), Answered)
    room.ready()
    assert room.hosted.live.state.round.players == (2,)


@pytest.mark.clause("PROC-D.2-b")
def test_a_dealer_can_deal_only_to_the_next_seat() -> None:
    order = OpenTable(rulebook="uth-proc", dealer="person", house={"auto_approve": True})
    room = Room("uth-proc", [()], seats=(2, 5), order=order)
    room.watch("dealer")
    staff(room, 9, "Dana", "dealer", "floor")
    while not room.hosted.phase.betting:
        assert isinstance(room.do(9, first(room, "dealer")), Answered)
    for seat in (2, 5):
        room.watch(f"seat {seat}")
        room.bet(seat, side=False)
    room.ready()
    deal_until(room, "dispense the hands")
    rejected = room.do(9, c.Perform(step="dispense the hands", seat=5))
    assert isinstance(rejected, Rejected)
    assert (rejected.refused[0].code, rejected.refused[0].clause) == ("out-of-order", "PROC-D.2-b")
    assert isinstance(room.do(9, c.Perform(step="dispense the hands", seat=2)), Answered)
    assert recorded(room, e.CardsDealt)[-1].to == "seat 2"
