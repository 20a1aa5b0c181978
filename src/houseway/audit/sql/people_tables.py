"""The schema of the database tables for people: roles, invitations, tickets, recovery links, hosts of
tables, classes.

In a database, a migration creates these tables, and a test compares them with the definitions here. A store
in memory is created from the definitions here. Times are milliseconds since 1970. Of tokens, invitations,
tickets and recovery links, only the digests are stored.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
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


def _required(kind: Any, *names: str) -> list[Column[Any]]:
    """Return columns that may not be NULL."""
    return [Column(name, kind, nullable=False) for name in names]


def _of_person() -> ForeignKey:
    """Return a reference to a person. If the person's handle expires, the row is deleted too."""
    return ForeignKey("people.name", ondelete="CASCADE")


people: Final = Table(
    "people",
    metadata,
    _key("name"),
    *_required(String, "handle", "skeleton"),
    # NULL after the token is revoked.
    Column("token", String),
    *_required(BigInteger, "created_at", "last_seen_at"),
    # When the handle may first have been written into a record; NULL before. A handle in a record never
    # expires.
    Column("recorded_at", BigInteger),
    UniqueConstraint("skeleton", name="people_look_different"),
    UniqueConstraint("token", name="people_token_once"),
    Index("people_by_last_seen", "last_seen_at"),
)
"""The people. `name` is the handle in the form in which handles are compared."""

role_grants: Final = Table(
    "role_grants",
    metadata,
    _key("person", _of_person()),
    _key("place"),
    _key("role"),
    *_required(String, "granted_by"),
    # 0 if the role is not in force: it was revoked, or the house log does not have it yet.
    *_required(BigInteger, "granted_at", "expires_at"),
    Column("revoked_by", String),
)
"""The roles of people. A place is a table, or "*" for every table. The row of a revoked role stays."""

invitations: Final = Table(
    "invitations",
    metadata,
    _key("digest"),
    *_required(String, "place", "role", "created_by"),
    *_required(BigInteger, "created_at", "expires_at"),
    Column("used_by", String),
)

tickets: Final = Table(
    "tickets",
    metadata,
    _key("digest"),
    Column("person", String, _of_person(), nullable=False),
    *_required(String, "place"),
    *_required(BigInteger, "expires_at"),
    Index("tickets_by_person", "person"),
)

recoveries: Final = Table(
    "recoveries",
    metadata,
    _key("digest"),
    Column("person", String, _of_person(), nullable=False),
    *_required(String, "created_by"),
    *_required(BigInteger, "created_at", "expires_at"),
    Index("recoveries_by_person", "person"),
)
"""Single-use links with which a person signs in on another device."""

table_hosts: Final = Table(
    "table_hosts",
    metadata,
    _key("person"),
    Column("slot", BigInteger, primary_key=True, autoincrement=False),
    *_required(String, "stream"),
    UniqueConstraint("stream", name="table_hosts_stream_once"),
)
"""Each open table, in one of its host's slots. A slot is taken once, which limits a person's tables."""

classes: Final = Table(
    "classes",
    metadata,
    _key("id"),
    *_required(String, "name"),
    Column("instructor", String, _of_person(), nullable=False),
    *_required(BigInteger, "created_at"),
    # NULL while the class is open.
    Column("closed_at", BigInteger),
    # The digest of the link with which trainees join; NULL if there is none.
    Column("invitation", String),
    Column("invited_until", BigInteger),
    # The exam that is set; NULL before the first one.
    Column("exam", String),
    Column("rulebook", String),
    Column("exam_set_at", BigInteger),
    # The deal mode of the exam; NULL for the rulebook's default mode.
    Column("mode", String),
    UniqueConstraint("invitation", name="classes_invitation_once"),
    CheckConstraint("(exam IS NULL) = (rulebook IS NULL)", name="classes_exam_with_rulebook"),
    Index("classes_by_instructor", "instructor"),
)
"""The classes, each with its instructor, its invitation link and the exam that is set."""

class_members: Final = Table(
    "class_members",
    metadata,
    _key("class", ForeignKey("classes.id", ondelete="CASCADE")),
    _key("person", _of_person()),
    *_required(BigInteger, "joined_at"),
    # The time at which the person erased their progress; NULL if they never did.
    Column("erased_at", BigInteger),
    # The time at which the person left the class; NULL while they are in it.
    Column("left_at", BigInteger),
    # The number of attempts that the person erased.
    Column("erased_attempts", BigInteger, nullable=False, server_default="0"),
    Index("class_members_by_person", "person"),
)
"""The trainees of each class, and the former trainees who made attempts in it."""

class_attempts: Final = Table(
    "class_attempts",
    metadata,
    _key("class"),
    _key("person"),
    Column("attempt", BigInteger, primary_key=True, autoincrement=False),
    *_required(String, "session", "exam", "rulebook", "status"),
    *_required(BigInteger, "started_at"),
    Column("ended_at", BigInteger),
    # The number of the entry with the result in the person's stream; NULL until there is one.
    Column("entry", BigInteger),
    UniqueConstraint("class", "person", "session", name="class_attempts_session_once"),
    ForeignKeyConstraint(
        ["class", "person"], ["class_members.class", "class_members.person"], ondelete="CASCADE"
    ),
)
"""The attempts of trainees at exams. The measures of an attempt are only in the person's own stream."""

revocations: Final = Table("revocations", metadata, *_required(BigInteger, "number"))
"""One row with a number that increases with each revoked role or replaced token. Every server reads it."""
