"""Records in one file, by SQLite."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from types import ModuleType
from typing import Final
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine
from sqlalchemy.exc import OperationalError

from houseway.audit.sql.file_lock import lock
from houseway.audit.sql.sql_store import BY_ITSELF, SqlStore
from houseway.audit.store import StoreError

SOUND: Final = (3, 51, 3)
"""The first SQLite whose write-ahead log does not corrupt a file when two connections reset it at once."""

PATIENCE: Final = 30
"""Seconds to wait for a reader or a checkpoint; a writer has the file to itself."""


def library() -> ModuleType:
    """The SQLite to use: the one that comes with pysqlite3, else Python's own."""
    try:
        from pysqlite3 import dbapi2  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        return sqlite3
    found: ModuleType = dbapi2
    return found


class SqliteStore(SqlStore):
    """Records in one file. One process writes it at a time; any number read, also meanwhile.

    Beside the file stand `-wal` and `-shm` while it is open, and `.lock`, which holds the process id of the
    writer and may be removed when there is none.
    """

    BEGIN = "BEGIN IMMEDIATE"

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        file = Path(path).expanduser().resolve()
        if file.is_dir():
            raise StoreError(f"{path} is a folder; name a file in it")
        if not file.parent.is_dir():
            raise StoreError(f"there is no folder {file.parent} to keep {file.name} in; make it first")
        if read_only and not file.exists():
            raise StoreError(f"there is no record at {path}")
        self._lock = None if read_only else lock(file)
        if not file.exists():
            # For its owner alone: it will hold seeds and hidden cards.
            file.touch(mode=0o600)
        self._library = library()
        how = {"uri": "true", "mode": "ro" if read_only else "rwc"}
        try:
            super().__init__(self._engine_of(file, how), str(path), read_only=read_only)
        except StoreError as error:
            if not read_only or not isinstance(error.__cause__, OperationalError) or not _logged(file):
                raise
            # A reader of a file with a write-ahead log needs the log beside it, and here may not make one.
            if file.with_name(f"{file.name}-wal").exists():
                both = f"{file.name} and {file.name}-wal"
                raise StoreError(f"{error}; copy {both} into a folder of your own and read that") from error
            unchanging = {**how, "immutable": "1"}
            super().__init__(self._engine_of(file, unchanging), str(path), read_only=True)

    def _engine_of(self, file: Path, how: dict[str, str]) -> Engine:
        return create_engine(
            URL.create("sqlite", database=f"file:{quote(str(file))}", query=how),
            module=self._library,
            connect_args={"timeout": PATIENCE},
            paramstyle="named",
            **BY_ITSELF,
        )

    def _settle(self, connection: Connection) -> str:
        whole = f"SQLite {self._library.sqlite_version} ({self._library.__name__.partition('.')[0]})"
        if self.read_only:
            return f"{whole}, for reading"
        # Before anything is written. Beyond FULL, a journal that was deleted cannot come back after a power
        # cut and undo what was committed.
        connection.exec_driver_sql("PRAGMA synchronous = EXTRA")
        wanted = "wal" if self._library.sqlite_version_info >= SOUND else "delete"
        try:
            mode = connection.exec_driver_sql(f"PRAGMA journal_mode = {wanted}").scalar()
        except OperationalError as error:
            why = f"journal mode {wanted} ({error.orig})"
            raise StoreError(f"{self.where} cannot change to {why}; end its readers first") from error
        # A disk that cannot share memory between processes stays with the journal.
        return f"{whole}, {'write-ahead log' if mode == 'wal' else 'rollback journal'}, synchronous EXTRA"

    def close(self) -> None:
        super().close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _logged(file: Path) -> bool:
    """Whether a file was written through a write-ahead log; False where it cannot be read at all."""
    try:
        with file.open("rb") as opened:
            return opened.read(20)[18:] == b"\2\2"
    except OSError:
        return False
