"""Records in a SQLite file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Final
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine
from sqlalchemy.exc import DBAPIError, OperationalError

from houseway.audit.sql.file_lock import lock
from houseway.audit.sql.sql_store import AUTOCOMMIT, SqlStore
from houseway.audit.store import StoreError

SOUND: Final = (3, 51, 3)
"""The first SQLite version in which two connections can reset the write-ahead log at once without
corrupting the file."""

PATIENCE: Final = 30
"""Seconds that a reader waits for a lock."""
WRITERS_PATIENCE: Final = 1
"""Seconds that the writer waits for a lock. There is never another writer."""


def library() -> ModuleType:
    """Return the SQLite module to use: pysqlite3 if it is installed, otherwise Python's own."""
    try:
        from pysqlite3 import dbapi2  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        return sqlite3
    module: ModuleType = dbapi2
    return module


class SqliteStore(SqlStore):
    """Records in one file. One process writes at a time; any number can read, even during writes.

    While the file is open, SQLite has `-wal` and `-shm` files beside it. The `.lock` file beside it
    contains the process id of the writer; delete this file only if no process is writing.
    """

    BEGIN = "BEGIN IMMEDIATE"
    BEGIN_SNAPSHOT = "BEGIN"

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        file = Path(path).expanduser().resolve()
        if file.is_dir():
            raise StoreError(f"{path} is a folder; name a file in it")
        if not file.parent.is_dir():
            raise StoreError(f"there is no folder {file.parent} for {file.name}; create it first")
        if read_only and not file.exists():
            raise StoreError(f"there is no record at {path}")
        self._lock = None if read_only else lock(file)
        if not file.exists():
            # Only the owner may read the file, because it will contain seeds and hidden cards.
            file.touch(mode=0o600)
        self._file = file
        self._opened = _identity(file)
        self._library = library()
        self._people_engine: Engine | None = None
        self._erased_in_log = True
        """True if the write-ahead log may contain an erased value. An earlier process may have left one."""
        query = {"uri": "true", "mode": "ro" if read_only else "rw"}
        try:
            super().__init__(self._engine_of(file, query), str(path), read_only=read_only)
        except StoreError as error:
            if not read_only or not isinstance(error.__cause__, OperationalError) or not _logged(file):
                raise
            # Reading a file in write-ahead mode needs a log file, and this process cannot create one here.
            if file.with_name(f"{file.name}-wal").exists():
                both = f"{file.name} and {file.name}-wal"
                raise StoreError(f"{error}; copy {both} to a writable folder, and read the copy") from error
            unchanging = {**query, "immutable": "1"}
            super().__init__(self._engine_of(file, unchanging), str(path), read_only=True)

    def _engine_of(self, file: Path, query: dict[str, str]) -> Engine:
        return create_engine(
            URL.create("sqlite", database=f"file:{quote(str(file))}", query=query),
            module=self._library,
            connect_args={"timeout": PATIENCE if query["mode"] == "ro" else WRITERS_PATIENCE},
            paramstyle="named",
            **AUTOCOMMIT,
        )

    def _rows_engine(self) -> Engine:
        if not self.read_only:
            return self._engine
        if self._people_engine is None:
            self._people_engine = self._engine_of(self._file, {"uri": "true", "mode": "rw"})
        return self._people_engine

    @contextmanager
    def _rows_alone(self) -> Iterator[None]:
        # SQLite lets one connection write at a time, and does not queue the others. So the threads of this
        # process take turns; another process waits for at most a second.
        with self._alone():
            self._require_place()
            yield
            self._require_place()

    def _settle(self, connection: Connection) -> str:
        version = f"SQLite {self._library.sqlite_version} ({self._library.__name__.partition('.')[0]})"
        if self.read_only:
            return f"{version}, for reading"
        self._require_place()
        # Set this before anything is written. With EXTRA (unlike FULL), a deleted journal cannot reappear
        # after a power failure and undo a commit.
        connection.exec_driver_sql("PRAGMA synchronous = EXTRA")
        # Overwrite deleted values with zeros, so that an erased key cannot be read from the file.
        connection.exec_driver_sql("PRAGMA secure_delete = ON")
        journal = "wal" if self._library.sqlite_version_info >= SOUND else "delete"
        try:
            mode = connection.exec_driver_sql(f"PRAGMA journal_mode = {journal}").scalar()
        except OperationalError as error:
            why = f"journal mode {journal} ({error.orig})"
            raise StoreError(f"{self.where} cannot change to {why}; close its readers first") from error
        # On a file system without shared memory, SQLite stays with the rollback journal.
        return f"{version}, {'write-ahead log' if mode == 'wal' else 'rollback journal'}, synchronous EXTRA"

    def _clean_up(self, *, erased: bool) -> None:
        # The log still contains the pages as they were before the erasure. While a reader is open, SQLite
        # may be unable to empty the log. Then the next batch tries again, without waiting for the reader.
        self._erased_in_log = self._erased_in_log or erased
        if not self._erased_in_log:
            return
        connection, patience = self._writing(), WRITERS_PATIENCE * 1000
        with suppress(DBAPIError):
            connection.exec_driver_sql(f"PRAGMA busy_timeout = {patience if erased else 0}")
            row = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            self._erased_in_log = row is not None and row[0] != 0
        with suppress(DBAPIError):
            connection.exec_driver_sql(f"PRAGMA busy_timeout = {patience}")

    def _require_place(self) -> None:
        if _identity(self._file) != self._opened:
            self._stop(
                "the file was deleted or replaced while it was open, so nothing more is written to it"
            )

    def to_one_file(self) -> None:
        """Stop using a write-ahead log, so that the file is complete without other files beside it."""
        with self._appending, self._store_errors():
            # Close the connections for reading: SQLite changes the mode only if no other connection is
            # open.
            self._engine.dispose()
            self._writing().exec_driver_sql("PRAGMA journal_mode = delete")

    def close(self) -> None:
        super().close()
        if self._people_engine is not None:
            self._people_engine.dispose()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _identity(file: Path) -> tuple[int, int] | None:
    """Return the device and the inode number of a file. No other file has the same pair."""
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _logged(file: Path) -> bool:
    """True if a file uses a write-ahead log; False if it cannot be read."""
    try:
        with file.open("rb") as opened:
            return opened.read(20)[18:] == b"\2\2"
    except OSError:
        return False
