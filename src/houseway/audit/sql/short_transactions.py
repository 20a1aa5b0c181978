"""Short transactions on a database that other processes may also change.

Records have one writer at a time. Any process may run these transactions: each one is complete in itself,
and the constraints of the database keep two processes from doing the same thing twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import Dialect, Engine, text

SQLITE: Final = ("PRAGMA foreign_keys = ON", "PRAGMA synchronous = EXTRA")
"""Settings of each SQLite connection: check foreign keys, and make a commit durable before it returns."""

Guard = Callable[[], AbstractContextManager[None]]
Watch = Callable[[Any], AbstractContextManager[None]]


def _nothing(connection: Any) -> AbstractContextManager[None]:
    return nullcontext()


class ShortTransactions:
    """Reads and transactions, each over a connection from the engine's pool.

    `begin` is the statement that begins a transaction. The other arguments return context managers. `guard`
    is entered for each use of a connection, and turns database errors into StoreError. `alone` is entered
    for each transaction, so that threads can take turns. `watch` gets the connection, and breaks it if the
    database does not answer.
    """

    def __init__(
        self,
        engine: Engine,
        begin: str,
        *,
        guard: Guard = nullcontext,
        alone: Guard = nullcontext,
        watch: Watch = _nothing,
    ) -> None:
        self._engine = engine
        self._begin = begin
        self._guard, self._alone, self._watch = guard, alone, watch
        self._driver: Any = engine.dialect.loaded_dbapi
        self._settings = SQLITE if engine.dialect.name == "sqlite" else ()

    def sql(self, statement: str) -> str:
        """Return a statement with parameters in the style of the driver."""
        # These statements are written in the style of SQLite's driver.
        dialect = self._engine.dialect
        return statement if dialect.paramstyle == "named" else _compiled(dialect, statement)

    def read(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with self._cursor() as cursor:
            cursor.execute(self.sql(statement), values)
            return list(cursor.fetchall())

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """Commit the changes of the block at its end, or roll them back after an error."""
        with self._alone(), self._cursor() as cursor:
            for setting in self._settings:
                cursor.execute(setting)
            cursor.execute(self._begin)
            try:
                yield Transaction(self, cursor)
                cursor.execute("COMMIT")
            except BaseException:
                # If the rollback fails, the connection is broken, and the database rolls back by itself.
                with suppress(self._driver.Error):
                    cursor.execute("ROLLBACK")
                raise

    @contextmanager
    def _cursor(self) -> Iterator[Any]:
        with self._guard(), closing(self._engine.raw_connection()) as connection:
            try:
                with self._watch(connection):
                    yield connection.cursor()
            except self._driver.Error:
                # The connection may be broken, so it is never used again.
                connection.invalidate()
                raise


class Transaction:
    """A transaction that is under way."""

    def __init__(self, owner: ShortTransactions, cursor: Any) -> None:
        self._owner = owner
        self._cursor = cursor

    def do(self, statement: str, **values: Any) -> int:
        """Run a statement and return the number of rows that it changed."""
        self._cursor.execute(self._owner.sql(statement), values)
        return int(self._cursor.rowcount)

    def read(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        self._cursor.execute(self._owner.sql(statement), values)
        return list(self._cursor.fetchall())


@lru_cache(256)
def _compiled(dialect: Dialect, statement: str) -> str:
    return str(text(statement).compile(dialect=dialect))
