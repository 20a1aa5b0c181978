"""A pytest plug-in that runs only the first case of each test: `pytest -p one_of_each`."""

from __future__ import annotations

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out every case of a test except the first."""
    first = dict(reversed([(item.nodeid.partition("[")[0], item) for item in items]))
    chosen = set(first.values())
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = [item for item in items if item in chosen]
