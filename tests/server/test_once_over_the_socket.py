"""A wager counts exactly once, however often, however late and over whichever socket it arrives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from random import Random
from typing import Any

import pytest

from houseway.audit.entries import read_entry
from houseway.live import LiveTable
from samples import sample
from server.houses import Running, running
from server.wagering import TwiceError, Wagering

SCHEDULES = sample("socket schedules")
"""The number of schedules for each rulebook."""


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running() as server:
        yield server


@pytest.mark.parametrize("rulebook", ["uth-ma", "uth-sd", "shootout-sd"])
def test_repeated_wagers_count_once(house: Running, rulebook: str) -> None:
    rng = Random(f"once {rulebook}")
    with ExitStack() as sockets:
        wagering = Wagering(house, rng, rulebook, sockets)
        for number in range(SCHEDULES):
            wagering.schedule()
            if number % 40 == 39:
                wagering.play_round()
    entries = map(read_entry, house.serving.store.entries(wagering.table))
    keyed = [entry for entry in entries if "/key " in entry.key]
    # Every acknowledged key is on record once, at the event the answer named.
    assert len({entry.key for entry in keyed}) == len(keyed)
    assert sorted(entry.seq for entry in keyed) == sorted(wagering.answers.values())
    assert len(keyed) > SCHEDULES


def schedules(wagering: Wagering, count: int) -> None:
    for _ in range(count):
        wagering.schedule()


def do_without_keys(self: LiveTable, command: Any, key: str = "", by: str = "") -> Any:
    """Planted fault: ignores keys."""
    return sent(self, command, "", by)


sent = LiveTable.send


def test_a_table_that_ignores_keys_is_detected(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LiveTable, "send", do_without_keys)
    with ExitStack() as sockets:
        wagering = Wagering(house, Random("deaf"), "uth-ma", sockets)
        with pytest.raises(TwiceError):
            schedules(wagering, 50)
