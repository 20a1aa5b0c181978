"""Tables with a linked meter: every contribution and every award counts exactly once."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.audit.memory_store import MemoryStore
from houseway.audit.store import Batch, Head, StaleHeadError, Store, StoreError
from houseway.audit.store_factory import open_store
from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.live import Accepted, LiveTable
from samples import MARGIN, sample

from .linked_model import LinkedTables, MeterError
from .places import Place

SCHEDULES_PER_GAME = 20
"""The number of schedules for each pair of tables. Records must stay short, because a table is reread after every
write of another connection."""
SCHEDULES = 100
IN_A_DATABASE = 20


@pytest.mark.parametrize("shard", range(sample("linked schedules") // SCHEDULES))
def test_every_contribution_and_award_counts_once_in_memory(shard: int) -> None:
    rng = Random(f"linked {shard}")
    conflicts = awards = 0
    for _ in range(SCHEDULES // SCHEDULES_PER_GAME):
        tables = LinkedTables(rng, MemoryStore())
        for _ in range(SCHEDULES_PER_GAME):
            tables.schedule()
        tables.audit()
        conflicts, awards = conflicts + tables.conflicts, awards + tables.awards
    assert min(conflicts, awards) > SCHEDULES // 10


@pytest.mark.parametrize("shard", range(sample("linked database schedules") // IN_A_DATABASE))
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_every_contribution_and_award_counts_once_in_a_database(
    kind: str, shard: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    where = Place.new(kind, tmp_path, request).where
    stores = [open_store(where)]

    def reopen() -> Store:
        stores[-1].close()
        stores.append(open_store(where))
        return stores[-1]

    try:
        tables = LinkedTables(Random(f"linked {kind} {shard}"), stores[0], reopen=reopen)
        for _ in range(IN_A_DATABASE):
            tables.schedule()
        tables.audit()
    finally:
        # An open store would keep the database from the tests that follow.
        stores[-1].close()


# --- planted faults ---


class TwoTransactions(MemoryStore):
    """Planted fault: stores the meter after the table, and does not store it if another table has changed it."""

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        super().append(stream, after, replace(batch, also=()))
        for name, head, part in batch.also:
            try:
                super().append(name, head, part)
            except StaleHeadError:
                continue


class Unchecked(MemoryStore):
    """Planted fault: appends to the meter without checking its head."""

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        super().append(stream, after, replace(batch, also=()))
        for name, _, part in batch.also:
            self._put(name, part)


class IgnoresKeys(LiveTable):
    """Planted fault: ignores keys."""

    def send(self, command: c.Command, key: str = "", by: str = "") -> Accepted | Refusal:
        return super().send(command, "", by)


class CachedMeter(LiveTable):
    """Planted fault: pays awards from a cached amount of the meter."""

    def sync(self) -> Accepted | None:
        if self.unsure:
            self.reload()
        return None


@pytest.mark.parametrize(
    ("store", "resume"),
    [
        (TwoTransactions, LiveTable.resume),
        (Unchecked, LiveTable.resume),
        (MemoryStore, IgnoresKeys.resume),
        (MemoryStore, CachedMeter.resume),
    ],
    ids=["two transactions", "unchecked head", "ignored keys", "cached meter"],
)
def test_a_meter_that_loses_or_repeats_money_is_detected(store: type[MemoryStore], resume: Any) -> None:
    schedules = 0
    for game in range(MARGIN):
        try:
            tables = LinkedTables(Random(f"planted {game}"), store(), resume)
            while schedules <= sample("linked schedules"):
                schedules += 1
                tables.schedule()
        except (MeterError, StoreError):
            continue
    assert schedules <= sample("linked schedules")
