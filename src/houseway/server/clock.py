"""The clock a house waits by, and how long it waits for what."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

AWAY: Final = 30.0
"""Seconds a table without a clock waits for somebody who is not there, and any table for a bot."""
AGAIN: Final = 5.0
"""Seconds until a table whose record could not be written tries again."""
ALONE: Final = 300.0
"""Seconds a table waits for somebody who is gone while nobody else plays, and without a clock for somebody
who is there and does not answer while others wait."""
BEFORE_BOTS: Final = 10.0
"""Seconds bots leave somebody who watches to sit down, before they play among themselves."""
BETWEEN: Final = {"brisk": 1.5, "normal": 3.0, "unhurried": 5.0}
"""Seconds between rounds where only bots play."""


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
