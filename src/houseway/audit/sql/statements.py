"""The SQL statements of a store, and conversions between rows and objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeVar

from msgspec import structs
from sqlalchemy import Engine, text

from houseway.audit.entries import StoredEntry
from houseway.audit.store import MAX_EVENTS, DamagedError, Head, SignedHead

T = TypeVar("T")

PAGE: Final = 256
"""The number of entries that are fetched at a time. A reader never loads the whole record at once."""

_HEAD: Final = ("events", "chain", "signature", "key")
_ENTRY: Final = StoredEntry.__struct_fields__


def _insert(table: str, *columns: str) -> str:
    parameters = ", ".join(f":{name}" for name in columns)
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({parameters})"


def _put(table: str, keys: Sequence[str], *columns: str) -> str:
    """Return the statement that inserts a row, or updates the row with the same keys."""
    values = ", ".join(f"{name} = excluded.{name}" for name in columns)
    return f"{_insert(table, *keys, *columns)} ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {values}"


def _strays(table: str) -> str:
    return f"SELECT stream FROM {table} WHERE stream NOT IN (SELECT name FROM streams)"


_SELECT_HEAD: Final = f"SELECT {', '.join(_HEAD)}"
_SELECT_ENTRY: Final = f"SELECT {', '.join(_ENTRY)} FROM entries WHERE stream = :stream"
_NEXT: Final = f"ORDER BY seq LIMIT {PAGE}"

_STATEMENTS: Final = {
    "begin": f"{_insert('streams', 'name', *_HEAD)} ON CONFLICT DO NOTHING",
    "move": "UPDATE streams SET events = :events, chain = :chain, signature = :signature, key = :key"
    " WHERE name = :name AND events = :old_events AND chain = :old_chain",
    "new entry": _insert("entries", "stream", *_ENTRY),
    "new text": f"{_insert('texts', 'digest', 'text')} ON CONFLICT DO NOTHING",
    "new secret": _put("secrets", ("stream", "name"), "value"),
    "erase secrets": "DELETE FROM secrets WHERE stream = :stream",
    "erase sealed": "UPDATE entries SET sealed = :empty WHERE stream = :stream AND sealed <> :empty",
    "new snapshot": _put("snapshots", ("stream", "events"), *_HEAD[1:], "body"),
    "keep": _put("kept", ("name",), "body"),
    "next generation": "UPDATE writer SET generation = generation + 1",
    "generation": "SELECT generation FROM writer",
    "fence": "SELECT fence FROM leases WHERE stream = :stream",
    "streams": "SELECT name FROM streams",
    "heads": f"SELECT name, {', '.join(_HEAD)} FROM streams",
    "strays": " UNION ".join(map(_strays, ("entries", "secrets", "snapshots"))),
    "head": f"{_SELECT_HEAD} FROM streams WHERE name = :name",
    "page": f"{_SELECT_ENTRY} AND seq > :after AND seq <= :last {_NEXT}",
    "any page": f"{_SELECT_ENTRY} AND seq > :after {_NEXT}",
    "keyed": f"{_SELECT_ENTRY} AND key = :key",
    "text": "SELECT text FROM texts WHERE digest = :digest",
    "secret": "SELECT value FROM secrets WHERE stream = :stream AND name = :name",
    "kept": "SELECT name, body FROM kept",
    "kept as": "SELECT body FROM kept WHERE name = :name",
    "snapshots": "SELECT events FROM snapshots WHERE stream = :stream",
    "snapshot": f"{_SELECT_HEAD}, body FROM snapshots WHERE stream = :stream AND events = :events",
}


def statements(engine: Engine) -> dict[str, str]:
    """Return all statements by name, with parameters in the style of the engine's driver."""
    return {name: str(text(sql).compile(engine)) for name, sql in _STATEMENTS.items()}


def head_row(signed: SignedHead) -> dict[str, Any]:
    """Return a signed head as a row: values by column."""
    head = signed.head
    return {"events": head.events, "chain": head.chain, "signature": signed.signature, "key": signed.key}


def as_type(value: Any, kind: type[T], name: str) -> T:
    """Return a value if it has this type; otherwise raise DamagedError.

    The check is needed because SQLite can store a value of any type in any column.
    """
    if not isinstance(value, kind):
        raise DamagedError(f"{name} cannot be read: it is of type {type(value).__name__}")
    return value


def read_head(row: Sequence[Any], name: str) -> SignedHead:
    """Return the signed head in a row. Raises DamagedError if the row is damaged."""
    events, *parts = row
    if not isinstance(events, int) or not 0 <= events < MAX_EVENTS:
        raise DamagedError(f"{name} cannot be read: it says it has {events!r} events")
    chain, signature, key = (as_type(part, bytes, name) for part in parts)
    return SignedHead(Head(events, chain), signature, key)


def entry_row(stream: str, entry: StoredEntry) -> dict[str, Any]:
    """Return an entry as a row: values by column."""
    return {**structs.asdict(entry), "stream": stream, "key": entry.key or None}


def read_entry(row: Sequence[Any]) -> StoredEntry:
    """Return the entry in a row. If the row is damaged, the entry has no chain."""
    seq, count, key, public, sealed, chain = row
    if all(map(isinstance, row, (int, int, str | None, bytes, bytes, bytes))):
        return StoredEntry(seq, count, key or "", public, sealed, chain)
    return StoredEntry(seq if isinstance(seq, int) else 0, 1, "", b"", b"", b"")
