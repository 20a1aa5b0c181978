"""Shared fixture: one PostgreSQL server per test process, started on first use, with its files in memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .servers import Server, need_postgres, server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    need_postgres()
    with server(in_memory=True) as running:
        yield running
