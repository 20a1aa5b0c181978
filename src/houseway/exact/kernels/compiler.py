"""Compile the kernels, and cache the compiled code.

Numba's own cache compares only the file of a kernel. It misses changes in other files whose functions the
kernel calls. The name of the cache folder is therefore a hash of all kernel files and of the compiler's
version, so any change leads to a new folder. Installations of the same version share a folder. One process
compiles a kernel; the others wait and load the result.
"""

from __future__ import annotations

import atexit
import hashlib
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast
from zlib import crc32

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.compiler_lock import global_compiler_lock

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int, byte: int) -> None:
        os.lseek(handle, byte, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

    def _unlock(handle: int, byte: int) -> None:
        os.lseek(handle, byte, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    def _lock(handle: int, byte: int) -> None:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)

    def _unlock(handle: int, byte: int) -> None:
        fcntl.lockf(handle, fcntl.LOCK_UN, 1, byte)


T = TypeVar("T")

HOME = Path(__file__).parent
COMPILING = "compiling the exact kernels (once per version, up to half a minute)"
WAITING = "waiting for another process to compile the exact kernels"
SHARED = "compiled kernels in %s are not used, because other users may write there; run: chmod -R go-w %s"
PRIVATE = 0o700
OTHERS_WRITE = 0o022
NOTICE_AFTER = 1.0
"""Seconds before a waiting process logs a notice."""
GIVE_UP_AFTER = 120.0
"""Seconds after which a process stops waiting and compiles the kernel itself."""
POLL_INTERVAL = 0.05
NAME = "compiling.lock"


def fingerprint(folder: Path = HOME) -> str:
    """A hash of every kernel file and of the compiler version, usable as a folder name."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for file in sorted(folder.glob("*.py")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:24]


def cache_folder() -> Path:
    """Return the folder for this version's compiled code. If it is missing, create it and log a notice.

    Cached code is run without further checks, so the folder must belong to this user, and no one else may
    write to it. If there is no such folder, this process compiles into a temporary folder of its own.
    """
    log = logging.getLogger("houseway.exact")
    named = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    home = (Path(named) if named else Path.home() / ".cache") / "houseway"
    folder = home / f"kernels-{fingerprint()}"
    try:
        home.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
        new = not folder.exists()
        folder.mkdir(exist_ok=True, mode=PRIVATE)
    except OSError:
        pass  # Not writable.
    else:
        if new:
            # Earlier versions created the parent folder with the umask's permissions, so close it to
            # others. The version's own folder was just created with the right permissions.
            with suppress(OSError):
                home.chmod(PRIVATE)
        shared = next(filter(_shared, (home, folder)), None)
        if shared is None and os.access(folder, os.W_OK):
            if new:
                log.warning(COMPILING)
            return folder
        if shared is not None:
            log.warning(SHARED, shared, shared)
    own = Path(tempfile.mkdtemp(prefix="houseway-kernels-"))
    atexit.register(shutil.rmtree, own, ignore_errors=True)
    log.warning(COMPILING)
    return own


def _shared(folder: Path) -> bool:
    """True if a folder, or the link to it, belongs to another user, or if others may write there."""
    if sys.platform == "win32":
        return False  # The folder is in the user's profile, which only this user can write to.
    there, link = folder.stat(), folder.lstat()
    user = os.geteuid()
    return there.st_uid != user or link.st_uid != user or bool(there.st_mode & OTHERS_WRITE)


class CompileLocks:
    """Locks, so that only one process at a time compiles a kernel.

    If a process ends, the system frees its locks.
    Each kernel locks its own byte of one file, so two processes can compile two kernels at once. No kernel
    calls itself, so the locks cannot deadlock.
    """

    def __init__(self, folder: Path) -> None:
        self._notified = self._disabled = False
        try:
            self._handle = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            self._disabled = True  # The folder is read-only, so it cannot cache code anyway.

    def acquire(self, byte: int) -> bool:
        """Wait until no other process compiles the kernel; return True if the lock must be released."""
        if self._disabled:
            return False
        since = time.monotonic()
        while not self._locked(byte):
            waited = time.monotonic() - since
            if waited > NOTICE_AFTER and not self._notified:
                self._notified = True
                logging.getLogger("houseway.exact").warning(WAITING)
            if waited > GIVE_UP_AFTER:
                self._disabled = True
                return False
            time.sleep(POLL_INTERVAL)
        return True

    def release(self, byte: int) -> None:
        """Let another process compile the kernel."""
        _unlock(self._handle, byte)

    def share(self, dispatcher: Any) -> None:
        """Cache a kernel, and make it check the cache again after it gets its lock."""
        cache = _LockedCache(dispatcher, self)
        compile_ = dispatcher.compile

        def compile_locked(signature: Any) -> Any:
            with global_compiler_lock:
                try:
                    return compile_(signature)
                finally:
                    cache.done()

        dispatcher._cache = cache
        dispatcher.compile = compile_locked

    def _locked(self, byte: int) -> bool:
        try:
            _lock(self._handle, byte)
        except OSError:
            return False
        return True


class _LockedCache:
    """The compiler's cache of one kernel, which is checked again after this process gets the lock."""

    def __init__(self, dispatcher: Any, locks: CompileLocks) -> None:
        function = dispatcher.py_func
        self._inner: Any = _Cache(function)  # type: ignore[no-untyped-call]
        self._locks = locks
        self._byte = crc32(f"{function.__module__}.{function.__qualname__}".encode()) >> 1
        self._holds_lock = False

    def load_overload(self, signature: Any, target: Any) -> Any:
        overload = self._inner.load_overload(signature, target)
        if overload is None:
            self._holds_lock = self._locks.acquire(self._byte)
            overload = self._inner.load_overload(signature, target)
        return overload

    def done(self) -> None:
        """Release the lock if this process holds it."""
        if self._holds_lock:
            self._holds_lock = False
            self._locks.release(self._byte)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


FOLDER = cache_folder()
LOCKS = CompileLocks(FOLDER)


class _Locator(_CacheLocator):
    """Stores kernels in the folder of this version, without the file paths that Numba's own locators
    add."""

    def __init__(self, line: int) -> None:
        self._line = line

    def get_cache_path(self) -> str:
        return str(FOLDER)

    def get_source_stamp(self) -> str:
        # The name of the folder changes with the source.
        return FOLDER.name

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:
        return cls(py_func.__code__.co_firstlineno)


class _CacheFiles(CompileResultCacheImpl):
    _locator_classes = [_Locator]  # type: ignore[list-item]  # noqa: RUF012


class _Cache(FunctionCache):
    _impl_class = _CacheFiles


def kernel(function: Callable[..., T]) -> Callable[..., T]:
    """Make a function a kernel: it is compiled on its first call and releases the GIL while it runs."""
    compiled = numba.njit(nogil=True)(function)
    LOCKS.share(compiled)
    return cast(Callable[..., T], compiled)
