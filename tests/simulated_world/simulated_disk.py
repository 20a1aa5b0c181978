"""A simulated disk: it keeps exactly what was committed, and its seed decides when it fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any, cast

from houseway.audit.memory_store import MemoryStore
from houseway.audit.store import Batch, Head, HouseStore, StoreError
from simulated_world.faults import Faults
from simulated_world.simulated_loop import ProcessKilled


class SimulatedDisk:
    """The disk of a house. It survives the processes that write to it."""

    def __init__(self, faults: Faults, rng: Random) -> None:
        self.faults = faults
        self.kept = MemoryStore()
        """Everything that was committed."""
        self._rng = rng
        self.full = False
        """True while nothing more can be written."""
        self.gone = False
        """True while the disk answers no call."""
        self.slow = False
        """True while many calls take seconds."""

    def open(self, kill: Callable[[], None]) -> DiskHandle:
        """Return the disk for a new process; `kill` is called if the process dies while it writes."""
        return DiskHandle(self, kill)

    def delays(self) -> Iterator[tuple[float, float]]:
        """Yield the seconds before each call takes effect, and the seconds until its caller gets the result."""
        rng, faults = self._rng, self.faults
        while True:
            before, after = rng.uniform(0.0005, 0.004), 0.0005
            if self.slow and rng.random() < 0.3:
                faults.note("slow disk")
                before = rng.uniform(0.2, 1.9)
            if faults.happens("call given up before it wrote"):
                before = rng.uniform(2.5, 8)
            elif faults.happens("call given up after it wrote"):
                after = rng.uniform(2.5, 8)
            yield before, after

    def write(self, handle: DiskHandle, commit: Callable[[], None]) -> None:
        """Commit a write, unless a fault prevents it."""
        faults = self.faults
        if self.full:
            faults.note("disk full")
            raise StoreError("the disk is full")
        if faults.happens("crash before a commit"):
            handle.die()
        if faults.happens("failing fsync"):
            # The caller cannot know whether the write reached the disk.
            if self._rng.random() < 0.5:
                commit()
                faults.note("failing fsync after the commit")
            raise StoreError("fsync failed: input/output error")
        commit()
        if faults.happens("crash after a commit"):
            handle.die()


class DiskHandle:
    """The disk as one server process sees it."""

    where = "simulated disk"

    def __init__(self, disk: SimulatedDisk, kill: Callable[[], None]) -> None:
        self._disk = disk
        self._kill = kill
        self._dead = False

    def die(self) -> None:
        """Kill the process at this moment."""
        self._dead = True
        self._kill()
        raise ProcessKilled

    def detach(self) -> None:
        """Cut the process off from the disk."""
        self._dead = True

    def _reach(self) -> MemoryStore:
        if self._dead:
            raise ProcessKilled
        if self._disk.gone:
            self._disk.faults.note("disk gone")
            raise StoreError("the disk does not answer")
        return self._disk.kept

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        kept = self._reach()
        self._disk.write(self, lambda: kept.append(stream, after, batch))

    def keep(self, name: str, body: bytes) -> None:
        kept = self._reach()
        self._disk.write(self, lambda: kept.keep(name, body))

    def check(self) -> None:
        self._reach()
        if self._disk.full:
            raise StoreError("the disk is full")

    def close(self) -> None:
        """Do nothing: the disk stays."""

    def people_rows(self) -> PeopleOnDisk:
        return PeopleOnDisk(self)

    def read_people(self, name: str, *args: Any) -> Any:
        """Return the rows for people that a query finds."""
        self._fail_sometimes()
        return getattr(self._reach().people_rows(), name)(*args)

    def change_people(self, name: str, *args: Any, **options: Any) -> Any:
        """Change the rows for people, and return the result."""
        change, results = getattr(self._reach().people_rows(), name), []
        self._disk.write(self, lambda: results.append(change(*args, **options)))
        return results[0]

    def _fail_sometimes(self) -> None:
        if self._disk.faults.happens("failing read"):
            raise StoreError("the disk cannot be read: input/output error")

    def __getattr__(self, name: str) -> Any:
        def read(*args: Any) -> Any:
            kept = self._reach()
            self._fail_sometimes()
            return getattr(kept, name)(*args)

        return read


class PeopleOnDisk:
    """The rows for people as one server process sees them."""

    READS = ("by_token", "by_name", "everyone", "grants", "invitation", "logged_roles", "revocations")

    def __init__(self, handle: DiskHandle) -> None:
        self._handle = handle

    def __getattr__(self, name: str) -> Any:
        call = self._handle.read_people if name in self.READS else self._handle.change_people
        return partial(call, name)


def as_store(handle: DiskHandle) -> HouseStore:
    """Return a handle as the store that a server takes."""
    return cast("HouseStore", handle)
