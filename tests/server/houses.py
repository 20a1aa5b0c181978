"""Real servers on loopback for tests, in this process or in a separate process."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import uvicorn

from houseway.audit.signatures import Signer
from houseway.audit.store import HouseStore
from houseway.audit.store_factory import open_leases
from houseway.client import House, HouseError
from houseway.live.record_files import keep, open_house
from houseway.server.house import HouseServer
from houseway.server.limits import Limits
from houseway.server.solver import Solver
from houseway.server.web_server import configured

GENEROUS = Limits(
    commands=10_000,
    burst=20_000,
    handshakes=10_000,
    openings=10_000,
    expensive_requests=10_000,
    requests=10_000,
    store_seconds=20,
)
"""High limits, for tests that do not test the limits. The database timeout is long because a busy machine
may take seconds to write."""
PATIENCE = 60.0

T = TypeVar("T")


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class NoSolver(Solver):
    """A solver that never starts, so that tests of tables do not wait for kernels to compile."""

    def start(self) -> threading.Thread:
        return threading.current_thread()


def open_shared(db: str) -> tuple[HouseStore, Signer]:
    """Return the store and the signer of a database that several servers share."""
    store, key = open_house(db, shared=True)
    return store, key.signer


class Running:
    """A server that runs in a thread of this process."""

    def __init__(
        self, limits: Limits, db: Path | str | None = None, *, shared: bool = False, **options: Any
    ) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        if shared:
            store, signer = open_shared(str(db))
            options["leases"] = open_leases(str(db), f"127.0.0.1:{self.port}")
        else:
            store, signer = keep(db)
        self.serving = HouseServer(store, signer, limits=limits, **options)
        self.serving.solver = NoSolver()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._open, self.serving.open = self.serving.open, self._opened  # type: ignore[method-assign]
        self._server = uvicorn.Server(configured(self.serving))
        self._listening = socket.create_server(("127.0.0.1", self.port), backlog=2048)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._listening]}, daemon=True
        )

    def start(self) -> None:
        self._thread.start()
        until = time.monotonic() + PATIENCE
        while not self._server.started and time.monotonic() < until:
            time.sleep(0.01)
        assert self._server.started

    async def _opened(self) -> None:
        self._loop = asyncio.get_running_loop()
        await self._open()

    def run(self, steps: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine on the server's event loop and return its result."""
        assert self._loop is not None
        return asyncio.run_coroutine_threadsafe(steps, self._loop).result(PATIENCE)

    @property
    def lines(self) -> int:
        """The number of open connections."""
        return len(self._server.server_state.connections)

    def limit_send_buffers(self, size: int) -> None:
        """Limit what the kernel buffers for each new connection. Otherwise, it buffers megabytes for a slow client."""
        self._listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, size)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENCE)


@contextmanager
def running(limits: Limits = GENEROUS, db: Path | str | None = None, **options: Any) -> Iterator[Running]:
    """Run a server in a thread, without waiting for the solver."""
    house = Running(limits, db, **options)
    house.start()
    try:
        yield house
    finally:
        house.stop()


class Process:
    """A server in a separate process that can be killed."""

    def __init__(self, db: Path | str, *more: str, env: dict[str, str] | None = None) -> None:
        self.db = str(db)
        self._more = more
        self._env = env
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: Any = None
        """The process, with the interface of `subprocess.Popen`."""

    def arguments(self) -> list[str]:
        """Return the arguments of `houseway serve`."""
        return ["--port", str(self.port), "--db", self.db, *self._more]

    def begin(self) -> Any:
        """Start it without waiting."""
        command = [sys.executable, "-m", "houseway", "serve", *self.arguments()]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=self._env)
        return self.process

    def start(self) -> Process:
        """Start it, and wait until it answers."""
        self.begin()
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise AssertionError(self.process.stderr.read() if self.process.stderr else "")
            try:
                House(self.url).ask("GET", "/api/house")
            except HouseError:
                time.sleep(0.05)
            else:
                return self
        raise AssertionError("the house does not answer")

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Stop it with SIGTERM and return its exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        assert self.process is not None
        os.kill(self.process.pid, how)
        code: int = self.process.wait(PATIENCE)
        if self.process.stderr:
            self.process.stderr.close()
        return code
