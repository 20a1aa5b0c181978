"""Queues for expensive requests: one queue per kind of work, so that no kind delays another."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from houseway.server.rulebook_library import refused

WAITING: Final = 32
"""The most requests running or waiting in one queue."""
WAITING_EACH: Final = 8
"""The most requests from one address running or waiting in one queue."""

T = TypeVar("T")


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
