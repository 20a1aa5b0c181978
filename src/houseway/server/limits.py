"""The limits on one client and on the database: rates, sizes, counts and times."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from time import monotonic
from typing import Final

import msgspec

ADDRESSES: Final = 4096
"""The most addresses with a bucket in memory; the least recently used bucket is dropped first."""


class Limits(msgspec.Struct, frozen=True):
    """The limits that the server applies to each client, and to its own database."""

    frame: int = 16 * 1024
    """Largest frame and largest request body, in bytes."""
    commands: float = 20
    """Messages per second from one person, over all sockets and requests."""
    burst: int = 40
    between: float = 0.25
    """Seconds between reads from a socket that has sent too many messages. The delay ends when the socket
    pauses."""
    handshakes: float = 10
    """New sockets per second from one address."""
    sockets: int = 20
    """Open sockets per person."""
    requests: float = 100
    """Requests per second from one address."""
    expensive_requests: float = 20
    """Expensive requests (solver, records) per second from one address."""
    openings: float = 0.2
    """New handles per second from one address, with bursts of up to 20. The same limit applies to new
    tables."""
    first_frame: float = 10
    """Seconds for a new socket to send its ticket."""
    connections: int = 512
    """Open connections from one address prefix (`front_door.PREFIX_BITS` has its length)."""
    request_head: int = 16 * 1024
    """The most bytes in a request line and its headers."""
    headers: int = 100
    """The most headers in a request."""
    address: int = 2048
    """The longest path and query of a request, in bytes."""
    request_seconds: float = 10
    """Seconds for the head of a request to arrive, and as many again for its body."""
    reply_seconds: float = 30
    """Seconds for a client to read each part of a reply."""
    close_seconds: float = 5
    """Seconds for a client to read the last messages of a WebSocket before the connection is aborted."""
    store_seconds: float = 2
    """Seconds for the database to answer, before a command is refused and its table waits."""
    load_seconds: float = 60
    """Seconds for reading the record of a whole table."""
    tables: int = 20
    """The most tables that one person may have open."""
    waiting: int = 256
    """Unread messages that may be queued for a slow client."""
    patience: int = 100
    """The socket is closed after this many messages that were too fast or malformed."""


class Bucket:
    """A token bucket: `rate` tokens per second, with bursts of up to `burst`."""

    __slots__ = ("_at", "_burst", "_clock", "_left", "_rate")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left, self._at = burst, clock()

    def take(self) -> bool:
        """Take one token; return False if none is left."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """A token bucket per address; the least recently used buckets are dropped."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._bucket = lru_cache(ADDRESSES)(lambda address: Bucket(rate, burst, clock))

    def take(self, address: str) -> bool:
        """Take one token for an address; return False if none is left."""
        return self._bucket(address).take()
