"""The tables of people and training classes, held in an in-memory SQLite database, so that the same SQL
serves as with a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import RLock

from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool
from sqlalchemy.schema import CreateIndex, CreateTable

from houseway.audit.sql.people_tables import metadata
from houseway.audit.sql.short_transactions import ShortTransactions
from houseway.audit.sql.sql_store import AUTOCOMMIT
from houseway.audit.sql.sqlite import library


def rows_in_memory() -> ShortTransactions:
    """Return the database for a house that has no people yet."""
    engine = create_engine(
        "sqlite://",
        module=library(),
        poolclass=StaticPool,
        connect_args={"check_same_thread": False},
        isolation_level=AUTOCOMMIT["isolation_level"],
        pool_reset_on_return=None,
        paramstyle="named",
    )
    with engine.connect() as connection:
        for statement in _schema():
            connection.exec_driver_sql(statement)
    lock = RLock()

    @contextmanager
    def alone() -> Iterator[None]:
        """Hold the lock, because all threads share one connection."""
        with lock:
            yield

    return ShortTransactions(engine, "BEGIN", guard=alone, alone=alone)


@lru_cache
def _schema() -> tuple[str, ...]:
    """Return the statements that create the tables."""
    dialect = create_engine("sqlite://", module=library()).dialect
    tables = metadata.sorted_tables
    created = [str(CreateTable(table).compile(dialect=dialect)) for table in tables]
    indexed = [
        str(CreateIndex(index).compile(dialect=dialect)) for table in tables for index in table.indexes
    ]
    return (*created, *indexed, "INSERT INTO revocations (number) VALUES (0)")
