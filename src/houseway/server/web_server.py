"""A house on the wire: the web server around it, as `houseway serve` starts it."""

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
from houseway.server.flood_protection import Impatient, Measured
from houseway.server.house import Serving

COLLECTOR: Final = (5_000, 4, 1_000)
"""When cycles are looked for: among what is new, and hardly ever among all that 200 tables hold, which
stops the house for a third of a second; next to nothing here is a cycle."""


def _not_a_clients_letters(record: logging.LogRecord) -> bool:
    """Whether something is the house's trouble: who sends what is no text is hung up on."""
    return not record.getMessage().startswith("Invalid UTF-8 sequence received from client")


def _more_files() -> None:
    """Take as many connections as the system allows; each is an open file."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft < hard:
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def configured(house: Serving) -> uvicorn.Config:
    """How the house is served."""
    return uvicorn.Config(
        application(house),
        http=Impatient,
        ws=Measured,
        log_level="warning",
        access_log=False,
        ws_max_size=house.limits.frame,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
        server_header=False,
        # Who asks is who is connected: a header could name anybody.
        proxy_headers=False,
    )


def run(house: Serving, listening: socket.socket, end: Callable[[], Any] | None = None) -> None:
    """Serve until a signal ends it; `end` is what SIGTERM does when everything is closed."""
    config = configured(house)
    if end is not None:
        # The server closes everything and then sends itself the signal that ended it.
        signal.signal(signal.SIGTERM, lambda *_: end())
    _more_files()
    logging.getLogger("uvicorn.error").addFilter(_not_a_clients_letters)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTOR)
    uvicorn.Server(config).run(sockets=[listening])
