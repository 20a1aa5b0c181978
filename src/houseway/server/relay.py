"""Passes requests and sockets on to the server that owns their table, if several servers share a database.

Any server accepts any client, so an ordinary load balancer in front of the servers is enough. The owner
checks the client's session or ticket itself. A client whose table is moving gets the code `moving` and
reconnects.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import h11
import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response, StreamingResponse
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from houseway.audit.sql.leases import Lease
from houseway.client.messages import Bye
from houseway.engine.refusals import Refusal
from houseway.live.viewer_messages import encoder
from houseway.server.origins import address_of
from houseway.server.ownership import MOVING, Ownership
from houseway.server.rulebook_library import RefusedError

RELAYED: Final = "x-houseway-relayed"
"""The header that marks a request from another server. Such a request is not passed on again."""
SENT: Final = frozenset({b"accept", b"authorization", b"content-type", b"cookie", b"host", b"origin"})
"""The headers of a client's request that are passed on to the owner."""
RETURNED: Final = frozenset({b"cache-control", b"content-disposition", b"content-type", b"set-cookie"})
"""The headers of the owner's response that are passed on to the client. This server sets the others."""
CONNECTS: Final = 2.0
"""Seconds for another server to accept a connection."""
SOON: Final = 0.5
"""Seconds for a client to take the last message of a socket."""
CHUNK: Final = 64 * 1024
RESTART: Final = 1012
"""The WebSocket close code of a service that restarts."""

T = TypeVar("T")


class _TableName(msgspec.Struct, frozen=True):
    table: str = ""


_table_name: Final = msgspec.json.Decoder(_TableName)


class Relay:
    """The connections of this server to the others."""

    def __init__(self, owned: Ownership, patience: float) -> None:
        self._owned = owned
        self._patience = patience
        """Seconds for a client to read a message. A client that reads more slowly is disconnected, because
        the owner cannot see that its messages are not read."""
        self._waiting: dict[asyncio.Future[None], Lease] = {}
        """A future for each request and socket that is passed on. It is done if the table moves."""
        owned.on_owners.append(self._look)

    async def answer(self, place: str, request: Request) -> Response | None:
        """Return the owner's answer to a request; None if this server must answer it.

        `place` is the part of the request that names the table: path, query or body. Raises RefusedError
        while the table moves.
        """
        table = await self._table(place, request)
        lease = await self._owner(request, table) if table else None
        if isinstance(lease, Refusal):
            raise RefusedError(503, lease)
        if lease is None:
            return None
        body = await request.body()
        try:
            return await self._while_owned(lease, _ask(lease.address, request, body))
        except (OSError, TimeoutError, h11.RemoteProtocolError) as error:
            raise RefusedError(503, MOVING) from error

    async def _table(self, place: str, request: Request) -> str:
        match place:
            case "path":
                return str(request.path_params["table"])
            case "query":
                return request.query_params.get("table", "")
            case "body":
                # A body that cannot be read is refused by the handler.
                with suppress(msgspec.MsgspecError, UnicodeError, RecursionError):
                    return _table_name.decode(await request.body()).table
        return ""

    async def _owner(self, request: HTTPConnection, table: str) -> Lease | Refusal | None:
        """Return the server to which a request for a table is passed on; None if it stays here."""
        if not table.isprintable():
            return None
        lease = await self._owned.locate(table)
        return MOVING if isinstance(lease, Lease) and RELAYED in request.headers else lease

    async def socket(self, websocket: WebSocket, table: str, first: str) -> bool:
        """Let the owner of a table serve a socket; return False if this server owns the table.

        `first` is the message that the client has sent already.
        """
        lease = await self._owner(websocket, table)
        if lease is None:
            return False
        if isinstance(lease, Lease):
            with suppress(OSError, TimeoutError, WebSocketException, RefusedError):
                work = _join(lease.address, websocket, first, self._patience)
                code = await self._while_owned(lease, work)
                async with _last_words():
                    await websocket.close(code)
                return True
        async with _last_words():
            bye = Bye(code=MOVING.code, message=MOVING.message)
            await websocket.send_text(encoder.encode(bye).decode())
            await websocket.close(RESTART)
        return True

    # --- moving tables ---

    def _look(self) -> None:
        """End the requests and sockets of tables that have moved."""
        for moved, lease in self._waiting.items():
            if not moved.done() and not self._is_current(lease):
                moved.set_result(None)

    def _is_current(self, lease: Lease) -> bool:
        now = self._owned.owner(lease.stream)
        return now is not None and now.alive and (now.server, now.fence) == (lease.server, lease.fence)

    async def _while_owned(self, lease: Lease, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of some work with the owner; raise RefusedError if the table moves first."""
        moved: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[moved] = lease
        task = asyncio.create_task(work)
        try:
            await asyncio.wait((task, moved), return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise RefusedError(503, MOVING)
        finally:
            del self._waiting[moved]
            if not task.done():
                task.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await task


def _forwarded(request: HTTPConnection) -> dict[str, str]:
    """Return the headers that describe the client to the owner, as any proxy sends them."""
    scheme = {"ws": "http", "wss": "https"}.get(request.url.scheme, request.url.scheme)
    return {RELAYED: "1", "x-forwarded-for": address_of(request), "x-forwarded-proto": scheme}


# --- requests ---


async def _ask(address: str, request: Request, body: bytes) -> Response:
    """Send a request to another server, and return its response."""
    connection = h11.Connection(h11.CLIENT)
    headers = [(name, value) for name, value in request.headers.raw if name in SENT]
    headers += [(name.encode(), value.encode()) for name, value in _forwarded(request).items()]
    headers += [(b"content-length", str(len(body)).encode()), (b"connection", b"close")]
    target = request.scope["raw_path"] or request.url.path.encode()
    if query := request.scope["query_string"]:
        target += b"?" + query
    messages = (
        h11.Request(method=request.method, target=target, headers=headers),
        h11.Data(data=body),
        h11.EndOfMessage(),
    )
    parts = split_address(address)
    async with asyncio.timeout(CONNECTS):
        reader, writer = await asyncio.open_connection(*parts)
    try:
        writer.write(b"".join(connection.send(message) or b"" for message in messages))
        await writer.drain()
        head = await _next(connection, reader)
        while isinstance(head, h11.InformationalResponse):
            head = await _next(connection, reader)
        if not isinstance(head, h11.Response):
            raise ConnectionError("the server closed the connection")
    except BaseException:
        writer.close()
        raise
    response = StreamingResponse(_content(connection, reader, writer), head.status_code)
    response.raw_headers = [(name, value) for name, value in head.headers if name in RETURNED]
    return response


async def _next(connection: h11.Connection, reader: asyncio.StreamReader) -> Any:
    while (event := connection.next_event()) is h11.NEED_DATA:
        connection.receive_data(await reader.read(CHUNK))
    return event


async def _content(
    connection: h11.Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> AsyncIterator[bytes]:
    try:
        while isinstance(event := await _next(connection, reader), h11.Data):
            yield bytes(event.data)
    finally:
        writer.close()


def split_address(address: str) -> tuple[str, int]:
    """Return the host and the port of an address; raise ValueError if it has none."""
    parts = urlsplit(f"//{address}")
    if not parts.hostname or not parts.port or parts.path or parts.username:
        raise ValueError(f"{address!r} is not HOST:PORT")
    return parts.hostname, parts.port


# --- sockets ---


@asynccontextmanager
async def _connected(address: str, websocket: WebSocket) -> AsyncIterator[ClientConnection]:
    host, port = split_address(address)
    # The owner checks the host and the origin that the client sent.
    named = websocket.headers.get("host", address)
    options: dict[str, Any] = {"origin": websocket.headers.get("origin"), "host": host, "port": port}
    async with connect(
        f"ws://{named}/api/socket",
        additional_headers=_forwarded(websocket),
        open_timeout=CONNECTS,
        close_timeout=1,
        ping_interval=None,
        compression=None,
        max_size=None,
        user_agent_header=None,
        proxy=None,
        **options,
    ) as owner:
        yield owner


@asynccontextmanager
async def _last_words() -> AsyncIterator[None]:
    """Stop after a short time, because a client that does not read takes no last message."""
    with suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
        async with asyncio.timeout(SOON):
            yield


async def _join(address: str, websocket: WebSocket, first: str, patience: float) -> int:
    """Pass messages on in both directions until either side closes, or until the client has not read a
    message for `patience` seconds; return the code to close with.

    Raises ConnectionClosed if the connection to the owner was lost.
    """
    async with _connected(address, websocket) as owner:
        await owner.send(first)
        tasks = (
            asyncio.create_task(_up(websocket, owner)),
            asyncio.create_task(_down(websocket, owner, patience)),
        )
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    code = owner.close_code
    return code if code is not None and 1000 <= code < 1016 and code not in (1005, 1006, 1015) else 1000


async def _up(websocket: WebSocket, owner: ClientConnection) -> None:
    """Pass the client's messages on until the client disconnects."""
    try:
        while True:
            await owner.send(await websocket.receive_text())
    except (WebSocketDisconnect, KeyError, RuntimeError):
        return


async def _down(websocket: WebSocket, owner: ClientConnection, patience: float) -> None:
    """Pass the owner's messages on until the owner closes the socket, or the client does not read."""
    try:
        while True:
            message = await owner.recv()
            async with asyncio.timeout(patience):
                await websocket.send_text(message if isinstance(message, str) else message.decode())
    except TimeoutError:
        return
    except ConnectionClosed as closed:
        if closed.rcvd is None:
            # The owner is gone.
            raise
    except (WebSocketDisconnect, RuntimeError):
        return
