"""The database tables of people, roles, invitations, tickets and recovery links.

A migration creates them in a database, and a test compares it with these. A store in memory is created
from these. Times are milliseconds since 1970. Tokens, invitations, tickets and recovery links are stored as
their digests only.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)

metadata: Final = MetaData()


def _key(name: str, *more: Any) -> Column[str]:
    """Return a column of the primary key."""
    return Column(name, String, *more, primary_key=True)


def _filled(kind: Any, *names: str) -> list[Column[Any]]:
    return [Column(name, kind, nullable=False) for name in names]


def _of_person() -> ForeignKey:
    """Return a reference to a person. If the handle expires, the row goes with it."""
    return ForeignKey("people.name", ondelete="CASCADE")


people: Final = Table(
    "people",
    metadata,
    _key("name"),
    *_filled(String, "handle", "skeleton"),
    # NULL after the token is revoked.
    Column("token", String),
    *_filled(BigInteger, "created_at", "last_seen_at"),
    # NULL until a record can contain the handle. From then on, the handle never expires.
    Column("recorded_at", BigInteger),
    UniqueConstraint("skeleton", name="people_look_different"),
    UniqueConstraint("token", name="people_token_once"),
    Index("people_by_last_seen", "last_seen_at"),
)
"""Each person, by the handle in the form in which handles are compared."""

role_grants: Final = Table(
    "role_grants",
    metadata,
    _key("person", _of_person()),
    _key("place"),
    _key("role"),
    *_filled(String, "granted_by"),
    # 0 if the role is not in force: it was revoked, or the house log does not have it yet.
    *_filled(BigInteger, "granted_at", "expires_at"),
    Column("revoked_by", String),
)
"""The role of a person at a place: a table, or "*" for every table. The row of a revoked role stays."""

invitations: Final = Table(
    "invitations",
    metadata,
    _key("digest"),
    *_filled(String, "place", "role", "created_by"),
    *_filled(BigInteger, "created_at", "expires_at"),
    Column("used_by", String),
)

tickets: Final = Table(
    "tickets",
    metadata,
    _key("digest"),
    Column("person", String, _of_person(), nullable=False),
    *_filled(String, "place"),
    *_filled(BigInteger, "expires_at"),
    Index("tickets_by_person", "person"),
)

recoveries: Final = Table(
    "recoveries",
    metadata,
    _key("digest"),
    Column("person", String, _of_person(), nullable=False),
    *_filled(String, "created_by"),
    *_filled(BigInteger, "created_at", "expires_at"),
    Index("recoveries_by_person", "person"),
)
"""Single-use links by which a person signs in on another device."""

revocations: Final = Table("revocations", metadata, *_filled(BigInteger, "number"))
"""One row: a number that grows with each revoked role or replaced token. Every server reads it."""
