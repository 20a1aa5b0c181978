"""The clock of a table, and how long the table waits for players, bots and retries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

AWAY: Final = 30.0
"""Seconds to wait for a bot and, at a table without a clock, for a player who is not connected."""
AGAIN: Final = 5.0
"""Seconds until a table retries after its record could not be written."""
ALONE: Final = 300.0
"""Seconds to wait for a disconnected player if no other person waits. At a table without a clock, also the
seconds to wait for a connected player while other people wait."""
UNREADY: Final = 60.0
"""Seconds that a player has to bet or to say ready at a table without a clock, while another one waits."""
STALLED: Final = 120.0
"""Seconds until the house voids the round of a stalled table, if no floor person is connected."""
UNATTENDED: Final = 48 * 3600.0
"""Seconds until the house voids a round that waits for a floor person, if none is connected.

Two days, because a player may be waiting for the approval of a payment."""
BEFORE_BOTS: Final = 10.0
"""Seconds that a viewer has to sit down before the bots play among themselves."""
OPENING: Final = 10.0
"""Seconds that players have to open their salts once betting is closed. Their programs open them."""
BETWEEN: Final = {"brisk": 1.5, "normal": 3.0, "unhurried": 5.0}
"""Seconds between rounds when only bots play, by pace."""


class Timer(Protocol):
    """A callback that will run unless it is cancelled."""

    def cancel(self) -> object:
        """Keep the callback from running."""


class Clock(Protocol):
    """The current time, and callbacks that run later."""

    def now(self) -> float:
        """Return the time in seconds, from any starting point."""

    def later(self, seconds: float, then: Callable[[], None]) -> Timer:
        """Run a callback in this many seconds."""
