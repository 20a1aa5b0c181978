"""The tables that the statements of a store speak of, for tests to compare with those in a database."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import BigInteger, Column, LargeBinary, MetaData, String, Table, UniqueConstraint

metadata: Final = MetaData()


def _key(name: str, kind: type[String] | type[BigInteger] = String) -> Column[Any]:
    """A column of the primary key."""
    return Column(name, kind, primary_key=True, autoincrement=False)


def _bytes(*names: str) -> list[Column[bytes]]:
    return [Column(name, LargeBinary, nullable=False) for name in names]


streams: Final = Table(
    "streams",
    metadata,
    _key("name"),
    Column("events", BigInteger, nullable=False),
    *_bytes("chain", "signature", "key"),
)
"""Each record and its signed head."""

entries: Final = Table(
    "entries",
    metadata,
    _key("stream"),
    _key("seq", BigInteger),
    Column("count", BigInteger, nullable=False),
    # Nothing rather than empty where there is none: many entries have no key, no two the same one.
    Column("key", String),
    *_bytes("public", "sealed", "chain"),
    UniqueConstraint("stream", "key", name="entries_key_once"),
)

texts: Final = Table("texts", metadata, _key("digest"), Column("text", String, nullable=False))

secrets: Final = Table("secrets", metadata, _key("stream"), _key("name"), *_bytes("value"))

snapshots: Final = Table(
    "snapshots",
    metadata,
    _key("stream"),
    _key("events", BigInteger),
    *_bytes("chain", "signature", "key", "body"),
)

kept: Final = Table("kept", metadata, _key("name"), *_bytes("body"))
"""What a house keeps beside its records: its people, how its tables are run."""
