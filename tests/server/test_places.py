"""Viewers' roles, bots, and waiting for players, including when a write fails."""

from __future__ import annotations

import asyncio
import os
import re
from random import Random
from typing import Any

import msgspec
import pytest

from discovered import ULTIMATE
from houseway.audit.signatures import Signer
from houseway.audit.store import Batch, Head, StoreError
from houseway.cards import cards
from houseway.client.messages import Answered, Do, OpenTable, Person, Ready, Rejected, SeatedBot
from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.live.record_files import keep
from houseway.live.runner import TableRunner
from houseway.live.viewer_messages import encoder
from houseway.ranking import CLASSES, read
from houseway.rules.fact_groups.showdown import compared
from houseway.rules.loader import rulebook_ids
from houseway.server import tables
from houseway.server.house import HouseServer
from houseway.server.limits import Limits
from houseway.server.table_sheets import table_card, table_sheet
from houseway.server.tables import run_table
from server.hosted_rounds import RecordingViewer, Room, shuffled
from server.test_hosted import Failing, acting, play_on
from without_a_loop import WithoutLoop

FAILS = pytest.mark.parametrize("fails", ["before", "behind"])


# --- views ---


@FAILS
def test_the_next_players_cards_are_hidden_from_the_player_who_left_the_seat(fails: str) -> None:
    store = Failing()
    room = Room("uth-ma", [shuffled(Random("left"), "uth-ma")], seats=(1, 2), store=store)
    old = room.watch("seat 1")
    room.watch("seat 2")
    store.fails = fails
    with pytest.raises(StoreError):
        room.do(1, c.Leave(seat=1), key="leave")
    store.fails = ""
    assert isinstance(room.do(1, c.Leave(seat=1), key="leave"), Answered)
    room.clock.move(6)
    assert old.role == "rail"
    assert not room.hosted.presence.here(1)
    room.persons[1] = introduce(room, "Next")
    assert isinstance(room.do(1, c.Sit(seat=1)), Answered)
    at_seat = room.watch("seat 1")
    for seat in (1, 2):
        room.bet(seat, side=False)
    room.ready()
    assert len(at_seat.view.yours.cards[0]) == 2
    assert old.view.yours.cards == ()


def introduce(room: Room, handle: str) -> Person:
    introduction = room.people.introduce(handle)
    assert isinstance(introduction, tuple)
    person: Person = introduction[0]
    return person


def test_a_surveillance_viewer_who_sits_down_loses_that_view() -> None:
    room = Room("uth-ma", [()], seats=(2,))
    person = introduce(room, "Eye")
    room.people.give("Eye", "room", "surveillance")
    eye, other = RecordingViewer("surveillance", "Eye"), RecordingViewer("surveillance", "Other")
    room.hosted.enter(eye)
    room.hosted.enter(other)
    assert eye.view.yours.notes
    room.persons[1] = person
    assert isinstance(room.do(1, c.Sit(seat=1)), Answered)
    assert (eye.role, other.role) == ("rail", "surveillance")
    assert not eye.view.yours.notes


# --- bots ---


class House:
    """A server with one table and one player."""

    host: Person
    hosted: TableRunner
    viewer: RecordingViewer

    def __init__(self, store: Failing | None = None) -> None:
        self.serving = HouseServer(store or Failing(), Signer(os.urandom(32)))

    @classmethod
    async def open(cls, store: Failing | None = None, **order: Any) -> House:
        self = cls(store)
        introduction = await self.serving.people.introduce("Host")
        assert isinstance(introduction, tuple)
        self.host = introduction[0]
        order_with_defaults = OpenTable(rulebook="uth-ma", clock=0, pace="brisk", **order)
        runner = await self.serving.hall.open(order_with_defaults, self.host)
        assert isinstance(runner, TableRunner)
        self.hosted = runner
        await self.do(self.host, c.Sit(seat=1), "sit")
        self.viewer = RecordingViewer("seat 1", "Host")
        self.hosted.enter(self.viewer)
        return self

    async def do(self, person: Person, command: c.Command, key: str) -> Answered | Rejected:
        return await self.hosted.do(person, Do(key=key, command=msgspec.Raw(encoder.encode(command))))


def test_a_removed_bot_leaves_no_task() -> None:
    async def run() -> None:
        house = await House.open()
        before = len(house.hosted.after_send)
        for _ in range(5):
            assert (
                await house.serving.hall.seat_bot(house.hosted, SeatedBot(style="random", seat=3)) is None
            )
            await asyncio.sleep(0)
            assert await house.serving.hall.free_seat(house.hosted, 3) is None
            await asyncio.sleep(0)
        assert len(house.hosted.after_send) == before
        assert house.hosted.plan.bots == {}
        thinking = [task for task in asyncio.all_tasks() if "_think" in repr(task)]
        assert thinking == []
        await house.serving.close()

    asyncio.run(run())


def test_a_bot_with_a_wager_finishes_the_round_before_it_leaves() -> None:
    async def run() -> None:
        house = await House.open()
        hall, hosted = house.serving.hall, house.hosted
        before = list(hosted.after_send)
        assert await hall.seat_bot(hosted, SeatedBot(style="random", seat=3)) is None
        await house.do(house.host, c.Bet(seat=1, wagers={"ante": 500}), "bet")
        await hosted.say_ready(house.host, Ready())
        async with asyncio.timeout(30):
            while hosted.waits().why != "decision":
                await asyncio.sleep(0.05)
        assert await hall.free_seat(hosted, 3) is None
        assert hosted.live.state.seats[3].player
        assert house.viewer.view.people[3].leaves
        async with asyncio.timeout(30):
            number = 0
            while hosted.live.state.round.number == 1:
                if hosted.waits().seats == (1,):
                    number += 1
                    await house.do(house.host, c.Check(seat=1), f"check {number}")
                    await house.do(house.host, c.Fold(seat=1), f"fold {number}")
                    await hosted.say_ready(house.host, Ready(why="next"))
                await asyncio.sleep(0.05)
        assert 3 not in hosted.live.state.seats
        assert 3 not in house.viewer.view.people
        assert hosted.plan.bots == {}
        assert hosted.after_send == before
        await house.serving.close()

    asyncio.run(run())


@FAILS
def test_a_bot_whose_sit_command_failed_does_not_block_the_table(fails: str) -> None:
    async def run() -> None:
        store = Failing()
        house = await House.open(store)
        store.fails = fails
        with pytest.raises(StoreError):
            await house.serving.hall.seat_bot(house.hosted, SeatedBot(style="practical", seat=3))
        store.fails = ""
        await house.hosted.go_on()
        sits = 3 in house.hosted.live.state.seats
        assert sits == (fails == "behind")
        assert house.hosted.presence.is_bot(3) == sits
        if not sits:
            introduction = await house.serving.people.introduce("Ann")
            assert isinstance(introduction, tuple)
            await house.do(introduction[0], c.Sit(seat=3), "sit")
            house.hosted.enter(RecordingViewer("seat 3", "Ann"))
            assert house.hosted.presence.sitters()[3].kind == "person"
            assert house.hosted.presence.persons() == [1, 3]
            refused = await house.serving.hall.free_seat(house.hosted, 3)
            assert refused is not None
            assert refused.code == "seat-taken"
        else:
            await house.do(house.host, c.Bet(seat=1, wagers={"ante": 500}), "bet")
            await house.hosted.say_ready(house.host, Ready())
            async with asyncio.timeout(30):
                while house.hosted.waits().why != "decision":
                    await asyncio.sleep(0.05)
        await house.serving.close()

    asyncio.run(run())


def test_bots_do_not_retry_failed_writes() -> None:
    class Counting(Failing):
        tried = 0

        def append(self, stream: str, after: Head, batch: Batch) -> None:
            self.tried += bool(self.fails)
            super().append(stream, after, batch)

    async def run() -> None:
        store = Counting()
        bots = tuple(SeatedBot(style="random") for _ in range(5))
        house = await House.open(store, bots=bots)
        store.fails = "before"
        await asyncio.sleep(2)
        # One attempt for each bot that was already thinking, then only the table's own retry.
        assert 0 < store.tried <= len(bots) + 1
        await house.serving.close()

    asyncio.run(run())


# --- waiting ---


def test_a_player_without_a_socket_has_a_deadline() -> None:
    room = Room("uth-ma", [()], seats=(1, 2), order=OpenTable(rulebook="uth-ma", clock=30))
    room.watch("seat 1")
    for seat in (1, 2):
        room.bet(seat, side=False)
    room.ready()
    assert acting(room) == 1
    assert room.hosted.waits().seconds == 30
    room.clock.move(31)
    assert acting(room) == 2


def test_without_a_clock_a_silent_player_has_five_minutes() -> None:
    room = Room("uth-ma", [()], seats=(1, 2), order=OpenTable(rulebook="uth-ma", clock=0))
    for seat in (1, 2):
        room.watch(f"seat {seat}")
        room.bet(seat, side=False)
    room.ready()
    room.clock.move(299)
    assert acting(room) == 1
    room.clock.move(2)
    assert acting(room) == 2


def test_missed_rounds_are_counted_from_the_record() -> None:
    store = Failing()
    room = Room("uth-ma", [()] * 3, seats=(1, 2), store=store)
    viewers = {seat: room.watch(f"seat {seat}") for seat in (1, 2)}
    for seat in (1, 2):
        room.bet(seat, side=False)
    room.ready()
    while room.hosted.live.state.round.up < 5:
        seat = acting(room)
        room.do(seat, room.hosted.view(f"seat {seat}").yours.choices[0].command)
    first = acting(room)
    room.hosted.leave(viewers[3 - first])
    room.do(first, c.Fold(seat=first))
    store.fails = "before"
    for _ in range(4):
        room.clock.move(31)
    store.fails = ""
    room.clock.move(40)
    play_on(room)
    room.hosted.say_ready(room.persons[first], Ready())
    assert set(room.hosted.live.state.seats) == {1, 2}


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_repeated_floor_step_counts_once(rulebook: str) -> None:
    order = OpenTable(rulebook=rulebook, dealer="person")
    room = Room(rulebook, [()], seats=(1,), order=order)
    for role in ("seat 1", "dealer", "floor"):
        room.watch(role)
    for number, (handle, role) in enumerate([("Dana", "dealer"), ("Flo", "floor")], 8):
        introduce(room, handle)
        room.persons[number] = room.people.give(handle, "room", role)
    for step in range(60):
        offered = [one.command for one in room.hosted.view("floor").yours.choices]
        own = [command for command in offered if command["type"] == "Perform"]
        if own:
            answers = [room.do(9, own[0], key=f"floor {step}") for _ in range(2)]
            assert [type(answer) for answer in answers] == [Answered, Answered]
            assert [answer.repeated for answer in answers if isinstance(answer, Answered)] == [False, True]
            return
        if room.hosted.phase.betting:
            return
        assert isinstance(room.do(8, room.hosted.view("dealer").yours.choices[0].command), Answered)


@pytest.mark.parametrize("floor", [False, True], ids=["no floor", "floor present"])
def test_a_removed_deck_is_replaced_by_the_floor_or_automatically(*, floor: bool) -> None:
    counts = {"device_counts": True, "auto_approve": True}
    order = OpenTable(rulebook="uth-ma", mode="device", dealer="person", house=counts)
    room = Room("uth-ma", [()], seats=(1,), order=order)
    for role in ("seat 1", "dealer"):
        room.watch(role)
    introduce(room, "Dana")
    room.persons[9] = room.people.give("Dana", "room", "dealer")
    for _ in range(60):
        if room.hosted.phase.betting:
            break
        assert isinstance(room.do(9, room.hosted.view("dealer").yours.choices[0].command), Answered)
    if floor:
        room.watch("floor")
    reported = room.do(9, c.Report(by="dealer", kind="device count", count=51))
    assert isinstance(reported, Answered), reported
    assert room.hosted.live.state.off
    floor_waits = 0
    for _ in range(60):
        if not room.hosted.live.state.off:
            break
        if room.hosted.waits().why == "floor":
            floor_waits += 1
            room.clock.move(120)
        elif room.hosted.waits().why == "next":
            room.ready()
        else:
            assert isinstance(room.do(9, room.hosted.view("dealer").yours.choices[0].command), Answered)
    assert floor_waits == floor
    assert not room.hosted.live.state.off
    assert room.hosted.waits().why == "dealer"
    assert room.hosted.view("dealer").yours.choices


def test_a_ready_message_sent_after_betting_closes_is_rejected_as_stale() -> None:
    room = Room("uth-ma", [()], seats=(1,))
    room.watch("seat 1")
    room.bet(1, side=False)
    assert room.hosted.say_ready(room.persons[1], Ready(round=1, why="bets")) is None
    assert room.hosted.waits().why == "decision"
    late = room.hosted.say_ready(room.persons[1], Ready(round=1, why="bets"))
    assert late is not None
    assert late.code == "stale"
    assert room.hosted.waits().ready == ()


def test_a_restarted_table_waits_for_a_dealer_mid_shuffle() -> None:
    room = Room("uth-sd", [(), ()], seats=(1,), order=OpenTable(rulebook="uth-sd", dealer="person"))
    for role in ("seat 1", "dealer"):
        room.watch(role)
    introduce(room, "Dana")
    room.persons[9] = room.people.give("Dana", "room", "dealer")
    for _ in range(200):
        waits = room.hosted.waits()
        if waits.why == "next":
            break
        if room.hosted.phase.betting and 1 not in room.hosted.phase.ready:
            room.bet(1, side=False)
            room.ready()
        elif waits.why == "decision":
            room.do(1, room.hosted.view("seat 1").yours.choices[0].command)
        else:
            assert isinstance(room.do(9, room.hosted.view("dealer").yours.choices[0].command), Answered)
    again = WithoutLoop(run_table(room.hosted.live, room.plan, room.people, room.clock))
    assert again.waits().why == "next", "the next round has not begun"
    room.ready()
    assert isinstance(room.do(9, room.hosted.view("dealer").yours.choices[0].command), Answered)
    assert room.hosted.waits().why == "dealer"
    again = WithoutLoop(run_table(room.hosted.live, room.plan, room.people, room.clock))
    assert again.waits().why == "dealer"


# --- table limits ---


def test_a_full_server_closes_an_empty_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_TABLES", 2)

    async def run() -> None:
        house = await House.open()
        rooms = house.serving.hall
        empty = await rooms.open(OpenTable(rulebook="uth-sd"), house.host)
        assert isinstance(empty, TableRunner)
        third = await rooms.open(OpenTable(rulebook="uth-card"), house.host)
        assert isinstance(third, TableRunner)
        assert empty.live.state.section == "closed"
        assert house.hosted.live.state.section != "closed"
        third.enter(RecordingViewer("rail", "Watcher"))
        refused = await rooms.open(OpenTable(rulebook="uth-card"), house.host)
        assert not isinstance(refused, TableRunner)
        assert refused.code == "too-many-tables"
        assert {card.table for card in rooms.cards()} == {*rooms.tables, empty.live.stream}
        assert empty.live.stream not in rooms.tables
        await house.serving.close()

    asyncio.run(run())


def test_a_person_may_open_only_a_limited_number_of_tables() -> None:
    async def run() -> None:
        store, signer = keep(None)
        first = HouseServer(store, signer, limits=Limits(tables=2))
        host, other = [await first.people.introduce(handle) for handle in ("Host", "Other")]
        assert isinstance(host, tuple)
        assert isinstance(other, tuple)
        order = OpenTable(rulebook="uth-card")

        async def opened(house: HouseServer, person: Person) -> TableRunner | str:
            result = await house.hall.open(order, person)
            return result if isinstance(result, TableRunner) else result.code

        tables = await asyncio.gather(*(opened(first, host[0]) for _ in range(4)))
        assert tables.count("too-many-tables") == 2
        assert isinstance(await opened(first, other[0]), TableRunner)
        # A refused table does not count.
        refused = await first.hall.open(
            OpenTable(rulebook="uth-card", limits={"ante": {"minimum": "-1"}}), other[0]
        )
        assert isinstance(refused, Refusal)
        assert refused.code != "too-many-tables"
        one, two = (table for table in tables if isinstance(table, TableRunner))
        assert await first.hall._close_table(one)
        assert isinstance(await opened(first, host[0]), TableRunner)
        await first.close()
        # After a crash: a table that was never opened no longer counts, and the others still count.
        store.people_rows().host("host", "lost", 9)
        store.people_rows().free_slots([two.stream])
        again = HouseServer(store, signer, limits=Limits(tables=2))
        await again.hall.resume()
        assert await opened(again, host[0]) == "too-many-tables"
        assert await again.hall._close_table(again.hall.tables[two.stream])
        assert isinstance(await opened(again, host[0]), TableRunner)
        assert await opened(again, host[0]) == "too-many-tables"
        await again.close()

    asyncio.run(run())


def test_a_closed_table_is_unloaded_and_can_be_replayed() -> None:
    async def run() -> None:
        store, signer = keep(None)
        first = HouseServer(store, signer)
        host = await first.people.introduce("Host")
        assert isinstance(host, tuple)
        table = await first.hall.open(OpenTable(rulebook="uth-card", name="Old"), host[0])
        assert isinstance(table, TableRunner)
        watcher = RecordingViewer("rail", "Watcher")
        table.enter(watcher)
        assert await first.hall._close_table(table)
        stream = table.live.stream
        assert [card.open for card in first.hall.cards()] == [False]
        assert stream in first.hall.tables, "a viewer is still at the table"
        table.leave(watcher)
        assert [card.name for card in first.hall.cards()] == ["Old"]
        assert first.hall.tables == {}
        await first.close()
        again = HouseServer(store, signer)
        await again.hall.resume()
        assert again.hall.tables == {}
        assert [(card.name, card.open) for card in again.hall.cards()] == [("Old", False)]
        closed = await again.hall.find(stream)
        assert isinstance(closed, TableRunner)
        assert closed.waits().why == "closed"
        assert again.replays.rounds(stream)["rounds"] == []
        assert [card.name for card in again.hall.cards()] == ["Old"]
        missing = await again.hall.find("nowhere")
        assert isinstance(missing, Refusal)
        assert missing.code == "no-table"
        await again.close()

    asyncio.run(run())


# --- wording and chips ---


def test_the_deciding_card_is_named_when_both_hands_have_the_same_name() -> None:
    seven = read(cards("7h 7c Kd 9s 4d 3c 2h"), CLASSES)
    lower = read(cards("7d 7s Jd 9s 4d 3c 2h"), CLASSES)
    assert compared(seven, "beats", lower) == (
        "Pair of sevens beats the dealer's pair of sevens, king against jack"
    )
    two = read(cards("7d 7s 4h 9s 4d 3c 2h"), CLASSES)
    assert compared(two, "beats", seven) == (
        "Two pair, sevens and fours, beats the dealer's pair of sevens"
    )
    assert compared(lower, "loses to", seven).endswith(
        "loses to the dealer's pair of sevens, jack against king"
    )


def test_all_chips_of_the_house_settings_are_offered() -> None:
    room = Room("uth-proc", [()], seats=(1,))
    assert table_sheet(room.hosted, table_card(room.hosted)).chips == (50, 100, 500, 2500, 10000)


@pytest.mark.parametrize("rulebook", ULTIMATE)
def test_a_pushed_blind_gives_its_own_pay_table_as_the_reason(rulebook: str) -> None:
    """A winning blind below its pay table pushes, whether or not the dealer qualifies."""
    outcomes = set()
    for number in range(40):
        room = Room(rulebook, [shuffled(Random(f"blind {number}"), rulebook)], seats=(1,))
        viewer = room.watch("seat 1")
        room.bet(1, side=False)
        room.ready()
        while room.hosted.waits().why == "decision":
            offered = viewer.view.yours.choices
            play = next(one for one in offered if one.command["type"] == "Play")
            assert isinstance(room.do(1, play.command), Answered)
        lines = {line.wager: line for line in viewer.view.table.settled.values()}
        reasons = {wager: lines[wager].reason for wager in ("ante", "blind")}
        if viewer.view.table.qualifies is False and lines["play"].result == "win":
            assert reasons["ante"] == "The dealer does not qualify"
            paid = lines["blind"].result == "win"
            assert re.fullmatch(r"A winning .* (pays .*|pushes)", reasons["blind"])
            outcomes.add(paid)
    assert False in outcomes


@pytest.mark.parametrize(
    ("rulebook", "clause"),
    [
        pytest.param("uth-ma", "MA-11", marks=pytest.mark.clause("MA-11")),
        pytest.param("uth-card", "CARD-29", marks=pytest.mark.clause("CARD-29")),
    ],
)
def test_a_second_position_at_a_live_table_is_refused_with_the_clause(rulebook: str, clause: str) -> None:
    room = Room(rulebook, seats=(2,))
    refused = room.do(2, c.Sit(seat=3))
    assert isinstance(refused, Rejected)
    assert (refused.refused[0].code, refused.refused[0].clause) == ("seated", clause)
    assert tuple(room.hosted.live.state.seats) == (2,)
