"""Opening a store at an invalid location fails with a sentence that says what to do."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from houseway.audit.memory_store import MemoryStore
from houseway.audit.sql import sqlite
from houseway.audit.sql.postgres import PostgresStore
from houseway.audit.sql.sqlite import SqliteStore
from houseway.audit.store import Head, StoreError
from houseway.audit.store_factory import open_store

from .batches import batch
from .restricted import restricted
from .servers import Server, need_postgres, server

START = Head.first("t")


def test_a_store_is_opened_from_memory_a_path_or_an_address(tmp_path: Path, postgres: Server) -> None:
    assert isinstance(open_store(":memory:"), MemoryStore)
    for where, kind in (
        (tmp_path / "a.db", SqliteStore),
        (str(tmp_path / "b.db"), SqliteStore),
        (postgres.emptied(), PostgresStore),
        (postgres.emptied().replace("postgresql", "postgres"), PostgresStore),
    ):
        with closing(open_store(where)) as store:
            assert isinstance(store, kind)


def test_an_unknown_kind_of_store_is_rejected() -> None:
    with pytest.raises(
        StoreError, match=r"mysql:// is not supported; use a file, postgresql://.* or :memory:"
    ):
        open_store("mysql://somewhere/else")


def folder(path: Path) -> None:
    path.mkdir()


def other_file(path: Path) -> None:
    path.write_text("Dear diary,\n" * 200, encoding="utf-8")


def other_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (soup)")


def newer_record(path: Path) -> None:
    open_store(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE schema_version SET version_num = '9999'")


FAULTS: tuple[tuple[Callable[[Path], None], str], ...] = (
    (folder, r"record.db is a folder; name a file in it"),
    (other_file, r"record.db is not a record; give a SQLite file"),
    (other_database, r"record.db is not a houseway database \(it has recipes\); choose another"),
    (
        newer_record,
        r"record.db is from a newer houseway \(schema 9999; this version supports up to 0008\); update houseway",
    ),
)


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(("make", "sentence"), FAULTS)
def test_a_location_that_is_not_a_record_is_rejected(
    tmp_path: Path, make: Callable[[Path], None], sentence: str, *, read_only: bool
) -> None:
    path = tmp_path / "record.db"
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(StoreError, match=sentence):
        open_store(path, read_only=read_only)
    assert before == (path.read_bytes() if path.is_file() else b"")
    # A rejected attempt leaves no lock, so another attempt is rejected for the same reason.
    with pytest.raises(StoreError, match=sentence):
        open_store(path, read_only=read_only)


def test_a_missing_folder_or_file_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"there is no folder .*gone for a.db; create it first"):
        open_store(tmp_path / "gone" / "a.db")
    with pytest.raises(StoreError, match=r"there is no record at .*a.db"):
        open_store(tmp_path / "a.db", read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_can_be_read_only_after_it_was_opened_for_writing(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.touch()
    with pytest.raises(StoreError, match=r"a.db has no record yet; open it for writing first"):
        open_store(path, read_only=True)
    with closing(open_store(path)) as store:
        store.append("t", START, batch(START, b"one"))
    with closing(open_store(path, read_only=True)) as store:
        assert store.streams() == ["t"]


@pytest.mark.parametrize("name", ["mit Leerzeichen.db", "50%.db", "a?b#c&mode=memory.db", "ключ.db"])
def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    with closing(open_store(tmp_path / name)) as store:
        store.append("t", START, batch(START, b"one"))
    with closing(open_store(tmp_path / name, read_only=True)) as store:
        assert store.streams() == ["t"]
    assert (tmp_path / name).is_file()
    assert all(path.name.startswith(name) for path in tmp_path.iterdir())


def test_a_record_is_readable_only_by_its_owner(tmp_path: Path) -> None:
    with closing(open_store(tmp_path / "a.db")) as store:
        store.append("t", START, batch(START, b"one", secrets={"seed": b"s"}))
        modes = {path.name: path.stat().st_mode & 0o077 for path in tmp_path.iterdir()}
    assert modes == {"a.db": 0, "a.db-wal": 0, "a.db-shm": 0, "a.db.lock": 0}


def test_a_symbolic_link_opens_the_same_record(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "a.db")
    with (
        closing(open_store(tmp_path / "a.db")),
        pytest.raises(StoreError, match=f"process {os.getpid()} is already writing"),
    ):
        open_store(tmp_path / "link.db")


def test_an_unwritable_location_is_rejected() -> None:
    import tempfile

    # Root may write anywhere, so a child process without that capability makes the attempt.
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        place = Path(name)
        open_store(place / "kept.db").close()
        (place / "kept.db.lock").chmod(0o666)
        (place / "kept.db").chmod(0o444)
        place.chmod(0o555)
        done = restricted("open", place / "new.db", place / "kept.db")
        place.chmod(0o755)
    assert (done.returncode, done.stderr) == (0, "")
    errors = done.stdout.splitlines()
    assert errors[0].endswith("new.db cannot be written: new.db.lock: Permission denied")
    assert errors[1].endswith("kept.db: attempt to write a readonly database")
    assert len(errors) == 2


def test_the_sqlite_version_decides_the_journal_mode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.db"

    def modes(store: SqliteStore) -> tuple[object, object]:
        writer = store._writing()
        journal = writer.exec_driver_sql("PRAGMA journal_mode").scalar()
        return journal, writer.exec_driver_sql("PRAGMA synchronous").scalar()

    version = sqlite.library().sqlite_version
    with closing(SqliteStore(path)) as store:
        assert store.about == f"SQLite {version} (pysqlite3), write-ahead log, synchronous EXTRA"
        assert modes(store) == ("wal", 3)
        store.append("t", START, batch(START, b"one"))
    # With the last SQLite version that has the bug, no write-ahead log is used, even for a file that had one.
    monkeypatch.setattr(sqlite, "library", lambda: sqlite3)
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 2))
    with closing(SqliteStore(path)) as store:
        assert (
            store.about == f"SQLite {sqlite3.sqlite_version} (sqlite3), rollback journal, synchronous EXTRA"
        )
        assert modes(store) == ("delete", 3)
        assert [entry.public for entry in store.entries("t")] == [b"one"]
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 3))
    with closing(SqliteStore(path)) as store:
        assert (
            store.about == f"SQLite {sqlite3.sqlite_version} (sqlite3), write-ahead log, synchronous EXTRA"
        )
        assert modes(store) == ("wal", 3)


def test_pythons_own_sqlite_is_used_without_pysqlite3(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pysqlite3", None)
    assert sqlite.library() is sqlite3


def test_without_psycopg_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"PostgreSQL needs psycopg: pip install \"houseway\[postgres\]\""):
        open_store("postgresql://house@localhost/house")


def test_an_invalid_address_of_a_store_is_rejected() -> None:
    with pytest.raises(StoreError, match=r"not a PostgreSQL address; use postgresql://user@host/database"):
        open_store("postgresql://a:b:c@d:e/f")


def test_the_error_for_a_missing_server_hides_the_password(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="connection") as caught:
        open_store(f"postgresql://house:hunter2@/house?host={tmp_path}")
    assert "hunter2" not in str(caught.value)
    assert "house:***@" in str(caught.value)


def test_a_missing_or_foreign_database_is_rejected(postgres: Server) -> None:
    import psycopg

    with pytest.raises(StoreError, match='database "nowhere" does not exist'):
        open_store(postgres.url("nowhere"))
    address = postgres.emptied()
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE TABLE recipes (soup text)")
    with pytest.raises(StoreError, match=r"is not a houseway database \(it has recipes\)"):
        open_store(address)


def test_a_database_that_is_not_utf8_is_rejected(postgres: Server) -> None:
    with pytest.raises(StoreError, match=r"stores text as SQL_ASCII; create it with ENCODING 'UTF8'"):
        open_store(postgres.database("SQL_ASCII"))


def test_a_server_without_fsync_is_rejected_for_writing() -> None:
    need_postgres()
    with (
        server("fsync=off") as careless,
        pytest.raises(StoreError, match=r"the server has fsync off and may lose wagers; set fsync = on"),
    ):
        open_store(careless.url())


def test_commits_are_synchronous_whatever_the_server_settings() -> None:
    need_postgres()
    with server("synchronous_commit=off") as lazy, closing(PostgresStore(lazy.url())) as store:
        assert store.about.endswith("synchronous_commit on")
        assert store._writing().exec_driver_sql("SHOW synchronous_commit").scalar() == "on"


def test_a_broken_connection_is_reopened_with_its_lock(postgres: Server) -> None:
    import psycopg

    address = postgres.emptied()
    with closing(PostgresStore(address)) as store:
        store.append("t", START, first := batch(START, b"one"))
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name LIKE 'houseway %'"
            )
        head = first.signed.head
        second = batch(head, b"two")
        with pytest.raises(StoreError, match=r"terminat|closed|consuming"):
            store.append("t", head, second)
        store.append("t", head, second)
        assert [entry.public for entry in store.entries("t")] == [b"one", b"two"]
        with pytest.raises(StoreError, match=f"process {os.getpid()} is already writing"):
            PostgresStore(address)
