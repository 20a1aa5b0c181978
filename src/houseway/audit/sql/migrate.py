"""Bring a database to the tables this version of houseway knows."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect

from houseway.audit.store import StoreError

VERSION: Final = "0002"
"""The newest migration: what this version of houseway reads and writes."""

VERSIONS: Final = "schema_version"
"""The table that says which migration a database has reached."""

MIGRATIONS: Final = Path(__file__).parent / "migrations"


def upgrade(connection: Connection, reached: str) -> None:
    """Make the tables, or change an older record's into those of today; all of it or nothing, in the
    transaction the caller has begun."""
    if reached == VERSION:
        return
    # Imported for the few openings that need it: it costs more than the rest of the opening.
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    command.upgrade(config, VERSION)


def require(reached: str, name: str) -> None:
    """Refuse a record that cannot be read as it stands."""
    if not reached:
        raise StoreError(f"{name} holds no record yet; open it for writing first")
    if reached != VERSION:
        versions = f"(tables {reached}, now {VERSION})"
        raise StoreError(f"{name} is of an older houseway {versions}; open it once for writing")


def reached_by(connection: Connection, name: str) -> str:
    """Which migration a database has reached, empty where it holds nothing at all; StoreError where it is
    not ours or of a newer houseway."""
    tables = inspect(connection).get_table_names()
    if VERSIONS not in tables:
        if tables:
            some = ", ".join(sorted(tables)[:3])
            raise StoreError(f"{name} is a database of something else (it holds {some}); name another")
        return ""
    reached = connection.exec_driver_sql(f"SELECT version_num FROM {VERSIONS}").scalar() or ""
    if reached > VERSION:
        versions = f"(tables {reached}, known here {VERSION})"
        raise StoreError(f"{name} is of a newer houseway {versions}; update houseway")
    return str(reached)
