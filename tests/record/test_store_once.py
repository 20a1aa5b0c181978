"""A wager counts exactly once, no matter how often, how late and in what order it is sent, and what fails."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeVar, cast

import pytest

from houseway.audit.memory_store import MemoryStore
from houseway.audit.store import Batch, Head, Store, StoreError
from houseway.audit.store_factory import open_store
from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.live import Accepted, LiveTable
from samples import sample

from .kill_script import house, next_command, resume_or_open
from .kill_witness import everything
from .once_model import Game, TwiceError
from .places import Place

T = TypeVar("T")

SCHEDULES = 500
"""The number of schedules in one test on the memory store."""
IN_A_DATABASE = 300
SCHEDULES_PER_GAME = 100
"""The number of schedules for each table. Records must stay short, because a table is reread after every write of the
other connection."""


def play(game: Game) -> None:
    for _ in range(SCHEDULES_PER_GAME):
        game.schedule()


@pytest.mark.parametrize("shard", range(sample("schedules") // SCHEDULES))
def test_every_wager_counts_once_in_memory(shard: int) -> None:
    rng = Random(f"once {shard}")
    for _ in range(SCHEDULES // SCHEDULES_PER_GAME):
        game = Game(rng, MemoryStore())
        play(game)
        game.history()


@pytest.mark.parametrize("shard", range(sample("database schedules") // IN_A_DATABASE))
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_every_wager_counts_once_in_a_database(
    kind: str, shard: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    rng = Random(f"once {kind} {shard}")
    for n in range(IN_A_DATABASE // SCHEDULES_PER_GAME):
        folder = tmp_path / str(n)
        folder.mkdir()
        where = Place.new(kind, folder, request).where
        store = open_store(where)
        game = Game(rng, store)
        for _ in range(SCHEDULES_PER_GAME):
            game.schedule()
            if rng.random() < 0.05:
                store.close()
                store = open_store(where)
                game.connect(store)
        game.history()
        store.close()


# --- planted faults ---


class Keyless(MemoryStore):
    """Planted fault: stores no key."""

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        super().append(stream, after, batch)
        self._records[stream].keys.clear()


class IgnoresKeys(LiveTable):
    """Planted fault: ignores keys."""

    def send(self, command: c.Command, key: str = "", by: str = "") -> Accepted | Refusal:
        return super().send(command, "", by)


class AcceptsUsedKeys(LiveTable):
    """Planted fault: accepts another command under a used key."""

    def _again(self, entry: Any, command: c.Command, by: str) -> Accepted | Refusal:
        return super()._again(entry, entry.command, by)


@pytest.mark.parametrize(
    ("store", "resume"),
    [(Keyless, LiveTable.resume), (MemoryStore, IgnoresKeys.resume), (MemoryStore, AcceptsUsedKeys.resume)],
    ids=["unstored keys", "ignored keys", "reused keys"],
)
def test_mishandled_keys_are_detected(store: type[MemoryStore], resume: Any) -> None:
    game = Game(Random("planted"), store(), resume)
    with pytest.raises(TwiceError):
        play(game)


# --- the n-th call fails ---


class Failing:
    """A store whose n-th call fails, before or after it takes effect."""

    def __init__(self, store: Store, nth: int, error: Exception, *, after: bool) -> None:
        self._store = store
        self._left = nth
        self._error = error
        self._after = after

    @property
    def failed(self) -> bool:
        return self._left <= 0

    def __getattr__(self, name: str) -> Any:
        return partial(self._call, name)

    def _call(self, name: str, *args: Any) -> Any:
        self._left -= 1
        if self._left == 0 and not self._after:
            raise self._error
        result = getattr(self._store, name)(*args)
        if self._left == 0:
            raise self._error
        return result


def retry(send: Callable[[], T]) -> T:
    """Retry as a client does after an error."""
    for _ in range(3):
        with suppress(OSError, StoreError):
            return send()
    raise AssertionError("failed more than once")


def play_script(store: Store, entries: int) -> None:
    """Play `entries` commands of the scripted table."""
    live = retry(lambda: resume_or_open(house(store)))
    for _ in range(entries):
        command, key = next_command(live), f"after-{live.head.events}"
        answer = retry(partial(live.send, command, key))
        assert isinstance(answer, Accepted), answer.message


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(("kind", "entries"), [("memory", 46), ("sqlite", 12), ("postgres", 12)])
def test_every_command_is_recorded_once_whichever_call_fails(
    kind: str, entries: int, tmp_path: Path, request: pytest.FixtureRequest, *, after: bool
) -> None:
    twin = MemoryStore()
    play_script(twin, entries)
    assert kind != "memory" or resume_or_open(house(twin)).state.section == "shuffling", (
        "the script does not cover a full round"
    )
    nth, failed = 0, True
    while failed:
        nth += 1
        folder = tmp_path / str(nth)
        folder.mkdir()
        error = OSError("the disk is gone") if nth % 2 else StoreError("the server is gone")
        with closing(open_store(Place.new(kind, folder, request).where)) as store:
            failing = Failing(store, nth, error, after=after)
            play_script(cast("Store", failing), entries)
            assert everything(store, twin) == everything(twin, twin), f"call {nth}"
            failed = failing.failed
    # Every command makes at least two calls: a key lookup and an append.
    assert nth > 2 * entries
