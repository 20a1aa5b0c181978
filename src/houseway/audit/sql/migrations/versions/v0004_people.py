"""Add database tables for people, roles, invitations, tickets and recovery links.

Before this version, people and unused invitations were values in the table `kept`. They become rows.
Handles, tokens and roles do not change. A record may contain any of these handles, so none of them expires.
"""

import time
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

from houseway.audit.handles import folded, skeleton
from houseway.audit.store import StoreError

revision = "0004"
down_revision = "0003"

DAY = 24 * 3600 * 1000
ROLE_DAYS = 30
INVITATION_DAYS = 7


def key(name: str, *more: Any) -> sa.Column[Any]:
    return sa.Column(name, sa.String, *more, primary_key=True)


def filled(kind: Any, *names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, kind, nullable=False) for name in names]


def of_person() -> sa.ForeignKey:
    return sa.ForeignKey("people.name", ondelete="CASCADE")


def upgrade() -> None:
    people = op.create_table(
        "people",
        key("name"),
        *filled(sa.String, "handle", "skeleton"),
        sa.Column("token", sa.String),
        *filled(sa.BigInteger, "created_at", "last_seen_at"),
        sa.Column("recorded_at", sa.BigInteger),
        sa.UniqueConstraint("skeleton", name="people_look_different"),
        sa.UniqueConstraint("token", name="people_token_once"),
    )
    op.create_index("people_by_last_seen", "people", ["last_seen_at"])
    grants = op.create_table(
        "role_grants",
        key("person", of_person()),
        key("place"),
        key("role"),
        *filled(sa.String, "granted_by"),
        *filled(sa.BigInteger, "granted_at", "expires_at"),
        sa.Column("revoked_by", sa.String),
    )
    invitations = op.create_table(
        "invitations",
        key("digest"),
        *filled(sa.String, "place", "role", "created_by"),
        *filled(sa.BigInteger, "created_at", "expires_at"),
        sa.Column("used_by", sa.String),
    )
    op.create_table(
        "tickets",
        key("digest"),
        sa.Column("person", sa.String, of_person(), nullable=False),
        *filled(sa.String, "place"),
        *filled(sa.BigInteger, "expires_at"),
    )
    op.create_index("tickets_by_person", "tickets", ["person"])
    op.create_table(
        "recoveries",
        key("digest"),
        sa.Column("person", sa.String, of_person(), nullable=False),
        *filled(sa.String, "created_by"),
        *filled(sa.BigInteger, "created_at", "expires_at"),
    )
    op.create_index("recoveries_by_person", "recoveries", ["person"])
    revocations = op.create_table("revocations", *filled(sa.BigInteger, "number"))
    op.bulk_insert(revocations, [{"number": 0}])
    _move(people, grants, invitations)


def _move(people: sa.Table, grants: sa.Table, invitations: sa.Table) -> None:
    """Move people and unused invitations from `kept` into their tables."""
    connection, now = op.get_bind(), int(time.time() * 1000)
    moved = connection.execute(
        sa.text("SELECT name, body FROM kept WHERE name LIKE 'person:%' OR name LIKE 'invitation:%'")
    )
    skeletons: set[str] = set()
    for name, body in sorted((name, bytes(body)) for name, body in moved):
        kind, _, rest = name.partition(":")
        try:
            value = msgspec.json.decode(body)
            if kind == "person":
                person = _person(value, skeletons, now)
                connection.execute(people.insert(), person)
                for grant in _grants(value, person["name"], now):
                    connection.execute(grants.insert(), grant)
            elif not value.get("used", False):
                connection.execute(invitations.insert(), _invitation(value, rest, now))
        except (msgspec.MsgspecError, UnicodeError, KeyError, TypeError, AttributeError) as error:
            raise StoreError(f"the value {name} cannot be read; restore it from a backup") from error
    connection.execute(sa.text("DELETE FROM kept WHERE name LIKE 'person:%' OR name LIKE 'invitation:%'"))


def _person(value: Any, skeletons: set[str], now: int) -> dict[str, Any]:
    handle = value["person"]["handle"]
    name, look = folded(handle), skeleton(handle)
    if look in skeletons:
        # If two older handles look alike, both persons keep their handles.
        look = f"{look}\n{name}"
    skeletons.add(look)
    times = {"created_at": now, "last_seen_at": now, "recorded_at": now}
    return {"name": name, "handle": handle, "skeleton": look, "token": value["digest"] or None, **times}


def _grants(value: Any, name: str, now: int) -> list[dict[str, Any]]:
    by = {"person": name, "granted_by": "", "granted_at": now, "expires_at": now + ROLE_DAYS * DAY}
    roles = value["person"].get("roles", {})
    return [{**by, "place": place, "role": role} for place in roles for role in roles[place]]


def _invitation(value: Any, digest: str, now: int) -> dict[str, Any]:
    times = {"created_at": now, "expires_at": now + INVITATION_DAYS * DAY, "used_by": None}
    return {
        "digest": digest, "place": value["table"], "role": value["role"], "created_by": "", **times,
    }  # fmt: skip
