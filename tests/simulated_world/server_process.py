"""A server process in a simulated world: the real house, with simulated threads, clock and random bytes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from random import Random

from starlette.applications import Starlette

from houseway.audit.store import StoreError
from houseway.server.app import application
from houseway.server.house import HouseServer, LoopClock
from houseway.server.store_threads import WORKERS
from record.recorded import SIGNER
from simulated_world.simulated_disk import DiskHandle, SimulatedDisk, as_store
from simulated_world.simulated_loop import SimulatedLoop, SimulatedThreads, in_process
from simulated_world.simulated_network import SimulatedSocket

MILLISECOND = 1000
DAY = 86_400 * MILLISECOND
NOTICED = 25.0
"""Simulated seconds after which the server has noticed every broken connection."""


class WallClock:
    """The time of day of the machine, which jumps when it is set."""

    def __init__(self, loop: SimulatedLoop) -> None:
        self._loop = loop
        self._ahead = 12 * 3600.0

    def jump(self, seconds: float) -> None:
        """Set the clock forward or back."""
        self._ahead += seconds

    def now(self) -> str:
        """Return the time as a record has it."""
        at = int((self._loop.time() + self._ahead) * MILLISECOND) + 15 * DAY
        day, rest = divmod(at, DAY)
        minutes, milliseconds = divmod(rest, 60 * MILLISECOND)
        hours, minutes = divmod(minutes, 60)
        seconds, milliseconds = divmod(milliseconds, MILLISECOND)
        return f"2026-11-{day:02d}T{hours:02d}:{minutes:02d}:{seconds:02d}.{milliseconds:03d}Z"


class SimulatedEntropy:
    """Random bytes from a seed. A table treats them as secret, so players commit to salts."""

    live = True

    def __init__(self, seed: str) -> None:
        self._rng = Random(seed)

    def draw(self, count: int) -> bytes:
        return self._rng.randbytes(count)

    def named(self, name: str) -> SimulatedEntropy:
        return self


class _Unsolved:
    """Stands for the solver, which no simulated client uses."""

    ready = False
    sentence = ""


class ServerProcess:
    """One process of the server, from its start until it is killed or closed."""

    def __init__(
        self, loop: SimulatedLoop, disk: SimulatedDisk, wall: WallClock, seed: str, number: int,
        on_killed: Callable[[], None],
    ) -> None:  # fmt: skip
        self.number = number
        self.sockets: list[SimulatedSocket] = []
        self.alive = True
        self.app: Starlette | None = None
        """The application, once the process has started."""
        self._loop = loop
        self._disk = disk
        self._wall = wall
        self._seed = f"{seed}/process {number}"
        self._on_killed = on_killed
        self._handle: DiskHandle = disk.open(self._killed)
        self.house: HouseServer

    async def start(self) -> bool:
        """Open the house; return False if the process cannot start, because the disk fails."""
        start = self._loop.create_task(self._open(), context=in_process(self.number))
        while not start.done() and self.alive:
            await asyncio.wait((start,), timeout=1)
        return self.alive and start.result()

    async def _open(self) -> bool:
        disk = self._disk
        entropy = SimulatedEntropy(self._seed)
        try:
            house = self.house = HouseServer(
                as_store(self._handle),
                SIGNER,
                clock=LoopClock(),
                wall_clock=self._wall.now,
                entropy=entropy,
            )
            house.threads._pool = SimulatedThreads(self._loop, WORKERS, disk.delays())  # type: ignore[assignment]
            house.health._thread = SimulatedThreads(self._loop, 1, disk.delays())  # type: ignore[assignment]
            house.solver = house.hall._solver = _Unsolved()  # type: ignore[assignment]
            await house.open()
        except StoreError:
            return False
        self.app = application(house)
        return True

    def _killed(self) -> None:
        """Note that the process died while it used the disk."""
        if self.alive:
            self.alive = False
            self._loop.silence(self.number)
            self._on_killed()

    async def kill(self) -> bool:
        """End the process at once. Only the data on disk is left."""
        self.alive = False
        self._handle.detach()
        for socket in self.sockets:
            socket.cut()
        return await self._loop.end_process(self.number)

    async def close(self) -> list[str]:
        """Close the house in order; return a sentence for each task that is left."""
        for socket in self.sockets:
            socket.hang_up()
        await asyncio.sleep(NOTICED)
        close = self._loop.create_task(self.house.close(), context=in_process(self.number))
        await asyncio.wait((close,))
        close.result()
        await asyncio.sleep(1)
        with suppress(asyncio.InvalidStateError):
            left = [repr(task) for task in self._loop.tasks_of(self.number)]
        self.alive = False
        return left
