"""The common base class of the SQL stores. Each subclass connects and makes its process the only writer."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NoReturn

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from houseway.audit.entries import StoredEntry
from houseway.audit.sql.migrate import reached_migration, require, upgrade
from houseway.audit.sql.people_store import PeopleStore
from houseway.audit.sql.statements import as_type, entry_row, head_row, read_entry, read_head, statements
from houseway.audit.store import (
    Batch,
    DamagedError,
    Head,
    LeaseLostError,
    SignedHead,
    Snapshot,
    StoreError,
    UnavailableError,
    batches,
    key_error,
    moved_error,
)

AUTOCOMMIT: Final[dict[str, Any]] = {
    "isolation_level": "AUTOCOMMIT",
    "pool_reset_on_return": None,
    "pool_timeout": 2,
}
"""Options of the engine: each statement commits by itself, and connections need no reset."""


NOT_A_DATABASE: Final = "file is not a database"
"""SQLite's error message for a file that is not a database."""


WAIT: Final = 2.0
"""Seconds to wait for other threads of this process that write or look up a key."""


class _MovedError(Exception):
    """The head of a stream is not the one that the writer expects. The arguments are the stream and the
    expected head."""


@dataclass(eq=False)
class Append:
    """A batch that waits to be stored, and its result."""

    parts: Sequence[tuple[str, Head, Batch]]
    done: bool = False
    error: Exception | None = None


class SqlStore(PeopleStore):
    """Records in a database.

    One connection is for writing; reading uses other connections, except for keys. `append` begins and
    commits its transactions explicitly. If several threads append at once, one of them stores all their
    batches in one transaction.

    When a process becomes the writer, it increases a stored number, the generation. Each transaction
    compares the process's number with the stored one. If another process has become the writer since, this
    process never writes again, because it does not know what the other one has changed.
    """

    BEGIN: str
    BEGIN_SNAPSHOT: str
    """The statement that begins a transaction for reading, which sees the database as it is at one
    moment."""
    FENCED: str = ""
    """Appended to the statement that reads the generation, so that the generation cannot change before the
    commit."""

    def __init__(self, engine: Engine, where: str, *, read_only: bool) -> None:
        self.where = where
        self.read_only = read_only
        self.about = ""
        """The database and its settings, as shown to people."""
        self._engine = engine
        self._sql = statements(engine)
        self._driver: Any = engine.dialect.loaded_dbapi
        self._appending = threading.RLock()
        """The lock that a thread holds while it uses the connection for writing."""
        self._waiting: deque[Append] = deque()
        """The batches for the next transaction."""
        self._writer: Connection | None = None
        self._generation: int | None = None
        """The generation of this process as the writer."""
        self._stopped = ""
        """The reason why this process never writes again; empty if it may write."""
        self._closed = False
        try:
            with self._store_errors():
                self._open()
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        """Check that the database is houseway's. If it is opened for writing, upgrade its schema."""
        with self._engine.connect() as connection:
            # Check this before any change, because the database may belong to another program.
            reached = reached_migration(connection, self.where)
            if self.read_only:
                self.about = self._settle(connection)
                require(reached, self.where)
                return
        with self._transaction() as cursor:
            self._prepare(cursor, reached)
            cursor.execute(self._sql["generation"])
            (generation,) = cursor.fetchone()
        self._generation = generation

    def _prepare(self, cursor: Any, reached: str) -> None:
        """Upgrade the schema, and make this process the writer with the next generation."""
        upgrade(self._writing(), reached)
        cursor.execute(self._sql["next generation"])

    @abstractmethod
    def _settle(self, connection: Connection) -> str:
        """Make commits on a new connection durable, and make this process the only writer.

        Return the description for `about`. Raises StoreError if another process is writing.
        """

    # --- writing ---

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        own = Append(batches(stream, after, batch))
        self._waiting.append(own)
        try:
            with self._alone():
                # Another thread may have stored this batch together with its own.
                if not own.done:
                    self._append_all()
        finally:
            if not own.done:
                # If the batch is no longer in the queue, another thread is storing it.
                with suppress(ValueError):
                    self._waiting.remove(own)
        if own.error is not None:
            raise own.error
        if not own.done:
            raise StoreError(f"{self.where}: the batch was not stored; read the record again")

    def _append_all(self) -> None:
        """Store all waiting batches in one transaction. A refused batch does not affect the others."""
        together: list[Append] = []
        # A thread that has waited too long may remove its batch at any time, so an empty queue is not an
        # error.
        with suppress(IndexError):
            while True:
                together.append(self._waiting.popleft())
        try:
            with self._store_errors():
                for group in self._groups(together):
                    self._append_together(group)
        except StoreError as error:
            for one in together:
                one.error = StoreError(str(error))
        except BaseException:
            for one in together:
                one.error = StoreError(f"{self.where}: the write was interrupted")
            raise
        finally:
            for one in together:
                one.error = self._refusal(one, one.error)
                one.done = True

    def _groups(self, together: Sequence[Append]) -> list[Sequence[Append]]:
        """Divide the batches into groups. Each group is stored in one transaction."""
        return [together]

    def _require_lease(self, cursor: Any, stream: str, fence: int) -> None:
        """If servers share the store, raise LeaseLostError if `fence` is not the current fencing number."""

    def _append_together(self, together: Sequence[Append]) -> None:
        try:
            with self._transaction() as cursor:
                for one in together:
                    self._append_one(cursor, one, alone=len(together) == 1)
        except (_MovedError, LeaseLostError, self._driver.IntegrityError):
            # Raised only for a single batch, which already has the error in its field `error`.
            return
        self._clean_up(erased=any(part.erases for one in together for _, _, part in one.parts))

    def _clean_up(self, *, erased: bool) -> None:
        """Remove erased values from files that the database keeps beside its own; called after a commit."""

    def _append_one(self, cursor: Any, one: Append, *, alone: bool) -> None:
        if not alone:
            cursor.execute("SAVEPOINT batch")
        try:
            self._require_lease(cursor, one.parts[0][0], one.parts[0][2].fence)
            for name, head, part in one.parts:
                self._move(cursor, name, head, part.signed)
                self._put(cursor, name, part)
        except (_MovedError, LeaseLostError, self._driver.IntegrityError) as error:
            one.error = error
            if alone:
                raise
            cursor.execute("ROLLBACK TO SAVEPOINT batch")
        if not alone:
            cursor.execute("RELEASE SAVEPOINT batch")

    def _refusal(self, one: Append, error: Exception | None) -> Exception | None:
        """Return the error to raise for a batch.

        The transaction has ended, so the head and the keys can be read.
        """
        try:
            if isinstance(error, _MovedError):
                name, head = error.args
                return moved_error(name, self.head(name), head)
            if isinstance(error, self._driver.IntegrityError):
                doubles = (key_error(name, part, partial(self.keyed, name)) for name, _, part in one.parts)
                stream = one.parts[0][0]
                message = f"{stream}: the batch has event numbers that are already on record"
                return next(filter(None, doubles), None) or StoreError(message)
        except StoreError as unreadable:
            return unreadable
        return error

    def keep(self, name: str, body: bytes) -> None:
        with self._alone(), self._store_errors(), self._transaction() as cursor:
            cursor.execute(self._sql["keep"], {"name": name, "body": body})

    def check(self) -> None:
        with self._alone(), self._store_errors(), self._watched(self._writing()):
            self._roll_back(self._begin())

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock of the connection for writing.

        Raise StoreError if other threads hold it for too long.
        """
        if not self._appending.acquire(timeout=WAIT):
            raise StoreError(f"{self.where} did not answer within {WAIT:g} seconds; try again")
        try:
            yield
        finally:
            self._appending.release()

    def _move(self, cursor: Any, stream: str, after: Head, signed: SignedHead) -> None:
        """Move the head forward with one statement, which checks the old head and locks its row."""
        head = {"name": stream, **head_row(signed)}
        cursor.execute(self._sql["move"], {**head, "old_events": after.events, "old_chain": after.chain})
        if cursor.rowcount != 1 and after == Head.first(stream):
            cursor.execute(self._sql["begin"], head)
        if cursor.rowcount != 1:
            raise _MovedError(stream, after)

    def _put(self, cursor: Any, stream: str, batch: Batch) -> None:
        """Insert the entries, texts, secrets and snapshot of a batch."""
        if batch.erases:
            cursor.execute(self._sql["erase secrets"], {"stream": stream})
            cursor.execute(self._sql["erase sealed"], {"stream": stream, "empty": b""})
        self._insert(cursor, [entry_row(stream, entry) for entry in batch.entries])
        for digest, text in batch.texts.items():
            cursor.execute(self._sql["new text"], {"digest": digest, "text": text})
        for name, value in batch.secrets.items():
            cursor.execute(self._sql["new secret"], {"stream": stream, "name": name, "value": value})
        if batch.snapshot is not None:
            row = {"stream": stream, **head_row(batch.snapshot.signed), "body": batch.snapshot.body}
            cursor.execute(self._sql["new snapshot"], row)

    def _insert(self, cursor: Any, rows: Sequence[Mapping[str, Any]]) -> None:
        cursor.executemany(self._sql["new entry"], rows)

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        """Yield a cursor in a transaction, which is committed at the end, or rolled back after an error."""
        with self._watched(self._writing()):
            cursor = self._begin()
            try:
                yield cursor
                self._require_place()
                self._commit(cursor)
            except BaseException:
                self._roll_back(cursor)
                raise
        # A commit to a file that has been deleted is lost.
        self._require_place()

    def _commit(self, cursor: Any) -> None:
        cursor.execute("COMMIT")

    def _begin(self) -> Any:
        """Begin a transaction and return its cursor. Raise StoreError if another process is the writer."""
        cursor = self._writing().connection.cursor()
        try:
            cursor.execute(self.BEGIN)
            self._require_place()
            if self._generation is not None:
                self._require_generation(cursor)
        except BaseException:
            self._roll_back(cursor)
            raise
        return cursor

    def _require_generation(self, cursor: Any) -> None:
        cursor.execute(self._sql["generation"] + self.FENCED)
        (generation,) = cursor.fetchone()
        if generation != self._generation:
            self._stop(
                "another process has written to it since this one lost its connection; restart this one"
            )

    def _stop(self, why: str) -> NoReturn:
        """Stop all further writing, and raise StoreError."""
        self._stopped = f"{self.where}: {why}"
        raise StoreError(self._stopped)

    def _require_place(self) -> None:
        """Raise StoreError if the database file was deleted or replaced."""

    @contextmanager
    def _watched(self, connection: Any) -> Iterator[None]:
        """Break the connection if the database does not answer in time. A file always answers."""
        yield

    def _roll_back(self, cursor: Any) -> None:
        try:
            cursor.execute("ROLLBACK")
        except self._driver.Error:
            # The connection is unusable. The next batch opens a new one.
            self._disconnect()

    def _writing(self) -> Connection:
        """Return the connection for writing; open it if necessary."""
        self._require_open()
        if self.read_only:
            raise StoreError(f"{self.where} is open for reading only; open it for writing")
        if self._stopped:
            raise StoreError(self._stopped)
        if self._writer is None:
            self._writer = self._engine.connect()
            try:
                with self._watched(self._writer):
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
        """Yield a connection that sees the database as it is now, without later writes."""
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
        """Yield the connection for writing in a transaction, which is committed at the end, or rolled back
        after an error."""
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

    def heads(self) -> dict[str, SignedHead]:
        heads = {}
        for name, *head in self._read("heads"):
            with suppress(DamagedError):
                heads[name] = read_head(head, f"{self.where}: the head of {name}")
        return dict(sorted(heads.items()))

    def entries(self, stream: str, after: int = 0) -> Iterator[StoredEntry]:
        signed = self.head(stream)
        return self._pages("page", stream, after, last=signed.head.events if signed else 0)

    def everything(self, stream: str) -> Iterator[StoredEntry]:
        # Start below every number that can be stored.
        return self._pages("any page", stream, -(1 << 63))

    def _pages(self, statement: str, stream: str, after: int, **parameters: int) -> Iterator[StoredEntry]:
        while rows := self._read(statement, stream=stream, after=after, **parameters):
            yield from map(read_entry, rows)
            after = rows[-1][0]

    def keyed(self, stream: str, key: str) -> StoredEntry | None:
        # The key of every command is looked up. The connection for writing has the pages of the last batch
        # in its cache; any other connection would have to read them again.
        with self._alone():
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
                with self._watched(connection):
                    cursor = connection.cursor()
                    cursor.execute(self._sql[statement], parameters)
                    return list(cursor.fetchall())
            except self._driver.Error:
                # The connection may be broken, so it is never used again.
                connection.invalidate()
                raise

    def _read_as_writer(self, statement: str, /, **parameters: str | int) -> list[tuple[Any, ...]]:
        """Read over the connection for writing."""
        with self._store_errors():
            try:
                writer = self._writing()
                with self._watched(writer):
                    cursor = writer.connection.cursor()
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
            raise UnavailableError(f"{self.where}: {first_line or type(cause).__name__}") from error
