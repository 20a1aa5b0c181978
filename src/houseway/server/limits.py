"""What one client may ask of the house in a while."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from time import monotonic
from typing import Final

import msgspec

ADDRESSES: Final = 4096
"""How many addresses are remembered at once."""


class Limits(msgspec.Struct, frozen=True):
    """How much a house takes from one client."""

    frame: int = 16 * 1024
    """Bytes of one frame, and of one request's body."""
    commands: float = 20
    """Messages a second from one person, over all sockets and requests."""
    burst: int = 40
    between: float = 0.25
    """Seconds between two messages that are read of a socket that has sent too many, until it is quiet."""
    handshakes: float = 10
    """Sockets a second from one address."""
    sockets: int = 20
    """Sockets one person may have open."""
    requests: float = 100
    """Requests a second from one address."""
    questions: float = 20
    """Requests a second from one address for what takes the house some work."""
    openings: float = 0.2
    """New handles, and new tables, a second from one address; twenty at once."""
    first_frame: float = 10
    """Seconds a socket may stay without a ticket."""
    tables: int = 20
    """Open tables one person may have opened."""
    waiting: int = 256
    """Messages that may wait for a slow reader."""
    patience: int = 100
    """Frames too many or without sense before a socket is closed."""


class Bucket:
    """So many a second, and a few at once."""

    __slots__ = ("_at", "_burst", "_clock", "_left", "_rate")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left, self._at = burst, clock()

    def take(self) -> bool:
        """Take one; False where none is left."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """A bucket for each address, the ones not heard of for longest forgotten first."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._bucket = lru_cache(ADDRESSES)(lambda address: Bucket(rate, burst, clock))

    def take(self, address: str) -> bool:
        """Take one for an address; False where none is left."""
        return self._bucket(address).take()
