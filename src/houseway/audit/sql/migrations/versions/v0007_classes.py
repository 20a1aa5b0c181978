"""Add database tables for classes: their instructors, trainees, exams and attempts.

From this version on, a database may also have personal streams. An older houseway would take them for
tables, so it must not open such a database.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "classes",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column(
            "instructor", sa.String, sa.ForeignKey("people.name", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("closed_at", sa.BigInteger),
        sa.Column("invitation", sa.String),
        sa.Column("invited_until", sa.BigInteger),
        sa.Column("exam", sa.String),
        sa.Column("rulebook", sa.String),
        sa.Column("exam_set_at", sa.BigInteger),
        sa.UniqueConstraint("invitation", name="classes_invitation_once"),
        sa.CheckConstraint("(exam IS NULL) = (rulebook IS NULL)", name="classes_exam_with_rulebook"),
    )
    op.create_index("classes_by_instructor", "classes", ["instructor"])
    op.create_table(
        "class_members",
        sa.Column("class", sa.String, sa.ForeignKey("classes.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("person", sa.String, sa.ForeignKey("people.name", ondelete="CASCADE"), primary_key=True),
        sa.Column("joined_at", sa.BigInteger, nullable=False),
        sa.Column("erased_at", sa.BigInteger),
        sa.Column("left_at", sa.BigInteger),
    )
    op.create_index("class_members_by_person", "class_members", ["person"])
    op.create_table(
        "class_attempts",
        sa.Column("class", sa.String, primary_key=True),
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("attempt", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("session", sa.String, nullable=False),
        sa.Column("exam", sa.String, nullable=False),
        sa.Column("rulebook", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("started_at", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger),
        sa.Column("entry", sa.BigInteger),
        sa.UniqueConstraint("class", "person", "session", name="class_attempts_session_once"),
        sa.ForeignKeyConstraint(
            ["class", "person"], ["class_members.class", "class_members.person"], ondelete="CASCADE"
        ),
    )
