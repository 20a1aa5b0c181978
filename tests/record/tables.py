"""The database tables that the store's statements use, to compare with a real database."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)

from houseway.audit.sql import people_tables

metadata: Final = MetaData()
for _table in people_tables.metadata.tables.values():
    _table.to_metadata(metadata)


def _key(name: str, kind: type[String] | type[BigInteger] = String) -> Column[Any]:
    """Return a column of the primary key."""
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
    # An entry without a key has NULL instead of "", because keys must be unique and many entries have none.
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
"""Server data other than records: table settings."""

writer: Final = Table("writer", metadata, Column("generation", BigInteger, nullable=False))
"""One row with a number that increases each time a process becomes the writer."""

servers: Final = Table(
    "servers",
    metadata,
    _key("id"),
    Column("address", String, nullable=False),
    Column("expires_at", DateTime(timezone=True), nullable=False),
)
"""The servers that share a PostgreSQL database."""

leases: Final = Table(
    "leases",
    metadata,
    _key("stream"),
    Column("server", String, nullable=False),
    Column("fence", BigInteger, nullable=False),
    Column("ended_at", DateTime(timezone=True)),
    Column("card", LargeBinary),
)
"""The owner of each table, and a fencing number that never decreases."""
