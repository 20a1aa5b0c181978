"""The uvicorn server that `houseway serve` runs."""

from __future__ import annotations

import gc
import logging
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, cast

import uvicorn

from houseway.server.app import application
from houseway.server.house import HouseServer

COLLECTOR: Final = (10_000, 50, 1_000)
"""Garbage collector thresholds: collect few objects at a time, and collect old objects rarely.

Reference counting frees almost everything. A collection stops every table. On a busy server, it takes about
a millisecond per thousand new objects; a full collection with 200 tables takes a third of a second.
"""


CLIENT_FAULTS: Final = (
    "Invalid UTF-8 sequence received from client",
    "Invalid HTTP request received",
    "Unsupported upgrade request",
    "No supported WebSocket library detected",
)
"""The beginnings of uvicorn's messages about clients. They are not logged: a client could fill the log."""
OTHER_FILES: Final = 128
"""Open files reserved for everything except connections: the record, the page, the solver."""


def _is_server_fault(record: logging.LogRecord) -> bool:
    """Return False if a message of uvicorn is about a client's input."""
    return not record.getMessage().startswith(CLIENT_FAULTS)


def _raise_file_limit() -> int | None:
    """Raise the limit on open files as far as permitted, and return it; None if there is no limit."""
    if sys.platform == "win32":
        return None
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def configured(house: HouseServer) -> uvicorn.Config:
    """Return uvicorn's configuration for this server."""
    logging.getLogger("uvicorn.error").addFilter(_is_server_fault)
    return uvicorn.Config(
        application(house),
        http=cast("Any", house.door.connect),
        ws="websockets-sansio",
        h11_max_incomplete_event_size=house.limits.request_head,
        log_config=None,
        log_level="warning",
        access_log=False,
        ws_max_size=house.limits.frame,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
        server_header=False,
        # Rate limits use the client's address. It is read from a header only if a trusted proxy sent it,
        # because a client could write any address there.
        proxy_headers=bool(house.door.proxies),
        forwarded_allow_ips=[str(proxy) for proxy in house.door.proxies],
    )


def run(house: HouseServer, listening: socket.socket, end: Callable[[], Any] | None = None) -> None:
    """Serve until a signal arrives. After SIGTERM, close everything and call `end`."""
    config = configured(house)
    if end is not None:
        # uvicorn closes everything and then sends itself the signal that stopped it.
        signal.signal(signal.SIGTERM, lambda *_: end())
    files = _raise_file_limit()
    if files is not None:
        house.door.most = min(house.door.most, max(files - OTHER_FILES, OTHER_FILES))
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTOR)
    uvicorn.Server(config).run(sockets=[listening])
