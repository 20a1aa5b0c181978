"""One process compiles a kernel; the others wait for it and take what it made."""

from __future__ import annotations

import logging
import os
import sys
import time
from pathlib import Path
from typing import Any
from zlib import crc32

from numba.core.compiler_lock import global_compiler_lock

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int, place: int) -> None:
        os.lseek(handle, place, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

    def _unlock(handle: int, place: int) -> None:
        os.lseek(handle, place, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    def _lock(handle: int, place: int) -> None:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)

    def _unlock(handle: int, place: int) -> None:
        fcntl.lockf(handle, fcntl.LOCK_UN, 1, place)


WAITING = "another process prepares the exact kernels; waiting for it"
PATIENCE = 1.0
"""Seconds a process waits before it says so."""
LONGEST = 120.0
"""Seconds after which it compiles by itself: a process that stands still keeps nobody for ever."""
GLANCE = 0.05
NAME = "compiling.lock"


class Turns:
    """Whose turn it is to compile a kernel; the system takes a turn back however a process ends.

    A kernel has a byte of one file to itself, so that two processes compile two kernels side by side. No
    kernel calls itself, so nobody waits in a circle.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / NAME
        self._handle: int | None = None
        self._said = self._alone = False

    def take(self, place: int) -> bool:
        """Wait until no other process compiles a kernel; whether the turn is to be given back."""
        if self._alone or not self._opened():
            return False
        since = time.monotonic()
        while not self._locked(place):
            waited = time.monotonic() - since
            if waited > PATIENCE and not self._said:
                self._said = True
                logging.getLogger("houseway.exact").warning(WAITING)
            if waited > LONGEST:
                self._alone = True
                return False
            time.sleep(GLANCE)
        return True

    def give_back(self, place: int) -> None:
        """Let another process compile the kernel."""
        assert self._handle is not None
        _unlock(self._handle, place)

    def share(self, dispatcher: Any) -> None:
        """Have a kernel look once more, when its turn comes, whether another process compiled it."""
        kept = _Kept(dispatcher, self)
        compile_ = dispatcher.compile

        def compile_in_turn(signature: Any) -> Any:
            with global_compiler_lock:
                try:
                    return compile_(signature)
                finally:
                    kept.done()

        dispatcher._cache = kept
        dispatcher.compile = compile_in_turn

    def _opened(self) -> bool:
        if self._handle is None:
            try:
                self._handle = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600)
            except OSError:
                self._alone = True  # A folder that takes no file keeps no machine code either.
        return self._handle is not None

    def _locked(self, place: int) -> bool:
        assert self._handle is not None
        try:
            _lock(self._handle, place)
        except OSError:
            return False
        return True


class _Kept:
    """The compiler's own cache of one kernel, read again when it is this process's turn."""

    def __init__(self, dispatcher: Any, turns: Turns) -> None:
        function = dispatcher.py_func
        self._inner, self._turns = dispatcher._cache, turns
        self._place = crc32(f"{function.__module__}.{function.__qualname__}".encode()) >> 1
        self._mine = False

    def load_overload(self, signature: Any, target: Any) -> Any:
        found = self._inner.load_overload(signature, target)
        if found is None:
            self._mine = self._turns.take(self._place)
            found = self._inner.load_overload(signature, target)
        return found

    def done(self) -> None:
        """Give the turn back, if there was one to take."""
        if self._mine:
            self._mine = False
            self._turns.give_back(self._place)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)
