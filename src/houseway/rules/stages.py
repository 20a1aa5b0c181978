"""Betting points: at each, the decisions that a player may make and the sizes of the play wager."""

from __future__ import annotations

from dataclasses import dataclass

from houseway.rules.toml_reader import Basis, Cited


@dataclass(frozen=True, slots=True)
class Stage:
    """One betting point."""

    name: str
    board: int
    """The number of community cards face up at this point."""
    sizes: Cited[tuple[int, ...]] | None
    """The multiples of the ante that a play wager may be."""
    check: Basis | None
    """The clause that lets a player check, or None if checking is not offered."""
    fold: Basis | None
    """The clause that lets a player fold, or None if folding is not offered."""
    locks: Basis | None
    """The clause that forbids any other decision between a play wager and the showdown."""
    laid: Basis | None
    """The clause that says where the play wager is placed."""
