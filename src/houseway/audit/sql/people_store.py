"""A database with rows for people and classes. Any process may change these rows, not only the writer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from sqlalchemy import Engine

from houseway.audit.sql.class_rows import ClassRows
from houseway.audit.sql.people_rows import PeopleRows
from houseway.audit.sql.short_transactions import ShortTransactions


class PeopleStore(ABC):
    """A database with rows for people and classes."""

    BEGIN: str
    """The statement that begins a transaction."""
    _engine: Engine

    def people_rows(self) -> PeopleRows:
        """Return the rows for people. They can be changed even if this process is not the writer."""
        return PeopleRows(self._short_transactions())

    def class_rows(self) -> ClassRows:
        """Return the rows for classes. They can be changed even if this process is not the writer."""
        return ClassRows(self._short_transactions())

    def _short_transactions(self) -> ShortTransactions:
        engine, begin = self._rows_engine(), self.BEGIN
        return ShortTransactions(
            engine, begin, guard=self._guarded, alone=self._rows_alone, watch=self._watched
        )

    def _rows_engine(self) -> Engine:
        """Return the engine for reading and changing these rows."""
        return self._engine

    def _rows_alone(self) -> AbstractContextManager[None]:
        """Return a context manager to hold while these rows are changed. A database server needs none."""
        return nullcontext()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        self._require_open()
        with self._store_errors():
            yield

    @abstractmethod
    def _require_open(self) -> None:
        """Raise StoreError if the store is closed."""

    @abstractmethod
    def _store_errors(self) -> AbstractContextManager[None]:
        """Return a context manager that turns database errors into StoreError."""

    @abstractmethod
    def _watched(self, connection: Any) -> AbstractContextManager[None]:
        """Return a context manager that breaks a connection if the database does not answer."""
