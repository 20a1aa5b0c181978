"""Connections as the house takes them: none may stay idle, flood it or hold on to it.

Whatever one client sends, the others have their turn: a socket is read a morsel at a time, the next one
when the house has heard the messages of the last.
"""

from __future__ import annotations

from typing import Any, Final

from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from houseway.server.limits import Bucket

REQUEST_SECONDS: Final = 10
"""Seconds a connection has to bring a request."""
LET_GO: Final = 5
"""Seconds a socket has to read what it was sent last."""
MORSEL: Final = 1024
"""Bytes of a socket that are taken in before the others have a turn."""
LATE: Final = 16 * 1024
"""Bytes a socket may still send after the house has closed it."""
PARTS: Final = (10, 100)
"""Frames that are no whole message a second, and how many at once: pings, pongs and parts of a message."""


class Impatient(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """A connection that is closed where no request comes on it."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.loop.call_later(REQUEST_SECONDS, self._hang_up)

    def _hang_up(self) -> None:
        # A socket has another protocol by then; between two requests the server has a clock of its own.
        if self.cycle is None and self.transport.get_protocol() is self:
            self.transport.close()


class Measured(WebSocketsSansIOProtocol):
    """A socket that is read a morsel at a time, and let go soon after the house has closed it."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._rest = b""
        """What came and was not taken in yet; while there is any, no more is read."""
        self._late = 0
        self._parts = Bucket(*PARTS)

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)
            return
        self._rest += data
        if len(self._rest) > MORSEL and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()
        self._take()

    def _take(self) -> None:
        """Take a morsel in."""
        if self.transport.is_closing() or not self._rest:
            return
        morsel, self._rest = self._rest[:MORSEL], self._rest[MORSEL:]
        if self.close_sent:
            self._late += len(morsel)
            if self._late > LATE:
                self.transport.abort()
                return
        super().data_received(morsel)
        # Once the house has closed it nobody hears it any more, and only its own goodbye is looked for.
        if self.queue.empty() or self.close_sent:
            self._go_on()

    def _go_on(self) -> None:
        """The next morsel, once everybody else had a turn; more is read where there is none."""
        if self._rest:
            self.loop.call_soon(self._take)
        elif self.read_paused and not self.transport.is_closing():
            self.read_paused = False
            self.transport.resume_reading()

    async def receive(self) -> Any:
        """The next message; with the last one heard, more is taken in."""
        message = await self.queue.get()
        if self.queue.empty():
            self._go_on()
        return message

    def handle_ping(self) -> None:
        if self._spent():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._spent():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._spent():
            super().handle_cont(event)

    def _spent(self) -> bool:
        """Count a frame that is no whole message; who sends too many is hung up on."""
        if self._parts.take():
            return True
        self.transport.abort()
        return False

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self._go_on()
        self.loop.call_later(LET_GO, self.transport.abort)
