"""All kinds of stores, for tests that run on each of them."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from houseway.audit.memory_store import MemoryStore
from houseway.audit.sql import sqlite
from houseway.audit.store import Store
from houseway.audit.store_factory import open_store

from .servers import Server

DATABASES = ("sqlite", "old sqlite", "postgres")
""""old sqlite" is Python's own SQLite, treated as a version with an unsafe write-ahead log."""
KINDS = ("memory", *DATABASES)


class Place:
    """The location of a store, which can be opened, opened again, and read while another process writes."""

    def __init__(self, kind: str, where: str) -> None:
        self.kind = kind
        self.where = where
        self._opened: list[Store] = []

    @classmethod
    def new(cls, kind: str, folder: Path, request: pytest.FixtureRequest) -> Place:
        if kind == "memory":
            return cls(kind, ":memory:")
        if kind == "old sqlite":
            patch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
            patch.setattr(sqlite, "library", lambda: sqlite3)
            patch.setattr(sqlite, "SOUND", (99,))
        if kind in ("sqlite", "old sqlite"):
            return cls(kind, str(folder / "record.db"))
        server: Server = request.getfixturevalue("postgres")
        return cls(kind, server.emptied())

    def open(self, *, read_only: bool = False) -> Store:
        store = open_store(self.where, read_only=read_only)
        self._opened.append(store)
        return store

    def reopen(self, store: Store) -> Store:
        """Return the store as a new process would open it. A store in memory is returned as it is."""
        if isinstance(store, MemoryStore):
            return store
        store.close()
        return self.open()

    def close(self) -> None:
        for store in self._opened:
            store.close()
