"""Backups are complete and verified, and are restored only into an empty database. Under load, a backup shows one moment."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any

import pytest
from sqlalchemy import Connection

from houseway.audit.backup import back_up, read_watermark, restore, watermark_file
from houseway.audit.entries import read_entry
from houseway.audit.sql import copy_rows, people_tables
from houseway.audit.sql.sql_store import SqlStore
from houseway.audit.store import HouseStore, StoreError
from houseway.audit.store_factory import open_store
from houseway.audit.verify import VerificationReport, verify
from houseway.cli.app import main
from houseway.engine import commands as c
from houseway.live import LiveTable
from houseway.rules.loader import load
from record.recorded import house
from record.servers import Server
from samples import MARGIN, sample
from server.houses import Process
from server.killing import Memory, PlayedServer, public_events

BACKUPS = sample("backups") // 2
"""The number of backups of each kind of database."""


def fill(store: HouseStore, tables: int = 2) -> None:
    """Record rounds at linked tables with accounts, and store values of the house."""
    services = house(store, every=20)
    opening = c.OpenTable(designated=("ultimate",), examples=True)
    given = {"tables": {"progressive": "PTMGL01"}}
    for n in range(tables):
        live = LiveTable.open(services, f"north {n}", load("uth-ma"), given, opening, link="jackpot")
        assert isinstance(live, LiveTable)
        live.advance()
        bet = c.Bet(seat=1, wagers={"ante": 1000, "progressive": 500})
        for command in (
            c.Sit(seat=1, player="Ann", account="Ann"),
            bet,
            c.Play(seat=1, times=4),
            c.Leave(seat=1),
        ):
            live.send(command)
            live.advance()
    store.keep("table:north 0", b"{}")
    store.keep("person:ann", "{“ann”}".encode())


def contents(store: HouseStore) -> dict[str, Any]:
    """Return everything that can be read from a store, for comparison."""
    streams = store.streams()
    return {
        "streams": streams,
        "heads": [store.head(stream) for stream in streams],
        "entries": [list(store.everything(stream)) for stream in streams],
        "secrets": [store.secret(stream, "nonces") for stream in streams],
        "snapshots": [[store.snapshot(stream, at) for at in store.snapshots(stream)] for stream in streams],
        "kept": store.kept(),
        "text": store.text(load("uth-ma").hash),
    }


def contents_of(where: Path | str) -> dict[str, Any]:
    with closing(open_store(where, read_only=True)) as store:
        return contents(store)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    file = tmp_path / "house.db"
    with closing(open_store(file)) as store:
        fill(store)
    return file


def test_a_backup_has_everything_and_verifies(db: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    mark = back_up(db, target)
    assert contents_of(target) == contents_of(db)
    assert set(mark.heads) == {"account:Ann", "meter:jackpot", "north 0", "north 1"}
    assert mark == read_watermark(target)
    assert sorted(path.name for path in tmp_path.iterdir() if "copy" in path.name) == [
        "copy.db",
        "copy.db.json",
    ]
    if os.name == "posix":
        assert target.stat().st_mode & 0o777 == watermark_file(target).stat().st_mode & 0o777 == 0o600
    with closing(open_store(target, read_only=True)) as store:
        for stream, text in mark.heads.items():
            assert verify(store, stream).head == text
            assert verify(store, stream, at_least=mark.head(stream)).sound


@pytest.mark.parametrize("source", ["sqlite", "postgresql"])
@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_a_house_can_move_between_databases(
    source: str, target: str, postgres: Server, tmp_path: Path
) -> None:
    def place(kind: str, name: str) -> str:
        return str(tmp_path / f"{name}.db") if kind == "sqlite" else postgres.database()

    first, second = place(source, "first"), place(target, "second")
    with closing(open_store(first)) as store:
        fill(store)
        before = contents(store)
        # The house stays open for writing.
        back_up(first, tmp_path / "copy.db")
    restore(tmp_path / "copy.db", second)
    assert contents_of(second) == before
    with closing(open_store(second)) as store:
        live = LiveTable.resume(house(store), "north 0")
        live.send(c.Sit(seat=2, player="Bo", account="Bo"))
        assert verify(store, "north 0").sound


def test_more_rows_than_a_page_are_copied(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copy_rows, "PAGE", 3)
    back_up(db, tmp_path / "copy.db")
    assert contents_of(tmp_path / "copy.db") == contents_of(db)


@pytest.mark.parametrize("name", ["streams", "entries", "kept"])
def test_a_row_that_is_lost_or_changed_during_the_copy_is_noticed(
    db: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert = copy_rows._Table.insert

    def losing(table: copy_rows._Table, connection: Connection, rows: list[Any]) -> None:
        insert(table, connection, rows[:-1] if table.name == name else rows)

    monkeypatch.setattr(copy_rows._Table, "insert", losing)
    with pytest.raises(StoreError, match=f"the rows of {name} are not the ones that were read"):
        back_up(db, tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_backup_is_not_restored_into_a_database_that_is_not_empty(
    db: Path, tmp_path: Path, postgres: Server
) -> None:
    back_up(db, tmp_path / "copy.db")
    other = tmp_path / "other.db"
    with closing(open_store(other)) as store:
        store.keep("x", b"y")
    address = postgres.database()
    restore(tmp_path / "copy.db", address)
    for where in (other, db, address):
        before = contents_of(where)
        with pytest.raises(StoreError, match=r"is not empty .* restore into a new database"):
            restore(tmp_path / "copy.db", where)
        assert contents_of(where) == before


def test_a_changed_backup_is_not_restored(db: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    back_up(db, copy)
    with closing(sqlite3.connect(copy)) as file:
        file.execute("UPDATE entries SET public = replace(public, 'Ann', 'Bob') WHERE seq = 3")
        file.commit()
    with pytest.raises(StoreError, match="has changed since it was made"):
        restore(copy, tmp_path / "new.db")
    watermark_file(copy).unlink()
    with pytest.raises(StoreError, match=r"has faults in .*nothing was restored"):
        restore(copy, tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


def test_a_file_that_is_not_a_backup_is_named(db: Path, tmp_path: Path) -> None:
    wrong, damaged = tmp_path / "bad.json", tmp_path / "damaged.db"
    wrong.write_text("{}")
    with pytest.raises(
        StoreError, match=r"^\S+/bad.json is not a backup; give a file that `houseway backup`"
    ):
        restore(wrong, tmp_path / "new.db")
    damaged.write_bytes(b"SQLite format 3\0" + bytes(4000))
    with pytest.raises(StoreError) as error:
        restore(damaged, tmp_path / "new.db")
    assert str(damaged) in str(error.value)
    assert ".houseway-backup-" not in str(error.value)


def test_an_older_copy_under_a_newer_watermark_is_not_restored(db: Path, tmp_path: Path) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    back_up(db, old)
    with closing(open_store(db)) as store:
        live = LiveTable.resume(house(store), "north 0")
        live.send(c.Sit(seat=2, player="Bo", account="Bo"))
    back_up(db, new)
    lie = json.loads(watermark_file(new).read_text())
    lie["sha256"] = json.loads(watermark_file(old).read_text())["sha256"]
    watermark_file(old).write_text(json.dumps(lie))
    with pytest.raises(StoreError, match=r"has faults in (account:Bo|north 0)"):
        restore(old, tmp_path / "third.db")


def test_a_backup_from_an_older_version_is_upgraded_and_stays_as_it_is(tmp_path: Path) -> None:
    old = tmp_path / "old.db"
    with closing(open_store(old)) as store:
        services = house(store)
        opening = c.OpenTable(designated=("ultimate",), examples=True)
        assert isinstance(LiveTable.open(services, "t", load("uth-ma"), {}, opening), LiveTable)
    with closing(sqlite3.connect(old)) as file:
        # The first version had none of these tables.
        for table in ("leases", "servers", "writer", "kept", *people_tables.metadata.tables):
            file.execute(f"DROP TABLE {table}")
        file.execute("UPDATE schema_version SET version_num = '0001'")
        file.commit()
    before = old.read_bytes()
    restore(old, tmp_path / "new.db")
    assert old.read_bytes() == before
    assert contents_of(tmp_path / "new.db")["streams"] == ["t"]


def test_if_a_record_has_faults_they_are_reported_and_the_backup_is_kept(
    db: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(db)) as file:
        file.execute("DELETE FROM entries WHERE stream = 'north 1' AND seq = 2")
        file.commit()
    assert main(["backup", str(db), str(tmp_path / "copy.db")]) == 1
    printed = capsys.readouterr()
    assert "north 1, event" in printed.err
    assert "fault" in printed.out
    assert (tmp_path / "copy.db").exists()


def test_the_backup_and_restore_commands_report_what_they_did(
    db: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, new = tmp_path / "backups", tmp_path / "new.db"
    folder.mkdir()
    assert main(["backup", str(db), str(folder)]) == 0
    (copy,) = folder.glob("houseway-*Z.db")
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{copy}: 4 records, ")
    assert ", verified, as of 20" in first
    assert second.startswith(f"{copy}.json: ")
    assert main(["backup", str(db), str(copy)]) == 2
    assert "the file exists; choose another name" in capsys.readouterr().err
    assert main(["restore", str(copy), str(new)]) == 0
    assert capsys.readouterr().out.startswith("4 records, ")
    assert main(["restore", str(copy), str(new)]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert main(["restore", str(tmp_path / "nothing"), str(tmp_path / "x.db")]) == 2
    assert "there is no backup" in capsys.readouterr().err
    assert main(["backup", str(db), str(tmp_path / "json.db"), "--json"]) == 0
    reply = json.loads(capsys.readouterr().out)
    assert reply["sound"] is True
    assert set(reply["watermark"]["heads"]) == {"account:Ann", "meter:jackpot", "north 0", "north 1"}
    assert main(["audit", "verify", str(copy)]) == 0


# --- under load ---


class Load:
    """Players at a server in another process, who play until they are stopped."""

    def __init__(self, server: PlayedServer) -> None:
        self._server = server
        self._stop = Event()
        self._problem: BaseException | None = None
        self._thread = Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        rng = Random("load")
        try:
            with ExitStack() as sockets:
                self._server._connect(sockets)
                while not self._stop.is_set():
                    rng.choice(self._server._players).move()
                    time.sleep(0.03)
        except BaseException as error:
            self._problem = error

    def acknowledged(self) -> dict[str, Memory]:
        """Return everything that the players know now, by table."""
        known = {}
        for table, memory in self._server.tables.items():
            known[table] = copy = Memory()
            copy.acknowledged, copy.events = dict(memory.acknowledged), dict(memory.events)
        return known

    @property
    def commands(self) -> int:
        """The number of acknowledged commands. Raises the error that ended the play, if there is one."""
        if self._problem is not None:
            raise self._problem
        return sum(len(memory.acknowledged) for memory in self._server.tables.values())

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(60)
        if self._problem is not None:
            raise self._problem


@contextmanager
def under_load(db: str, folder: Path) -> Iterator[Load]:
    env = {**os.environ, "XDG_DATA_HOME": str(folder / "data")}
    process = Process(db, env=env)
    try:
        load = Load(PlayedServer(process, ("uth-ma", "shootout-sd"), Random("town")))
        try:
            yield load
        finally:
            load.stop()
    finally:
        if process.process is not None and process.process.poll() is None:
            process.stop()


def compare(where: Path, known: dict[str, Memory]) -> int:
    """Check that a database has everything that the players knew, and return the number of their commands."""
    with closing(open_store(where, read_only=True)) as store:
        for table, memory in known.items():
            entries = [read_entry(stored) for stored in store.entries(table)]
            keys = {entry.key: entry.seq for entry in entries if entry.key}
            memory.compare(dict(public_events(entries)), keys)
    return sum(len(memory.acknowledged) for memory in known.values())


def faults_of(db: str, target: Path) -> int:
    """Return the number of faults that a backup reports."""
    reports: list[VerificationReport] = []
    back_up(db, target, reports.append)
    return sum(len(report.faults) for report in reports)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_backup_under_load_has_everything_acknowledged_before_it(
    kind: str, tmp_path: Path, postgres: Server
) -> None:
    db = str(tmp_path / "house.db") if kind == "sqlite" else postgres.database()
    rng, commands = Random(kind), [0]
    with under_load(db, tmp_path) as load:
        for n in range(BACKUPS):
            time.sleep(rng.uniform(0, 0.5))
            known, target, again = load.acknowledged(), tmp_path / f"{n}.db", tmp_path / f"{n}-again.db"
            assert faults_of(db, target) == 0
            mark = restore(target, again)
            assert mark is not None
            assert all(
                int(mark.heads[table].partition(":")[0]) >= max(memory.events, default=0)
                for table, memory in known.items()
            )
            commands.append(compare(again, known))
            for made in (target, again):
                made.unlink()
    # The players continued while the backups were made.
    assert commands == sorted(commands)
    assert commands[-1] > commands[1] + BACKUPS


@pytest.mark.slow
def test_a_backup_that_mixes_several_moments_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: the database tables are not read in one snapshot, and a command is acknowledged between two of them."""
    insert = copy_rows._Table.insert

    @contextmanager
    def without_snapshot(store: SqlStore) -> Iterator[Connection]:
        with store._engine.connect() as connection:
            yield connection

    db = str(tmp_path / "house.db")
    with under_load(db, tmp_path) as load:

        def insert_and_wait(table: copy_rows._Table, connection: Connection, rows: list[Any]) -> None:
            insert(table, connection, rows)
            before = load.commands
            while table.name == "entries" and load.commands == before:
                time.sleep(0.01)

        monkeypatch.setattr(copy_rows._Table, "insert", insert_and_wait)
        assert [faults_of(db, tmp_path / f"{n}.db") for n in range(2)] == [0, 0]
        monkeypatch.setattr(SqlStore, "snapshot_of_all", without_snapshot)
        noticed = sum(faults_of(db, tmp_path / f"bad {n}.db") > 0 for n in range(BACKUPS * 2))
    assert noticed >= MARGIN


def test_a_plain_copy_of_the_database_file_is_not_a_complete_backup(db: Path, tmp_path: Path) -> None:
    """A plain copy of the file lacks the newest commands, which are in the write-ahead log beside it."""
    with closing(open_store(db)) as store:
        live = LiveTable.resume(house(store), "north 0")
        live.send(c.Sit(seat=2, player="Bo", account="Bo"))
        shutil.copyfile(db, tmp_path / "plain.db")
        back_up(db, tmp_path / "backup.db")
    assert "account:Bo" in contents_of(tmp_path / "backup.db")["streams"]
    assert "account:Bo" not in contents_of(tmp_path / "plain.db")["streams"]
