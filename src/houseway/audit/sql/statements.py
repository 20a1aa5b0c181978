"""What a store says to its database: built once, from the schema, in the database's own words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import ClauseElement, ColumnElement, Engine, Select, Table, bindparam, select, union, update
from sqlalchemy.dialects.postgresql import insert  # SQLite has the same ON CONFLICT

from houseway.audit.entries import Stored
from houseway.audit.sql.schema import entries, kept, secrets, snapshots, streams, texts
from houseway.audit.store import MANY, DamagedError, Head, Signed

PAGE: Final = 256
"""How many entries are fetched at a time: a reader holds neither the whole record nor the database."""

_HEAD: Final = ("events", "chain", "signature", "key")
_ENTRY: Final = ("seq", "count", "key", "public", "sealed", "chain")


class Statements:
    """All statements, their parameters by name."""

    def __init__(self, engine: Engine) -> None:
        def words(statement: ClauseElement, *columns: str) -> str:
            return str(statement.compile(engine, column_keys=columns or None))

        def put(table: Table) -> str:
            new = insert(table)
            values = {one.name: new.excluded[one.name] for one in table.c if not one.primary_key}
            return words(new.on_conflict_do_update(index_elements=table.primary_key, set_=values))

        self.driver: Any = engine.dialect.loaded_dbapi

        self.begin = words(insert(streams).on_conflict_do_nothing())
        still = (streams.c.events == bindparam("old_events"), streams.c.chain == bindparam("old_chain"))
        self.move = words(update(streams).where(*_is(streams, "name"), *still), *_HEAD)
        self.new_entry = words(insert(entries))
        self.new_text = words(insert(texts).on_conflict_do_nothing())
        self.new_secret = put(secrets)
        self.new_snapshot = put(snapshots)
        self.keep = put(kept)

        self.streams = words(select(streams.c.name))
        beheaded = union(
            *(
                select(table.c.stream).where(table.c.stream.not_in(select(streams.c.name)))
                for table in (entries, secrets, snapshots)
            )
        )
        self.strays = words(beheaded)
        self.head = words(_of(streams, *_HEAD).where(*_is(streams, "name")))
        whole = _of(entries, *_ENTRY)
        behind = whole.where(*_is(entries, "stream"), entries.c.seq > bindparam("after")).order_by(
            entries.c.seq
        )
        self.page = words(behind.where(entries.c.seq <= bindparam("last")).suffix_with(f"LIMIT {PAGE}"))
        self.any_page = words(behind.suffix_with(f"LIMIT {PAGE}"))
        self.keyed = words(whole.where(*_is(entries, "stream", "key")))
        self.text = words(_of(texts, "text").where(*_is(texts, "digest")))
        self.secret = words(_of(secrets, "value").where(*_is(secrets, "stream", "name")))
        self.kept = words(_of(kept, "name", "body"))
        self.kept_as = words(_of(kept, "body").where(*_is(kept, "name")))
        self.snapshots = words(_of(snapshots, "events").where(*_is(snapshots, "stream")))
        self.snapshot = words(_of(snapshots, *_HEAD, "body").where(*_is(snapshots, "stream", "events")))


def _of(table: Table, *columns: str) -> Select[Any]:
    return select(*(table.c[name] for name in columns))


def _is(table: Table, *columns: str) -> list[ColumnElement[bool]]:
    return [table.c[name] == bindparam(name) for name in columns]


def head_row(signed: Signed) -> dict[str, Any]:
    """A signed head, by column."""
    head = signed.head
    return {"events": head.events, "chain": head.chain, "signature": signed.signature, "key": signed.key}


def read_head(row: Sequence[Any]) -> Signed:
    """The signed head of a row; DamagedError where it holds anything else. (SQLite keeps what it is given,
    whatever the column is for.)"""
    events, chain, signature, key = row
    if not isinstance(events, int) or not 0 <= events < MANY:
        raise DamagedError(f"it says it has {events!r} events")
    if not all(isinstance(part, bytes) for part in (chain, signature, key)):
        raise DamagedError("its chain, signature or key are not bytes")
    return Signed(Head(events, chain), signature, key)


def entry_row(stream: str, entry: Stored) -> dict[str, Any]:
    """An entry, by column."""
    row = {name: getattr(entry, name) for name in _ENTRY}
    return {**row, "stream": stream, "key": entry.key or None}


def read_entry(row: Sequence[Any]) -> Stored:
    """The entry of a row; without a chain where it holds anything else."""
    seq, count, key, public, sealed, chain = row
    numbers = isinstance(seq, int) and isinstance(count, int)
    texts = isinstance(key, str | None) and all(isinstance(part, bytes) for part in (public, sealed, chain))
    if not numbers or not texts:
        return Stored(seq if isinstance(seq, int) else 0, 1, "", b"", b"", b"")
    return Stored(seq, count, key or "", public, sealed, chain)
