"""Views updated event by event: patches applied in order give the whole view after each event."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from houseway.client.messages import View, Waits
from houseway.engine import events as e
from houseway.engine.patches import apply_patch, difference
from houseway.engine.round_history import RoundHistory, remember
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.table_view import Follower, table_view
from houseway.live.viewer_messages import encoder, yours_of
from houseway.narrate.reasons import Reasons
from houseway.rules.loader import rulebook_ids
from random_play import Rounds, modes_of

ROLES = ("rail", "dealer", "floor", "surveillance")
ROUNDS = 12


def whole(table: Table, state: State, role: str, history: RoundHistory) -> View:
    """The view of a role computed from scratch."""
    seen = table_view(table, state, history)
    return View(table=seen, yours=yours_of(table, state, role), waits=Waits(why="next"))


def plain(value: msgspec.Struct | dict[str, Any]) -> Any:
    """A value as a client gets it: through JSON."""
    return msgspec.json.decode(encoder.encode(value))


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_patches_in_order_give_the_view_of_every_role_after_every_event(rulebook: str) -> None:
    for mode in modes_of(rulebook):
        playing = Rounds(rulebook, mode, "patches", irregular=0.01, lasts=5)
        rng, patches, bytes_sent, bytes_whole = Random(f"{rulebook} {mode}"), 0, 0, 0
        table = playing.table
        for played in playing.play(ROUNDS):
            seats = [event.seat for event in played.events if isinstance(event, e.WagersPlaced)]
            roles = [f"seat {rng.choice(seats or [1])}", rng.choice(ROLES)]
            follower, history = Follower(table, played.start, Reasons(table)), RoundHistory()
            last = {role: whole(table, played.start, role, history) for role in roles}
            client = {role: plain(view) for role, view in last.items()}
            for event, state in zip(played.events, played.states, strict=True):
                history = remember(history, event, Reasons(table))
                seen = follower.follow(event, state)
                for role in roles:
                    expected = whole(table, state, role, history)
                    now = msgspec.structs.replace(expected, table=seen)
                    patch = difference(last[role], now)
                    client[role] = apply_patch(client[role], plain(patch))
                    got = msgspec.convert(client[role], View, strict=False)
                    assert plain(got) == plain(expected), (role, event)
                    patches += bool(patch)
                    bytes_sent += len(encoder.encode(patch))
                    bytes_whole += len(encoder.encode(expected))
                    last[role] = now
        assert patches > 20 * ROUNDS // len(modes_of(rulebook)), "most events change something"
        assert bytes_sent * 4 < bytes_whole, "a patch is much shorter than the view"


def test_unchanged_parts_stay_the_same_object() -> None:
    playing = Rounds("uth-ma", "manual", "identity", irregular=0)
    played = playing.one()
    follower = Follower(playing.table, played.start)
    steps = 0
    for event, state in zip(played.events, played.states, strict=True):
        before = follower.view
        now = follower.follow(event, state)
        if isinstance(event, e.StepTaken):
            assert now.seats is before.seats, event
            assert now.meters is before.meters
            steps += 1
    assert steps > 5


def test_a_patch_has_changed_and_removed_parts() -> None:
    class Part(msgspec.Struct):
        name: str = ""
        counts: dict[int, int] = {}
        faces: tuple[str, ...] = ()

    class Whole(msgspec.Struct):
        part: Part
        number: int | None = None

    old = Whole(Part("a", {1: 5, 2: 6}, ("As",)), 3)
    new = Whole(Part("a", {1: 5, 3: 7}, ("As", "Kd")), None)
    patch = difference(old, new)
    assert patch == {"part": {"counts": {2: None, 3: 7}, "faces": ("As", "Kd")}, "number": None}
    assert difference(new, new) == {}
    before = plain(old)
    after = apply_patch(before, plain(patch))
    assert after == {"part": {"name": "a", "counts": {"1": 5, "3": 7}, "faces": ["As", "Kd"]}}
    assert before == plain(old), "the value that was patched is left as it was"
