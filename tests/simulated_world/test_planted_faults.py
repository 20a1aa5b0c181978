"""The checks of the simulated world notice planted faults of the server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.audit import memory_store
from houseway.audit.store import Batch, Head
from houseway.audit.streams import HOUSE_LOG
from houseway.client.messages import View
from houseway.engine import events as e
from houseway.engine.fold_registry import FOLDS
from houseway.engine.meters import MICRO
from houseway.engine.state import State
from houseway.live.audience import Audience
from houseway.live.live_table import LiveTable
from houseway.live.runner import TableRunner
from houseway.server.tables import Tables
from houseway.server.watched_store import WatchedStore
from samples import MARGIN, SAMPLES
from simulated_world.world import FEW, simulate

SEEDS = SAMPLES["worlds"].daily // MARGIN
"""A fault must appear within this many seeds; the daily sample then shows it about ten times."""

Plant = Callable[[pytest.MonkeyPatch], None]


def acknowledge_before_the_commit(plant: pytest.MonkeyPatch) -> None:
    """Write to the disk a moment after the caller has continued."""
    honest = WatchedStore.append

    def hasty(self: WatchedStore, stream: str, after: Head, batch: Batch) -> None:
        if HOUSE_LOG in (stream, *(other for other, _, _ in batch.also)):
            honest(self, stream, after, batch)
            return
        asyncio.get_running_loop().call_later(0.02, honest, self, stream, after, batch)

    plant.setattr(WatchedStore, "append", hasty)


def forget_an_unknown_outcome(plant: pytest.MonkeyPatch) -> None:
    """Continue after a failed write without reading the record again."""
    never = property(lambda self: False, lambda self, value: None)
    plant.setattr(LiveTable, "unsure", never, raising=False)


def apply_a_repeated_command(plant: pytest.MonkeyPatch) -> None:
    """Look up no keys, and let the store accept the same key twice."""
    plant.setattr(LiveTable, "keyed", lambda self, key: None)
    plant.setattr(memory_store, "key_error", lambda stream, batch, known: None)


def show_the_dealers_cards_on_reconnection(plant: pytest.MonkeyPatch) -> None:
    """Show a viewer who reconnects the dealer's cards before they are turned."""
    honest, entered = Audience.view, Audience.welcome
    reconnects = False

    def welcome(self: Audience, watcher: Any, since: int | None, *rest: Any) -> None:
        nonlocal reconnects
        reconnects = since is not None
        entered(self, watcher, since, *rest)
        reconnects = False

    def view(self: Audience, *args: Any) -> View:
        shown = honest(self, *args)
        dealer = tuple(map(str, self._now.state.round.dealer))
        return replace(shown, table=replace(shown.table, dealer=dealer)) if reconnects else shown

    plant.setattr(Audience, "welcome", welcome)
    plant.setattr(Audience, "view", view)


def forget_deadlines_after_a_restart(plant: pytest.MonkeyPatch) -> None:
    """Resume a table without its timer."""
    honest = Tables._resume

    async def resume(self: Tables, *args: Any) -> TableRunner:
        runner = await honest(self, *args)
        runner._deadlines._clock = None
        return runner

    plant.setattr(Tables, "_resume", resume)


def drop_the_remainder_of_a_meter(plant: pytest.MonkeyPatch) -> None:
    """Round a progressive meter down to whole cents."""
    honest: Callable[[State, e.MeterFed], State] = FOLDS[e.MeterFed]

    def careless(state: State, event: e.MeterFed) -> State:
        fed = honest(state, event)
        return replace(fed, meters={name: micro // MICRO * MICRO for name, micro in fed.meters.items()})

    folds: dict[Any, Any] = FOLDS
    plant.setitem(folds, e.MeterFed, careless)


PLANTS: dict[Plant, str] = {
    acknowledge_before_the_commit: "but is not on record",
    forget_an_unknown_outcome: "was shown but is not on record",
    apply_a_repeated_command: "is used twice",
    show_the_dealers_cards_on_reconnection: "was shown [",
    forget_deadlines_after_a_restart: "finished no round",
    drop_the_remainder_of_a_meter: "would create or destroy money",
}
"""Each fault, with the words of the violation that must report it."""


def first_violation() -> str:
    """Return the first violation in the seeds, or an empty string."""
    for seed in range(SEEDS):
        if violations := simulate(seed, FEW).violations:
            return violations[0]
    return ""


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
def test_a_planted_fault_is_noticed(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert PLANTS[plant] in first_violation()
