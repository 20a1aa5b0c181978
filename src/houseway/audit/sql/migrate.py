"""Upgrade a database to the schema of this version of houseway."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect

from houseway.audit.store import StoreError

VERSION: Final = "0008"
"""The newest migration. This version of houseway reads and writes its schema."""

VERSIONS: Final = "schema_version"
"""The database table with the migration that the database has reached."""

MIGRATIONS: Final = Path(__file__).parent / "migrations"


def upgrade(connection: Connection, reached: str) -> None:
    """Create the database tables, or upgrade older ones, in the transaction that the caller has begun."""
    if reached == VERSION:
        return
    # Imported only if it is needed, because the import takes longer than opening the database.
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    command.upgrade(config, VERSION)


def require(reached: str, name: str) -> None:
    """Raise StoreError if a database must be created or upgraded before it can be read."""
    if not reached:
        raise StoreError(f"{name} has no record yet; open it for writing first")
    if reached != VERSION:
        versions = f"(schema {reached}, now {VERSION})"
        raise StoreError(f"{name} is from an older houseway {versions}; open it once for writing")


def reached_migration(connection: Connection, name: str) -> str:
    """Return the migration that a database has reached, or an empty string if the database is empty.

    Raises StoreError if the database is not houseway's, or is from a newer houseway.
    """
    tables = inspect(connection).get_table_names()
    if VERSIONS not in tables:
        if tables:
            some = ", ".join(sorted(tables)[:3])
            raise StoreError(f"{name} is not a houseway database (it has {some}); choose another")
        return ""
    reached = connection.exec_driver_sql(f"SELECT version_num FROM {VERSIONS}").scalar() or ""
    if reached > VERSION:
        versions = f"(schema {reached}; this version supports up to {VERSION})"
        raise StoreError(f"{name} is from a newer houseway {versions}; update houseway")
    return str(reached)
