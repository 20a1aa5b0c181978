"""The ASGI application: routes, the socket, the page, and the headers of every response."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route as Mounted
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from houseway.audit.store import StoreError
from houseway.engine.refusals import Refused
from houseway.live.runner import RECORD_UNAVAILABLE
from houseway.live.viewer_messages import encoder
from houseway.server import (  # noqa: F401 (they add their routes)
    class_routes,
    drill_routes,
    find_routes,
    learn_routes,
    practice_routes,
    progress_routes,
    review_routes,
    training_routes,
)
from houseway.server.api_description import asyncapi, openapi
from houseway.server.front_door import GuardedConnection, request_under_way
from houseway.server.house import HouseServer
from houseway.server.origins import address_of
from houseway.server.probes import alive, ready
from houseway.server.routes import JSON, ROUTES, Route
from houseway.server.rulebook_library import RefusedError, refused
from houseway.server.sockets import Connection
from houseway.server.web_files import HEADERS, SECURE_HEADERS, file_response

PAGES: Final = (
    "/", "/join/{invitation}", "/recover/{recovery}", "/table/{table}", "/table/{table}/round/{round:int}",
    "/lab", "/rulebooks", "/rulebooks/{rulebook}", "/rulebooks/{rulebook}/card", "/record",
    "/chair", "/chair/table/{session}", "/chair/drills", "/chair/score/{session}", "/chair/find",
    "/chair/classes", "/chair/classes/{group}",
    "/school/play", "/school/review", "/school/review/{round}", "/school/review/{table}/{number:int}",
    "/school", "/school/learn", "/school/practice", "/school/daily", "/school/position/{link}",
)  # fmt: skip
"""The addresses of the page's rooms (its screens). A test compares them with the page's own list."""
UPLOADS: Final = {(route.method, route.path): route.most_bytes for route in ROUTES if route.most_bytes}
"""The routes that accept large files, each with the largest size of its body in bytes."""
TOO_FAST: Final = 429
DIGITS: Final = 12
"""A content-length header with more digits than this counts as too long."""


def application(house: HouseServer) -> Starlette:
    """Return the server as an ASGI application."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await house.open()
        house.solver.start()
        yield
        await house.close()

    async def socket(websocket: WebSocket) -> None:
        known = house.gate.knows_host(websocket) and house.gate.knows_origin(websocket)
        if not known or not house.handshakes.take(address_of(websocket)):
            house.metrics.refuse_connection("too fast" if known else "unknown host or origin")
            await websocket.close(1008)
            return
        await websocket.accept()
        connection = Connection(
            websocket,
            house.hall,
            house.limits,
            house.commands,
            house.sockets,
            house.metrics,
            house.relay,
        )
        house.connections.add(connection)
        try:
            await connection.run()
        finally:
            house.connections.discard(connection)

    async def page(request: Request) -> Response:
        return file_response(request, "index.html")

    async def no_page(request: Request) -> Response:
        """Answer an unknown address with status 404 and the page, which shows a notice."""
        response = file_response(request, "index.html")
        response.status_code = 404
        return response

    async def web(request: Request) -> Response:
        return file_response(request, request.path_params["path"])

    async def description(request: Request) -> Response:
        describe = openapi if request.url.path.endswith("openapi.json") else asyncapi
        return Response(encoder.encode(describe()), media_type=JSON)

    async def unknown(request: Request) -> Response:
        raise refused(404, "no-route", request.url.path[:80], "there is no such address in the API")

    every = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    app = Starlette(
        lifespan=lifespan,
        routes=[
            *(_mounted(house, route) for route in ROUTES),
            Mounted("/api/openapi.json", description),
            Mounted("/api/asyncapi.json", description),
            WebSocketRoute("/api/socket", socket),
            Mounted("/api/{path:path}", unknown, methods=every),
            Mounted("/web/{path:path}", web),
            Mounted("/healthz", partial(alive, house)),
            Mounted("/readyz", partial(ready, house)),
            *(Mounted(path, page) for path in PAGES),
            Mounted("/{path:path}", no_page, methods=every),
        ],
    )
    app.add_middleware(_Guard, house=house)
    return app


def _mounted(house: HouseServer, route: Route) -> Mounted:
    async def endpoint(request: Request) -> Response:
        try:
            relayed = None
            if house.relay is not None and route.names_table:
                relayed = await house.relay.answer(route.names_table, request)
            answer = relayed or await route.answer(house, request)
        except StoreError as error:
            raise refused(503, "record", "record", RECORD_UNAVAILABLE) from error
        if isinstance(answer, Response):
            answer.headers.setdefault("content-type", JSON)
            return answer
        return Response(encoder.encode(answer), route.status, media_type=JSON)

    return Mounted(route.path, endpoint, methods=[route.method])


@dataclass
class _Guard:
    """Middleware that checks the host, origin, rate, size and speed of each request and sends refusals."""

    app: ASGIApp
    house: HouseServer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        with request_under_way() as connection:
            if scope["type"] == "websocket":
                await self.app(scope, receive, send)
            else:
                await self._answer(scope, receive, _with_headers(self._timed(send, connection), scope))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._check(Request(scope))
            await self.app(scope, self._limited(receive, self._most_bytes(Request(scope))), send)
        except RefusedError as error:
            self.house.metrics.refuse_request(error.refused[0].code)
            refusals = error.refused
            if isinstance(error.__cause__, StoreError):
                # The message may begin with the path of the database, which a stranger must not see.
                where = self.house.store.where
                refusals = tuple(
                    replace(r, message=r.message.replace(where, "the record")) for r in refusals
                )
            # A client that sends too fast may have sent many more requests over this connection. Closing
            # the connection drops them.
            headers = {"connection": "close"} if error.status == TOO_FAST else None
            answer = Response(encoder.encode(Refused(refusals)), error.status, headers, media_type=JSON)
            await answer(scope, receive, send)
        except ClientDisconnect:
            # The client disconnected before its request was complete, so there is no one to answer.
            return

    def _check(self, request: Request) -> None:
        if not self.house.requests.take(address_of(request)):
            sentence = f"more than {self.house.limits.requests:g} requests per second; try again shortly"
            raise refused(TOO_FAST, "too-fast", "request", sentence)
        target = len(request.scope["raw_path"] or b"") + len(request.scope["query_string"])
        if target > self.house.limits.address:
            sentence = f"the address has {target:,} bytes; the limit is {self.house.limits.address:,}"
            raise refused(414, "too-long", "address", sentence)
        if len(request.scope["headers"]) > self.house.limits.headers:
            sentence = f"too many headers; send at most {self.house.limits.headers}"
            raise refused(431, "too-long", "headers", sentence)
        if not self.house.gate.knows_host(request):
            raise refused(
                403, "unknown-host", "host", "unknown host; start the server with --origin to allow it"
            )
        if request.method not in ("GET", "HEAD") and not self.house.gate.knows_origin(request):
            sentence = "this page comes from another site; start the server with --origin to allow it"
            raise refused(403, "unknown-origin", "origin", sentence)
        length, most = request.headers.get("content-length", "0"), self._most_bytes(request)
        if length.isdecimal() and (len(length) > DIGITS or int(length) > most):
            raise _too_long(most)

    def _most_bytes(self, request: Request) -> int:
        """Return the largest size of a request's body, in bytes."""
        return UPLOADS.get((request.method, request.url.path), self.house.limits.frame)

    def _limited(self, receive: Receive, most: int) -> Receive:
        """Return `receive` with limits on the bytes of the body and on the time it takes to arrive."""
        left, seconds = most, self.house.limits.request_seconds
        until = asyncio.get_running_loop().time() + seconds
        arriving = True

        async def limited_receive() -> Message:
            nonlocal left, arriving
            try:
                async with asyncio.timeout_at(until if arriving else None):
                    message = await receive()
            except TimeoutError:
                sentence = f"the body did not arrive within {seconds:g} seconds; send it again"
                raise refused(408, "too-slow", "body", sentence) from None
            arriving = bool(message.get("more_body"))
            left -= len(message.get("body", b""))
            if left < 0:
                raise _too_long(most)
            return message

        return limited_receive

    def _timed(self, send: Send, connection: GuardedConnection | None) -> Send:
        """Return `send` with a deadline: a client that does not read the reply in time is disconnected."""

        async def timed_send(message: Message) -> None:
            try:
                async with asyncio.timeout(self.house.limits.reply_seconds):
                    await send(message)
            except TimeoutError:
                if connection is not None:
                    connection.abort()

        return timed_send


def _too_long(most: int) -> RefusedError:
    return refused(413, "too-long", "body", f"the body is too long; send at most {most:,} bytes")


def _with_headers(send: Send, scope: Scope) -> Send:
    headers = {**HEADERS, **SECURE_HEADERS} if scope["scheme"] == "https" else HEADERS
    extra = [(name.encode(), value.encode()) for name, value in headers.items()]

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *extra]
        await send(message)

    return send_with_headers
