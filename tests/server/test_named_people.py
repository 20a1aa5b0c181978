"""Named people who confirm, verify and approve at a live table. Also: leaving with cards, and idle tables."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.audit.explain import explain
from houseway.audit.verify import verify
from houseway.client.messages import Answered, OpenTable, Rejected
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.persons import AUTOMATIC_DEALER
from houseway.live.recent_events import recorded_events
from houseway.testing.driver import stacked
from server.hosted_rounds import Room

STRAIGHT_FLUSH = stacked("device", "9h Th Jh 2c 2d", "Ac Kd", "7h 8h").split()
"""A straight flush for the only player: $7 on the blind wins $350."""


def staff(room: Room, number: int, handle: str, *roles: Any) -> None:
    """Introduce a person with roles at the table, who acts under this number."""
    introduced = room.people.introduce(handle)
    assert isinstance(introduced, tuple), introduced
    room.persons[number] = room.people.give(introduced[0].handle, "room", *roles)


def recorded(room: Room, kind: Any) -> list[Any]:
    """Return the recorded events of a kind."""
    return [event for _, event in recorded_events(room.hosted.live) if isinstance(event, kind)]


def first(room: Room, role: str) -> dict[str, Any]:
    """Return the command of a role's first choice."""
    choices = room.hosted.view(role).yours.choices
    assert choices, (role, room.hosted.waits(), room.hosted.view(role).table.step)
    return dict(choices[0].command)


def by_hand(rulebook: str = "uth-ma", **order: Any) -> Room:
    """A table with one player, where a person, Dana, deals."""
    room = Room(rulebook, [()], seats=(1,), order=OpenTable(rulebook=rulebook, dealer="person", **order))
    room.watch("seat 1")
    room.watch("dealer")
    staff(room, 9, "Dana", "dealer", "floor")
    return room


def deal_until(room: Room, step: str) -> None:
    """Let Dana perform the dealer's steps until a step is due."""
    for _ in range(40):
        if room.hosted.view("rail").table.step == step:
            return
        answer = room.do(9, first(room, "dealer"))
        assert isinstance(answer, Answered), answer
    raise AssertionError(f"{step} is never due")


@pytest.mark.clause("MA-3.b-a")
def test_the_table_waits_for_a_second_person_who_verifies() -> None:
    room = by_hand()
    deal_until(room, "verify the deck")
    assert {x.name for x in recorded(room, e.ItemConfirmed)} == {"Dana"}
    assert [x.name for x in recorded(room, e.DeckInspected)] == ["Dana"]
    # A deadline cannot verify for the floor.
    assert room.hosted.waits().why == "floor"
    room.clock.move(100_000)
    assert recorded(room, e.DeckVerified) == []
    assert not room.hosted.view("dealer").yours.choices
    own = room.do(9, first(room, "floor"))
    assert isinstance(own, Rejected)
    assert (own.refused[0].code, own.refused[0].clause) == ("same-person", "MA-3.b-a")
    staff(room, 8, "Flo", "floor")
    # The server writes the sender's own name, whatever the command says.
    answer = room.do(8, {**first(room, "floor"), "name": "Somebody"})
    assert isinstance(answer, Answered), answer
    (verified,) = recorded(room, e.DeckVerified)
    assert (verified.name, verified.by, verified.automatic) == ("Flo", "floorperson", False)
    assert room.hosted.waits().why == "dealer"


def test_the_operator_may_turn_on_automatic_verification() -> None:
    room = by_hand(house={"auto_approve": True})
    deal_until(room, "wash and stack")
    (verified,) = recorded(room, e.DeckVerified)
    assert (verified.by, verified.name, verified.automatic) == ("house", "", True)


@pytest.mark.clause("PROC-H.7")
@pytest.mark.parametrize("automatic", [True, False])
def test_a_payment_waits_for_a_named_person_unless_the_house_says_otherwise(*, automatic: bool) -> None:
    house = {} if automatic else {"auto_approve": False}
    room = Room("uth-proc", [STRAIGHT_FLUSH], seats=(1,), order=OpenTable(rulebook="uth-proc", house=house))
    player = room.watch("seat 1")
    staff(room, 8, "Flo", "floor")
    assert isinstance(room.do(1, c.Bet(seat=1, wagers={"ante": 700})), Answered)
    room.ready()
    assert isinstance(room.do(1, c.Play(seat=1, times=4)), Answered)
    if not automatic:
        assert room.hosted.waits().why == "floor"
        room.clock.move(100_000)
        assert recorded(room, e.PaymentApproved) == []
        assert isinstance(room.do(8, first(room, "floor")), Answered)
    (approved,) = recorded(room, e.PaymentApproved)
    expected = ("house", "", True) if automatic else ("floor", "Flo", False)
    assert (approved.by, approved.name, approved.automatic) == expected
    assert approved.clause == "PROC-H.7"
    assert player.view.table.closed
    told = [s.says for s in explain(room.store, "room", 1, "rail").said if s.clause == "PROC-H.7"]
    printed = "approved automatically, as a house setting allows"
    assert any(printed in says for says in told) is automatic
    assert any("(Flo)" in says for says in told) is not automatic
    assert verify(room.store, "room").faults == ()


@pytest.mark.clause("MA-3.b-a", "MA-3.c-a")
def test_a_lone_player_sits_down_and_bets() -> None:
    room = Room("uth-ma", [()], seats=())
    room.watch("rail")
    room.hosted.go_on()
    # The deck is spread for the first player; nothing is washed or shuffled before.
    assert room.hosted.waits().why == "players"
    assert room.hosted.view("rail").table.step == "offer the inspection"
    assert not recorded(room, e.DeckWashed)
    room.sit(3)
    assert room.hosted.phase.betting
    (offered,) = recorded(room, e.InspectionOffered)
    assert (offered.seat, offered.player, offered.clause) == (3, "player 3", "MA-3.c-a")
    assert [x.name for x in recorded(room, e.DeckInspected)] == [AUTOMATIC_DEALER]
    assert [x.automatic for x in recorded(room, e.DeckVerified)] == [True]
    assert isinstance(room.do(3, c.Bet(seat=3, wagers={"ante": 1000})), Answered)
    told = [s.says for s in explain(room.store, "room", 1, "rail").said]
    for part in (
        "Deck A was inspected by the automatic dealer",
        "Deck A was verified automatically, as a house setting allows",
        "was offered deck A for inspection",
        "Deck A was turned face down, washed and stacked",
        "Confirmed automatically, as a house setting allows: the deck meets 205 CMR 146.48",
    ):
        assert any(part in says for says in told), (part, told)


@pytest.mark.clause("MA-4.e-a", "MA-4.e-b")
def test_dealing_stops_when_all_players_leave_and_begins_again_with_the_next_player() -> None:
    room = Room("uth-ma", [()] * 9, seats=(1,))
    room.watch("rail")
    assert isinstance(room.do(1, c.Leave(seat=1)), Answered)
    (idled,) = recorded(room, e.TableIdled)
    assert (idled.clause, room.hosted.live.state.section) == ("MA-4.e-a", "idle")
    rounds = len(recorded(room, e.RoundOpened))
    room.clock.move(100_000)
    assert len(recorded(room, e.RoundOpened)) == rounds
    room.sit(2)
    (resumed,) = recorded(room, e.TableResumed)
    assert resumed.clause == "MA-4.e-b"
    assert [x.player for x in recorded(room, e.InspectionOffered)] == ["player 1", "player 2"]
    assert len(recorded(room, e.DeckWashed)) == 2
    assert room.hosted.phase.betting


@pytest.mark.clause("MA-2.b.3", "MA-3.d")
def test_the_device_shuffles_one_deck_while_the_other_is_dealt() -> None:
    house = {"decks": 2, "shuffler": "device"}
    order = OpenTable(rulebook="uth-ma", house=house, mode="device")
    room = Room("uth-ma", [()] * 20, seats=(1,), order=order)
    room.watch("seat 1")
    for _ in range(2):
        assert isinstance(room.do(1, c.Bet(seat=1, wagers={"ante": 1000})), Answered)
        room.ready()
        assert isinstance(room.do(1, c.Play(seat=1, times=4)), Answered)
        room.ready()
    for kind, clause in (
        (e.DeckInspected, "MA-3.b-a"),
        (e.DeckVerified, "MA-3.b-a"),
        (e.InspectionOffered, "MA-3.c-a"),
        (e.DeckWashed, "MA-3.c-a"),
    ):
        assert [(x.deck, x.clause) for x in recorded(room, kind)] == [("A", clause), ("B", clause)], kind
    opening = recorded(room, e.DeckShuffled)[:2]
    assert [(x.deck, x.clause, x.ahead) for x in opening] == [("A", "MA-3.d", True), ("B", "MA-3.d", True)]
    shuffled = [x.deck for _, x in recorded_events(room.hosted.live) if isinstance(x, e.DeckShuffled)]
    assert shuffled == ["A", "B", "B", "A"]
    assert [x.deck for x in recorded(room, e.RoundOpened)] == ["A", "B", "A"]
    assert verify(room.store, "room").faults == ()


@pytest.mark.parametrize(
    ("rulebook", "clause"),
    [
        pytest.param("uth-ma", "MA-6.e-b", marks=pytest.mark.clause("MA-6.e-b")),
        pytest.param("uth-card", "CARD-28", marks=pytest.mark.clause("CARD-28")),
        pytest.param("uth-proc", "PROC-H.9", marks=pytest.mark.clause("PROC-H.9")),
    ],
)
def test_a_player_with_cards_stays_seated_and_the_floor_plays_the_hand_of_a_player_who_left(
    rulebook: str, clause: str
) -> None:
    room = Room(rulebook, [()], seats=(1, 2))
    room.watch("seat 1")
    room.watch("seat 2")
    staff(room, 8, "Flo", "floor")
    for seat in (1, 2):
        room.bet(seat, side=False)
    room.ready()
    assert room.hosted.waits().seats == (1,)
    early = room.do(1, c.Stand(seat=1))
    assert isinstance(early, Rejected)
    assert (early.refused[0].code, early.refused[0].clause) == ("round-not-complete", clause)
    # The floor cannot play the hand of a player who is present.
    assert isinstance(room.do(8, c.ActFor(seat=1)), Rejected)
    assert isinstance(room.do(2, c.Stand(seat=1)), Rejected)
    assert isinstance(room.do(8, c.Stand(seat=1)), Answered)
    assert recorded(room, e.PlayerStood)[-1].clause == clause
    says = [choice.says for choice in room.hosted.view("floor").yours.choices]
    assert "play seat 1's hand" in says
    assert recorded(room, e.PlayerStood)[-1].name == "Flo"
    for _ in range(10):
        waits = room.hosted.waits()
        if waits.why == "next":
            break
        assert waits.why == "decision", waits
        if waits.seats == (2,):
            options = [choice.command for choice in room.hosted.view("seat 2").yours.choices]
            own = next(o for o in options if o["type"] == "Check" or o.get("times") == 1)
            assert isinstance(room.do(2, own), Answered)
        else:
            assert isinstance(room.do(8, c.ActFor(seat=1, name="Somebody")), Answered)
    # Two checks and the fold at the last betting point.
    acts = [x for x in recorded(room, e.Event) if isinstance(x, e.Checked | e.Folded) and x.seat == 1]
    assert [type(x).__name__ for x in acts] == ["Checked", "Checked", "Folded"]
    assert {(x.by, x.name) for x in acts} == {("supervisor", "Flo")}
    ante = recorded(room, e.WagersPlaced)[0].wagers["ante"]
    (closed,) = recorded(room, e.RoundClosed)
    assert closed.net[1] == -2 * ante
    told = [says.says for says in explain(room.store, "room", 1, "rail").said]
    assert any("folded (the supervisor, Flo, acted for the player)" in says for says in told), told
    assert verify(room.store, "room").faults == ()


@pytest.mark.clause("PROC-H.2-b", "PROC-H.3-a", "PROC-H.3-c", "PROC-H.3-d")
def test_the_record_names_the_floor_person_who_orders_minimums_and_holds_seats() -> None:
    room = Room("uth-proc", [()] * 9, seats=(1,), order=OpenTable(rulebook="uth-proc"))
    room.watch("seat 1")
    staff(room, 8, "Flo", "floor")
    assert isinstance(room.do(1, c.Bet(seat=1, wagers={"ante": 300})), Answered)
    room.ready()
    # A client cannot write another name.
    orders: list[c.Command] = [
        c.ChangeMinimum(wager="ante", amount=500, notice="surveillance", name="Somebody"),
        c.KeepMinimum(seat=1, name="Somebody"),
        c.HoldSeat(seat=1, until="9 pm", name="Somebody"),
        c.ReleaseSeat(seat=1, name="Somebody"),
    ]
    for number, order in enumerate(orders):
        answer = room.do(8, order, key=f"order {number}")
        assert isinstance(answer, Answered), answer
        again = room.do(8, order, key=f"order {number}")
        assert isinstance(again, Answered), again
        assert (again.seq, again.repeated) == (answer.seq, True)
        assert isinstance(room.do(1, order), Rejected)
    for kind, clause in (
        (e.LimitsChanged, "PROC-H.2-b"),
        (e.MinimumKept, "PROC-H.3-a"),
        (e.SeatHeld, "PROC-H.3-c"),
        (e.SeatReleased, "PROC-H.3-d"),
    ):
        assert [(x.name, x.clause) for x in recorded(room, kind)] == [("Flo", clause)], kind
    told = [s.says for s in explain(room.store, "room", 1, "rail").said]
    assert sum("ordered by Flo" in says for says in told) == len(orders), told
    assert verify(room.store, "room").faults == ()


def test_the_record_names_the_floor_person_who_corrects_a_payment() -> None:
    room = by_hand(house={"auto_approve": True})
    staff(room, 8, "Flo", "floor")
    deal_until(room, "announce no more bets") if not room.hosted.phase.betting else None
    assert isinstance(room.do(1, c.Bet(seat=1, wagers={"ante": 1000})), Answered)
    room.ready()
    while not room.hosted.live.state.round.settled:
        if room.hosted.waits().why == "decision":
            assert isinstance(room.do(1, c.Play(seat=1, times=4)), Answered)
        else:
            assert isinstance(room.do(9, first(room, "dealer")), Answered)
    wager = room.hosted.live.state.round.settled[0].wager
    assert isinstance(room.do(9, c.Mispay(seat=1, wager=wager, amount=300)), Answered)
    assert isinstance(room.do(8, c.Correct(seat=1, wager=wager, name="Somebody")), Answered)
    (corrected,) = recorded(room, e.PaymentCorrected)
    assert (corrected.by, corrected.name, corrected.amount) == ("floor", "Flo", -300)
    told = [s.says for s in explain(room.store, "room", 1, "rail").said]
    assert any(says.startswith("The floor (Flo) corrected the payment") for says in told), told


@pytest.mark.clause("MA-7.h-b")
@pytest.mark.parametrize("automatic", [True, False])
def test_a_removed_deck_is_replaced_by_a_named_person_or_by_the_house_setting(*, automatic: bool) -> None:
    room = by_hand(mode="device", house={"auto_approve": automatic, "device_counts": True})
    staff(room, 8, "Flo", "floor")
    if not automatic:
        deal_until(room, "verify the deck")
        assert isinstance(room.do(8, first(room, "floor")), Answered)
    deal_until(room, "announce no more bets")
    assert isinstance(room.do(1, c.Bet(seat=1, wagers={"ante": 1000})), Answered)
    counted = room.do(9, c.Report(kind="device count", count=51))
    assert isinstance(counted, Answered), counted
    assert [x.deck for x in recorded(room, e.DeckRemoved)] == ["A"]
    for _ in range(60):
        waits = room.hosted.waits()
        if recorded(room, e.DeckReplaced) or waits.why == "floor":
            break
        if waits.why == "next":
            room.ready()
        else:
            assert isinstance(room.do(9, first(room, "dealer")), Answered), waits
    if not automatic:
        # A deadline cannot replace the deck for the floor.
        room.clock.move(100_000)
        assert recorded(room, e.DeckReplaced) == []
        assert room.hosted.waits().why == "floor"
        says = {choice.says: choice.command for choice in room.hosted.view("floor").yours.choices}
        assert isinstance(room.do(8, {**says["replace deck A"], "name": "Somebody"}), Answered)
    (replaced,) = recorded(room, e.DeckReplaced)
    assert (replaced.name, replaced.automatic) == (("", True) if automatic else ("Flo", False))
    words = "Deck A was replaced with a new one " + (
        "automatically, as a house setting allows" if automatic else "by Flo"
    )
    while not recorded(room, e.RoundOpened)[1:]:
        who, role = (8, "floor") if room.hosted.waits().why == "floor" else (9, "dealer")
        assert isinstance(room.do(who, first(room, role)), Answered), room.hosted.waits()
    assert words in [s.says for s in explain(room.store, "room", 2, "rail").said]
    assert verify(room.store, "room").faults == ()


@pytest.mark.clause("MA-2.a-b", "MA-2.a-c", "MA-3.b-a", "MA-7.a-a")
def test_a_machine_dealers_table_waits_for_a_named_person_if_nothing_is_approved_automatically() -> None:
    order = OpenTable(rulebook="uth-ma", mode="manual", house={"auto_approve": False})
    room = Room("uth-ma", [()], seats=(1,), order=order)
    room.watch("seat 1")
    staff(room, 8, "Flo", "floor")
    for _ in range(10):
        if room.hosted.phase.betting:
            break
        room.clock.move(100_000)
        assert room.hosted.waits().why == "floor"
        assert isinstance(room.do(8, {**first(room, "floor"), "name": "Somebody"}), Answered)
    assert {(x.clause, x.name, x.automatic) for x in recorded(room, e.ItemConfirmed)} == {
        (clause, "Flo", False) for clause in ("MA-2.a-b", "MA-2.a-c", "MA-7.a-a")
    }
    assert [x.name for x in recorded(room, e.DeckInspected)] == [AUTOMATIC_DEALER]
    assert [(x.name, x.automatic) for x in recorded(room, e.DeckVerified)] == [("Flo", False)]
    assert verify(room.store, "room").faults == ()


@pytest.mark.clause("SD-1-f")
def test_a_missing_sign_is_a_recorded_exception() -> None:
    room = by_hand("uth-sd")
    says = {choice.says: choice.command for choice in room.hosted.view("dealer").yours.choices}
    assert isinstance(room.do(9, says['open without the step "post the limits"']), Answered)
    (flagged,) = recorded(room, e.ItemConfirmed)
    assert (flagged.clause, flagged.name, flagged.exception) == ("SD-1-f", "Dana", "opened without it")
