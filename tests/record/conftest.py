"""Shared fixture: one PostgreSQL server per test process, started on first use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .servers import Server, need_postgres, server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    need_postgres()
    with server() as running:
        yield running
