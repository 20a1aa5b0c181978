"""Create the first tables."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def key(name: str, kind: Any = sa.String) -> sa.Column[Any]:
    return sa.Column(name, kind, primary_key=True, autoincrement=False)


def filled(kind: Any, *names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, kind, nullable=False) for name in names]


def upgrade() -> None:
    signed = ("chain", "signature", "key")
    op.create_table(
        "streams", key("name"), *filled(sa.BigInteger, "events"), *filled(sa.LargeBinary, *signed)
    )
    op.create_table(
        "entries",
        key("stream"),
        key("seq", sa.BigInteger),
        *filled(sa.BigInteger, "count"),
        sa.Column("key", sa.String),
        *filled(sa.LargeBinary, "public", "sealed", "chain"),
        sa.UniqueConstraint("stream", "key", name="entries_key_once"),
    )
    op.create_table("texts", key("digest"), *filled(sa.String, "text"))
    op.create_table("secrets", key("stream"), key("name"), *filled(sa.LargeBinary, "value"))
    op.create_table(
        "snapshots", key("stream"), key("events", sa.BigInteger), *filled(sa.LargeBinary, *signed, "body")
    )
