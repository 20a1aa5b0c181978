"""The counts and sums of a part of a run. Those of several parts can be added."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts and sums of some chunks of a run, as integers. Tallies of the same run can be added."""

    rounds: int
    showdown: tuple[tuple[int, ...], ...]
    """The number of hands with each action and showdown cell."""
    seven: tuple[int, ...]
    """The number of hands with each cell of the seven cards."""
    early: tuple[tuple[int, ...], ...]
    """For each wager that hole cards and flop decide, the number of hands in each of its cells."""
    highest: tuple[int, ...]
    """The number of rounds with each cell of the highest hand at the table."""
    sums: tuple[int, ...]
    """The net results in cents, without meter shares: one for each wager, then those of envy, the main game
    and everything together."""
    squares: tuple[int, ...]
    """The sums of the squares of each round's results, in the same order."""
    awards: tuple[tuple[int, ...], ...]
    """The meter shares won, in the order of rounds and, within a round, of payment."""

    def __add__(self, other: Tally) -> Tally:
        names = (part.name for part in fields(self) if part.name != "awards")
        parts = {name: _add(getattr(self, name), getattr(other, name)) for name in names}
        # The sort is stable, so the awards of a round stay in the order of payment.
        awards = sorted(self.awards + other.awards, key=lambda award: award[0])
        return Tally(**parts, awards=tuple(awards))


def _add(one: Any, other: Any) -> Any:
    """Add two integers, or two nested tuples of integers element by element."""
    if isinstance(one, int):
        return one + other
    return tuple(_add(a, b) for a, b in zip(one, other, strict=True))
