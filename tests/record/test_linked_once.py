"""Tables on one linked meter: one meter, and every contribution and award counts exactly once."""

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

A_GAME = 20
"""Schedules per pair of tables; each is reread whenever another connection wrote."""
SCHEDULES = 200
IN_A_DATABASE = 20


@pytest.mark.parametrize("shard", range(sample("linked schedules") // SCHEDULES))
def test_schedules_in_memory(shard: int) -> None:
    rng = Random(f"linked {shard}")
    conflicts = awards = 0
    for _ in range(SCHEDULES // A_GAME):
        tables = LinkedTables(rng, MemoryStore())
        for _ in range(A_GAME):
            tables.schedule()
        tables.audit()
        conflicts, awards = conflicts + tables.conflicts, awards + tables.awards
    assert min(conflicts, awards) > SCHEDULES // 10


@pytest.mark.parametrize("shard", range(sample("linked database schedules") // IN_A_DATABASE))
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_schedules_in_a_database(
    kind: str, shard: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    where = Place.new(kind, tmp_path, request).where
    stores = [open_store(where)]

    def reopen() -> Store:
        stores[-1].close()
        stores.append(open_store(where))
        return stores[-1]

    tables = LinkedTables(Random(f"linked {kind} {shard}"), stores[0], reopen=reopen)
    for _ in range(IN_A_DATABASE):
        tables.schedule()
    tables.audit()
    stores[-1].close()


# --- planted ---


class TwoTransactions(MemoryStore):
    """Planted: stores the meter after the table, and not at all if it has moved."""

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        super().append(stream, after, replace(batch, also=()))
        for name, head, part in batch.also:
            try:
                super().append(name, head, part)
            except StaleHeadError:
                continue


class Unordered(MemoryStore):
    """Planted: appends to the meter whatever its head is."""

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        super().append(stream, after, replace(batch, also=()))
        for name, _, part in batch.also:
            self._put(name, part)


class Deaf(LiveTable):
    """Planted: ignores keys."""

    def send(self, command: c.Command, key: str = "", by: str = "") -> Accepted | Refusal:
        return super().send(command, "", by)


class Remembering(LiveTable):
    """Planted: pays from the meter as this process remembers it."""

    def sync(self) -> Accepted | None:
        if self.unsure:
            self.reload()
        return None


@pytest.mark.parametrize(
    ("store", "resume"),
    [
        (TwoTransactions, LiveTable.resume),
        (Unordered, LiveTable.resume),
        (MemoryStore, Deaf.resume),
        (MemoryStore, Remembering.resume),
    ],
    ids=["two transactions", "unordered", "deaf", "remembering"],
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
