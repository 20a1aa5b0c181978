"""How kernels are compiled and where the machine code is kept.

The compiler's own cache looks at one file at a time and misses a change in another it calls. So the
folder is named by a hash of every kernel file and of the compiler's version: any change is a new folder.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

from houseway.exact.kernels.sharing import Turns

T = TypeVar("T")

SETTINGS: Any = numba.config

HOME = Path(__file__).parent
COMPILING = "compiling the exact kernels, once for this version; half a minute at most"


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
