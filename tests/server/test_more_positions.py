"""A player with several seats at a live table, if the house allows it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from houseway.cards import cards
from houseway.client import House, HouseError
from houseway.client.messages import OpenTable, Ready
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.live.remote_bot import RemoteBot
from houseway.server.permissions import role_refusal
from houseway.server.table_sheets import table_card, table_sheet
from server.hosted_rounds import Room
from server.houses import running
from server.test_shootout_live import (
    BOOK,
    KINGS,
    PAIRS,
    SEVENS,
    accepted,
    check_record,
    record,
    refused,
    shoe,
)
from table_driver import table

ON = {"more_positions": True}
LIMITS = {"wager": {"min": "5", "max": "50"}, "bonus": {"min": "1", "max": "20"}}


def room_of(**house: Any) -> Room:
    """A table with one player at seat 1."""
    order = OpenTable(rulebook=BOOK, house=house, limits=LIMITS)
    return Room(BOOK, [shoe(SEVENS, PAIRS, KINGS)], seats=(1,), order=order)


@pytest.mark.clause("TS-4-b")
def test_a_second_position_is_refused_with_the_clause_unless_the_house_allows_it() -> None:
    room = room_of()
    refusal = refused(room.do(1, c.Sit(seat=2)))
    assert (refusal.code, refusal.clause) == ("seated", "TS-4-b")
    assert "you have seat 1 at this table" in refusal.message
    runner = room.hosted
    assert not table_sheet(runner, table_card(runner)).more_positions


@pytest.mark.clause("CARD-29", "MA-11")
@pytest.mark.parametrize(("book", "clause"), [("uth-card", "CARD-29"), ("uth-ma", "MA-11")])
def test_some_documents_forbid_a_second_position(book: str, clause: str) -> None:
    room = Room(book, [()], seats=(3,))
    refusal = refused(room.do(3, c.Sit(seat=1)))
    assert (refusal.code, refusal.clause) == ("seated", clause)


@pytest.mark.clause("TS-4-b")
def test_a_player_bets_decides_and_is_paid_at_two_positions() -> None:
    room = room_of(**ON)
    runner = room.hosted
    assert table_sheet(runner, table_card(runner)).more_positions
    accepted(room.do(1, c.Sit(seat=2)))
    assert {seat.player for seat in runner.live.state.seats.values()} == {room.persons[1].handle}
    viewer = room.watch("seat 1")
    # One connection is enough for both seats.
    assert runner.presence.here(2)
    for seat in (1, 2):
        accepted(room.do(1, c.Bet(seat=seat, wagers={"wager": 1000, "bonus": 500})))
    assert runner.say_ready(room.persons[1], Ready()) is None
    assert runner.waits().why == "decision"
    dealt = {n: len(seat.hands[0].cards) for n, seat in runner.live.state.seats.items()}
    assert dealt == {1: 4, 2: 4}
    for seat in (1, 2):
        assert role_refusal(room.people, runner.live, room.persons[1], f"seat {seat}", "role") is None
    assert runner.view("seat 2").yours.cards == (tuple(PAIRS.split()),)
    accepted(room.do(1, c.Keep(seat=1, cards=cards("7c 7d"))))
    assert runner.waits().seats == (2,)
    accepted(room.do(1, c.Keep(seat=2, cards=cards("9s 9d"))))
    settled = [(x.seat, x.wager) for x in record(room) if isinstance(x, e.WagerSettled)]
    assert settled == [(2, "wager"), (2, "bonus"), (1, "wager"), (1, "bonus")]
    assert viewer.view.table.closed
    check_record(room)


@pytest.mark.clause("TS-4-b")
def test_a_player_may_be_ready_at_one_seat_and_leave_one_of_two() -> None:
    room = room_of(**ON)
    accepted(room.do(1, c.Sit(seat=2)))
    room.watch("seat 1")
    assert room.hosted.say_ready(room.persons[1], Ready(seat=1)) is None
    assert room.hosted.waits().seats == (2,)
    other = room.hosted.say_ready(room.persons[1], Ready(seat=3))
    assert other is not None
    assert other.code == "not-your-seat"
    accepted(room.do(1, c.Leave(seat=1)))
    assert list(room.hosted.live.state.seats) == [2]


@pytest.mark.clause("TS-4-b")
def test_an_absent_player_loses_every_position() -> None:
    room = room_of(**ON)
    accepted(room.do(1, c.Sit(seat=2)))
    room.sit(5)
    room.watch("seat 5")
    assert not room.hosted.presence.here(1)
    assert not room.hosted.presence.here(2)


@pytest.mark.clause("TS-4-b")
def test_a_bot_takes_two_positions_over_the_network() -> None:
    with running() as server:
        house = House(server.url)
        house.introduce("Ann")
        card = house.open_table(OpenTable(rulebook=BOOK, house=ON, limits=LIMITS, clock=0))
        first, second = RemoteBot(house, card.table, seat=2), RemoteBot(house, card.table, seat=5)
        assert (first.seat, second.seat) == (2, 5)
        with ThreadPoolExecutor(2) as pool:
            rounds = [list(played) for played in pool.map(lambda bot: list(bot.play(1)), (first, second))]
        for bot in (first, second):
            bot.close()
        assert [sorted(played.net) for (played,) in rounds] == [[2, 5], [2, 5]]


@pytest.mark.clause("TS-4-b")
def test_the_client_passes_on_the_refusal_of_a_second_seat() -> None:
    with running() as server:
        house = House(server.url)
        house.introduce("Ann")
        card = house.open_table(OpenTable(rulebook=BOOK, limits=LIMITS, clock=0))
        house.sit(card.table, 1).close()
        with pytest.raises(HouseError, match="only one seat") as refusal:
            house.sit(card.table, 2)
        assert refusal.value.refused[0].clause == "TS-4-b"


@pytest.mark.clause("CARD-29")
@pytest.mark.parametrize(("before", "now"), [(1, 3), (3, 1)])
def test_the_refusal_of_a_second_bet_names_the_seat_that_bet_first(before: int, now: int) -> None:
    t = table("uth-card").sit(1, 3, player="Ann")
    t.bet(before, ante=10)
    refusal = t.refuses(c.Bet(seat=now, wagers={"ante": 1000}))
    assert (refusal.code, refusal.clause, refusal.where) == (
        "more-than-one-position",
        "CARD-29",
        f"seat {now}",
    )
    assert f"already bets at seat {before}" in refusal.message


@pytest.mark.clause("PROC-H.3-d")
def test_a_held_seat_is_shown_and_offered_to_its_player_first() -> None:
    with running() as server:
        ann, bo = House(server.url), House(server.url)
        ann.introduce("Ann")
        bo.introduce("Bo")
        card = bo.open_table(OpenTable(rulebook="uth-proc", clock=0))
        at = ann.sit(card.table, 1)
        bo.command(card.table, {"type": "HoldSeat", "seat": 1, "until": "9 pm"}, "hold")
        at.send({"type": "Leave", "seat": 1})
        at.close()
        assert bo.sheet(card.table).card.seats[0].held == "Ann"
        with pytest.raises(HouseError, match="seat 1 is held for Ann") as refusal:
            bo.sit(card.table, 1)
        assert refusal.value.refused[0].clause == "PROC-H.3-d"
        with bo.sit(card.table) as other:
            assert other.view.yours.seat == 2
            assert other.view.table.held == {1: ("Ann", "9 pm")}
        with ann.sit(card.table) as back:
            assert back.view.yours.seat == 1
