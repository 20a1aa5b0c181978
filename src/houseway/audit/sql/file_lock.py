"""A lock that lets only one process write to a database file. The operating system releases it when the
process ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from houseway.audit.store import StoreError, owned_error

if sys.platform == "win32":
    import msvcrt

    def _take(handle: int) -> None:
        # On Windows, locked bytes cannot be read, so lock a byte far beyond the process id.
        os.lseek(handle, 1 << 20, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        os.lseek(handle, 0, os.SEEK_SET)
else:
    import fcntl

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock(file: Path) -> int:
    """Lock a file for writing, until the returned handle is closed.

    The lock is on a separate file, because closing any handle of the database file releases SQLite's locks.
    """
    path = file.with_name(f"{file.name}.lock")
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StoreError(f"{file} cannot be written: {path.name}: {error.strerror}") from error
    try:
        _take(handle)
    except OSError as error:
        owner = os.read(handle, 32).decode("ascii", "replace").strip() or "unknown"
        os.close(handle)
        raise owned_error(f"process {owner}", str(file)) from error
    os.ftruncate(handle, 0)
    os.write(handle, f"{os.getpid()}\n".encode())
    return handle
