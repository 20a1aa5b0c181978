"""Salts at a hosted table: players commit and open, and a salt that stays unopened discards the deck."""

from __future__ import annotations

from dataclasses import replace as changed

import pytest
from msgspec.structs import replace

from houseway.audit.verify import verify
from houseway.client.messages import Answered, OpenTable, Rejected
from houseway.engine import commands as c
from houseway.engine.players_cut import commitment
from houseway.live import LiveTable
from houseway.live.clock import DEFAULT_PATIENCE
from houseway.live.table_shoes import SealedShoes
from houseway.live.viewer_messages import yours_of
from houseway.server.tables import run_table
from play.tables import Secret
from record.recorded import house
from server import hosted_rounds
from server.hosted_rounds import RecordingViewer, Room

SALTS = {1: "1" * 32, 2: "2" * 32}


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Room:
    """A table of two players, whose shoes are sealed."""
    monkeypatch.setattr(hosted_rounds, "house", lambda store: changed(house(store), entropy=Secret("room")))
    order = OpenTable(rulebook="uth-ma", clock=30)
    return Room("uth-ma", seats=(1, 2), order=order, maker=SealedShoes(Secret("room")))


def enter(room: Room) -> dict[int, RecordingViewer]:
    return {seat: room.watch(f"seat {seat}") for seat in (1, 2)}


def commit(room: Room, seat: int) -> None:
    seal = room.hosted.live.state.round.seal
    must(room.do(seat, c.CommitSalt(seat=seat, commitment=commitment(seal, seat, SALTS[seat]))))


def must(answer: Answered | Rejected) -> None:
    assert isinstance(answer, Answered), answer


def close_betting(room: Room) -> None:
    for seat in (1, 2):
        room.bet(seat, side=False)
    room.ready()


def test_players_see_when_to_commit_to_a_salt_and_when_to_open_it(room: Room) -> None:
    viewers = enter(room)
    yours = viewers[1].view.yours
    assert (yours.commit_due, yours.commitment, yours.openings, yours.salt_due) == (True, "", {}, False)
    for seat in (1, 2):
        commit(room, seat)
    commitments = dict(room.hosted.live.state.round.commitments)
    assert (viewers[1].view.yours.commit_due, viewers[1].view.yours.commitment) == (False, commitments[1])
    close_betting(room)
    for seat, viewer in viewers.items():
        view = viewer.view
        assert view.yours.openings == {seat: commitments[seat]}
        assert (view.waits.why, view.waits.openings) == ("dealer", (1, 2))
        assert view.table.commitments == commitments
        assert not view.yours.cards
    must(room.do(2, c.OpenSalt(seat=2, salt=SALTS[2])))
    assert viewers[2].view.yours.openings == {}
    assert viewers[1].view.waits.openings == (1,)
    must(room.do(1, c.OpenSalt(seat=1, salt=SALTS[1])))
    assert viewers[1].view.waits.why == "decision"
    assert viewers[1].view.yours.cards


def test_a_salt_that_stays_unopened_discards_the_deck_and_the_round_starts_again(room: Room) -> None:
    viewers = enter(room)
    for seat in (1, 2):
        commit(room, seat)
    before = room.hosted.live.state
    close_betting(room)
    must(room.do(1, c.OpenSalt(seat=1, salt=SALTS[1])))
    assert room.hosted.waits().seconds == DEFAULT_PATIENCE.opening
    room.clock.move(DEFAULT_PATIENCE.opening - 0.1)
    assert room.hosted.waits().openings == (2,)
    room.clock.move(0.2)
    state = room.hosted.live.state
    assert (state.round.number, state.round.betting) == (before.round.number + 1, "open")
    assert state.round.seal != before.round.seal
    assert {n: seat.chips for n, seat in state.seats.items()} == {
        n: seat.chips for n, seat in before.seats.items()
    }
    assert not any(seat.hands[0].wagers for seat in state.seats.values())
    discarded = [
        update.event
        for step in viewers[1].following.steps
        if (update := step.update).event is not None and update.event["type"] == "DeckDiscarded"
    ]
    assert [event["seats"] for event in discarded] == [[2]]
    assert verify(room.store, "room").faults == ()
    # The new round opens without any command of a player, and seat 1 may commit again.
    assert room.hosted.waits().why == "bets"
    assert viewers[1].view.yours.commit_due
    commit(room, 1)
    close_betting(room)
    must(room.do(1, c.OpenSalt(seat=1, salt=SALTS[1])))
    assert room.hosted.waits().why == "decision"


def test_the_refusal_of_a_salt_in_the_clear_names_the_messages_to_send(room: Room) -> None:
    answer = room.do(1, c.AddSalt(seat=1, salt=SALTS[1]))
    assert isinstance(answer, Rejected)
    assert answer.refused[0].code == "commit-first"
    assert "send CommitSalt while betting is open and OpenSalt" in answer.refused[0].message


def test_a_table_resumed_while_salts_are_unopened_waits_for_them_again(room: Room) -> None:
    enter(room)
    commit(room, 1)
    close_betting(room)
    live = LiveTable.resume(room.hosted.live.house, "room", SealedShoes(Secret("room")))
    again = run_table(live, room.plan, room.people, room.clock)
    again.enter(room.new_viewer("seat 1"))
    assert again.waits().openings == (1,)
    room.hosted.stop()
    room.clock.move(DEFAULT_PATIENCE.opening)
    assert again.live.state.round.number == 2


def test_only_the_player_of_a_seat_opens_its_salt_and_no_player_discards_the_deck(room: Room) -> None:
    enter(room)
    commit(room, 1)
    close_betting(room)
    for command, code in (
        (c.OpenSalt(seat=1, salt=SALTS[1]), "not-your-seat"),
        (c.DiscardDeck(), "not-yours"),
        (c.DiscardDeck(by="deadline"), "not-yours"),
    ):
        answer = room.do(2, command)
        assert isinstance(answer, Rejected)
        assert answer.refused[0].code == code


def test_a_player_with_two_seats_sees_the_openings_of_both(room: Room) -> None:
    enter(room)
    for seat in (1, 2):
        commit(room, seat)
    close_betting(room)
    state = room.hosted.live.state
    seats = {n: replace(seat, player="player 1") for n, seat in state.seats.items()}
    yours = yours_of(room.hosted.table, replace(state, seats=seats), "seat 1", salt=True)
    assert set(yours.openings) == {1, 2}
