"""Write files completely or not at all, even if the power fails."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def atomic_file(path: Path, mode: int, *, new: bool = False) -> Iterator[IO[bytes]]:
    """Open a new file for writing. When everything is written, it durably replaces `path`.

    If writing fails, the old file stays. With `new`, an existing file is not replaced: FileExistsError is
    raised.
    """
    target = path.resolve()
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if new:
            put_new(temporary, target)
        else:
            os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_folder(target.parent)


def put_new(temporary: Path, target: Path) -> None:
    """Give the complete file `temporary` the name `target`. Raises FileExistsError if `target` exists."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:
        # This disk has no hard links, so rename the file. A moment ago, no file had this name.
        os.replace(temporary, target)


def _sync_folder(folder: Path) -> None:
    """Make a new file name durable, on systems that can open folders."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
