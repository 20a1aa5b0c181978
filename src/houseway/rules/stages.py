"""Betting points: what may be done at each, and for how much."""

from __future__ import annotations

from dataclasses import dataclass

from houseway.rules.toml_reader import Basis, Cited


@dataclass(frozen=True, slots=True)
class Stage:
    """One betting point."""

    name: str
    board: int
    """Community cards face up at this point."""
    sizes: Cited[tuple[int, ...]] | None
    """The multiples of the ante a play wager may have here."""
    check: Basis | None
    """What lets a player check here, or None where checking is not offered."""
    fold: Basis | None
    """What lets a player fold here, or None where folding is not offered."""
    locks: Basis | None
    """What holds a player who plays here to it until the hands are compared."""
    laid: Basis | None
    """What says where the play wager goes."""
