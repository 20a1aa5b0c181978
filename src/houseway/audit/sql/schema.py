"""The tables a database keeps records in; `migrations` holds how they came to be."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, LargeBinary, MetaData, String, Table, UniqueConstraint

VERSION: Final = "0002"
"""The newest migration: what this version of houseway reads and writes."""

VERSIONS: Final = "schema_version"
"""The table that says which migration a database has reached."""

metadata: Final = MetaData()

streams: Final = Table(
    "streams",
    metadata,
    Column("name", String, primary_key=True),
    Column("events", BigInteger, nullable=False),
    Column("chain", LargeBinary, nullable=False),
    Column("signature", LargeBinary, nullable=False),
    Column("key", LargeBinary, nullable=False),
)
"""Each record and its signed head."""

entries: Final = Table(
    "entries",
    metadata,
    Column("stream", String, primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("count", BigInteger, nullable=False),
    # Nothing rather than empty where there is none: many entries have no key, no two the same one.
    Column("key", String),
    Column("public", LargeBinary, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    Column("chain", LargeBinary, nullable=False),
    UniqueConstraint("stream", "key", name="entries_key_once"),
)

texts: Final = Table(
    "texts",
    metadata,
    Column("digest", String, primary_key=True),
    Column("text", String, nullable=False),
)

secrets: Final = Table(
    "secrets",
    metadata,
    Column("stream", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

snapshots: Final = Table(
    "snapshots",
    metadata,
    Column("stream", String, primary_key=True),
    Column("events", BigInteger, primary_key=True, autoincrement=False),
    Column("chain", LargeBinary, nullable=False),
    Column("signature", LargeBinary, nullable=False),
    Column("key", LargeBinary, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

kept: Final = Table(
    "kept",
    metadata,
    Column("name", String, primary_key=True),
    Column("body", LargeBinary, nullable=False),
)
"""What a house keeps beside its records: its people, how its tables are run."""
