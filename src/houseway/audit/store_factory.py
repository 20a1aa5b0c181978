"""Open the store at a location: a file, a PostgreSQL address or memory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from houseway.audit.memory_store import MemoryStore
from houseway.audit.store import HouseStore, StoreError

if TYPE_CHECKING:
    from houseway.audit.sql.leases import Leases


def open_leases(where: str, address: str) -> Leases:
    """Return the leases of a shared database. `address` is where the other servers reach this server.

    The leases have database connections of their own, so that slow writes to a record do not delay a
    renewal.
    """
    from houseway.audit.sql.leases import Leases
    from houseway.audit.sql.postgres import PostgresStore

    return Leases(PostgresStore(where, shared=True), address)


def open_store(where: str | Path, *, read_only: bool = False, shared: bool = False) -> HouseStore:
    """Open the store in a file, at `postgresql://…` or in `:memory:`. Raises StoreError if that fails.

    With `shared`, other servers of the house may write at the same time; only PostgreSQL can be shared.
    """
    # Database modules are imported only if they are needed, so that play without a record starts faster.
    if where == ":memory:":
        return MemoryStore()
    scheme, separator, _ = str(where).partition("://")
    if shared and scheme not in ("postgresql", "postgres"):
        raise StoreError(f"servers can share only a PostgreSQL database, not {where}; use postgresql://…")
    if not separator:
        from houseway.audit.sql.sqlite import SqliteStore

        return SqliteStore(where, read_only=read_only)
    if scheme in ("postgresql", "postgres"):
        from houseway.audit.sql.postgres import PostgresStore

        return PostgresStore(str(where), read_only=read_only, shared=shared)
    use = "use a file, postgresql://user@host/database or :memory:"
    raise StoreError(f"{scheme}:// is not supported; {use}")
