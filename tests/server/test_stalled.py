"""Stalled tables, and players who delay the others: they are noticed, shown, logged once, and resolved."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace as changed
from typing import Any

import pytest

from houseway.audit.explain import explain
from houseway.audit.store import StoreError
from houseway.audit.verify import verify
from houseway.client.messages import Answered, OpenTable, Ready, Rejected, Waits
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.players_cut import commitment
from houseway.engine.state import total
from houseway.live.clock import AGAIN, DEFAULT_PATIENCE, Patience
from houseway.live.table_shoes import SealedShoes
from houseway.server.event_log import EventLog
from houseway.server.log_lines import FIELDS
from houseway.testing.driver import stacked
from play.tables import Secret
from record.recorded import SIGNER, house
from server import hosted_rounds
from server.hosted_rounds import Room
from server.test_shootout_live import DANA, accepted, record, room_of, says, take_step

FLO = 8
DECK = stacked("device", "Qd Th 6h 5c 3d", "Kd Kc", "As Ah", "9c 8s").split()


def staff(room: Room, place: int, name: str, role: Any) -> None:
    introduced = room.people.introduce(name)
    assert isinstance(introduced, tuple)
    room.persons[place] = room.people.give(introduced[0].handle, "room", role)


def two_players(clock: int = 0, patience: Patience = DEFAULT_PATIENCE) -> Room:
    """A table without a clock at which two connected players may bet."""
    order = OpenTable(rulebook="uth-ma", mode="device", clock=clock)
    room = Room("uth-ma", [DECK] * 8, seats=(1, 2), order=order, patience=patience)
    for seat in (1, 2):
        room.watch(f"seat {seat}")
    return room


def recorded(room: Room, kind: type[Any]) -> list[Any]:
    return [event for event in record(room) if isinstance(event, kind)]


# --- a table that cannot continue ---


def short_hand() -> Room:
    """A table where a person dealt seat 1 too few cards and did not report it, and seat 1's time ran out."""
    room = room_of(dealer="person", seats=(1, 2))
    staff(room, DANA, "Dana", "dealer")
    while not room.hosted.phase.betting:
        take_step(room)
    for seat in (1, 2):
        room.watch(f"seat {seat}")
        room.bet(seat, side=False)
    room.ready()
    while not any(step.startswith("deal") for step in says(room, "dealer")):
        take_step(room)
    accepted(room.do(DANA, c.DealShort()))
    while room.hosted.waits().why != "decision":
        take_step(room)
    return room


def test_a_stalled_table_is_logged_once_shown_to_its_viewers_and_cleared(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "houseway")
    room, log = short_hand(), EventLog()
    room.hosted.after_send.append(lambda: log.table_changed("room", room.hosted.stuck_reason))
    staff(room, FLO, "Flo", "floor")
    floor, player = room.watch("floor"), room.watch("seat 2")
    before = total(room.hosted.live.state)
    assert room.hosted.waits().stalled == ""
    accepted(room.do(2, c.Keep(seat=2, cards=room.hosted.live.state.seats[2].hands[0].cards[:2])))
    room.clock.move(1000)
    reason = "the table cannot continue: seat 1 has 3 cards, not 4; report the wrong number of cards first"
    assert room.hosted.waits().stalled == floor.view.waits.stalled == player.view.waits.stalled == reason
    # The server waits for the floor person, and does not log the same stall again.
    (line,) = [getattr(line, FIELDS) for line in caplog.records if line.name == "houseway"]
    assert line == {"event": "table-stuck", "table": "room", "reason": reason}
    assert recorded(room, e.RulingMade) == []
    accepted(room.do(FLO, c.MakeRuling(effect="refund round", reason="a hand has three cards")))
    assert room.hosted.waits().stalled == floor.view.waits.stalled == ""
    assert [event.event for event in log.recent()] == ["table-continues", "table-stuck"]
    (ruling,) = recorded(room, e.RulingMade)
    assert (ruling.name, ruling.effect) == ("Flo", "refund round")
    while not room.hosted.phase.over:
        take_step(room)
    assert set(recorded(room, e.RoundClosed)[0].net.values()) <= {0}
    assert total(room.hosted.live.state) == before
    assert verify(room.store, "room", key=SIGNER.public).faults == ()


def test_without_a_floor_person_the_house_voids_the_round_of_a_stalled_table() -> None:
    room = short_hand()
    room.clock.move(1000)
    (ruling,) = recorded(room, e.RulingMade)
    assert (ruling.by, ruling.name, ruling.effect) == ("house", "the house", "refund round")
    assert ruling.reason.startswith("the table cannot continue:")
    assert ruling.reason.endswith("; no floor person resolved it within 120 seconds")
    told = [line.says for line in explain(room.store, "room", 1, "rail").said]
    ruled = (
        "The house ruled, without a person, that the round is void and every wager is returned: the table"
    )
    assert any(says.startswith(ruled) for says in told), told
    assert room.hosted.waits().stalled == ""
    # The house also takes the absent dealer's steps, and the round is closed.
    assert set(recorded(room, e.RoundClosed)[0].net.values()) <= {0}
    assert verify(room.store, "room", key=SIGNER.public).faults == ()


def test_an_absent_dealer_does_not_stall_a_table_with_an_award_to_key() -> None:
    deck = stacked("device", "9h Th Kh 4c 2d", "Qc 3s", "2h 7h").split()
    order = OpenTable(rulebook="uth-sd", mode="device", dealer="person", house={"auto_approve": True})
    room = Room("uth-sd", [deck], seats=(1,), order=order)
    staff(room, DANA, "Dana", "dealer")
    room.watch("seat 1")
    while not room.hosted.phase.betting:
        take_step(room)
    accepted(room.do(1, c.Bet(seat=1, wagers={"ante": 500, "progressive": 100})))
    room.ready()
    while room.hosted.waits().why != "decision":
        take_step(room)
    accepted(room.do(1, c.Play(seat=1, times=4)))
    room.clock.move(10_000)
    assert [event.hand for event in recorded(room, e.AwardKeyed)] == ["flush"]
    assert len(recorded(room, e.RoundClosed)) == 1
    assert not room.hosted.trouble


def test_a_table_that_cannot_read_its_record_is_unavailable_but_not_stalled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = two_players()
    viewer = room.watch("seat 1")
    for seat in (1, 2):
        room.bet(seat, side=False)

    send, sent = room.hosted.live.send, list[c.Command]()

    def broken(command: c.Command) -> Any:
        """Fail at the second act of the dealer."""
        if sent:
            raise StoreError("/var/lib/house.db: disk I/O error")
        sent.append(command)
        return send(command)

    monkeypatch.setattr(room.hosted.live, "send", broken)
    room.ready()
    assert room.hosted.stuck_reason == "/var/lib/house.db: disk I/O error"
    assert (viewer.view.waits.unavailable, viewer.view.waits.stalled) == (True, "")
    # The server does not refund a round because it could not read its own record.
    room.clock.move(1000)
    monkeypatch.undo()
    room.clock.move(AGAIN)
    assert (viewer.view.waits.unavailable, viewer.view.waits.why) == (False, "decision")
    assert recorded(room, e.RulingMade) == []


def test_a_dealer_who_waits_for_salts_does_not_stall_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosted_rounds, "house", lambda store: changed(house(store), entropy=Secret("room")))
    order = OpenTable(rulebook="uth-sd", mode="device", dealer="person")
    room = Room("uth-sd", seats=(1,), order=order, maker=SealedShoes(Secret("room")))
    staff(room, DANA, "Dana", "dealer")
    dealer = room.watch("dealer")
    room.watch("seat 1")
    while not room.hosted.phase.betting:
        take_step(room)
    seal = room.hosted.live.state.round.seal
    accepted(room.do(1, c.CommitSalt(seat=1, commitment=commitment(seal, 1, "1" * 32))))
    room.bet(1, side=False)
    room.ready()
    while not room.hosted.waits().openings:
        take_step(room)
    assert dealer.view.yours.choices == ()
    assert (dealer.view.waits.stalled, dealer.view.waits.seconds) == ("", DEFAULT_PATIENCE.opening)
    room.clock.move(DEFAULT_PATIENCE.opening)
    assert len(recorded(room, e.DeckDiscarded)) == 1
    assert room.hosted.waits().stalled == ""


@pytest.mark.parametrize("floor", [False, True])
def test_a_payment_that_nobody_approves_is_refunded_after_two_days(*, floor: bool) -> None:
    # A straight flush, whose payment a named floor person must approve.
    deck = stacked("device", "9h Th Jh 2c 2d", "Ac Kd", "7h 8h").split()
    order = OpenTable(rulebook="uth-proc", house={"auto_approve": False})
    room = Room("uth-proc", [deck], seats=(1,), order=order)
    room.watch("seat 1")
    if floor:
        room.watch("floor")
    chips = room.hosted.live.state.seats[1].chips
    accepted(room.do(1, c.Bet(seat=1, wagers={"ante": 700})))
    room.ready()
    accepted(room.do(1, c.Play(seat=1, times=4)))
    two_days = 2 * 24 * 3600
    assert (room.hosted.waits().why, room.hosted.waits().seconds) == ("floor", None if floor else two_days)
    room.clock.move(two_days - 1)
    assert recorded(room, e.RulingMade) == []
    room.clock.move(1)
    rulings = [(event.by, event.effect) for event in recorded(room, e.RulingMade)]
    assert rulings == ([] if floor else [("house", "refund round")])
    if not floor:
        assert room.hosted.live.state.seats[1].chips == chips
        told = [line.says for line in explain(room.store, "room", 1, "rail").said]
        why = "the house setting auto_approve is off, and no floor person approved a payment before the deadline"
        assert any("The house ruled, without a person," in says and why in says for says in told), told
    assert verify(room.store, "room", key=SIGNER.public).faults == ()


# --- a player who delays the others ---


def test_a_player_who_is_never_ready_delays_the_others_for_a_minute() -> None:
    room = two_players()
    room.bet(1, side=False)
    assert room.hosted.waits().seconds is None
    room.hosted.say_ready(room.persons[1], Ready())
    assert (room.hosted.waits().why, room.hosted.waits().seconds) == ("bets", 60.0)
    room.clock.move(60)
    # Seat 2 has no wager and sits out.
    assert room.hosted.live.state.round.players == (1,)


def play_alone(room: Room) -> None:
    """Seat 1 bets and plays a round; seat 2 does nothing."""
    room.bet(1, side=False)
    room.hosted.say_ready(room.persons[1], Ready())
    room.clock.move(60)
    if room.hosted.waits().why == "decision":
        accepted(room.do(1, c.Play(seat=1, times=4)))
        room.hosted.say_ready(room.persons[1], Ready())
        room.clock.move(60)


@pytest.mark.parametrize("floor", [False, True])
def test_without_a_floor_person_the_house_removes_a_player_after_three_rounds(*, floor: bool) -> None:
    room = two_players()
    if floor:
        room.watch("floor")
    for _ in range(3):
        assert 2 in room.hosted.live.state.seats
        play_alone(room)
    removed = [(event.seat, event.by, event.name) for event in recorded(room, e.PlayerRemoved)]
    assert removed == ([] if floor else [(2, "house", "the house")])
    assert (2 in room.hosted.live.state.seats) is floor
    if not floor:
        assert recorded(room, e.PlayerRemoved)[0].reason == "did not bet or say ready in time for 3 rounds"


def say_ready(room: Room) -> None:
    room.hosted.say_ready(room.persons[2], Ready())
    room.hosted.say_ready(room.persons[2], Ready(ready=False))


def bet(room: Room) -> None:
    room.bet(2, side=False)
    accepted(room.do(2, c.TakeBack(seat=2)))


@pytest.mark.parametrize("act", [say_ready, bet])
def test_a_player_who_acts_again_is_not_removed(act: Callable[[Room], None]) -> None:
    room = two_players()
    for _ in range(4):
        play_alone(room)
        act(room)
    assert recorded(room, e.PlayerRemoved) == []


REMOVE = {"type": "RemovePlayer", "seat": 2, "reason": "holds up the table"}


def code(answer: Answered | Rejected) -> str:
    assert isinstance(answer, Rejected), answer
    return answer.refused[0].code


def test_the_floor_removes_a_player_who_delays_the_table() -> None:
    room = two_players()
    staff(room, FLO, "Flo", "floor")
    viewer = room.watch("rail")
    room.bet(1, side=False)
    room.bet(2, side=False)
    chips = room.hosted.live.state.seats[2].chips
    assert code(room.do(1, REMOVE)) == "not-your-role"
    assert code(room.do(FLO, {**REMOVE, "reason": " "})) == "reason-missing"
    assert code(room.do(FLO, {**REMOVE, "seat": 5})) == "nobody-there"
    accepted(room.do(FLO, REMOVE))
    (removed,), (left,) = recorded(room, e.PlayerRemoved), recorded(room, e.PlayerLeft)
    assert (removed.seat, removed.name, removed.by) == (2, "Flo", "supervisor")
    # The wagers are returned to the chips, and the chips to the account.
    assert left.chips == chips + 1000
    said = [sentence for update in viewer.following.steps for sentence in update.update.sentences]
    assert "Flo removed player 2 from seat 2: holds up the table" in " ".join(said)
    assert verify(room.store, "room", key=SIGNER.public).faults == ()


def test_a_host_who_plays_removes_only_a_player_without_cards() -> None:
    room = two_players()
    room.persons[1] = room.people.give(room.persons[1].handle, "room", "floor")
    room.bet(1, side=False)
    room.bet(2, side=False)
    room.ready()
    assert code(room.do(1, REMOVE)) == "plays"
    room = two_players()
    room.persons[1] = room.people.give(room.persons[1].handle, "room", "floor")
    room.bet(1, side=False)
    accepted(room.do(1, REMOVE))
    assert 2 not in room.hosted.live.state.seats


@pytest.mark.clause("MA-6.e-b")
def test_a_removed_player_with_cards_stays_in_the_round_and_then_leaves() -> None:
    room = two_players()
    staff(room, FLO, "Flo", "floor")
    for seat in (1, 2):
        room.bet(seat, side=False)
    room.ready()
    accepted(room.do(FLO, REMOVE))
    sitting = room.hosted.live.state.seats[2]
    assert (sitting.seated, sitting.removed, room.hosted.view("seat 1").people[2].leaves) == (
        False,
        True,
        True,
    )
    assert recorded(room, e.PlayerStood)[0].clause == "MA-6.e-b"
    assert code(room.do(2, c.Sit(seat=2))) == "removed"
    assert code(room.do(FLO, REMOVE)) == "removed-already"
    accepted(room.do(1, c.Play(seat=1, times=4)))
    room.clock.move(400)
    # The deadline played the hand: check, check, fold.
    assert [(event.seat, event.by) for event in recorded(room, e.Folded)] == [(2, "deadline")]
    room.ready()
    room.clock.move(100)
    assert 2 not in room.hosted.live.state.seats
    assert verify(room.store, "room", key=SIGNER.public).faults == ()


# --- a house with its own deadlines ---


def test_a_house_may_set_its_own_deadlines() -> None:
    patience = Patience(away=4, decision=20, ready=7, opening=3, stalled=9)
    room = two_players(patience=patience)
    assert room.hosted._deadlines._patience(Waits(why="dealer", openings=(1,))) == 3
    room.bet(1, side=False)
    room.hosted.say_ready(room.persons[1], Ready())
    assert room.hosted.waits().seconds == 7
    room.clock.move(7)
    assert room.hosted.waits().seconds == 20
    gone = next(viewer for viewer in room.hosted.audience.watchers if viewer.role == "seat 1")
    room.hosted.leave(gone)
    assert room.hosted.waits().seconds == 4
    room.hosted.stall.note("a test")
    room.clock.time += 8.9
    assert not room.hosted.stall.overdue
    room.clock.time += 0.2
    assert room.hosted.stall.overdue


def test_the_number_of_idle_rounds_is_a_setting() -> None:
    room = two_players(patience=Patience(rounds_idle=1))
    play_alone(room)
    (removed,) = recorded(room, e.PlayerRemoved)
    assert (removed.seat, removed.reason) == (2, "did not bet or say ready in time for 1 round")
