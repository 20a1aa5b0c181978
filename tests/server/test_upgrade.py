"""A new version upgrades the database of an older one under a live table, and continues its round."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from houseway.audit.sql import migrate
from houseway.audit.sql.sql_store import SqlStore
from houseway.audit.store import StoreError
from houseway.audit.store_factory import open_store
from houseway.audit.verify import verify
from houseway.client import AtTable, House
from houseway.client import messages as m
from record.servers import Server, need_postgres, server
from record.test_store_schema import downgrade
from server.houses import GENEROUS, running

PREVIOUS = f"{int(migrate.VERSION) - 1:04}"
VERSIONS = (PREVIOUS, "0006")
"""The schema of the previous version, and one from before there were classes."""
BET = {"type": "Bet", "seat": 1, "wagers": {"ante": 1000, "trips": 500}}
DECISIONS = ("Check", "Play")


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    need_postgres()
    with server() as started:
        yield started


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    if request.param == "sqlite":
        return str(tmp_path / "house.db")
    started: Server = request.getfixturevalue("postgres")
    return started.database()


def follow(at: AtTable, why: str) -> None:
    while at.view.waits.why != why:
        at.next()


@pytest.mark.parametrize("version", VERSIONS)
def test_a_round_continues_after_the_schema_was_upgraded(place: str, version: str) -> None:
    with running(GENEROUS, place) as old:
        ann = House(old.url)
        ann.introduce("Ann")
        table = ann.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
        with ann.sit(table, 1) as at:
            follow(at, "bets")
            assert isinstance(at.send(BET), m.Answered)
            at.ready()
            follow(at, "decision")
            before = at.view
        seal = before.table.seal
    with closing(open_store(place)) as store:
        assert isinstance(store, SqlStore)
        downgrade(store, version)
    with pytest.raises(
        StoreError, match=f"from an older houseway .schema {version}, now {migrate.VERSION}"
    ):
        open_store(place, read_only=True)
    with running(GENEROUS, place) as new:
        with House(new.url, ann.token).at(table, "seat 1") as at:
            after = at.view
            assert (after.yours.cards, after.yours.chips) == (before.yours.cards, before.yours.chips)
            assert after.table.seats[1].hands[1].wagers == before.table.seats[1].hands[1].wagers
            assert (after.table.seal, after.table.round) == (seal, before.table.round)
            while at.view.waits.why == "decision":
                command = next(
                    one.command for one in at.view.yours.choices if one.command["type"] in DECISIONS
                )
                assert isinstance(at.send(command), m.Answered)
                while at.view.waits.why not in ("decision", "next"):
                    at.next()
            assert at.view.table.closed
        report = verify(new.serving.store, table)
        assert (report.sound, report.rounds, report.settled_again) == (True, 1, 1)
