"""Servers that one process forks, so that starting a server again after each kill is cheap.

`python -m server.forking` reads one JSON list per line. ["serve", FILE, ARGUMENT ...] forks a child that runs
`houseway serve` with its errors in FILE, and prints the child's process id. ["poll", PID] prints the child's
exit code, or null while it runs. A child differs from the command in two ways: the modules are already imported
and the rulebooks loaded, and its solver never starts.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import time
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any

from server.houses import NoSolver, Process

POLL_INTERVAL = 0.005


class Forker:
    """The process that forks the servers of this test process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            cwd=Path(__file__).parents[1],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        atexit.register(self._process.communicate)

    def order(self, *words: object) -> Any:
        """Send an order and return the answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(json.dumps(words) + "\n")
            self._process.stdin.flush()
            return json.loads(self._process.stdout.readline())


forker = cache(Forker)
"""Return the forker, which is started on first use and ends with this process."""


class Child:
    """A forked server, with the part of `subprocess.Popen` that `Process` uses."""

    def __init__(self, errors: Path, arguments: list[str]) -> None:
        errors.touch()
        self.stderr = errors.open(encoding="utf-8")
        self.pid: int = forker().order("serve", str(errors), *arguments)
        self._code: int | None = None

    def poll(self) -> int | None:
        if self._code is None:
            self._code = forker().order("poll", self.pid)
        return self._code

    def wait(self, timeout: float) -> int:
        until = time.monotonic() + timeout
        while (code := self.poll()) is None:
            assert time.monotonic() < until, "the server does not end"
            time.sleep(POLL_INTERVAL)
        return code


class ForkedProcess(Process):
    """A server in a separate process that can be killed and started again cheaply."""

    def begin(self) -> Child:
        self.process = child = Child(Path(self.db).with_suffix(".errors"), self.arguments())
        return child


def serve(errors: str, arguments: list[str]) -> None:
    """Run the command in a child, and exit."""
    from houseway.cli.app import main
    from houseway.server import house

    vars(house)["Solver"] = NoSolver
    quiet = os.open(os.devnull, os.O_RDWR)
    os.dup2(quiet, 0)
    os.dup2(quiet, 1)
    os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    code = 1
    try:
        code = main(["serve", *arguments])
    finally:
        os._exit(code)


def answer(order: list[Any]) -> int | None:
    """Carry out an order."""
    if order[0] == "serve":
        child = os.fork()
        if not child:
            serve(order[1], order[2:])
        return child
    ended, status = os.waitpid(order[1], os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else None


if __name__ == "__main__":
    from houseway.rules.loader import sound_rulebooks

    for module in ("cli.serve", "live.record_files", "server.house", "server.web_server"):
        import_module(f"houseway.{module}")
    sound_rulebooks()
    for line in sys.stdin:
        sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
        sys.stdout.flush()
