"""Run a child process that can read any file but can write only where file modes allow it, even for root.

Root can write regardless of modes. The child drops that right but stays the same user, so it can still read the
interpreter, the packages and the checkout, for example in root's home directory.

`restricted.py verify PATH` verifies a record; `restricted.py open PATH...` opens stores and prints the errors.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

VERSION_3 = 0x20080522
"""The version of the kernel's capability structures: two words for each set."""
DAC_OVERRIDE = 1 << 1
"""The capability to read and write regardless of file modes."""
DAC_READ_SEARCH = 1 << 2
"""The capability to read regardless of file modes."""
NOBODY = 65534


def restricted(act: str, *paths: Path) -> subprocess.CompletedProcess[str]:
    """Run an act in a child process that must respect file modes when it writes."""
    words = [sys.executable, "-P", __file__, act, *map(str, paths)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def drop_writing() -> None:
    """Permanently drop root's capability to write regardless of modes."""
    if os.geteuid() != 0:
        return
    if not sys.platform.startswith("linux"):
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)()
    if libc.capget(header, sets):
        raise OSError(ctypes.get_errno(), "capget")
    effective, permitted, inheritable = sets[0], sets[1], sets[2]
    reduced = (permitted & ~DAC_OVERRIDE, inheritable & ~DAC_OVERRIDE)
    sets[0], sets[1], sets[2] = (effective | permitted & DAC_READ_SEARCH) & reduced[0], *reduced
    if libc.capset(header, sets):
        raise OSError(ctypes.get_errno(), "capset")


def _open(paths: list[str]) -> int:
    from houseway.audit.store import StoreError
    from houseway.audit.store_factory import open_store

    for path in paths:
        try:
            open_store(path).close()
        except StoreError as error:
            sys.stdout.write(f"{error}\n")
    return 0


def _verify(paths: list[str]) -> int:
    from houseway.cli.app import main

    return main(["audit", "verify", *paths])


if __name__ == "__main__":
    drop_writing()
    sys.exit({"open": _open, "verify": _verify}[sys.argv[1]](sys.argv[2:]))
