"""One process compiles a kernel; the others wait for it and take what it made."""

from __future__ import annotations

import logging
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba.core.compiler_lock import global_compiler_lock

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


WAITING = "another process prepares the exact kernels; waiting for it"
PATIENCE = 1.0
"""Seconds a process waits before it says so."""
LONGEST = 120.0
"""Seconds after which it compiles by itself: a process that stands still keeps nobody for ever."""
GLANCE = 0.05
NAME = "compiling.lock"


class Turn:
    """The turn to compile into a folder, which the system takes back however the process ends."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / NAME
        self._handle: int | None = None
        self._depth = 0
        self._said = self._alone = False

    def take(self) -> None:
        """Wait until no other process compiles; nothing to do where this one has the turn."""
        if self._handle is not None or self._alone:
            return
        try:
            handle = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return  # A folder that takes no file keeps no machine code either.
        since = time.monotonic()
        while not _locked(handle):
            waited = time.monotonic() - since
            if waited > PATIENCE and not self._said:
                self._said = True
                logging.getLogger("houseway.exact").warning(WAITING)
            if waited > LONGEST:
                self._alone = True
                os.close(handle)
                return
            time.sleep(GLANCE)
        self._handle = handle

    def share(self, dispatcher: Any) -> None:
        """Have a kernel look once more, when its turn comes, whether another process compiled it."""
        inner, compile_ = dispatcher._cache, dispatcher.compile

        def compile_in_turn(signature: Any) -> Any:
            with global_compiler_lock:
                self._depth += 1
                try:
                    return compile_(signature)
                finally:
                    self._depth -= 1
                    if not self._depth:
                        self._give_back()

        dispatcher._cache = _Kept(inner, self)
        dispatcher.compile = compile_in_turn

    def _give_back(self) -> None:
        if self._handle is not None:
            with suppress(OSError):
                os.close(self._handle)
            self._handle = None


def _locked(handle: int) -> bool:
    try:
        _lock(handle)
    except OSError:
        return False
    return True


class _Kept:
    """The compiler's own cache of one kernel, read again when it is this process's turn."""

    def __init__(self, inner: Any, turn: Turn) -> None:
        self._inner, self._turn = inner, turn

    def load_overload(self, signature: Any, target: Any) -> Any:
        found = self._inner.load_overload(signature, target)
        if found is None:
            self._turn.take()
            found = self._inner.load_overload(signature, target)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)
