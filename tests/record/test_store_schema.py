"""The schema and its migrations are the same on both databases, and each migration is atomic."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Integer, MetaData, Table, inspect

from houseway.audit.sql import migrate
from houseway.audit.sql.class_rows import ChosenExam, ClassRow
from houseway.audit.sql.sql_store import SqlStore
from houseway.audit.store import Head, StoreError
from houseway.audit.store_factory import open_store

from .batches import batch
from .places import DATABASES, Place
from .tables import metadata

START = Head.first("t")


@pytest.fixture(params=DATABASES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    location = Place.new(request.param, tmp_path, request)
    yield location
    location.close()


def differences(store: object, tables: MetaData) -> list[object]:
    assert isinstance(store, SqlStore)
    context = MigrationContext.configure(
        store._writing(), opts={"version_table": migrate.VERSIONS, "compare_server_default": True}
    )
    return list(compare_metadata(context, tables))


def test_the_migrations_create_the_tables_of_the_schema(place: Place) -> None:
    store = place.open()
    assert differences(store, metadata) == []
    # The comparison does detect a missing table.
    more = MetaData()
    for table in metadata.tables.values():
        table.to_metadata(more)
    Table("tips", more, Column("n", Integer))
    assert len(differences(store, more)) == 1


def test_the_version_is_that_of_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(migrate.MIGRATIONS))
    script = ScriptDirectory.from_config(config)
    assert script.get_heads() == [migrate.VERSION]
    # Versions are compared as text.
    assert all(len(one.revision) == 4 and one.revision.isdigit() for one in script.walk_revisions())


ADDED = {
    "0003": ("writer",),
    "0004": ("revocations", "recoveries", "tickets", "invitations", "role_grants", "people"),
    "0005": ("servers", "leases"),
    "0006": ("table_hosts",),
    "0007": ("class_attempts", "class_members", "classes"),
}
"""The tables that each version added."""
COLUMNS = {"0008": (("classes", "mode"), ("class_members", "erased_attempts"))}
"""The columns that each version added."""


def downgrade(store: SqlStore, version: str) -> None:
    """Turn a database into a database of an older version."""
    for table, column in (one for added, columns in COLUMNS.items() if added > version for one in columns):
        store._writing().exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN {column}")
    for table in (
        table for added, tables in reversed(ADDED.items()) if added > version for table in tables
    ):
        store._writing().exec_driver_sql(f"DROP TABLE {table}")
    store._writing().exec_driver_sql(f"UPDATE {migrate.VERSIONS} SET version_num = '{version}'")


STEP = """
from alembic import op
import sqlalchemy as sa

revision, down_revision = "0009", "0008"

def upgrade():
    op.create_table("tips", sa.Column("n", sa.Integer))
    op.add_column("texts", sa.Column("language", sa.String))
    {then}
"""


@pytest.fixture
def next_version(tmp_path: Path) -> Path:
    """Return the path of a new migration in a copy of the migrations folder."""
    folder = tmp_path / "migrations"
    shutil.copytree(migrate.MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder / "versions" / "v0009_tips.py"


def use_next_version(monkeypatch: pytest.MonkeyPatch, step: Path) -> None:
    monkeypatch.setattr(migrate, "MIGRATIONS", step.parents[1])
    monkeypatch.setattr(migrate, "VERSION", "0009")


def test_an_older_record_is_migrated(
    place: Place, next_version: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_store(place.where)) as store:
        store.append("t", START, batch(START, b"one", texts={"d": "text"}))
    next_version.write_text(STEP.format(then=""), encoding="utf-8")
    use_next_version(monkeypatch, next_version)
    with pytest.raises(
        StoreError, match=r"is from an older houseway \(schema 0008, now 0009\); open it once"
    ):
        open_store(place.where, read_only=True)
    with closing(open_store(place.where)) as store:
        assert isinstance(store, SqlStore)
        assert "tips" in inspect(store._writing()).get_table_names()
        assert [entry.public for entry in store.entries("t")] == [b"one"]
        assert store.text("d") == "text"


def test_a_database_of_version_0002_gets_a_writer_generation(place: Place) -> None:
    with closing(open_store(place.where)) as store:
        assert isinstance(store, SqlStore)
        store.append("t", START, done := batch(START, b"one", texts={"d": "text"}))
        store.keep("name", b"value")
        downgrade(store, "0002")
    with closing(open_store(place.where)) as store:
        assert isinstance(store, SqlStore)
        assert differences(store, metadata) == []
        assert store._generation == 1
        assert list(store.entries("t")) == list(done.entries)
        assert (store.text("d"), store.kept()) == ("text", {"name": b"value"})
        store.append("t", done.signed.head, batch(done.signed.head, b"two"))
    with closing(open_store(place.where)) as store:
        assert isinstance(store, SqlStore)
        assert store._generation == 2
        assert len(list(store.entries("t"))) == 2


def test_a_database_of_version_0004_gets_leases(place: Place) -> None:
    with closing(open_store(place.where)) as store:
        assert isinstance(store, SqlStore)
        store.append("t", START, done := batch(START, b"one", texts={"d": "text"}))
        store.keep("name", b"value")
        downgrade(store, "0004")
    with closing(open_store(place.where)) as store:
        assert differences(store, metadata) == []
        assert list(store.entries("t")) == list(done.entries)
        assert (store.text("d"), store.kept()) == ("text", {"name": b"value"})
        store.append("t", done.signed.head, batch(done.signed.head, b"two"))


def test_the_open_tables_of_version_0005_count_for_their_hosts(place: Place) -> None:
    plans = {
        "table:loire-1": b'{"host":"Ann"}',
        "table:tagus-2": b'{"host":"ANN","closed":null}',
        "table:elbe-3": b'{"host":"Ann","closed":{"table":"elbe-3"}}',
        "table:inn-4": b'{"host":"Bob"}',
        "table:oder-5": b"damaged",
    }
    with closing(open_store(place.where)) as store:
        assert isinstance(store, SqlStore)
        for name, body in plans.items():
            store.keep(name, body)
        downgrade(store, "0005")
    with closing(open_store(place.where)) as store:
        assert isinstance(store, SqlStore)
        assert differences(store, metadata) == []
        rows = store._writing().exec_driver_sql("SELECT person, slot, stream FROM table_hosts")
        assert sorted(map(tuple, rows)) == [
            ("ann", 1, "loire-1"),
            ("ann", 2, "tagus-2"),
            ("bob", 1, "inn-4"),
        ]
        assert store.kept() == plans


def test_the_classes_of_version_0007_get_a_mode_and_a_count_of_erased_attempts(place: Place) -> None:
    with closing(open_store(place.where)) as store:
        assert isinstance(store, SqlStore)
        writing = store._writing()
        for name in ("flo", "noor"):
            columns = "name, handle, skeleton, created_at, last_seen_at"
            writing.exec_driver_sql(
                f"INSERT INTO people ({columns}) VALUES ('{name}', '{name}', '{name}', 1, 1)"
            )
        rows = store.class_rows()
        assert rows.create("0123456789ab", "Class", "flo", 1, 5)
        assert rows.set_exam("0123456789ab", ChosenExam("practice", "uth-ma", "device"), 2)
        assert rows.invite("0123456789ab", "digest", 10)
        assert isinstance(rows.join("digest", "noor", 3, 5), ClassRow)
        downgrade(store, "0007")
    with closing(open_store(place.where)) as store:
        assert isinstance(store, SqlStore)
        assert differences(store, metadata) == []
        row = store.class_rows().one("0123456789ab")
        assert row is not None
        assert (row.exam, row.rulebook, row.mode, row.members) == ("practice", "uth-ma", None, 1)
        (member,) = store.class_rows().members("0123456789ab")
        assert (member.handle, member.erased_attempts) == ("noor", 0)


def test_a_failed_migration_changes_nothing(
    place: Place, next_version: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_store(place.where)) as store:
        store.append("t", START, done := batch(START, b"one", texts={"d": "text"}))
    next_version.write_text(STEP.format(then='op.execute("SELECT n FROM nowhere")'), encoding="utf-8")
    with monkeypatch.context() as patch:
        use_next_version(patch, next_version)
        with pytest.raises(StoreError, match="nowhere"):
            open_store(place.where)
    again = place.open()
    assert differences(again, metadata) == []
    assert list(again.entries("t")) == list(done.entries)
    assert again.text("d") == "text"
