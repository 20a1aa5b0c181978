"""Files that are there as a whole or not at all, whenever the power goes."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def whole_file(path: Path, mode: int, *, new: bool = False) -> Iterator[IO[bytes]]:
    """A file to write that takes its place, durably, when all of it is written; where that fails, what was
    there before stays. `new` leaves one that is there by then alone, with FileExistsError."""
    target = path.resolve()
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if new:
            _put_new(beside, target)
        else:
            os.replace(beside, target)
    finally:
        beside.unlink(missing_ok=True)
    _sync_folder(target.parent)


def _put_new(beside: Path, target: Path) -> None:
    try:
        os.link(beside, target)
    except FileExistsError:
        raise
    except OSError:
        # A disk without links; nothing was there a moment ago.
        os.replace(beside, target)


def _sync_folder(folder: Path) -> None:
    """Make a name in a folder durable, where folders can be opened."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
