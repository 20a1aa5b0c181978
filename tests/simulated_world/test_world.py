"""The server survives a hostile world in simulation, and every run can be repeated from its seed alone."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import NoReturn

import pytest

from samples import sample
from simulated_world.faults import KINDS
from simulated_world.simulated_loop import DeadlockError, SimulatedLoop
from simulated_world.world import rounds_of, simulate

PART = 100
"""Seeds per test, so that tests run in parallel; every hundredth seed plays many rounds."""
TWICE = 5
COVERED = (
    "reordered messages", "failing fsync after the commit", "table opened under faults", "views compared",
    "rounds settled again",
)  # fmt: skip
"""Events that must happen in each part, in addition to every fault."""


@pytest.mark.parametrize("part", range(sample("worlds") // PART))
def test_no_fault_breaks_a_promise(part: int) -> None:
    happened: Counter[str] = Counter()
    for seed in range(part * PART, (part + 1) * PART):
        outcome = simulate(seed, rounds_of(seed))
        assert not outcome.violations, f"python -m simulated_world {seed}"
        happened.update(outcome.happened)
    assert not {kind for kind in (*KINDS, *COVERED) if not happened[kind]}


def test_the_same_seed_gives_the_same_record() -> None:
    first = [simulate(seed, 3) for seed in range(TWICE)]
    again = [simulate(seed, 3) for seed in range(TWICE)]
    assert [one.digest for one in first] == [one.digest for one in again]
    assert [one.trace for one in first] == [one.trace for one in again]
    assert len({one.digest for one in first}) == TWICE


def test_another_process_repeats_a_seed() -> None:
    command = [sys.executable, "-m", "simulated_world", "7"]
    options = {"PYTHONHASHSEED": "11"}
    printed = subprocess.run(
        command, cwd=Path(__file__).parent.parent, env=os.environ | options, capture_output=True, text=True
    )
    assert printed.returncode == 0, printed.stderr
    assert printed.stdout.splitlines()[-1] == f"digest {simulate(7, rounds_of(7)).digest}"


def test_a_run_uses_no_real_socket_and_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **options: object) -> NoReturn:
        raise AssertionError("the simulation reached the real world")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert simulate(11, 2).violations == []


def run(steps: object) -> float:
    """Run a coroutine in a simulated loop; return the simulated time at its end."""
    loop = SimulatedLoop()
    try:
        loop.run_until_complete(steps)  # type: ignore[arg-type]
        return loop.time()
    finally:
        loop.close()


def test_the_clock_jumps_to_the_next_timer() -> None:
    async def sleepers() -> list[str]:
        order: list[str] = []

        async def sleep(seconds: float) -> None:
            await asyncio.sleep(seconds)
            order.append(f"{seconds:g}")

        await asyncio.gather(sleep(3600), sleep(5), sleep(86_400))
        assert order == ["5", "3600", "86400"]
        return order

    assert run(sleepers()) == pytest.approx(86_400)


def test_a_world_in_which_everything_waits_is_reported() -> None:
    async def wait() -> None:
        await asyncio.get_running_loop().create_future()

    with pytest.raises(DeadlockError):
        run(wait())


def test_the_loop_opens_no_connection() -> None:
    async def connect() -> None:
        await asyncio.open_connection("127.0.0.1", 9)

    with pytest.raises((OSError, NotImplementedError)):
        run(connect())
