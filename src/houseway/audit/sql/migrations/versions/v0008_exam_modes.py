"""Add the deal mode of a class's exam, and the number of attempts that a trainee erased."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("classes", sa.Column("mode", sa.String))
    op.add_column(
        "class_members", sa.Column("erased_attempts", sa.BigInteger, nullable=False, server_default="0")
    )
