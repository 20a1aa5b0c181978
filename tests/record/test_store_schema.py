"""The schema and its migrations: the same on both databases, and each step is atomic."""

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

from houseway.audit.sql import migrate, people_tables
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


def test_the_migrations_make_the_tables_of_the_schema(place: Place) -> None:
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
    "0004": tuple(table.name for table in reversed(people_tables.metadata.sorted_tables)),
    "0005": ("servers", "leases"),
}
"""The tables that each version added."""


def downgrade(store: SqlStore, version: str) -> None:
    """Make a database one of an older version."""
    for table in (table for added, tables in ADDED.items() if added > version for table in tables):
        store._writing().exec_driver_sql(f"DROP TABLE {table}")
    store._writing().exec_driver_sql(f"UPDATE {migrate.VERSIONS} SET version_num = '{version}'")


STEP = """
from alembic import op
import sqlalchemy as sa

revision, down_revision = "0006", "0005"

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
    return folder / "versions" / "v0006_tips.py"


def use_next_version(monkeypatch: pytest.MonkeyPatch, step: Path) -> None:
    monkeypatch.setattr(migrate, "MIGRATIONS", step.parents[1])
    monkeypatch.setattr(migrate, "VERSION", "0006")


def test_an_older_record_is_migrated(
    place: Place, next_version: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_store(place.where)) as store:
        store.append("t", START, batch(START, b"one", texts={"d": "text"}))
    next_version.write_text(STEP.format(then=""), encoding="utf-8")
    use_next_version(monkeypatch, next_version)
    with pytest.raises(
        StoreError, match=r"is from an older houseway \(schema 0005, now 0006\); open it once"
    ):
        open_store(place.where, read_only=True)
    with closing(open_store(place.where)) as store:
        assert isinstance(store, SqlStore)
        assert "tips" in inspect(store._writing()).get_table_names()
        assert [entry.public for entry in store.entries("t")] == [b"one"]
        assert store.text("d") == "text"


def test_a_record_of_the_previous_version_gets_a_writer(place: Place) -> None:
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


def test_a_record_of_version_0004_gets_leases(place: Place) -> None:
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
