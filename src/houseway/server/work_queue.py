"""Those who wait for what takes the house some work: a line for each kind; none holds another up."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from houseway.server.rulebook_library import refused

WAITING: Final = 32
"""Who may wait in a line."""
WAITING_EACH: Final = 8
"""Of those, from one address."""

T = TypeVar("T")


class WorkQueue:
    """Work that is done outside the house's own thread, so many pieces at a time."""

    def __init__(self, does: str, hands: int = 1) -> None:
        self._does = does
        self._hands = ThreadPoolExecutor(hands, does)
        self.waiting: Counter[str] = Counter()
        """By address, the pieces under way and those that wait."""

    async def do(self, address: str, work: Callable[..., T], *given: object) -> T:
        """Have something done for an address; refused where too much waits already."""
        if self.waiting[address] >= WAITING_EACH or self.waiting.total() >= WAITING:
            sentence = f"many wait for {self._does}; try again in a moment"
            raise refused(429, "too-fast", self._does, sentence)
        self.waiting[address] += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._hands, work, *given)
        finally:
            self.waiting -= Counter({address: 1})

    def close(self) -> None:
        """Begin nothing more, and wait for nothing."""
        self._hands.shutdown(wait=False, cancel_futures=True)
