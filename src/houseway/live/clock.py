"""The clock a table waits by, and how long it waits for each thing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

AWAY: Final = 30.0
"""Seconds a table without a clock waits for a player who is not connected, and any table for a bot."""
AGAIN: Final = 5.0
"""Seconds until a table retries after its record could not be written."""
ALONE: Final = 300.0
"""Seconds a table waits for a player who is gone while no one else plays, and, without a clock, for a
connected player who does not answer while others wait."""
BEFORE_BOTS: Final = 10.0
"""Seconds bots give a viewer to sit down before they play among themselves."""
BETWEEN: Final = {"brisk": 1.5, "normal": 3.0, "unhurried": 5.0}
"""Seconds between rounds when only bots play, by pace."""


class Timer(Protocol):
    """A callback that will run unless it is cancelled."""

    def cancel(self) -> object:
        """Keep the callback from running."""


class Clock(Protocol):
    """The current time, and callbacks that run later."""

    def now(self) -> float:
        """The time in seconds, from any starting point."""

    def later(self, seconds: float, then: Callable[[], None]) -> Timer:
        """Run a callback in this many seconds."""
