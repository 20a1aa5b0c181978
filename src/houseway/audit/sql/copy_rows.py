"""Copy every row of one database into another, and compute checksums of the rows to compare the two."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, inspect, text

from houseway.audit.sql.migrate import VERSIONS
from houseway.audit.store import StoreError

PAGE: Final = 1000
"""The number of rows that are read at a time."""

NOT_COPIED: Final = frozenset({VERSIONS, "writer", "revocations", "servers", "leases"})
"""Tables that describe only the database itself, and are not copied: its migrations, the generation of its
writer, its count of revocations, its servers and their leases."""

Row = tuple[Any, ...]


class RowSum(msgspec.Struct, frozen=True):
    """The number of rows of a table, and a sum of their hashes that does not depend on their order."""

    rows: int = 0
    total: int = 0

    def plus(self, rows: Sequence[Row]) -> RowSum:
        """Return the sum after more rows are added."""
        hashes = (hashlib.sha256(msgspec.msgpack.encode(row)).digest() for row in rows)
        total = self.total + sum(int.from_bytes(digest) for digest in hashes)
        return RowSum(self.rows + len(rows), total % (1 << 256))


class _Table:
    """A database table: its columns, and the columns of its primary key."""

    def __init__(self, connection: Connection, name: str) -> None:
        described = inspect(connection)
        self.name = name
        self.columns = [column["name"] for column in described.get_columns(name)]
        self._key = described.get_pk_constraint(name)["constrained_columns"]

    def pages(self, connection: Connection) -> Iterator[list[Row]]:
        """Yield lists of up to PAGE rows, in the order of the primary key."""
        columns, key = _list(self.columns), _list(self._key)
        after = ", ".join(f":after{n}" for n in range(len(self._key)))
        order = f"ORDER BY {key} LIMIT {PAGE}"
        first = f"SELECT {columns} FROM {_quoted(self.name)} {order}"
        following = f"SELECT {columns} FROM {_quoted(self.name)} WHERE ({key}) > ({after}) {order}"
        statement, values = first, dict[str, Any]()
        places = [self.columns.index(column) for column in self._key]
        while rows := [tuple(row) for row in connection.execute(text(statement), values)]:
            yield rows
            values = {f"after{n}": rows[-1][place] for n, place in enumerate(places)}
            statement = following

    def insert(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Insert rows."""
        names = [f"v{n}" for n in range(len(self.columns))]
        parameters = ", ".join(f":{name}" for name in names)
        statement = f"INSERT INTO {_quoted(self.name)} ({_list(self.columns)}) VALUES ({parameters})"
        connection.execute(text(statement), [dict(zip(names, row, strict=True)) for row in rows])


def _tables(connection: Connection) -> list[_Table]:
    names = sorted(set(inspect(connection).get_table_names()) - NOT_COPIED)
    return [_Table(connection, name) for name in names]


def _quoted(name: str) -> str:
    return f'"{name}"'


def _list(names: Sequence[str]) -> str:
    return ", ".join(map(_quoted, names))


def copy_rows(source: Connection, target: Connection) -> dict[str, RowSum]:
    """For every table of the target, copy its rows from the source; return the row sum of each table.

    The caller has begun a transaction on both connections. The transaction on the source must see the
    database as it is at one moment.
    """
    sums = {}
    for table in _tables(target):
        found = RowSum()
        for rows in table.pages(source):
            table.insert(target, rows)
            found = found.plus(rows)
        sums[table.name] = found
    return sums


def row_sums(connection: Connection) -> dict[str, RowSum]:
    """Return the sum of the rows of each table."""
    sums = {}
    for table in _tables(connection):
        found = RowSum()
        for rows in table.pages(connection):
            found = found.plus(rows)
        sums[table.name] = found
    return sums


def require_empty(connection: Connection, where: str) -> None:
    """Raise StoreError if any table has a row."""
    for table in _tables(connection):
        if next(table.pages(connection), None):
            raise StoreError(f"{where} is not empty ({table.name} has rows); restore into a new database")
