"""Fixtures for page tests: a browser, a solver, and visitors that are closed after each test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from houseway.server.solver import Solver
from page.axe import AXE
from page.pages import Visitor, browsing, need_a_browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Open a browser for one test file: while it is open, no other test in this process can run an event loop."""
    need_a_browser()
    with browsing() as opened_browser:
        yield opened_browser


@pytest.fixture(scope="module")
def axe() -> str:
    """Return the source of axe-core; skip the test without it, or in CI, fail."""
    if not AXE.exists() and os.environ.get("CI") != "true":
        pytest.skip("axe-core is not installed: npm ci")
    return AXE.read_text()


@pytest.fixture(scope="session")
def solver() -> Solver:
    """Return a started solver."""
    started = Solver()
    started.start().join()
    assert started.ready
    return started


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Visitor]]:
    """Return a function that creates visitors; at the end, check that none of them saw an error."""
    visitors: list[Visitor] = []

    def new_visitor(url: str, handle: str = "", **options: Any) -> Visitor:
        visitors.append(Visitor(browser, url, handle, **options))
        return visitors[-1]

    yield new_visitor
    for visitor in visitors:
        visitor.close()
    for visitor in visitors:
        visitor.assert_no_errors()
