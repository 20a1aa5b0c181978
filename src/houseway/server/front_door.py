"""Limits on every connection, applied between the network and uvicorn.

uvicorn gets the bytes of a connection in small chunks. It gets the next chunk only after it has handled the
last one. A connection that is too slow, or that sends too many control frames, is closed. This module uses
only asyncio's protocol and transport interfaces, so it does not depend on uvicorn's internals.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final, cast
from weakref import ref

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from houseway.server.limits import Bucket, Limits

READ_CHUNK: Final = 1024
"""Bytes of one connection that are processed before other connections get a turn."""
LATE_BYTES: Final = 16 * 1024
"""Bytes a client may still send after the server has closed its socket."""
PART_LIMIT: Final = (10, 100)
"""The limit on frames that are not whole messages (pings, pongs, continuations): frames per
second, and frames in a burst."""
UNLIMITED: Final = ""
"""Stands for the prefix of connections that are not counted by address: from proxies and local sockets."""
PREFIX_BITS: Final = {4: 24, 6: 56}
"""The length of an address prefix by IP version. Clients with the same prefix are counted together."""

Network = IPv4Network | IPv6Network

_current: ContextVar[ref[GuardedConnection]] = ContextVar("connection")
"""The connection of the running request. Timers and tasks that a request starts copy the context and may
outlive the connection, so the reference is weak."""


@dataclass(eq=False)
class FrontDoor:
    """The open connections of a server, counted by address prefix."""

    limits: Limits
    most: int = 20_000
    """The most connections at once, over all addresses."""
    proxies: tuple[Network, ...] = ()
    """Trusted proxies. All players connect through them, so only `most` limits their connections."""
    refused: int = 0
    """Connections that were closed because there were too many."""
    on_refused: Callable[[str], None] = lambda reason: None
    """Called with the reason for each refused connection."""
    _open: Counter[str] = field(default_factory=Counter)

    @property
    def open(self) -> int:
        """The number of open connections."""
        return self._open.total()

    def connect(self, **options: Any) -> GuardedConnection:
        """Return the protocol of a new connection. uvicorn passes the options."""
        return GuardedConnection(self, H11Protocol(**options))

    def prefix_of(self, peer: Any) -> str:
        """Return the prefix under which a client's connections are counted."""
        address = _address(peer)
        if address is None or any(address in proxy for proxy in self.proxies):
            return UNLIMITED
        return str(ip_network((address, PREFIX_BITS[address.version]), strict=False))

    def enter(self, prefix: str) -> bool:
        """Count a new connection; return False if there are too many."""
        crowded = prefix != UNLIMITED and self._open[prefix] >= self.limits.connections
        if crowded or self.open >= self.most:
            self.refused += 1
            self.on_refused("too many from one network" if crowded else "too many")
            return False
        self._open[prefix] += 1
        return True

    def leave(self, prefix: str) -> None:
        """Stop counting a connection."""
        self._open[prefix] -= 1
        if not self._open[prefix]:
            del self._open[prefix]


class GuardedConnection(asyncio.Protocol):
    """One connection. It passes everything on to uvicorn's protocol, within the limits."""

    def __init__(self, door: FrontDoor, protocol: asyncio.Protocol) -> None:
        self._door = door
        self.protocol = protocol
        """uvicorn's protocol: HTTP, or WebSocket after an upgrade."""
        self._transport: asyncio.Transport
        self._loop = asyncio.get_running_loop()
        self._prefix: str | None = None
        self._unread = b""
        """Bytes that have been received but not processed."""
        self._paused = False
        """True while uvicorn accepts no more bytes."""
        self._scheduled = False
        self._deadline: asyncio.TimerHandle | None = None
        self._requests = 0
        """Requests that the application is working on."""
        self._frames: FrameCounter | None = None
        self._parts = Bucket(*PART_LIMIT)
        self._late: int | None = None
        """Bytes received since the server closed the WebSocket; None before that."""

    # --- called by asyncio ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        prefix = self._door.prefix_of(transport.get_extra_info("peername"))
        if not self._door.enter(prefix):
            self._transport.abort()
            return
        self._prefix = prefix
        self.protocol.connection_made(cast("asyncio.Transport", GuardedTransport(self, self._transport)))
        self._expect_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_deadline()
        if self._prefix is not None:
            self._door.leave(self._prefix)
            self.protocol.connection_lost(exc)

    def eof_received(self) -> bool | None:
        return self.protocol.eof_received()

    def pause_writing(self) -> None:
        self.protocol.pause_writing()

    def resume_writing(self) -> None:
        self.protocol.resume_writing()

    def data_received(self, data: bytes) -> None:
        if self._prefix is None:
            return
        self._unread += data
        if not self._requests and self._deadline is None and self._late is None:
            self._expect_request()
        if not self._scheduled:
            self._process_chunk()

    # --- called by uvicorn ---

    def pause_reading(self) -> None:
        """Hold back the next chunk."""
        self._paused = True
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Pass the next chunk on."""
        self._paused = False
        self._schedule()

    def upgrade(self, protocol: asyncio.Protocol) -> None:
        """Switch to the WebSocket protocol."""
        self.protocol = protocol
        self._frames = FrameCounter()

    # --- called by the application ---

    def begin(self) -> None:
        """Note that the application has received a request."""
        self._requests += 1
        self._late = None
        self._cancel_deadline()

    def end(self) -> None:
        """Note that the application has finished a request, or has closed its WebSocket."""
        self._requests -= 1
        if self._frames is not None:
            # The client has a little time to read the last messages.
            self._late = 0
            self._set_deadline(self._door.limits.close_seconds)
        elif not self._requests and self._transport.get_write_buffer_size():
            # The client has not read the whole reply yet. The next request cancels the deadline.
            self._set_deadline(self._door.limits.reply_seconds)
        elif self._unread and not self._requests:
            self._expect_request()

    def abort(self) -> None:
        """Close the connection at once."""
        self._transport.abort()

    # --- chunks ---

    def _process_chunk(self) -> None:
        self._scheduled = False
        if self._paused or not self._unread or self._transport.is_closing():
            return
        chunk, self._unread = self._unread[:READ_CHUNK], self._unread[READ_CHUNK:]
        if self._frames is not None and not self._admit(chunk, self._frames):
            self._transport.abort()
            return
        # Tasks that uvicorn starts inherit the variable.
        _current.set(ref(self))
        try:
            self.protocol.data_received(chunk)
        except h11.ProtocolError:
            # The client broke the protocol after the reply was sent: there is no way to answer.
            self._transport.abort()
            return
        self._schedule()

    def _schedule(self) -> None:
        """Process the next chunk after other connections have had a turn. If there is none, read more."""
        if self._transport.is_closing():
            return
        if self._unread:
            self._transport.pause_reading()
            if not self._scheduled and not self._paused:
                self._scheduled = True
                self._loop.call_soon(self._process_chunk)
        elif not self._paused:
            self._transport.resume_reading()

    def _admit(self, chunk: bytes, frames: FrameCounter) -> bool:
        """Return False if a WebSocket sends too many pings, pongs or fragments, or too many bytes after the
        server closed it."""
        if self._late is not None:
            self._late += len(chunk)
            if self._late > LATE_BYTES:
                return False
        return all(self._parts.take() for _ in range(frames.count_parts(chunk)))

    # --- deadlines ---

    def _expect_request(self) -> None:
        """Close the connection unless a whole request arrives in time."""
        self._set_deadline(self._door.limits.request_seconds)

    def _set_deadline(self, seconds: float) -> None:
        self._cancel_deadline()
        self._deadline = self._loop.call_later(seconds, self._transport.abort)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class GuardedTransport:
    """The transport that uvicorn uses. Reading and upgrades go through the guarded connection; everything
    else goes to the real transport."""

    def __init__(self, connection: GuardedConnection, transport: asyncio.Transport) -> None:
        self._connection = connection
        self._transport = transport
        self.pause_reading = connection.pause_reading
        self.resume_reading = connection.resume_reading
        self.set_protocol = connection.upgrade

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self._connection.protocol

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class FrameCounter:
    """Counts the WebSocket frames that are not whole messages. It reads only headers (RFC 6455, 5.2)."""

    def __init__(self) -> None:
        self._header = b""
        self._skip = 0
        """Bytes of the current frame that are still to come."""

    def count_parts(self, data: bytes) -> int:
        """Return how many pings, pongs and fragments start in the next bytes of the stream."""
        parts, at = 0, 0
        while at < len(data):
            if self._skip:
                step = min(self._skip, len(data) - at)
                self._skip -= step
                at += step
                continue
            self._header += data[at : at + 1]
            at += 1
            size = _payload_size(self._header)
            if size is None:
                continue
            first, masked = self._header[0], self._header[1] >> 7
            final, opcode = first >> 7, first & 0x0F
            parts += not (final and opcode in (1, 2))
            self._header, self._skip = b"", size + 4 * masked
        return parts


def _payload_size(header: bytes) -> int | None:
    """Return the size of a frame's payload, or None if the header is incomplete."""
    if len(header) < 2:
        return None
    short = header[1] & 0x7F
    extra = {126: 2, 127: 8}.get(short, 0)
    if len(header) < 2 + extra:
        return None
    return int.from_bytes(header[2 : 2 + extra]) if extra else short


def _address(peer: Any) -> IPv4Address | IPv6Address | None:
    """Return a client's IP address, or None if the client has none."""
    try:
        address = ip_address(peer[0].partition("%")[0])
    except (TypeError, ValueError, IndexError, AttributeError):
        return None
    return getattr(address, "ipv4_mapped", None) or address


@contextmanager
def request_under_way() -> Iterator[GuardedConnection | None]:
    """Mark the connection of the running request as busy until the request ends."""
    current = _current.get(None)
    connection = current() if current is not None else None
    if connection is None:
        # A test is calling the application without a server.
        yield None
        return
    connection.begin()
    try:
        yield connection
    finally:
        connection.end()
