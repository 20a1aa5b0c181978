"""What the tests of the record share: a PostgreSQL server for each test process, begun when first asked for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .servers import Server, need_postgres, server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    need_postgres()
    with server() as running:
        yield running
