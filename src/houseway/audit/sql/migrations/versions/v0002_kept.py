"""Add a table for values that the server stores by name."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "kept",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
