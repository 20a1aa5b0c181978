"""The limit on a person's open tables holds for all servers that share a database, on every kind of store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from houseway.audit.memory_store import MemoryStore
from houseway.audit.sql.people_rows import PeopleRows
from houseway.audit.sql.short_transactions import Transaction

from .places import DATABASES, Place
from .test_people_rows import opened, race

MOST = 3
ATTEMPTS = 4


@pytest.fixture(params=("memory", *DATABASES))
def two_servers(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[PeopleRows, PeopleRows]]:
    """Return the rows of one house as two servers see them."""
    if request.param == "memory":
        store = MemoryStore()
        yield store.people_rows(), store.people_rows()
        return
    place = Place.new(request.param, tmp_path, request)
    yield opened(place).people_rows(), opened(place, read_only=True).people_rows()
    place.close()


def test_two_servers_together_keep_the_limit(two_servers: tuple[PeopleRows, PeopleRows]) -> None:
    one, other = two_servers
    for n in range(ATTEMPTS):
        names = [f"{n}-{server}-{place}" for server in range(2) for place in range(MOST)]
        sides = [one] * MOST + [other] * MOST
        counted = race(
            *(
                lambda s=s, name=name: s.host("ann", name, MOST)
                for s, name in zip(sides, names, strict=True)
            )
        )
        assert sorted(counted) == [False] * MOST + [True] * MOST
        assert not one.host("ann", "more", MOST)
        # The limit of another person is not affected.
        assert other.host("bob", "bob's", 1)
        assert not other.host("bob", "more", 1)
        one.free_slots([*names, "bob's"])
    assert other.host("ann", "again", 1)


def test_a_lower_limit_applies_to_the_tables_that_are_open(
    two_servers: tuple[PeopleRows, PeopleRows],
) -> None:
    one, other = two_servers
    assert all(one.host("ann", f"t{n}", 4) for n in range(4))
    other.free_slots(["t0"])
    assert not one.host("ann", "t4", 3)
    other.free_slots(["t1"])
    assert one.host("ann", "t4", 3)


def test_the_only_server_counts_the_tables_that_it_finds(
    two_servers: tuple[PeopleRows, PeopleRows],
) -> None:
    one, _ = two_servers
    for stream in ("lost", "found"):
        assert one.host("ann", stream, 2)
    one.reconcile_hosts({"found": "ann", "forgotten": "bob"})
    assert one.host("ann", "new", 2)
    assert not one.host("ann", "newer", 2)
    assert not one.host("bob", "new one", 1)


@pytest.mark.planted
def test_a_planted_count_without_slots_is_noticed(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If each server takes any number as the slot, two servers pass the limit together."""
    place = Place.new("postgres", tmp_path, request)
    one, other = opened(place).people_rows(), opened(place, read_only=True).people_rows()
    both, original = Barrier(2), Transaction.do

    def careless(self: Transaction, statement: str, **values: Any) -> int:
        if statement.startswith("INSERT INTO table_hosts"):
            both.wait(10)
            values["slot"] = int.from_bytes(values["stream"].encode())
        return original(self, statement, **values)

    monkeypatch.setattr(Transaction, "do", careless)
    assert race(lambda: one.host("ann", "a", 1), lambda: other.host("ann", "b", 1)) == [True, True]
    place.close()
