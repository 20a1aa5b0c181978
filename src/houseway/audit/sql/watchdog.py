"""Close connections to a database that does not answer. Without this, a client would wait forever."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from time import monotonic
from typing import Final

LOOK_EVERY: Final = 0.2
"""Seconds between two checks of the calls under way."""


class Watchdog:
    """A thread that shuts down the socket of any call that takes longer than its limit."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._calls: dict[object, tuple[float, int]] = {}
        """For each call under way, the time by which it must finish, and its socket."""
        self._closed = Event()
        self._thread: Thread | None = None

    @contextmanager
    def limit(self, handle: int, seconds: float) -> Iterator[None]:
        """Shut down a socket if the block takes longer than this many seconds."""
        call = object()
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._run, name="database watchdog", daemon=True)
                self._thread.start()
            self._calls[call] = (monotonic() + seconds, handle)
        try:
            yield
        finally:
            with self._lock:
                self._calls.pop(call, None)

    def _run(self) -> None:
        while not self._closed.wait(LOOK_EVERY):
            self._shut(monotonic())

    def _shut(self, now: float) -> None:
        # While this thread holds the lock, a call cannot end, so its handle still belongs to its socket.
        with self._lock:
            for call, (until, handle) in tuple(self._calls.items()):
                if until <= now:
                    del self._calls[call]
                    with suppress(OSError), socket.socket(fileno=os.dup(handle)) as connection:
                        connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Shut down the sockets of all calls under way."""
        self._closed.set()
        self._shut(float("inf"))
