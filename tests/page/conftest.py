"""A browser for all tests of the page, and visitors who leave when a test is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from houseway.server.solver import Solver
from page.pages import Visitor, browsing, need_a_browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of one file: while it is open, no other test in this process can run a loop."""
    need_a_browser()
    with browsing() as found:
        yield found


@pytest.fixture(scope="session")
def solver() -> Solver:
    """A solver that is ready."""
    found = Solver()
    found.start().join()
    assert found.ready
    return found


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Visitor]]:
    """Visitors by their handle; at the end none of them has anything to complain of."""
    here: list[Visitor] = []

    def come(url: str, handle: str = "", **given: Any) -> Visitor:
        here.append(Visitor(browser, url, handle, **given))
        return here[-1]

    yield come
    for visitor in here:
        visitor.close()
    for visitor in here:
        visitor.clean()
