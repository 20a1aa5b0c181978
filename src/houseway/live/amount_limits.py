"""The largest amounts that a command to a live table may contain."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import get_type_hints

from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.money import LARGEST_AMOUNT, exactly


def too_large(command: c.Command) -> Refusal | None:
    """Return a refusal if any number of a command is larger than the largest amount.

    The engine itself has no such limit, so that every record from an earlier version can be replayed.
    """
    if isinstance(command, c.SyncMeters):
        # Only the house sends this command. Its amounts are in millionths of a cent.
        return None
    for name in _numbers(type(command)):
        if any(abs(value) > LARGEST_AMOUNT for value in _values(getattr(command, name))):
            sentence = f"{name} must be at most {exactly(LARGEST_AMOUNT)}; send a smaller amount"
            return Refusal("too-large", None, f"{type(command).__name__}.{name}", sentence)
    return None


@cache
def _numbers(kind: type[c.Command]) -> tuple[str, ...]:
    """Return the fields of a command that hold numbers."""
    kinds = (int, int | None, dict[str, int])
    return tuple(name for name, hint in get_type_hints(kind).items() if hint in kinds)


def _values(value: object) -> Iterator[int]:
    values = value.values() if isinstance(value, dict) else (value,)
    return (number for number in values if isinstance(number, int))
