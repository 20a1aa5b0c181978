"""Add database tables for the servers that share a database, and for the lease of each table."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "servers",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("address", sa.String, nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("stream", sa.String, primary_key=True),
        sa.Column("server", sa.String, nullable=False),
        sa.Column("fence", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.Column("card", sa.LargeBinary),
    )
