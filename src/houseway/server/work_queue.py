"""Queues for expensive requests: one queue per kind of work, so that no kind delays another."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Lock
from time import sleep
from typing import Final, TypeVar

from houseway.server.rulebook_library import refused

WAITING: Final = 32
"""The most requests running or waiting in one queue."""
WAITING_EACH: Final = 8
"""The most requests from one address running or waiting in one queue."""

PAUSE_EVERY: Final = 20
PAUSE: Final = 0.001
"""Seconds."""

T = TypeVar("T")


class Pauses:
    """Pauses a thread for a millisecond at every 20th call, so that live tables have priority."""

    def __init__(self) -> None:
        self._calls = 0

    def __call__(self) -> None:
        self._calls += 1
        if self._calls % PAUSE_EVERY == 0:
            sleep(PAUSE)


class _Collections:
    """Counts the pieces of work for which Python's garbage collector is off."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._users = 0

    def change(self, by: int) -> None:
        with self._lock:
            self._users += by
            (gc.disable if self._users else gc.enable)()


_collections: Final = _Collections()


@contextmanager
def without_collections() -> Iterator[None]:
    """Turn the garbage collector off during work with very many objects.

    A collection visits all of them, and pauses every
    thread while it runs. The objects are freed without it,
    because they do not refer to each other in cycles.
    """
    _collections.change(1)
    try:
        yield
    finally:
        _collections.change(-1)


class WorkQueue:
    """Runs work in its own threads, outside the event loop."""

    def __init__(self, name: str, workers: int = 1) -> None:
        self._name = name
        self._pool = ThreadPoolExecutor(workers, name)
        self.waiting: Counter[str] = Counter()
        """Requests running or waiting, by address."""

    async def do(self, address: str, work: Callable[..., T], *args: object) -> T:
        """Run `work` for an address and return its result; refuse it if the queue is full."""
        if self.waiting[address] >= WAITING_EACH or self.waiting.total() >= WAITING:
            sentence = f"too many requests are waiting for {self._name}; try again in a moment"
            raise refused(429, "too-fast", self._name, sentence)
        self.waiting[address] += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work, *args)
        finally:
            self.waiting -= Counter({address: 1})

    def close(self) -> None:
        """Cancel waiting work. Running work continues; this call does not wait for it."""
        self._pool.shutdown(wait=False, cancel_futures=True)
