"""Call the application as a web server does, without a network, and collect the errors it logs."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import quote

from starlette.types import ASGIApp

HOST = (b"host", b"127.0.0.1")
Message = MutableMapping[str, Any]


class ErrorCollector(logging.Handler):
    """Collects every logged error and every unhandled exception."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        # A client's mistake does not count: the web server logs it when it closes a socket that sends invalid UTF-8.
        if record.name != "websockets.client" and not record.getMessage().startswith("Invalid UTF-8"):
            self.errors.append(self.format(record))

    def loop(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Handle an exception of the event loop."""
        self.errors.append(repr(context.get("exception") or context))


LOGGERS = ("", "uvicorn", "uvicorn.error", "asyncio", "websockets.server")


@contextmanager
def listening() -> Iterator[ErrorCollector]:
    """Collect every error logged inside the block, in any thread."""
    collected = ErrorCollector()
    for name in LOGGERS:
        logging.getLogger(name).addHandler(collected)
    try:
        yield collected
        gc.collect()
    finally:
        for name in LOGGERS:
            logging.getLogger(name).removeHandler(collected)


class Reply(NamedTuple):
    """The reply to an HTTP request."""

    status: int
    headers: dict[str, str]
    body: bytes


async def http(
    app: ASGIApp,
    method: str,
    path: str,
    *,
    query: str = "",
    token: str = "",
    body: bytes = b"",
    more: Sequence[tuple[bytes, bytes]] = (),
) -> Reply:
    """Send one request; a header in `more` replaces the default one."""
    defaults = {HOST[0]: HOST[1], **({b"authorization": b"Bearer " + token.encode()} if token else {})}
    headers = list((defaults | dict(more)).items())
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
        "path": path, "raw_path": quote(path, errors="surrogatepass").encode(), "root_path": "",
        "query_string": query.encode("utf-8", "surrogatepass"), "headers": headers,
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8000),
    }  # fmt: skip
    sent: list[Message] = []
    body_sent = False

    async def receive() -> Message:
        nonlocal body_sent
        if body_sent:
            # A second call waits for a disconnection, which never happens.
            await asyncio.Event().wait()
        body_sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    pairs = {name.decode(): value.decode("latin1") for name, value in sent[0]["headers"]}
    return Reply(sent[0]["status"], pairs, b"".join(one.get("body", b"") for one in sent[1:]))


async def socket(
    app: ASGIApp, receive: Callable[[], Awaitable[str | bytes | None]], sent: Callable[[str], None]
) -> None:
    """Run one socket from its handshake until it closes. If `receive` returns None, the client disconnects."""
    scope = {
        "type": "websocket", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "ws",
        "path": "/api/socket", "raw_path": b"/api/socket", "root_path": "", "query_string": b"",
        "headers": [HOST], "subprotocols": [], "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8000),
    }  # fmt: skip
    connected = False

    async def next_message() -> Message:
        nonlocal connected
        if not connected:
            connected = True
            return {"type": "websocket.connect"}
        frame = await receive()
        if frame is None:
            return {"type": "websocket.disconnect", "code": 1000}
        return {"type": "websocket.receive", "bytes" if isinstance(frame, bytes) else "text": frame}

    async def send(message: Message) -> None:
        if message["type"] == "websocket.send":
            sent(message["text"])

    await app(scope, next_message, send)
