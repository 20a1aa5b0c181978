"""Protocols that close idle connections and keep one client from starving the others.

A socket is read in small chunks. The next chunk is read after the messages in the last one were handled.
"""

from __future__ import annotations

from typing import Any, Final

from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from houseway.server.limits import Bucket

REQUEST_SECONDS: Final = 10
"""Seconds a new connection has to send a request."""
CLOSE_SECONDS: Final = 5
"""Seconds a client has to read the last messages before its socket is aborted."""
READ_CHUNK: Final = 1024
"""Bytes read from a socket before other sockets are served."""
LATE_BYTES: Final = 16 * 1024
"""Bytes a client may still send after the server has sent a close frame."""
PART_LIMIT: Final = (10, 100)
"""The limit on frames that are not whole messages (pings, pongs, continuations): per second, and burst."""


class TimedConnection(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """An HTTP connection that is closed if no request arrives on it."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.loop.call_later(REQUEST_SECONDS, self._hang_up)

    def _hang_up(self) -> None:
        # An upgraded socket has another protocol by now. Between requests, uvicorn's keep-alive timer runs.
        if self.cycle is None and self.transport.get_protocol() is self:
            self.transport.close()


class ThrottledSocket(WebSocketsSansIOProtocol):
    """A WebSocket that is read in chunks, and aborted soon after the server has closed it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._rest = b""
        """Bytes that were received but not processed. Reading is paused while there are such bytes."""
        self._late_bytes = 0
        self._parts = Bucket(*PART_LIMIT)

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)
            return
        self._rest += data
        if len(self._rest) > READ_CHUNK and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()
        self._process_chunk()

    def _process_chunk(self) -> None:
        """Process one chunk."""
        if self.transport.is_closing() or not self._rest:
            return
        chunk, self._rest = self._rest[:READ_CHUNK], self._rest[READ_CHUNK:]
        if self.close_sent:
            self._late_bytes += len(chunk)
            if self._late_bytes > LATE_BYTES:
                self.transport.abort()
                return
        super().data_received(chunk)
        # After the server has closed, messages are ignored: only the client's close frame matters.
        if self.queue.empty() or self.close_sent:
            self._next_chunk()

    def _next_chunk(self) -> None:
        """Schedule the next chunk after other sockets; resume reading if there is none."""
        if self._rest:
            self.loop.call_soon(self._process_chunk)
        elif self.read_paused and not self.transport.is_closing():
            self.read_paused = False
            self.transport.resume_reading()

    async def receive(self) -> Any:
        """Return the next message; when the queue is empty, process the next chunk."""
        message = await self.queue.get()
        if self.queue.empty():
            self._next_chunk()
        return message

    def handle_ping(self) -> None:
        if self._count_part():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._count_part():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._count_part():
            super().handle_cont(event)

    def _count_part(self) -> bool:
        """Count a frame that is not a whole message; abort the socket if there are too many."""
        if self._parts.take():
            return True
        self.transport.abort()
        return False

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self._next_chunk()
        self.loop.call_later(CLOSE_SECONDS, self.transport.abort)
