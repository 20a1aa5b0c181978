"""The common part of the SQL stores; each subclass connects and makes its process the only writer."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from houseway.audit.entries import StoredEntry
from houseway.audit.sql.migrate import reached_migration, require, upgrade
from houseway.audit.sql.statements import as_type, entry_row, head_row, read_entry, read_head, statements
from houseway.audit.store import (
    Batch,
    Head,
    SignedHead,
    Snapshot,
    StoreError,
    batches,
    key_error,
    moved_error,
)

AUTOCOMMIT: Final[dict[str, Any]] = {"isolation_level": "AUTOCOMMIT", "pool_reset_on_return": None}
"""Options of the engine: every statement commits at once, and connections need no reset."""


NOT_A_DATABASE: Final = "file is not a database"
"""SQLite's error for a file of another kind."""


class _MovedError(Exception):
    """The head of a stream is not the one that the writer expects; the arguments name both."""


class SqlStore(ABC):
    """Records in a database, written over one connection and, except for keys, read over others.

    `append` begins and commits its transaction explicitly.
    """

    BEGIN: str
    BEGIN_SNAPSHOT: str
    """Begins a transaction for reading that sees the database as it is at one moment."""

    def __init__(self, engine: Engine, where: str, *, read_only: bool) -> None:
        self.where = where
        self.read_only = read_only
        self.about = ""
        """The database and its settings, as shown to people."""
        self._engine = engine
        self._sql = statements(engine)
        self._driver: Any = engine.dialect.loaded_dbapi
        self._appending = threading.RLock()
        """Held while the connection that writes is in use."""
        self._writer: Connection | None = None
        self._closed = False
        try:
            with self._store_errors():
                self._open()
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        """Check that the database is houseway's; for writing, upgrade its tables."""
        with self._engine.connect() as connection:
            # Check this before any change: the database may belong to another program.
            reached = reached_migration(connection, self.where)
            if self.read_only:
                self.about = self._settle(connection)
                require(reached, self.where)
                return
        with self._transaction():
            upgrade(self._writing(), reached)

    @abstractmethod
    def _settle(self, connection: Connection) -> str:
        """Make a new connection durable and this process the only writer; return a description for `about`.

        Raises StoreError if another process is writing.
        """

    # --- writing ---

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        together = batches(stream, after, batch)
        with self._appending, self._store_errors():
            try:
                with self._transaction() as cursor:
                    for name, head, part in together:
                        self._move(cursor, name, head, part.signed)
                        self._put(cursor, name, part)
            except _MovedError as error:
                # The transaction has ended, so reading the head does not wait for a lock.
                name, head = error.args
                raise moved_error(name, self.head(name), head) from None
            except self._driver.IntegrityError as error:
                doubles = (key_error(name, part, partial(self.keyed, name)) for name, _, part in together)
                message = f"{stream}: the batch has event numbers that are already on record"
                raise next(filter(None, doubles), None) or StoreError(message) from error

    def keep(self, name: str, body: bytes) -> None:
        with self._appending, self._store_errors(), self._transaction() as cursor:
            cursor.execute(self._sql["keep"], {"name": name, "body": body})

    def _move(self, cursor: Any, stream: str, after: Head, signed: SignedHead) -> None:
        """Move the head, with one statement that checks the old head and locks its row."""
        head = {"name": stream, **head_row(signed)}
        cursor.execute(self._sql["move"], {**head, "old_events": after.events, "old_chain": after.chain})
        if cursor.rowcount != 1 and after == Head.first(stream):
            cursor.execute(self._sql["begin"], head)
        if cursor.rowcount != 1:
            raise _MovedError(stream, after)

    def _put(self, cursor: Any, stream: str, batch: Batch) -> None:
        """Insert the entries, texts, secrets and snapshot of a batch."""
        cursor.executemany(self._sql["new entry"], [entry_row(stream, entry) for entry in batch.entries])
        for digest, text in batch.texts.items():
            cursor.execute(self._sql["new text"], {"digest": digest, "text": text})
        for name, value in batch.secrets.items():
            cursor.execute(self._sql["new secret"], {"stream": stream, "name": name, "value": value})
        if batch.snapshot is not None:
            row = {"stream": stream, **head_row(batch.snapshot.signed), "body": batch.snapshot.body}
            cursor.execute(self._sql["new snapshot"], row)

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        """Commit everything done with the cursor at the end, or roll it back."""
        cursor = self._writing().connection.cursor()
        try:
            cursor.execute(self.BEGIN)
            yield cursor
            self._commit(cursor)
        except BaseException:
            self._roll_back(cursor)
            raise

    def _commit(self, cursor: Any) -> None:
        cursor.execute("COMMIT")

    def _roll_back(self, cursor: Any) -> None:
        try:
            cursor.execute("ROLLBACK")
        except self._driver.Error:
            # The connection is unusable; the next batch opens a new one.
            self._disconnect()

    def _writing(self) -> Connection:
        """Return the connection for writing; open it if necessary."""
        self._require_open()
        if self.read_only:
            raise StoreError(f"{self.where} is open for reading only; open it for writing")
        if self._writer is None:
            self._writer = self._engine.connect()
            try:
                self.about = self._settle(self._writer)
            except BaseException:
                self._disconnect()
                raise
        return self._writer

    def _disconnect(self) -> None:
        if self._writer is not None:
            self._writer.invalidate()
            self._writer.close()
            self._writer = None

    # --- all rows at once ---

    @contextmanager
    def snapshot_of_all(self) -> Iterator[Connection]:
        """Yield a connection that sees the database as it is now, whatever is written meanwhile."""
        self._require_open()
        with self._store_errors(), self._engine.connect() as connection:
            connection.exec_driver_sql(self.BEGIN_SNAPSHOT)
            try:
                yield connection
            finally:
                with suppress(DBAPIError):
                    connection.exec_driver_sql("ROLLBACK")

    @contextmanager
    def one_transaction(self) -> Iterator[Connection]:
        """Yield the connection that writes; everything is committed at the end, or rolled back."""
        with self._appending, self._store_errors(), self._transaction():
            yield self._writing()

    # --- reading ---

    def streams(self) -> list[str]:
        return self._names("streams")

    def strays(self) -> list[str]:
        return self._names("strays")

    def _names(self, statement: str) -> list[str]:
        # Sorted here, because databases sort text differently.
        what = f"{self.where}: the name of a record"
        return sorted(as_type(name, str, what) for (name,) in self._read(statement))

    def head(self, stream: str) -> SignedHead | None:
        rows = self._read("head", name=stream)
        return read_head(rows[0], f"{self.where}: the head of {stream}") if rows else None

    def entries(self, stream: str, after: int = 0) -> Iterator[StoredEntry]:
        signed = self.head(stream)
        return self._pages("page", stream, after, last=signed.head.events if signed else 0)

    def everything(self, stream: str) -> Iterator[StoredEntry]:
        # Start below every number that a row can hold.
        return self._pages("any page", stream, -(1 << 63))

    def _pages(self, statement: str, stream: str, after: int, **parameters: int) -> Iterator[StoredEntry]:
        while rows := self._read(statement, stream=stream, after=after, **parameters):
            yield from map(read_entry, rows)
            after = rows[-1][0]

    def keyed(self, stream: str, key: str) -> StoredEntry | None:
        # Every command looks its key up. The connection that writes has the pages of the last batch in its
        # cache; any other connection would have to read them again.
        with self._appending:
            read = self._read if self._writer is None else self._read_as_writer
            rows = read("keyed", stream=stream, key=key)
        return read_entry(rows[0]) if rows else None

    def text(self, digest: str) -> str | None:
        rows = self._read("text", digest=digest)
        return as_type(rows[0][0], str, f"{self.where}: the text {digest[:12]}…") if rows else None

    def secret(self, stream: str, name: str) -> bytes | None:
        rows = self._read("secret", stream=stream, name=name)
        return as_type(rows[0][0], bytes, f"{self.where}: the secret {name} of {stream}") if rows else None

    def kept(self) -> dict[str, bytes]:
        rows = sorted(self._read("kept"))
        return {name: as_type(body, bytes, f"{self.where}: the value {name}") for name, body in rows}

    def kept_as(self, name: str) -> bytes | None:
        rows = self._read("kept as", name=name)
        return as_type(rows[0][0], bytes, f"{self.where}: the value {name}") if rows else None

    def snapshots(self, stream: str) -> list[int]:
        rows = self._read("snapshots", stream=stream)
        what = f"{self.where}: the position of a snapshot of {stream}"
        return sorted(as_type(at, int, what) for (at,) in rows)

    def snapshot(self, stream: str, events: int | None = None) -> Snapshot | None:
        if events is None:
            events = max(self.snapshots(stream), default=0)
        rows = self._read("snapshot", stream=stream, events=events)
        if not rows:
            return None
        *head, body = rows[0]
        name = f"{self.where}: the snapshot of {stream} at event {events}"
        return Snapshot(read_head(head, name), as_type(body, bytes, name))

    def _read(self, statement: str, /, **parameters: str | int) -> list[tuple[Any, ...]]:
        self._require_open()
        with self._store_errors(), closing(self._engine.raw_connection()) as connection:
            try:
                cursor = connection.cursor()
                cursor.execute(self._sql[statement], parameters)
                return list(cursor.fetchall())
            except self._driver.Error:
                # The connection may be broken, so it is never used again.
                connection.invalidate()
                raise

    def _read_as_writer(self, statement: str, /, **parameters: str | int) -> list[tuple[Any, ...]]:
        """Read over the connection that writes."""
        with self._store_errors():
            try:
                cursor = self._writing().connection.cursor()
                cursor.execute(self._sql[statement], parameters)
                return list(cursor.fetchall())
            except self._driver.Error:
                self._disconnect()
                raise

    def close(self) -> None:
        self._closed = True
        self._disconnect()
        self._engine.dispose()

    def _require_open(self) -> None:
        if self._closed:
            raise StoreError(f"{self.where} is closed; open it again")

    @contextmanager
    def _store_errors(self) -> Iterator[None]:
        """Turn database errors into StoreError."""
        try:
            yield
        except (DBAPIError, self._driver.Error) as error:
            cause = getattr(error, "orig", None) or error
            first_line = str(cause).partition("\n")[0]
            if first_line == NOT_A_DATABASE:
                use = "give a SQLite file, a postgresql:// address or an exported record"
                raise StoreError(f"{self.where} is not a record; {use}") from error
            raise StoreError(f"{self.where}: {first_line or type(cause).__name__}") from error
