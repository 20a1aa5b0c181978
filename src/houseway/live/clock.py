"""The clock of a table, and how long the table waits for people, bots and retries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

import msgspec

AGAIN: Final = 5.0
"""Seconds until a table retries after its record could not be written."""
BEFORE_BOTS: Final = 10.0
"""Seconds that the bots wait for a viewer to sit down before they play among themselves."""
BETWEEN: Final = {"brisk": 1.5, "normal": 3.0, "unhurried": 5.0}
"""Seconds between rounds when only bots play, by pace."""


class Patience(msgspec.Struct, frozen=True):
    """How long the tables of a house wait for people. `houseway serve` has an option for each value."""

    away: float = 30.0
    """Seconds to wait for a bot and, at a table without a clock, for a player who is not connected. The
    table waits four times as long for a dealer or a floor supervisor who is not connected."""
    decision: float = 300.0
    """Seconds to wait for a connected player at a table without a clock, while other people wait. Also the
    seconds to wait for a disconnected player if no other person waits."""
    ready: float = 60.0
    """Seconds that a player may take to bet or to say ready at a table without a clock, while another
    player waits."""
    opening: float = 10.0
    """Seconds that players' programs may take to open the salts once betting is closed."""
    stalled: float = 120.0
    """Seconds until the house voids the round of a stalled table, if no floor supervisor is connected."""
    unattended: float = 48 * 3600.0
    """Seconds until the house voids a round that waits for a floor supervisor, if none is connected.

    Two days, because a player may be waiting for the approval of a payment."""
    rounds_away: int = 3
    """Rounds for which a seat is held for a player who is not connected."""
    rounds_idle: int = 3
    """Rounds in a row in which a connected player may let the time for betting run out. After that, the
    player is removed if no floor supervisor is connected."""

    @property
    def absent_staff(self) -> float:
        """Seconds to wait for a dealer or a floor supervisor who is not connected."""
        return 4 * self.away


DEFAULT_PATIENCE: Final = Patience()


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
