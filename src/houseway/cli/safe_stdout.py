"""Standard output that escapes control characters, so that printed text cannot control the terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, Final, cast

from houseway.wording import printable

_COLOUR: Final = re.compile(r"(\x1b\[[0-9;:]*m)")
"""The escape sequences of colours and bold text, which commands print on a terminal."""


class SafeText:
    """A text stream that escapes control characters. On a terminal, colours are allowed."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._colours = stream.isatty()

    def write(self, text: str) -> int:
        """Write the text with its control characters escaped."""
        parts = _COLOUR.split(text) if self._colours else [text]
        # Every second part is a colour.
        safe = [part if n % 2 else printable(part) for n, part in enumerate(parts)]
        self._stream.write("".join(safe))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def safe_stdout() -> Iterator[None]:
    """Escape control characters in everything that is printed: a rulebook's title or a record's name may
    come from a stranger."""
    stream = sys.stdout
    sys.stdout = cast("Any", SafeText(stream))
    try:
        yield
    finally:
        sys.stdout = stream
