"""A table of the house: who is waited for, what goes on by itself, what everybody is told."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from houseway.audit.memory_store import MemoryStore
from houseway.audit.store import Batch, Head, StoreError
from houseway.client.messages import Answered, Do, Entered, NotTaken, OpenTable, Ready
from houseway.engine import commands as c
from houseway.engine.codec import written_state
from houseway.live import LiveTable
from houseway.live.viewer_messages import encoder
from houseway.rules.loader import rulebook_ids
from houseway.server.table_sheets import table_card, table_sheet
from houseway.server.tables import run_table
from record.recorded import house
from server.hosted_rounds import Looker, Room, shuffled


def told(looker: Looker, kind: str) -> list[dict[str, Any]]:
    """The events of a kind in what somebody was told last."""
    events = [step.update.event or {} for step in looker.following.steps]
    return [event for event in events if event.get("type") == kind]


def entered(looker: Looker) -> Entered:
    """What somebody who came was told first."""
    return msgspec.json.decode(looker.frames[0], type=Entered)


def acting(room: Room) -> int:
    """The seat that is asked."""
    waits = room.hosted.waits()
    return waits.seats[0] if waits.why == "decision" else 0


def play_on(room: Room, *, until: str = "next") -> None:
    """Take the first choice at every decision."""
    for _ in range(60):
        if room.hosted.waits().why == until:
            return
        seat = acting(room)
        assert seat, room.hosted.waits()
        choice = room.hosted.view(f"seat {seat}").yours.choices[0]
        assert isinstance(room.do(seat, choice.command), Answered)
    raise AssertionError(room.hosted.waits())


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_round_from_the_first_wager_to_the_next(rulebook: str) -> None:
    room = Room(rulebook, [shuffled(Random(rulebook), rulebook)])
    lookers = [room.look(f"seat {seat}") for seat in (1, 2, 3)]
    rail = room.look("rail")
    assert room.hosted.waits().why == "bets"
    for seat in (1, 2, 3):
        room.bet(seat, side=True)
    room.ready()
    assert room.hosted.waits().why == "decision"
    play_on(room)
    for looker in (*lookers, rail):
        seen = looker.view.table
        assert seen.closed
        assert sum(line.net for line in seen.settled.values() if not line.for_dealer) == sum(
            seen.net.values()
        )
        assert all(line.reason and line.clause for line in seen.settled.values()), seen.settled
        assert looker.view.waits.why == "next"
    room.ready()
    assert room.hosted.waits().why == "bets"
    assert rail.view.table.round == 2


def test_what_is_followed_from_deltas_is_what_is_there() -> None:
    room = Room("uth-ma", [shuffled(Random("deltas"), "uth-ma")])
    lookers = {role: room.look(role) for role in ("seat 1", "seat 2", "rail", "floor", "surveillance")}
    for seat in (1, 2, 3):
        room.bet(seat, side=True)
    room.look("seat 3")
    room.ready()
    while room.hosted.waits().why == "decision":
        for role, looker in lookers.items():
            now = room.hosted.view(role)
            assert encoder.encode(looker.view) == encoder.encode(now)
        seat = acting(room)
        room.do(seat, room.hosted.view(f"seat {seat}").yours.choices[0].command)


def test_wagers_stay_open_until_all_who_are_there_are_ready() -> None:
    room = Room("uth-ma", [()])
    lookers = {seat: room.look(f"seat {seat}") for seat in (1, 2)}
    room.bet(1, side=False)
    room.hosted.say_ready(room.persons[1], Ready())
    assert room.hosted.waits().seats == (2,)
    room.bet(2, side=False)
    assert room.hosted.waits().why == "bets"
    room.hosted.leave(lookers[2])
    # Nobody waits for who is not there; seat 3 never came.
    assert room.hosted.waits().why == "decision"


def test_a_wager_changed_is_not_ready_any_more() -> None:
    room = Room("uth-ma", [()], seats=(1, 2))
    for seat in (1, 2):
        room.look(f"seat {seat}")
        room.bet(seat, side=False)
    room.hosted.say_ready(room.persons[1], Ready())
    room.do(1, c.Bet(seat=1, wagers={"ante": 1500}))
    room.hosted.say_ready(room.persons[2], Ready())
    assert room.hosted.waits().seats == (1,)


def test_a_seat_past_its_deadline_is_played_by_the_rulebook_and_that_is_on_record() -> None:
    room = Room("uth-ma", [()], seats=(1, 2), order=OpenTable(rulebook="uth-ma", clock=15))
    looker = room.look("seat 1")
    room.look("seat 2")
    room.bet(1, side=False)
    room.ready()
    assert (room.hosted.waits().why, room.hosted.waits().seconds) == ("decision", 15.0)
    room.clock.move(14.9)
    assert not told(looker, "Checked")
    room.clock.move(0.2)
    assert told(looker, "Checked")[0]["by"] == "deadline"
    # The next decision has a clock of its own.
    assert room.hosted.waits().seconds == 14.9
    room.clock.move(15)
    room.clock.move(15)
    assert room.hosted.waits().why == "next"
    assert [event["seat"] for event in told(looker, "Folded")] == [1]


def test_without_a_clock_a_table_waits_for_who_is_there_and_not_for_who_is_gone() -> None:
    room = Room("uth-ma", [()], seats=(1,), order=OpenTable(rulebook="uth-ma", clock=0))
    looker = room.look("seat 1")
    room.bet(1, side=False)
    room.ready()
    room.clock.move(3600)
    assert acting(room) == 1
    rail = room.look("rail")
    room.hosted.leave(looker)
    room.clock.move(301)
    assert told(rail, "Checked")


def test_a_command_sent_again_counts_once_and_another_under_its_key_is_refused() -> None:
    room = Room("uth-ma", [()], seats=(1,))
    room.look("seat 1")
    bet = c.Bet(seat=1, wagers={"ante": 1000})
    first = room.do(1, bet, key="one")
    chips = room.hosted.live.state.seats[1].chips
    again = room.do(1, bet, key="one")
    other = room.do(1, c.Bet(seat=1, wagers={"ante": 2000}), key="one")
    assert isinstance(first, Answered)
    assert isinstance(again, Answered)
    assert (again.seq, again.repeated) == (first.seq, True)
    assert isinstance(other, NotTaken)
    assert other.refused[0].code == "key-used"
    assert room.hosted.live.state.seats[1].chips == chips


def test_two_people_may_use_the_same_key() -> None:
    room = Room("uth-ma", [()], seats=(1, 2))
    room.look("seat 1")
    answers = [room.do(seat, c.Bet(seat=seat, wagers={"ante": 1000}), key="one") for seat in (1, 2)]
    assert all(isinstance(answer, Answered) and not answer.repeated for answer in answers)


def test_a_command_that_comes_too_late_is_refused_as_stale() -> None:
    room = Room("uth-ma", [()], seats=(1, 2))
    for seat in (1, 2):
        room.look(f"seat {seat}")
        room.bet(seat, side=False)
    before = room.hosted.seq
    room.ready()
    answer = room.hosted.do(room.persons[1], _do(c.Check(seat=1), "late", expect=before))
    assert isinstance(answer, NotTaken)
    assert answer.refused[0].code == "stale"
    assert answer.seq == room.hosted.seq


def _do(command: c.Command, key: str, expect: int) -> Do:
    return Do(key=key, command=msgspec.Raw(encoder.encode(command)), expect=expect)


def test_a_table_taken_up_again_goes_on_with_the_same_cards() -> None:
    store = MemoryStore()
    room = Room("uth-ma", [shuffled(Random("again"), "uth-ma")], store=store)
    for seat in (1, 2, 3):
        room.look(f"seat {seat}")
        room.bet(seat, side=True)
    room.ready()
    room.do(1, room.hosted.view("seat 1").yours.choices[0].command)
    seen = encoder.encode(room.hosted.view("seat 2").table)
    state = written_state(room.hosted.live.state)
    live = LiveTable.resume(house(store), "room", room.hosted.live._maker)
    again = run_table(live, room.plan, room.people, room.clock)
    assert written_state(live.state) == state
    assert encoder.encode(again.view("seat 2").table) == seen
    room.hosted = again
    for seat in (1, 2, 3):
        room.look(f"seat {seat}")
    play_on(room)
    assert again.view("rail").table.closed


def test_who_comes_back_is_told_what_happened_meanwhile() -> None:
    room = Room("uth-ma", [()], seats=(1, 2))
    looker, _ = room.look("seat 1"), room.look("seat 2")
    room.bet(1, side=False)
    since = looker.following.seq
    room.hosted.leave(looker)
    room.bet(2, side=False)
    back = room.looker("seat 1")
    room.hosted.enter(back, since)
    first = back.frames[0]
    assert b'"WagersPlaced"' in first
    assert b'"seat":2' in first


def test_side_bets_left_out_are_neither_shown_nor_taken() -> None:
    order = OpenTable(rulebook="uth-ma", leave_out=("trips",))
    room = Room("uth-ma", [()], seats=(1,), order=order)
    looker = room.look("seat 1")
    assert "trips" not in {spot.wager for spot in looker.view.yours.spots}
    assert "trips" not in {
        circle.wager for circle in table_sheet(room.hosted, table_card(room.hosted)).circles
    }
    answer = room.do(1, c.Bet(seat=1, wagers={"ante": 500, "trips": 500}))
    assert isinstance(answer, NotTaken)
    assert answer.refused[0].code == "not-offered"


def test_a_person_in_the_dealers_chair_acts_step_by_step() -> None:
    room = Room("uth-ma", [()], seats=(1,), order=OpenTable(rulebook="uth-ma", dealer="person"))
    room.look("seat 1")
    dealer = room.look("dealer")
    person = room.people.introduce("Dana")
    assert isinstance(person, tuple)
    room.persons[9] = room.people.give(person[0].handle, "room", "dealer")
    assert room.hosted.waits().why == "dealer"
    for _ in range(40):
        if room.hosted.phase.betting:
            break
        assert isinstance(room.do(9, dealer.view.yours.choices[0].command), Answered)
    assert room.hosted.waits().why == "bets"
    wrong = room.do(9, c.Perform(step="burn before the flop"))
    assert isinstance(wrong, NotTaken)
    assert wrong.refused[0].message


def test_everything_told_is_on_record_first(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    room = Room("uth-ma", [()], seats=(1,), store=store)
    late = []

    class Checking(Looker):
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
    # A planted fault: told, and never kept.
    monkeypatch.setattr(store, "append", lambda *given: None)
    room.ready()
    assert late != []


def test_nobody_is_hurried_by_bots_and_everybody_by_a_person_who_waits() -> None:
    order = OpenTable(rulebook="uth-ma", clock=15)
    room = Room("uth-ma", [(), ()], seats=(1, 2), order=order)
    for seat in (1, 2):
        room.look(f"seat {seat}")
        room.bet(seat, side=False)
    assert room.hosted.waits().seconds is None
    room.hosted.say_ready(room.persons[1], Ready())
    assert room.hosted.waits().seconds == 15.0
    room.clock.move(15)
    assert room.hosted.waits().why == "decision"


def test_sitting_down_sent_again_counts_once() -> None:
    room = Room("uth-ma", [()], seats=(1,))
    found = room.people.introduce("Maren")
    assert isinstance(found, tuple)
    room.persons[2] = found[0]
    first, again = (room.do(2, c.Sit(seat=2), key="sit") for _ in range(2))
    other = room.do(2, c.Sit(seat=3), key="sit")
    assert isinstance(first, Answered)
    assert isinstance(again, Answered)
    assert (again.seq, again.repeated) == (first.seq, True)
    assert isinstance(other, NotTaken)
    assert other.refused[0].code == "key-used"


def test_who_left_a_seat_sees_nothing_of_the_next_player_there() -> None:
    room = Room("uth-ma", [shuffled(Random("left"), "uth-ma")], seats=(1, 2))
    old = room.look("seat 1")
    room.look("seat 2")
    assert isinstance(room.do(1, c.Leave(seat=1)), Answered)
    assert old.role == "rail"
    assert not room.hosted.presence.here(1)
    found = room.people.introduce("Bob")
    assert isinstance(found, tuple)
    room.persons[1] = found[0]
    assert isinstance(room.do(1, c.Sit(seat=1)), Answered)
    room.look("seat 1")
    for seat in (1, 2):
        room.bet(seat, side=False)
    room.ready()
    assert room.hosted.view("seat 1").yours.cards
    assert old.view.yours.cards == ()
    own = room.hosted.view("seat 1").yours.cards[0]
    assert not any(card.encode() in frame for frame in old.frames for card in own)


def test_a_person_who_goes_is_waited_for_a_while_even_without_a_clock() -> None:
    room = Room("uth-ma", [()], seats=(1,), order=OpenTable(rulebook="uth-ma", clock=0))
    looker, rail = room.look("seat 1"), room.look("rail")
    room.bet(1, side=False)
    room.ready()
    room.hosted.leave(looker)
    room.clock.move(299)
    assert acting(room) == 1
    back = room.look("seat 1")
    room.clock.move(600)
    assert not told(rail, "Checked"), "who came back in time is waited for again"
    room.hosted.leave(back)
    room.clock.move(301)
    assert told(rail, "Checked")


def test_a_word_that_comes_too_late_is_not_taken_for_the_next_one() -> None:
    room = Room("uth-ma", [(), ()], seats=(1,))
    room.look("seat 1")
    room.bet(1, side=False)
    room.ready()
    play_on(room)
    said = Ready(round=1, why="next")
    assert room.hosted.say_ready(room.persons[1], said) is None
    late = room.hosted.say_ready(room.persons[1], said)
    assert late is not None
    assert late.code == "stale"
    assert room.hosted.waits().ready == ()


def test_a_seat_nobody_comes_back_to_is_freed() -> None:
    room = Room("uth-ma", [()] * 6, seats=(1, 2))
    room.look("seat 1")
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
    """A store that cannot write at times."""

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
def test_a_record_that_cannot_be_written_holds_the_table_up_and_is_tried_again(fails: str) -> None:
    store = Failing()
    room = Room("uth-ma", [()], seats=(1,), store=store)
    looker = room.look("seat 1")
    room.bet(1, side=False)
    store.fails = fails
    told = looker.following.seq
    room.ready()
    assert room.hosted.trouble
    assert looker.following.seq == told
    room.clock.move(5.1)
    if fails == "before":
        assert room.hosted.trouble
    store.fails = ""
    room.clock.move(5.1)
    assert not room.hosted.trouble
    assert acting(room) == 1
    assert looker.view.table.seats[1].bets["ante"] == 500
    play_on(room)
    assert looker.view.table.closed


@pytest.mark.parametrize("fails", ["before", "behind"])
def test_a_command_that_could_not_be_written_is_sent_again_and_counts_once(fails: str) -> None:
    store = Failing()
    room = Room("uth-ma", [()], seats=(1,), store=store)
    looker = room.look("seat 1")
    room.bet(1, side=False)
    room.ready()
    choice = looker.view.yours.choices[0]
    store.fails = fails
    with pytest.raises(StoreError):
        room.do(1, choice.command, key="once")
    store.fails = ""
    told, answer = looker.following.seq, room.do(1, choice.command, key="once")
    assert isinstance(answer, Answered)
    assert answer.repeated == (fails == "behind")
    room.clock.move(5.1)
    keys = [stored.key for stored in store.entries("room")]
    assert sum(key.endswith("/once") for key in keys) == 1
    assert looker.following.seq > told
    assert looker.following.seq == room.hosted.seq


def test_a_record_that_cannot_be_written_plays_for_nobody() -> None:
    store = Failing()
    room = Room("uth-ma", [()], seats=(1,), store=store)
    looker = room.look("seat 1")
    room.bet(1, side=False)
    room.ready()
    store.fails = "before"
    with pytest.raises(StoreError):
        room.do(1, looker.view.yours.choices[0].command)
    store.fails = ""
    room.clock.move(60)
    assert not room.hosted.trouble
    assert acting(room) == 1
    assert room.hosted.waits().seconds is None


def test_what_a_command_leads_to_is_written_at_once() -> None:
    store = Failing()
    room = Room("uth-ma", [()], seats=(1,), store=store)
    room.look("seat 1")
    room.bet(1, side=False)
    written, events = store.appended, room.hosted.seq
    room.ready()
    assert store.appended == written + 1
    assert room.hosted.seq > events + 5


def test_who_leaves_keeps_the_view_until_it_is_on_record() -> None:
    store = Failing()
    room = Room("uth-ma", [()], seats=(1,), store=store)
    looker = room.look("seat 1")
    store.fails = "before"
    with pytest.raises(StoreError):
        room.do(1, c.Leave(seat=1))
    assert looker.role == "seat 1"
    store.fails = ""
    assert isinstance(room.do(1, c.Leave(seat=1)), Answered)
    assert looker.role == "rail"


def test_who_comes_too_late_is_shown_the_table() -> None:
    room = Room("uth-ma", [()], seats=(1,))
    looker = room.look("seat 1")
    room.bet(1, side=False)
    wish = encoder.encode(c.TakeBack(seat=1))
    late = room.hosted.do(room.persons[1], Do(key="late", command=msgspec.Raw(wish), expect=1))
    assert isinstance(late, NotTaken)
    assert late.refused[0].code == "stale"
    assert late.seq == room.hosted.seq
    assert late.view is not None
    assert late.view.table == looker.view.table
    assert late.view.yours == looker.view.yours


def test_who_was_away_too_long_hears_that_something_is_missing() -> None:
    room = Room("uth-ma", [()] * 2, seats=(1,))
    looker = room.look("seat 1")
    since = looker.following.seq
    room.bet(1, side=False)
    back = Looker("rail")
    room.hosted.enter(back, since)
    assert not entered(back).missed
    assert [update.seq for update in entered(back).updates] == list(range(since + 1, room.hosted.seq + 1))
    again = run_table(room.hosted.live, room.plan, room.people, room.clock)
    anew = Looker("rail")
    again.enter(anew, since)
    assert entered(anew).missed
    assert entered(anew).updates == ()


def test_who_takes_fresh_chips_keeps_the_seat_and_its_view() -> None:
    room = Room("uth-ma", [()], seats=(1,))
    looker = Looker("seat 1", room.persons[1].handle)
    room.hosted.enter(looker)
    for command in (c.Leave(seat=1), c.Sit(seat=1)):
        assert isinstance(room.do(1, command), Answered)
    room.bet(1, side=False)
    room.ready()
    assert looker.role == "seat 1"
    assert len(looker.view.yours.cards[0]) == 2


def test_bots_leave_somebody_who_watches_time_to_sit_down() -> None:
    room = Room("uth-ma", [()], seats=(1, 2))
    bots = {seat: (room.persons[seat].handle, "practical") for seat in (1, 2)}
    room.hosted.plan = replace(room.hosted.plan, bots=bots)
    rail = room.look("rail")
    for seat in (1, 2):
        room.bet(seat, side=False)
        room.hosted.say_ready(room.persons[seat], Ready())
    room.clock.move(9)
    waits = [rail.view.waits.why]
    room.clock.move(2)
    waits.append(rail.view.waits.why)
    assert waits == ["players", "decision"]


def test_who_plays_alone_with_bots_may_take_all_the_time_there_is() -> None:
    room = Room("uth-ma", [()], seats=(1,), order=OpenTable(rulebook="uth-ma", clock=15))
    room.look("seat 1")
    room.bet(1, side=False)
    room.ready()
    assert room.hosted.waits().seconds is None
    room.clock.move(3600)
    assert acting(room) == 1
