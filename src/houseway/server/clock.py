"""The clock a house waits by."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """Something that will happen, unless it is cancelled."""

    def cancel(self) -> object:
        """Let it not happen."""


class Clock(Protocol):
    """What time it is, and what happens later."""

    def now(self) -> float:
        """Seconds, from anywhere."""

    def later(self, seconds: float, then: Callable[[], None]) -> Timer:
        """Do something in so many seconds."""


class LoopClock:
    """The clock of the running event loop."""

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def later(self, seconds: float, then: Callable[[], None]) -> Timer:
        return asyncio.get_running_loop().call_later(seconds, then)
