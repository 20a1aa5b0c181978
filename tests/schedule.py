"""The order of the tests, so that the processes of a run finish at about the same time."""

from __future__ import annotations

import gc
import os
from itertools import groupby

import pytest

LONGEST = (
    "simulated_world/test_world.py::test_no_fault_breaks_a_promise",
    "server/test_failover",
    "server/test_kills",
    "record/test_store_kill",
    "page/test_chairs",
    "page/test_chair_steps",
    "page/test_sizes",
    "play/test_screen.py",
    "page/test_rounds",
    "page/test_replay",
    "test_side_bet_walk",
    "test_docs",
    "page/",
    "exact/",
    "test_twins",
    "record/test_store_once",
    "test_engine_rounds",
    "play/test_screen_more",
    "test_conserved",
    "server/test_sockets",
    "server/test_fuzz",
    "deploy/",
)
"""Tests that start first, so that no process is left with a long one at the end."""


def pytest_sessionstart() -> None:
    """Collect no garbage while tests are imported: almost everything that an import creates stays."""
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order the tests after others have been deselected, because processes get equal numbers of tests."""
    items[:] = in_shares(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


def pytest_collection_finish() -> None:
    """Let the garbage collector skip what was imported, and run less often: tests create objects that live long."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


def in_shares(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """Return the tests in the order in which `--dist worksteal` divides them: one share for each process.

    The files of `LONGEST` are dealt to the shares in turn and come first in each share, followed by as many
    other tests as make the shares equal. A process that has finished its share takes tests from the end of
    another one.
    """
    ranked = [(_rank(item), item) for item in items]
    long = sorted((pair for pair in ranked if pair[0] < len(LONGEST)), key=lambda pair: pair[0])
    rest = [item for rank, item in ranked if rank == len(LONGEST)]
    shares: list[list[pytest.Item]] = [[] for _ in range(processes)]
    for number, (_, unit) in enumerate(groupby(long, _unit)):
        turn, place = divmod(number, processes)
        shares[place if turn % 2 == 0 else processes - 1 - place] += [item for _, item in unit]
    ordered: list[pytest.Item] = []
    for number, share in enumerate(shares):
        size = (len(items) - len(ordered)) // (processes - number)
        missing = max(0, size - len(share))
        ordered += [*share, *rest[:missing]]
        del rest[:missing]
    return ordered


def _rank(item: pytest.Item) -> int:
    place = item.nodeid.removeprefix("tests/")
    return next((n for n, prefix in enumerate(LONGEST) if place.startswith(prefix)), len(LONGEST))


def _unit(pair: tuple[int, pytest.Item]) -> str:
    """Return what one process runs: the tests of a file, or a single test that is listed itself."""
    rank, item = pair
    return item.nodeid if "::" in LONGEST[rank] else str(item.path)
