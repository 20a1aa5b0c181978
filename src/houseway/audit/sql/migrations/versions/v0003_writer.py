"""Add the writer's generation: a number that increases each time another process becomes the writer."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    writer = op.create_table("writer", sa.Column("generation", sa.BigInteger, nullable=False))
    op.bulk_insert(writer, [{"generation": 0}])
