"""Open a store by where it is."""

from __future__ import annotations

from pathlib import Path

from houseway.audit.memory_store import MemoryStore
from houseway.audit.store import HouseStore, StoreError


def open_store(where: str | Path, *, read_only: bool = False) -> HouseStore:
    """The store in a file, at `postgresql://…` or in `:memory:`; StoreError where it cannot be opened."""
    # Databases are imported when they are wanted: play that nobody wants kept starts without them.
    if where == ":memory:":
        return MemoryStore()
    scheme, found, _ = str(where).partition("://")
    if not found:
        from houseway.audit.sql.sqlite import SqliteStore

        return SqliteStore(where, read_only=read_only)
    if scheme in ("postgresql", "postgres"):
        from houseway.audit.sql.postgres import PostgresStore

        return PostgresStore(str(where), read_only=read_only)
    raise StoreError(f"no store is {scheme}://; give a file, postgresql://user@host/database or :memory:")
