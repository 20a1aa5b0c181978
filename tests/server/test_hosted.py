"""A hosted table: the players it waits for, its automatic steps, and the messages to each viewer."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from houseway.audit.memory_store import MemoryStore
from houseway.audit.store import Batch, Head, StoreError
from houseway.client.messages import Answered, Do, Entered, OpenTable, Ready, Rejected
from houseway.engine import commands as c
from houseway.engine.codec import encode_state
from houseway.live import LiveTable
from houseway.live.viewer_messages import encoder
from houseway.rules.loader import rulebook_ids
from houseway.server.table_sheets import table_card, table_sheet
from houseway.server.tables import run_table
from record.recorded import house
from server.hosted_rounds import RecordingViewer, Room, shuffled
from without_a_loop import WithoutLoop


def last_events(viewer: RecordingViewer, kind: str) -> list[dict[str, Any]]:
    """Return a viewer's latest events of one kind."""
    events = [step.update.event or {} for step in viewer.following.steps]
    return [event for event in events if event.get("type") == kind]


def first_message(viewer: RecordingViewer) -> Entered:
    """Return a viewer's first message."""
    return msgspec.json.decode(viewer.frames[0], type=Entered)


def acting(room: Room) -> int:
    """Return the seat that must act."""
    waits = room.hosted.waits()
    return waits.seats[0] if waits.why == "decision" else 0


def play_on(room: Room, *, until: str = "next") -> None:
    """Make the first choice at every decision."""
    for _ in range(60):
        if room.hosted.waits().why == until:
            return
        seat = acting(room)
        assert seat, room.hosted.waits()
        choice = room.hosted.view(f"seat {seat}").yours.choices[0]
        assert isinstance(room.do(seat, choice.command), Answered)
    raise AssertionError(room.hosted.waits())


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_full_round_is_played_and_betting_opens_again(rulebook: str) -> None:
    room = Room(rulebook, [shuffled(Random(rulebook), rulebook)])
    viewers = [room.watch(f"seat {seat}") for seat in (1, 2, 3)]
    rail = room.watch("rail")
    assert room.hosted.waits().why == "bets"
    for seat in (1, 2, 3):
        room.bet(seat, side=True)
    room.ready()
    assert room.hosted.waits().why == "decision"
    play_on(room)
    for viewer in (*viewers, rail):
        table = viewer.view.table
        assert table.closed
        assert sum(line.net for line in table.settled.values() if not line.for_dealer) == sum(
            table.net.values()
        )
        assert all(line.reason and line.clause for line in table.settled.values()), table.settled
        assert viewer.view.waits.why == "next"
    room.ready()
    assert room.hosted.waits().why == "bets"
    assert rail.view.table.round == 2


def test_a_view_built_from_updates_matches_the_server() -> None:
    room = Room("uth-ma", [shuffled(Random("deltas"), "uth-ma")])
    viewers = {role: room.watch(role) for role in ("seat 1", "seat 2", "rail", "floor", "surveillance")}
    for seat in (1, 2, 3):
        room.bet(seat, side=True)
    room.watch("seat 3")
    room.ready()
    while room.hosted.waits().why == "decision":
        for role, viewer in viewers.items():
            now = room.hosted.view(role)
            assert encoder.encode(viewer.view) == encoder.encode(now)
        seat = acting(room)
        room.do(seat, room.hosted.view(f"seat {seat}").yours.choices[0].command)


def test_bets_stay_open_until_every_connected_player_is_ready() -> None:
    room = Room("uth-ma", [()])
    viewers = {seat: room.watch(f"seat {seat}") for seat in (1, 2)}
    room.bet(1, side=False)
    room.hosted.say_ready(room.persons[1], Ready())
    assert room.hosted.waits().seats == (2,)
    room.bet(2, side=False)
    assert room.hosted.waits().why == "bets"
    room.hosted.leave(viewers[2])
    # The table does not wait for absent players; seat 3 never connected.
    assert room.hosted.waits().why == "decision"


def test_changing_a_wager_withdraws_the_ready_message() -> None:
    room = Room("uth-ma", [()], seats=(1, 2))
    for seat in (1, 2):
        room.watch(f"seat {seat}")
        room.bet(seat, side=False)
    room.hosted.say_ready(room.persons[1], Ready())
    room.do(1, c.Bet(seat=1, wagers={"ante": 1500}))
    room.hosted.say_ready(room.persons[2], Ready())
    assert room.hosted.waits().seats == (1,)


def test_a_missed_deadline_plays_the_default_and_is_recorded() -> None:
    room = Room("uth-ma", [()], seats=(1, 2), order=OpenTable(rulebook="uth-ma", clock=15))
    viewer = room.watch("seat 1")
    room.watch("seat 2")
    room.bet(1, side=False)
    room.ready()
    assert (room.hosted.waits().why, room.hosted.waits().seconds) == ("decision", 15.0)
    room.clock.move(14.9)
    assert not last_events(viewer, "Checked")
    room.clock.move(0.2)
    assert last_events(viewer, "Checked")[0]["by"] == "deadline"
    # The next decision has a new deadline.
    assert room.hosted.waits().seconds == 14.9
    room.clock.move(15)
    room.clock.move(15)
    assert room.hosted.waits().why == "next"
    assert [event["seat"] for event in last_events(viewer, "Folded")] == [1]


def test_without_a_clock_a_table_waits_only_for_connected_players() -> None:
    room = Room("uth-ma", [()], seats=(1,), order=OpenTable(rulebook="uth-ma", clock=0))
    viewer = room.watch("seat 1")
    room.bet(1, side=False)
    room.ready()
    room.clock.move(3600)
    assert acting(room) == 1
    rail = room.watch("rail")
    room.hosted.leave(viewer)
    room.clock.move(301)
    assert last_events(rail, "Checked")


def test_a_repeated_command_counts_once_and_its_key_cannot_be_reused() -> None:
    room = Room("uth-ma", [()], seats=(1,))
    room.watch("seat 1")
    bet = c.Bet(seat=1, wagers={"ante": 1000})
    first = room.do(1, bet, key="one")
    chips = room.hosted.live.state.seats[1].chips
    again = room.do(1, bet, key="one")
    other = room.do(1, c.Bet(seat=1, wagers={"ante": 2000}), key="one")
    assert isinstance(first, Answered)
    assert isinstance(again, Answered)
    assert (again.seq, again.repeated) == (first.seq, True)
    assert isinstance(other, Rejected)
    assert other.refused[0].code == "key-used"
    assert room.hosted.live.state.seats[1].chips == chips


def test_two_people_may_use_the_same_key() -> None:
    room = Room("uth-ma", [()], seats=(1, 2))
    room.watch("seat 1")
    answers = [room.do(seat, c.Bet(seat=seat, wagers={"ante": 1000}), key="one") for seat in (1, 2)]
    assert all(isinstance(answer, Answered) and not answer.repeated for answer in answers)


def test_a_late_command_is_rejected_as_stale() -> None:
    room = Room("uth-ma", [()], seats=(1, 2))
    for seat in (1, 2):
        room.watch(f"seat {seat}")
        room.bet(seat, side=False)
    before = room.hosted.seq
    room.ready()
    answer = room.hosted.do(room.persons[1], _do(c.Check(seat=1), "late", expect=before))
    assert isinstance(answer, Rejected)
    assert answer.refused[0].code == "stale"
    assert answer.seq == room.hosted.seq


def _do(command: c.Command, key: str, expect: int) -> Do:
    return Do(key=key, command=msgspec.Raw(encoder.encode(command)), expect=expect)


def test_a_resumed_table_continues_with_the_same_cards() -> None:
    store = MemoryStore()
    room = Room("uth-ma", [shuffled(Random("again"), "uth-ma")], store=store)
    for seat in (1, 2, 3):
        room.watch(f"seat {seat}")
        room.bet(seat, side=True)
    room.ready()
    room.do(1, room.hosted.view("seat 1").yours.choices[0].command)
    before = encoder.encode(room.hosted.view("seat 2").table)
    state = encode_state(room.hosted.live.state)
    live = LiveTable.resume(house(store), "room", room.hosted.live._maker)
    again = WithoutLoop(run_table(live, room.plan, room.people, room.clock))
    assert encode_state(live.state) == state
    assert encoder.encode(again.view("seat 2").table) == before
    room.hosted = again
    for seat in (1, 2, 3):
        room.watch(f"seat {seat}")
    play_on(room)
    assert again.view("rail").table.closed


def test_a_returning_viewer_gets_the_missed_events() -> None:
    room = Room("uth-ma", [()], seats=(1, 2))
    viewer, _ = room.watch("seat 1"), room.watch("seat 2")
    room.bet(1, side=False)
    since = viewer.following.seq
    room.hosted.leave(viewer)
    room.bet(2, side=False)
    back = room.new_viewer("seat 1")
    room.hosted.enter(back, since)
    first = back.frames[0]
    assert b'"WagersPlaced"' in first
    assert b'"seat":2' in first


def test_omitted_side_bets_are_neither_shown_nor_accepted() -> None:
    order = OpenTable(rulebook="uth-ma", leave_out=("trips",))
    room = Room("uth-ma", [()], seats=(1,), order=order)
    viewer = room.watch("seat 1")
    assert "trips" not in {spot.wager for spot in viewer.view.yours.spots}
    assert "trips" not in {
        circle.wager for circle in table_sheet(room.hosted, table_card(room.hosted)).circles
    }
    answer = room.do(1, c.Bet(seat=1, wagers={"ante": 500, "trips": 500}))
    assert isinstance(answer, Rejected)
    assert answer.refused[0].code == "not-offered"


def test_a_person_deals_step_by_step() -> None:
    room = Room("uth-ma", [()], seats=(1,), order=OpenTable(rulebook="uth-ma", dealer="person"))
    room.watch("seat 1")
    dealer = room.watch("dealer")
    person = room.people.introduce("Dana")
    assert isinstance(person, tuple)
    room.persons[9] = room.people.give(person[0].handle, "room", "dealer")
    floor = room.watch("floor")
    other = room.people.introduce("Flo")
    assert isinstance(other, tuple)
    room.persons[8] = room.people.give(other[0].handle, "room", "floor")
    assert room.hosted.waits().why == "dealer"
    for _ in range(40):
        if room.hosted.phase.betting:
            break
        who, at = (8, floor) if room.hosted.waits().why == "floor" else (9, dealer)
        assert isinstance(room.do(who, at.view.yours.choices[0].command), Answered)
    assert room.hosted.waits().why == "bets"
    out_of_order = room.do(9, c.Perform(step="burn before the flop"))
    assert isinstance(out_of_order, Rejected)
    assert out_of_order.refused[0].message


def test_every_update_is_recorded_before_it_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    room = Room("uth-ma", [()], seats=(1,), store=store)
    late = []

    class Checking(RecordingViewer):
        def tell(self, frame: bytes) -> None:
            super().tell(frame)
            signed = store.head("room")
            if signed is None or signed.head.events < self.following.seq:
                late.append(frame)

    room.hosted.enter(Checking("seat 1", room.persons[1].handle))
    room.bet(1, side=True)
    room.ready()
    play_on(room)
    assert late == []
    # A planted fault: updates are sent but never stored.
    monkeypatch.setattr(store, "append", lambda *args: None)
    room.ready()
    assert late != []


def test_the_clock_starts_when_another_person_is_ready() -> None:
    order = OpenTable(rulebook="uth-ma", clock=15)
    room = Room("uth-ma", [(), ()], seats=(1, 2), order=order)
    for seat in (1, 2):
        room.watch(f"seat {seat}")
        room.bet(seat, side=False)
    assert room.hosted.waits().seconds is None
    room.hosted.say_ready(room.persons[1], Ready())
    assert room.hosted.waits().seconds == 15.0
    room.clock.move(15)
    assert room.hosted.waits().why == "decision"


def test_a_repeated_sit_command_counts_once() -> None:
    room = Room("uth-ma", [()], seats=(1,))
    introduced = room.people.introduce("Maren")
    assert isinstance(introduced, tuple)
    room.persons[2] = introduced[0]
    first, again = (room.do(2, c.Sit(seat=2), key="sit") for _ in range(2))
    other = room.do(2, c.Sit(seat=3), key="sit")
    assert isinstance(first, Answered)
    assert isinstance(again, Answered)
    assert (again.seq, again.repeated) == (first.seq, True)
    assert isinstance(other, Rejected)
    assert other.refused[0].code == "key-used"


def test_a_player_who_left_does_not_see_the_next_players_cards() -> None:
    room = Room("uth-ma", [shuffled(Random("left"), "uth-ma")], seats=(1, 2))
    old = room.watch("seat 1")
    room.watch("seat 2")
    assert isinstance(room.do(1, c.Leave(seat=1)), Answered)
    assert old.role == "rail"
    assert not room.hosted.presence.here(1)
    introduced = room.people.introduce("Bob")
    assert isinstance(introduced, tuple)
    room.persons[1] = introduced[0]
    assert isinstance(room.do(1, c.Sit(seat=1)), Answered)
    room.watch("seat 1")
    for seat in (1, 2):
        room.bet(seat, side=False)
    room.ready()
    assert room.hosted.view("seat 1").yours.cards
    assert old.view.yours.cards == ()
    own = room.hosted.view("seat 1").yours.cards[0]
    assert not any(card.encode() in frame for frame in old.frames for card in own)


def test_without_a_clock_a_table_waits_five_minutes_for_a_disconnected_player() -> None:
    room = Room("uth-ma", [()], seats=(1,), order=OpenTable(rulebook="uth-ma", clock=0))
    viewer, rail = room.watch("seat 1"), room.watch("rail")
    room.bet(1, side=False)
    room.ready()
    room.hosted.leave(viewer)
    room.clock.move(299)
    assert acting(room) == 1
    back = room.watch("seat 1")
    room.clock.move(600)
    assert not last_events(rail, "Checked"), "a player who returned in time is waited for again"
    room.hosted.leave(back)
    room.clock.move(301)
    assert last_events(rail, "Checked")


def test_a_late_ready_message_does_not_count_for_the_next_phase() -> None:
    room = Room("uth-ma", [(), ()], seats=(1,))
    room.watch("seat 1")
    room.bet(1, side=False)
    room.ready()
    play_on(room)
    ready = Ready(round=1, why="next")
    assert room.hosted.say_ready(room.persons[1], ready) is None
    late = room.hosted.say_ready(room.persons[1], ready)
    assert late is not None
    assert late.code == "stale"
    assert room.hosted.waits().ready == ()


def test_an_absent_players_seat_is_freed() -> None:
    room = Room("uth-ma", [()] * 6, seats=(1, 2))
    room.watch("seat 1")
    for _ in range(4):
        assert 2 in room.hosted.live.state.seats
        room.bet(1, side=False)
        room.hosted.say_ready(room.persons[1], Ready())
        play_on(room)
        room.hosted.say_ready(room.persons[1], Ready())
        if 2 not in room.hosted.live.state.seats:
            break
    assert 2 not in room.hosted.live.state.seats


class Failing(MemoryStore):
    """A store whose writes can be made to fail."""

    def __init__(self) -> None:
        super().__init__()
        self.appended = 0
        self.fails = ""

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        if self.fails == "before":
            raise StoreError("the disk is full")
        super().append(stream, after, batch)
        self.appended += 1
        if self.fails:
            raise StoreError("the disk is full, or was")


@pytest.mark.parametrize("fails", ["before", "behind"])
def test_a_failed_write_pauses_the_table_and_is_retried(fails: str) -> None:
    store = Failing()
    room = Room("uth-ma", [()], seats=(1,), store=store)
    viewer = room.watch("seat 1")
    room.bet(1, side=False)
    store.fails = fails
    seq = viewer.following.seq
    room.ready()
    assert room.hosted.trouble
    assert viewer.following.seq == seq
    room.clock.move(5.1)
    if fails == "before":
        assert room.hosted.trouble
    store.fails = ""
    room.clock.move(5.1)
    assert not room.hosted.trouble
    assert acting(room) == 1
    assert viewer.view.table.seats[1].bets["ante"] == 500
    play_on(room)
    assert viewer.view.table.closed


@pytest.mark.parametrize("fails", ["before", "behind", "unprepared"])
@pytest.mark.parametrize("why", ["bets", "next"])
def test_players_need_not_say_ready_again_after_a_failed_act(
    monkeypatch: pytest.MonkeyPatch, fails: str, why: str
) -> None:
    store = Failing()
    room = Room("uth-ma", [shuffled(Random(1), "uth-ma")], seats=(1, 2), store=store)
    viewers = [room.watch("seat 1"), room.watch("seat 2")]
    for seat in (1, 2):
        room.bet(seat, side=False)
    if why == "next":
        room.ready()
        play_on(room)
    seq = room.hosted.seq
    with monkeypatch.context() as patch:
        if fails == "unprepared":
            # The act fails before anything is written, such as a ledger that cannot be read.
            def no_act(self: LiveTable, command: c.Command, *rest: str) -> Any:
                raise StoreError("the database does not answer")

            patch.setattr(LiveTable, "send", no_act)
        else:
            store.fails = fails
        room.ready()
        assert room.hosted.trouble
        assert {viewer.view.waits.ready for viewer in viewers} == {(1, 2)}
        if fails != "behind":
            room.clock.move(5.1)
            assert room.hosted.trouble
    store.fails = ""
    room.clock.move(5.1)
    assert not room.hosted.trouble
    assert room.hosted.seq > seq
    assert room.hosted.waits().why == ("decision" if why == "bets" else "bets")


@pytest.mark.parametrize("fails", ["before", "behind"])
def test_a_command_resent_after_a_failed_write_counts_once(fails: str) -> None:
    store = Failing()
    room = Room("uth-ma", [()], seats=(1,), store=store)
    viewer = room.watch("seat 1")
    room.bet(1, side=False)
    room.ready()
    choice = viewer.view.yours.choices[0]
    store.fails = fails
    with pytest.raises(StoreError):
        room.do(1, choice.command, key="once")
    store.fails = ""
    seq, answer = viewer.following.seq, room.do(1, choice.command, key="once")
    assert isinstance(answer, Answered)
    assert answer.repeated == (fails == "behind")
    room.clock.move(5.1)
    keys = [stored.key for stored in store.entries("room")]
    assert sum(key.endswith("/once") for key in keys) == 1
    assert viewer.following.seq > seq
    assert viewer.following.seq == room.hosted.seq


@pytest.mark.parametrize("reads", range(1, 5))
def test_viewers_miss_no_event_if_the_record_can_be_read_only_in_part(
    monkeypatch: pytest.MonkeyPatch, reads: int
) -> None:
    store = Failing()
    room = Room("uth-ma", [()], seats=(1, 2), store=store)
    viewer = room.watch("seat 1")
    store.fails = "behind"
    with pytest.raises(StoreError):
        room.bet(1, side=False)
    store.fails = ""
    numbers = iter(range(1, 100))
    entries = store.entries

    def failing(stream: str, after: int = 0) -> Any:
        if next(numbers) == reads:
            raise StoreError("the record cannot be read")
        return entries(stream, after)

    monkeypatch.setattr(store, "entries", failing)
    with suppress(StoreError):
        room.bet(2, side=False)
    room.bet(2, side=False)
    assert viewer.following.seq == room.hosted.seq
    assert [seat.bets["ante"] for seat in viewer.view.table.seats.values() if seat.bets] == [500, 500]


def test_a_failed_write_makes_no_decision_for_a_player() -> None:
    store = Failing()
    room = Room("uth-ma", [()], seats=(1,), store=store)
    viewer = room.watch("seat 1")
    room.bet(1, side=False)
    room.ready()
    store.fails = "before"
    with pytest.raises(StoreError):
        room.do(1, viewer.view.yours.choices[0].command)
    store.fails = ""
    room.clock.move(60)
    assert not room.hosted.trouble
    assert acting(room) == 1
    assert room.hosted.waits().seconds is None


def test_a_command_and_its_consequences_are_one_write() -> None:
    store = Failing()
    room = Room("uth-ma", [()], seats=(1,), store=store)
    room.watch("seat 1")
    room.bet(1, side=False)
    written, events = store.appended, room.hosted.seq
    room.ready()
    assert store.appended == written + 1
    assert room.hosted.seq > events + 5


def test_a_leaving_player_keeps_the_view_until_it_is_recorded() -> None:
    store = Failing()
    room = Room("uth-ma", [()], seats=(1,), store=store)
    viewer = room.watch("seat 1")
    store.fails = "before"
    with pytest.raises(StoreError):
        room.do(1, c.Leave(seat=1))
    assert viewer.role == "seat 1"
    store.fails = ""
    assert isinstance(room.do(1, c.Leave(seat=1)), Answered)
    assert viewer.role == "rail"


def test_a_stale_rejection_includes_the_current_view() -> None:
    room = Room("uth-ma", [()], seats=(1,))
    viewer = room.watch("seat 1")
    room.bet(1, side=False)
    text = encoder.encode(c.TakeBack(seat=1))
    late = room.hosted.do(room.persons[1], Do(key="late", command=msgspec.Raw(text), expect=1))
    assert isinstance(late, Rejected)
    assert late.refused[0].code == "stale"
    assert late.seq == room.hosted.seq
    assert late.view is not None
    assert late.view.table == viewer.view.table
    assert late.view.yours == viewer.view.yours


def test_a_viewer_who_was_away_too_long_learns_that_events_are_missing() -> None:
    room = Room("uth-ma", [()] * 2, seats=(1,))
    viewer = room.watch("seat 1")
    since = viewer.following.seq
    room.bet(1, side=False)
    back = RecordingViewer("rail")
    room.hosted.enter(back, since)
    assert not first_message(back).missed
    assert [update.seq for update in first_message(back).updates] == list(
        range(since + 1, room.hosted.seq + 1)
    )
    again = WithoutLoop(run_table(room.hosted.live, room.plan, room.people, room.clock))
    anew = RecordingViewer("rail")
    again.enter(anew, since)
    assert first_message(anew).missed
    assert first_message(anew).updates == ()


def test_a_player_who_rebuys_keeps_the_seat_and_its_view() -> None:
    room = Room("uth-ma", [()], seats=(1,))
    viewer = RecordingViewer("seat 1", room.persons[1].handle)
    room.hosted.enter(viewer)
    for command in (c.Leave(seat=1), c.Sit(seat=1)):
        assert isinstance(room.do(1, command), Answered)
    room.bet(1, side=False)
    room.ready()
    assert viewer.role == "seat 1"
    assert len(viewer.view.yours.cards[0]) == 2


def test_bots_give_a_watcher_time_to_sit_down() -> None:
    room = Room("uth-ma", [()], seats=(1, 2))
    bots = {seat: (room.persons[seat].handle, "practical") for seat in (1, 2)}
    room.hosted.plan = replace(room.hosted.plan, bots=bots)
    rail = room.watch("rail")
    for seat in (1, 2):
        room.bet(seat, side=False)
        room.hosted.say_ready(room.persons[seat], Ready())
    room.clock.move(9)
    waits = [rail.view.waits.why]
    room.clock.move(2)
    waits.append(rail.view.waits.why)
    assert waits == ["players", "decision"]


def test_a_lone_player_has_no_deadline() -> None:
    room = Room("uth-ma", [()], seats=(1,), order=OpenTable(rulebook="uth-ma", clock=15))
    room.watch("seat 1")
    room.bet(1, side=False)
    room.ready()
    assert room.hosted.waits().seconds is None
    room.clock.move(3600)
    assert acting(room) == 1
