"""The uvicorn server that `houseway serve` runs."""

from __future__ import annotations

import gc
import logging
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import uvicorn

from houseway.server.app import application
from houseway.server.flood_protection import ThrottledSocket, TimedConnection
from houseway.server.house import HouseServer

COLLECTOR: Final = (10_000, 50, 1_000)
"""Garbage collector thresholds: collect few objects at a time, and older ones seldom.

Reference counting frees almost everything. A collection stops every table: for about a millisecond per
thousand new objects on a busy server, and for a third of a second if it is a full one with 200 tables.
"""


def _is_server_fault(record: logging.LogRecord) -> bool:
    """Return False for uvicorn's message about a client that sent invalid UTF-8."""
    return not record.getMessage().startswith("Invalid UTF-8 sequence received from client")


def _raise_file_limit() -> None:
    """Allow as many open files, and so as many connections, as the system permits."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft < hard:
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def configured(house: HouseServer) -> uvicorn.Config:
    """Return uvicorn's configuration for this server."""
    return uvicorn.Config(
        application(house),
        http=TimedConnection,
        ws=ThrottledSocket,
        log_level="warning",
        access_log=False,
        ws_max_size=house.limits.frame,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
        server_header=False,
        # Rate limits go by the peer's address: a client could write anything into a header.
        proxy_headers=False,
    )


def run(house: HouseServer, listening: socket.socket, end: Callable[[], Any] | None = None) -> None:
    """Serve until a signal arrives; SIGTERM then calls `end`, after everything is closed."""
    config = configured(house)
    if end is not None:
        # uvicorn closes everything and then sends itself the signal that stopped it.
        signal.signal(signal.SIGTERM, lambda *_: end())
    _raise_file_limit()
    logging.getLogger("uvicorn.error").addFilter(_is_server_fault)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTOR)
    uvicorn.Server(config).run(sockets=[listening])
