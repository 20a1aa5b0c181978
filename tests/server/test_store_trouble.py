"""If the database is locked, frozen, restarted or deleted, the page still answers, and no command is lost or repeated."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.audit.sql.sqlite import library
from houseway.audit.store import StoreBusyError, StoreError
from houseway.audit.store_factory import open_store
from houseway.client import AtTable, House
from houseway.client import messages as m
from houseway.server.limits import Limits
from record.servers import Server, need_postgres, server
from server.houses import GENEROUS, Running, running
from server.test_probes import eventually, status

OUTAGE = 5.0
"""The seconds for which the database does not answer."""
AT_ONCE = 0.5
"""The longest time for an answer that needs no database, in seconds."""
PROMISED = replace(GENEROUS, store_seconds=Limits().store_seconds)
"""Limits with the server's default timeout for a call to the store."""
REFUSED_WITHIN = 3.0
BET = {"type": "Bet", "seat": 1, "wagers": {"ante": 1000}}


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    need_postgres()
    with server(in_memory=True) as started:
        yield started


@contextmanager
def held_lock(path: Path) -> Iterator[None]:
    """Hold the write lock of a SQLite file, as a backup program might."""
    with closing(library().connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")


class Game:
    """A table with a player and a spectator."""

    def __init__(self, house: Running) -> None:
        self.house = house
        host, spectator = House(house.url), House(house.url)
        host.introduce("Ann")
        spectator.introduce("Bob")
        self.table = host.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
        self.other_table = host.open_table(m.OpenTable(rulebook="uth-sd", clock=0)).table
        self.player = host.sit(self.table, 1)
        self.spectator = spectator.at(self.table)
        self.client = host

    def __enter__(self) -> Game:
        return self

    def __exit__(self, *_: object) -> None:
        self.player.close()
        self.spectator.close()

    def slowest_answer(self, until: float) -> float:
        """Until the given time, request everything that needs no database. Return the longest wait."""
        slowest, paths = 0.0, ["/", "/healthz", "/readyz", "/api/house", "/api/tables"]
        paths += [f"/api/tables/{table}/view" for table in (self.table, self.other_table)]
        while time.monotonic() < until:
            asks: list[Callable[[], object]] = [partial(status, self.house, path) for path in paths]
            for ask in (*asks, self._pong):
                began = time.monotonic()
                ask()
                slowest = max(slowest, time.monotonic() - began)
            time.sleep(0.05)
        return slowest

    def _pong(self) -> None:
        self.spectator.ask_pong()
        while not isinstance(self.spectator.next(), m.Pong):
            pass

    def accepted(self, key: str) -> m.Answered:
        """Send the wager under a key until it is accepted."""
        until = time.monotonic() + 15
        while isinstance(answer := self.player.answer(BET, key), m.Rejected):
            assert answer.refused[0].code == "record", answer
            assert time.monotonic() < until, answer
            time.sleep(0.1)
        return answer

    def times_recorded(self, key: str) -> int:
        entries = self.house.serving.store.entries(self.table)
        return sum(entry.key == f"Ann/{key}" for entry in entries)


def read_until(at: AtTable, wanted: Callable[[m.Waits], bool]) -> None:
    until = time.monotonic() + 15
    while not wanted(at.view.waits):
        assert time.monotonic() < until, at.view.waits
        at.ask_pong()
        at.next()


def check_trouble(house: Running, trouble: Callable[[], AbstractContextManager[Any]]) -> None:
    """Stop the database for a while: one command is refused, and everything else is answered."""
    answers: list[tuple[float, m.Answered | m.Rejected]] = []
    with Game(house) as game:
        assert isinstance(game.player.answer(BET, "before"), m.Answered)

        def send() -> None:
            began = time.monotonic()
            answers.append((0.0, game.player.answer(BET, "during")))
            answers[-1] = (time.monotonic() - began, answers[-1][1])

        with trouble():
            until = time.monotonic() + OUTAGE
            sender = Thread(target=send)
            sender.start()
            slowest = game.slowest_answer(until)
            sender.join(30)
            seconds, answer = answers[0]
            assert isinstance(answer, m.Rejected)
            assert answer.refused[0].code == "record"
            assert seconds < REFUSED_WITHIN
            assert slowest < AT_ONCE
            # Viewers and probes show the trouble.
            assert game.spectator.view.waits.unavailable
            assert status(house, "/readyz")[0] == 503
        game.accepted("during")
        assert game.times_recorded("during") == 1
        eventually(house, 200)
        read_until(game.spectator, lambda waits: not waits.unavailable)
        assert game.spectator.view.table.seats[1].bets["ante"] == 1000


def test_a_locked_file_blocks_only_commands_that_must_be_recorded(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "house.db"
    with running(PROMISED, db=path) as house:
        check_trouble(house, lambda: held_lock(path))
    lines = [record.getMessage() for record in caplog.records if record.name == "houseway.store"]
    assert len(lines) == 2, lines


def test_a_frozen_database_server_blocks_only_commands_that_must_be_recorded(postgres: Server) -> None:
    with running(PROMISED, db=postgres.database()) as house:
        check_trouble(house, postgres.frozen)


def test_after_a_restart_of_the_database_the_same_server_is_the_writer(postgres: Server) -> None:
    url = postgres.database()
    with running(PROMISED, db=url) as house, Game(house) as game:
        game.accepted("before")
        postgres.restart(lambda: eventually(house, 503))
        # Without any command, the server's check takes the lock again before another server can.
        eventually(house, 200)
        with pytest.raises(StoreBusyError, match="is already writing"):
            open_store(url)
        game.accepted("after")
        assert [game.times_recorded(key) for key in ("before", "after")] == [1, 1]


def test_a_writer_that_was_replaced_never_writes_again(postgres: Server) -> None:
    url = postgres.database()
    with closing(open_store(url)) as first:
        first.keep("handle", b"Ann's token")
        postgres.restart()
        with closing(open_store(url)) as second:
            second.keep("handle", b"Bob's token")
            with pytest.raises(StoreError):
                first.keep("handle", b"Ann's other token")
        with pytest.raises(StoreError, match="another process has written to it"):
            first.keep("handle", b"x")
        with pytest.raises(StoreError, match="another process has written to it"):
            first.check()
        assert first.kept_as("handle") == b"Bob's token"


def test_a_deleted_file_is_never_written_again(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with running(PROMISED, db=path) as house, Game(house) as game:
        game.accepted("before")
        copy = path.read_bytes()
        path.unlink()
        answer = game.player.answer(BET, "lost")
        assert isinstance(answer, m.Rejected)
        assert answer.refused[0].code == "record"
        body = eventually(house, 503)
        assert b"cannot be written" in body
        # Another file with the same name is not the one that was opened.
        path.write_bytes(copy)
        time.sleep(1.2)
        assert isinstance(game.player.answer(BET, "lost"), m.Rejected)
        assert status(house, "/readyz")[0] == 503
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT count(*) FROM entries WHERE key = 'Ann/lost'").fetchone() == (0,)
