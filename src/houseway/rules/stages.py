"""Betting points: what may be done at each, and for how much."""

from __future__ import annotations

from dataclasses import dataclass

from houseway.rules.reading import Basis, Reader, Said


@dataclass(frozen=True, slots=True)
class Stage:
    """One betting point."""

    name: str
    board: int
    """Community cards face up at this point."""
    sizes: Said[tuple[int, ...]] | None
    """The multiples of the ante a play wager may have here."""
    check: Basis | None
    """What lets a player check here, or None where checking is not offered."""
    fold: Basis | None
    """What lets a player fold here, or None where folding is not offered."""
    locks: Basis | None
    """What holds a player who plays here to it until the hands are compared."""
    laid: Basis | None
    """What says where the play wager goes."""


def read_stage(reader: Reader) -> Stage:
    """A betting point from its table."""
    return reader.make(
        Stage,
        reader.text("name", needed=True),
        reader.typed("board", int, 0, needed=True),
        reader.said("sizes", _numbers),
        reader.optional_basis("check"),
        reader.optional_basis("fold"),
        reader.optional_basis("locks"),
        reader.optional_basis("laid"),
    )


def _numbers(reader: Reader, key: str) -> tuple[int, ...]:
    value = reader.raw(key)
    if isinstance(value, list) and value and all(type(v) is int and v > 0 for v in value):
        return tuple(value)
    reader.fault(key, "is no list of multiples", "write the multiples of the ante, [3, 4]")
    return ()
