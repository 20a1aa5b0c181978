"""Functions shared by the commands that ask questions line by line: `drill` and `practice`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from houseway.audit.atomic_files import atomic_file
from houseway.cli.output import BadInputError, file_problem

QUIT: Final = ("q", "quit")
LONGEST_LINE: Final = 4096
PRIVATE: Final = 0o600
"""The file mode of a progress file."""


class EndError(Exception):
    """Raised when the person ends the session."""


def next_line(commands: Mapping[str, Callable[[], None]]) -> str:
    """Return the next line that is an answer. A line that names a command runs it; "q" raises EndError."""
    while True:
        sys.stdout.write("> ")
        sys.stdout.flush()
        line = sys.stdin.readline(LONGEST_LINE)
        typed = line.strip()
        if not line or typed.lower() in QUIT:
            raise EndError
        if typed.lower() in commands:
            commands[typed.lower()]()
        elif typed:
            return typed


def read_progress_file(file: Path | None, largest: int) -> bytes | None:
    """Return the content of a progress file, up to one byte more than `largest`; None if there is none."""
    if file is not None and not file.absolute().parent.is_dir():
        raise BadInputError(f"--progress {file}: there is no folder {file.absolute().parent}")
    if file is None or not file.exists():
        return None
    with file_problem("read", file), file.open("rb") as opened:
        return opened.read(largest + 1)


def write_progress_file(file: Path | None, content: bytes) -> None:
    """Write a progress file, if one is kept."""
    if file is not None:
        with file_problem("write", file), atomic_file(file, PRIVATE) as opened:
            opened.write(content)
