"""Add a database table with a row for each open table, to count the tables that a person has open."""

from collections import Counter

import msgspec
import sqlalchemy as sa
from alembic import op

from houseway.audit.handles import folded

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    hosts = op.create_table(
        "table_hosts",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("slot", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("stream", sa.String, nullable=False),
        sa.UniqueConstraint("stream", name="table_hosts_stream_once"),
    )
    connection, slots = op.get_bind(), Counter[str]()
    plans = connection.execute(sa.text("SELECT name, body FROM kept WHERE name LIKE 'table:%'"))
    for name, body in sorted((name, bytes(body)) for name, body in plans):
        try:
            plan = msgspec.json.decode(body)
            closed, person = plan.get("closed"), folded(plan["host"])
        except (msgspec.MsgspecError, UnicodeError, KeyError, TypeError, AttributeError):
            # A table whose plan cannot be read is not counted. When the server starts, it reports this
            # table, and opens the others.
            continue
        if closed is None:
            slots[person] += 1
            row = {"person": person, "slot": slots[person], "stream": name.removeprefix("table:")}
            connection.execute(hosts.insert(), row)
