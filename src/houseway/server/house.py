"""All that a running house holds together: its store, people, tables, solver, and what it has checked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Thread
from typing import Final

from houseway import __version__
from houseway.audit.signatures import Signer
from houseway.audit.store import HouseStore
from houseway.audit.verify import VerificationReport
from houseway.live import TableServices
from houseway.live.background_check import BackgroundCheck
from houseway.live.clock import Clock, Timer
from houseway.live.table_shoes import Maker
from houseway.server.limits import Buckets, Limits
from houseway.server.origins import Gate
from houseway.server.people import People
from houseway.server.replays import Replays
from houseway.server.sockets import Connection
from houseway.server.solver import Solver
from houseway.server.tables import Hall
from houseway.server.work_queue import WorkQueue
from houseway.shoe import Entropy, Kernel, self_test

AT_ONCE: Final = 20
"""Handles, and tables, that may come from one address at once."""


class LoopClock:
    """The clock of the running event loop."""

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def later(self, seconds: float, then: Callable[[], None]) -> Timer:
        return asyncio.get_running_loop().call_later(seconds, then)


class Serving:
    """A house that is open."""

    version = __version__

    def __init__(
        self,
        store: HouseStore,
        signer: Signer,
        *,
        host: str = "127.0.0.1",
        origins: tuple[str, ...] = (),
        limits: Limits | None = None,
        entropy: Entropy | None = None,
        clock: Clock | None = None,
        maker: Callable[[], Maker | None] = lambda: None,
        where: str = "",
    ) -> None:
        self_test()
        self.limits = limits or Limits()
        self.store = store
        self.solver = Solver()
        self.people = People(store)
        self.gate = Gate(self.people, host, origins)
        self.replays = Replays(store)
        self.house = TableServices(store, signer, entropy or Kernel())
        clock, most = clock or LoopClock(), self.limits.tables
        self.hall = Hall(self.house, store, self.people, clock, self.solver, maker, most)
        self.handshakes = Buckets(self.limits.handshakes, 2 * self.limits.handshakes)
        self.introductions = Buckets(self.limits.openings, AT_ONCE)
        self.openings = Buckets(self.limits.openings, AT_ONCE)
        self.commands = Buckets(self.limits.commands, self.limits.burst)
        self.requests = Buckets(self.limits.requests, 2 * self.limits.requests)
        """By address: whatever is asked of the house."""
        self.questions = Buckets(self.limits.questions, self.limits.burst)
        """By address: what takes the house some work to answer, asked by anybody."""
        self.solving, self.proving, self.replaying = (
            WorkQueue("solving"),
            WorkQueue("proving"),
            WorkQueue("replaying", 2),
        )
        self.connections: set[Connection] = set()
        self._where = where
        self._signer = signer
        self._checks: list[BackgroundCheck] = []
        self._closed = False

    def open(self) -> None:
        """Take up the tables on record, and check the rest of their records in the background."""
        self.hall.resume()
        for runner in self.hall.tables.values():
            runner.go_on()
        if self._where:
            key = self._signer.public
            self._checks = [BackgroundCheck(self._where, one, key) for one in self.store.streams()]
            Thread(target=self._check, name="checks", daemon=True).start()

    def _check(self) -> None:
        """One record after the other."""
        for check in self._checks:
            if not self._closed:
                check.start().wait()

    def checks(self) -> dict[str, object]:
        """How far the records on file are checked."""
        done = [check for check in self._checks if check.done]
        faults = filter(None, (check.error or _wrong(check.report) for check in done))
        wrong = [*self.hall.problems, *faults]
        return {"records": len(self._checks), "checked": len(done), "wrong": wrong}

    def sockets(self, handle: str) -> int:
        """How many sockets a person has open."""
        return sum(connection.handle == handle for connection in self.connections)

    def drop(self, handle: str) -> None:
        """Close every socket of a person."""
        for connection in tuple(self.connections):
            if connection.handle == handle:
                connection.drop("no-session", "this session has ended; say who you are again")

    def close(self) -> None:
        """Close all; what was acknowledged is on record."""
        self._closed = True
        self.hall.close()
        for check in self._checks:
            check.stop()
        for line in (self.solving, self.proving, self.replaying):
            line.close()
        self.store.close()


def _wrong(report: VerificationReport | None) -> str:
    """The first fault of a record, in words."""
    return f"{report.stream}: {report.faults[0]}" if report is not None and report.faults else ""
