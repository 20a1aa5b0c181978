"""A simulated network between clients and the application: messages take time, and connections fail."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, MutableMapping
from contextvars import Context
from random import Random
from typing import Any

from simulated_world.faults import Faults
from simulated_world.simulated_loop import SimulatedLoop

Message = MutableMapping[str, Any]
Sent = Callable[[str], None]

WINDOW = 48
"""The most messages on their way to a client; then the server has to wait."""
SCOPE: Message = {
    "type": "websocket", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "ws",
    "path": "/api/socket", "raw_path": b"/api/socket", "root_path": "", "query_string": b"",
    "headers": [(b"host", b"127.0.0.1")], "subprotocols": [], "server": ("127.0.0.1", 8000),
}  # fmt: skip


class DisconnectedError(Exception):
    """The client has no connection to the server."""


class Arrivals:
    """Counts messages that overtake messages of other connections."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._sent = self._latest = 0

    def sent(self) -> int:
        """Return the number of a message that is sent now."""
        self._sent += 1
        return self._sent

    def arrived(self, number: int) -> None:
        """Note that a message arrives."""
        if number < self._latest:
            self._faults.happened["reordered messages"] += not self._faults.stopped
        self._latest = max(self._latest, number)


class Pipe:
    """One direction of a connection. Messages arrive in order, each after its own delay."""

    def __init__(
        self, loop: SimulatedLoop, faults: Faults, rng: Random, arrivals: Arrivals | None = None
    ) -> None:
        self._loop = loop
        self._arrivals = arrivals or Arrivals(faults)
        self._faults = faults
        self._rng = rng
        self._last = 0.0
        self._moving: deque[tuple[int, str]] = deque()
        self._arrived: deque[str] = deque()
        self._changed = asyncio.Event()
        self.closed = False
        """True once the reader knows that no more messages come."""

    def send(self, text: str) -> None:
        """Send a message."""
        delay = self._rng.uniform(0.001, 0.05)
        if self._faults.happens("delayed message", self._rng):
            delay += self._rng.uniform(0.5, 6)
        self._last = max(self._last, self._loop.time() + delay)
        self._moving.append((self._arrivals.sent(), text))
        self._loop.call_at(self._last, self._arrive, context=Context())

    def _arrive(self) -> None:
        # Timers of the same moment run in any order, but messages must arrive in the order they were sent.
        number, text = self._moving.popleft()
        self._arrivals.arrived(number)
        if not self.closed:
            self._arrived.append(text)
            self._changed.set()

    def close(self, seconds: float = 0.0) -> None:
        """Let the reader notice in this many seconds that the connection has ended."""
        self._loop.call_later(seconds, self._close, context=Context())

    def finish(self) -> None:
        """End the connection after the messages that were sent."""
        self._loop.call_at(max(self._last, self._loop.time()) + 0.001, self._close, context=Context())

    def _close(self) -> None:
        self.closed = True
        self._changed.set()

    @property
    def unread(self) -> int:
        """The number of messages that were sent and not read yet."""
        return len(self._moving) + len(self._arrived)

    async def receive(self) -> str | None:
        """Return the next message; None after the end of the connection."""
        while not self._arrived and not self.closed:
            self._changed.clear()
            await self._changed.wait()
        if not self._arrived:
            return None
        return self._arrived.popleft()


class SimulatedSocket:
    """A WebSocket between a client and the application, with both of its ends."""

    def __init__(
        self, loop: SimulatedLoop, faults: Faults, seed: str, arrivals: Arrivals, on_send: Sent
    ) -> None:
        self._loop = loop
        self._faults = faults
        self._rng = Random(seed)
        self._up = Pipe(loop, faults, Random(f"{seed}/up"), arrivals)
        self._down = Pipe(loop, faults, Random(f"{seed}/down"))
        self._on_send = on_send
        """Called with each message at the moment when the server sends it."""
        self._connected = False
        self._cut = False
        self._room = asyncio.Event()

    # --- the client's end ---

    def send(self, text: str) -> None:
        """Send a message to the server."""
        if self._cut or self._down.closed:
            raise DisconnectedError
        if self._faults.happens("message lost with its connection", self._rng):
            self.cut()
            raise DisconnectedError
        self._up.send(text)

    async def receive(self) -> str:
        """Return the next message from the server."""
        text = await self._down.receive()
        self._room.set()
        if text is None:
            raise DisconnectedError
        return text

    @property
    def open(self) -> bool:
        """True while the client believes that the connection works."""
        return not (self._cut or self._down.closed)

    def hang_up(self) -> None:
        """Close the connection as a client does; the server notices soon."""
        if not self._cut:
            self._cut = True
            self._down.close()
            self._up.close(self._rng.uniform(0, 0.2))
            self._room.set()

    def cut(self) -> None:
        """Break the connection; each end notices at its own time, and messages on their way are lost."""
        if not self._cut:
            self._cut = True
            self._down.close(self._rng.uniform(0, 2))
            self._up.close(self._rng.choice((0.0, 1.0, 20.0)))
            self._room.set()

    # --- the server's end: an ASGI connection ---

    def scope(self, address: str) -> Message:
        """Return the description of the connection for the application."""
        return {**SCOPE, "client": (address, 1)}

    async def to_server(self) -> Message:
        """Return the next message as the application receives it."""
        if not self._connected:
            self._connected = True
            return {"type": "websocket.connect"}
        text = await self._up.receive()
        if text is None:
            return {"type": "websocket.disconnect", "code": 1006}
        return {"type": "websocket.receive", "text": text}

    async def from_server(self, message: Message) -> None:
        """Take a message of the application."""
        if message["type"] == "websocket.close":
            self._cut = True
            self._down.finish()
        if message["type"] != "websocket.send":
            return
        while self._down.unread >= WINDOW and not self._cut:
            self._room.clear()
            await self._room.wait()
        if self._up.closed:
            raise OSError("the client has disconnected")
        self._on_send(message["text"])
        if self._cut:
            return
        if self._faults.happens("message lost with its connection", self._rng):
            self.cut()
            return
        self._down.send(message["text"])
