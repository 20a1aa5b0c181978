"""A view built from updates equals the server's view."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from houseway.client.messages import Entered, View, Waits, Yours
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.evolve import evolve, seat_of
from houseway.engine.table_view import table_view
from houseway.live.audience import Audience
from houseway.live.recent_events import recent
from houseway.live.viewer_messages import encoder, yours_of
from houseway.rules.loader import rulebook_ids
from houseway.server.replays import Replays
from server.hosted_rounds import RecordingViewer, Room, shuffled
from server.test_hosted import acting
from table_driver import table

ROLES = ("seat 1", "seat 2", "rail", "dealer", "floor", "surveillance")


def enter(room: Room, role: str, since: int | None = None) -> RecordingViewer:
    """Add a viewer to the table."""
    seat = seat_of(role)
    viewer = RecordingViewer(role, room.persons[seat].handle if seat else "")
    room.hosted.enter(viewer, since)
    return viewer


def plain(value: Any) -> Any:
    return msgspec.json.decode(encoder.encode(value))


def assert_same(room: Room, viewers: dict[str, RecordingViewer]) -> None:
    """Check that every viewer's view equals the server's."""
    for role, viewer in viewers.items():
        assert plain(viewer.view) == plain(room.hosted.view(role)), role


def play_a_round(room: Room, viewers: dict[str, RecordingViewer]) -> None:
    for seat in (1, 2, 3):
        room.bet(seat, side=True)
        assert_same(room, viewers)
    room.ready()
    while room.hosted.waits().why == "decision":
        assert_same(room, viewers)
        seat = acting(room)
        room.do(seat, room.hosted.view(f"seat {seat}").yours.choices[0].command)
    assert_same(room, viewers)


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_views_built_from_updates_match_the_server(rulebook: str) -> None:
    rng = Random(rulebook)
    room = Room(rulebook, [shuffled(rng, rulebook), shuffled(rng, rulebook)])
    viewers = {role: enter(room, role) for role in ROLES}
    enter(room, "seat 3")
    play_a_round(room, viewers)
    view = viewers["rail"].view
    assert view.table.closed
    assert sum(line.net for line in view.table.settled.values() if not line.for_dealer) == sum(
        view.table.net.values()
    )
    assert all(line.reason and line.clause for line in view.table.settled.values())
    room.ready()
    assert viewers["rail"].view.table.round == 2
    play_a_round(room, viewers)


def alone(room: Room, role: str) -> tuple[Audience, RecordingViewer]:
    """Return another audience of the table, with only one viewer."""
    runner, seat = room.hosted, seat_of(role)
    audience = Audience(runner.now, recent(runner.live, 1), runner.plan.order.leave_out)
    viewer = RecordingViewer(role, room.persons[seat].handle if seat else "")
    audience.welcome(viewer, None, runner.waits(), runner.presence.sitters())
    audience.send(runner.waits(), runner.presence.sitters())
    return audience, viewer


@pytest.mark.parametrize("rulebook", ["uth-ma", "shootout-sd"])
def test_every_viewer_gets_the_frames_that_a_viewer_without_others_gets(
    rulebook: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(f"alone {rulebook}")
    room = Room(rulebook, [shuffled(rng, rulebook), shuffled(rng, rulebook)])
    viewers = {role: enter(room, role) for role in (*ROLES, "seat 3")}
    together, apart = room.hosted.audience, {role: alone(room, role) for role in viewers}
    for viewer in (*viewers.values(), *(viewer for _, viewer in apart.values())):
        viewer.frames.clear()
    originals = {name: getattr(together, name) for name in ("record", "send")}

    def repeat(name: str, *args: Any) -> None:
        originals[name](*args)
        for audience, _ in apart.values():
            getattr(audience, name)(*args)

    for name in originals:
        monkeypatch.setattr(together, name, partial(repeat, name))
    play_a_round(room, viewers)
    room.ready()
    play_a_round(room, viewers)
    for role, viewer in viewers.items():
        assert viewer.frames == apart[role][1].frames, role
    assert len(viewers["rail"].frames) > 10


def test_an_event_at_another_seat_leaves_a_players_options_unchanged() -> None:
    room = Room("uth-ma", [()], seats=(1, 2))
    live = room.hosted.live
    before = replace(live.state, round=replace(live.state.round, seal="ab" * 32))
    options = {role: yours_of(live.table, before, role, salt=True) for role in ("seat 1", "seat 2")}
    views = {role: replace(room.hosted.view(role), yours=yours) for role, yours in options.items()}

    def after(event: e.Event, role: str) -> Yours:
        return yours_of(live.table, evolve(before, event), role, (before, views[role]), salt=True)

    bet = e.WagersPlaced(seat=1, wagers={"ante": 500, "blind": 500})
    assert after(bet, "seat 2") is options["seat 2"]
    assert {choice.command["type"] for choice in after(bet, "seat 1").choices} == {"TakeBack"}
    # A commitment changes the round, not a seat.
    assert options["seat 2"].commit_due
    committed = after(e.SaltCommitted(seat=2, commitment="0" * 64), "seat 2")
    assert not committed.commit_due
    assert committed.commitment == "0" * 64


def test_each_update_gives_the_view_after_its_event() -> None:
    room = Room("uth-ma", [shuffled(Random("steps"), "uth-ma")])
    viewer = enter(room, "seat 1")
    for seat in (2, 3):
        enter(room, f"seat {seat}")
    for seat in (1, 2, 3):
        room.bet(seat, side=False)
    room.ready()
    cards = [
        (
            step.update.event["to"],
            [hand.cards for seat in step.view.table.seats.values() for hand in seat.hands.values()],
        )
        for step in viewer.following.steps
        if step.update.event and step.update.event["type"] == "CardsDealt"
    ]
    # The device deals two cards to a seat at a time, and none is seen before players may look.
    assert [sum(counts) for to, counts in cards if to.startswith("seat")] == [2, 4, 6]
    looked = [bool(step.view.yours.cards) for step in viewer.following.steps]
    kinds = [step.update.event["type"] if step.update.event else "" for step in viewer.following.steps]
    assert looked.index(True) == kinds.index("PlayersLooked")
    open_ = [bool(step.view.yours.choices) for step in viewer.following.steps]
    assert open_ == [False] * (len(open_) - 1) + [True], "no choice while the table runs automatically"


def test_a_returning_viewer_gets_the_missed_events_and_the_current_view() -> None:
    room = Room("uth-ma", [()], seats=(1, 2))
    viewer = enter(room, "seat 1")
    enter(room, "seat 2")
    room.bet(1, side=False)
    since = viewer.following.seq
    room.hosted.leave(viewer)
    room.bet(2, side=False)
    back = enter(room, "seat 1", since)
    first = msgspec.json.decode(back.frames[0], type=Entered)
    assert [update.event["seat"] for update in first.updates if update.event] == [2]
    assert not first.missed
    assert first.view.table.seats[2].bets == {"ante": 500, "blind": 500}
    assert_same(room, {"seat 1": back})


def test_a_player_who_leaves_and_returns_gets_the_right_views() -> None:
    room = Room("uth-ma", [()], seats=(1,))
    viewer = enter(room, "seat 1")
    room.do(1, c.Leave(seat=1))
    assert viewer.role == "rail"
    assert viewer.view.yours.seat == 0
    assert 1 not in viewer.view.table.seats
    room.do(1, c.Sit(seat=1))
    assert viewer.role == "seat 1"
    assert_same(room, {"seat 1": viewer})


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_replay_has_the_updates_that_were_sent_live(rulebook: str) -> None:
    room = Room(rulebook, [shuffled(Random(f"replay {rulebook}"), rulebook)])
    viewers = {role: enter(room, role) for role in ("seat 2", "rail")}
    enter(room, "seat 1")
    enter(room, "seat 3")
    live: dict[str, dict[int, Any]] = {role: {} for role in viewers}
    for seat in (1, 2, 3):
        room.bet(seat, side=True)
    room.ready()
    while room.hosted.waits().why == "decision":
        for role, viewer in viewers.items():
            live[role] |= {step.update.seq: plain(step.view.table) for step in viewer.following.steps}
        seat = acting(room)
        room.do(seat, room.hosted.view(f"seat {seat}").yours.choices[0].command)
    for role, viewer in viewers.items():
        live[role] |= {step.update.seq: plain(step.view.table) for step in viewer.following.steps}
        seat = seat_of(role)
        player = room.persons[seat].handle if seat else ""
        replay = Replays(room.store).replay("room", 1, role, player)
        follows = RecordingViewer(role)
        follows.tell(encoder.encode(Entered(seq=0, role=role, view=replay["view"])))
        follows.tell(encoder.encode({"type": "told", "seq": 1, "updates": replay["updates"]}))
        replayed = {step.update.seq: plain(step.view.table) for step in follows.following.steps}
        assert len(replayed) == len(replay["updates"]) > 30
        compared = [seq for seq in replayed if seq in live[role]]
        assert len(compared) > 20
        assert all(replayed[seq] == live[role][seq] for seq in compared)


@pytest.mark.clause("MA-6.a-b")
def test_a_coupon_at_one_seat_counts_at_the_players_other_seat() -> None:
    t = table("uth-ma", mode="device", house={"match_play": True, "coupons_per_player": 1})
    for seat in (1, 2):
        t.send(c.Sit(seat=seat, player="Ann", chips=100_000))
    t.until("announce no more bets")
    before = t.state
    yours = yours_of(t.table, before, "seat 2")
    assert yours.coupons
    view = View(table=table_view(t.table, before), yours=yours, waits=Waits(why="bets"))
    t.send(c.Bet(seat=1, wagers={"ante": 1000}, coupon=1000))
    after = yours_of(t.table, t.state, "seat 2", (before, view))
    assert not after.coupons
    assert after == yours_of(t.table, t.state, "seat 2")
