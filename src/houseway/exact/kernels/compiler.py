"""How kernels are compiled and where the machine code is kept.

The compiler's own cache looks at one file at a time and misses a change in another it calls. So the
folder is named by a hash of every kernel file and of the compiler's version: any change is a new folder.
One process compiles a kernel; the others wait for it and take what it made.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast
from zlib import crc32

import numba
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


T = TypeVar("T")

SETTINGS: Any = numba.config

HOME = Path(__file__).parent
COMPILING = "compiling the exact kernels, once for this version; half a minute at most"
WAITING = "another process prepares the exact kernels; waiting for it"
PATIENCE = 1.0
"""Seconds a process waits before it says so."""
LONGEST = 120.0
"""Seconds after which it compiles by itself: a process that stands still keeps nobody for ever."""
GLANCE = 0.05
NAME = "compiling.lock"


def fingerprint(folder: Path = HOME) -> str:
    """What every kernel file says, and the compiler that reads it, as one name."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for file in sorted(folder.glob("*.py")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:24]


def cache_folder() -> Path:
    """Where this version's machine code is kept; made where it is missing, and said so."""
    named = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    homes = [Path(named) if named else Path.home() / ".cache", Path(tempfile.gettempdir())]
    for home in homes:
        folder = home / "houseway" / f"kernels-{fingerprint()}"
        if folder.is_dir() and os.access(folder, os.W_OK):
            return folder
        try:
            folder.mkdir(parents=True)
        except OSError:
            continue  # A home that cannot be written to: the next one will do.
        logging.getLogger("houseway.exact").warning(COMPILING)
        return folder
    named_homes = ", ".join(map(str, homes))
    raise OSError(f"no folder to keep compiled kernels in; make one of {named_homes} writable")


class Turns:
    """Whose turn it is to compile a kernel; the system takes a turn back however a process ends.

    A kernel has a byte of one file to itself, so that two processes compile two kernels side by side. No
    kernel calls itself, so nobody waits in a circle.
    """

    def __init__(self, folder: Path) -> None:
        self._said = self._alone = False
        try:
            self._handle = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            self._alone = True  # A folder that takes no file keeps no machine code either.

    def take(self, place: int) -> bool:
        """Wait until no other process compiles a kernel; whether the turn is to be given back."""
        if self._alone:
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

    def _locked(self, place: int) -> bool:
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


FOLDER = cache_folder()
TURNS = Turns(FOLDER)


def kernel(function: Callable[..., T]) -> Callable[..., T]:
    """Compile a function when first called; it holds no lock while it runs."""
    before = SETTINGS.CACHE_DIR
    SETTINGS.CACHE_DIR = str(FOLDER)
    try:
        compiled = numba.njit(cache=True, nogil=True)(function)
    finally:
        SETTINGS.CACHE_DIR = before
    TURNS.share(compiled)
    return cast(Callable[..., T], compiled)
