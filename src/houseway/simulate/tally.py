"""The totals of some rounds of a run, as integers."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Tally:
    """The totals of some chunks of a run, as integers. Tallies of the same run can be added."""

    rounds: int
    showdown: tuple[tuple[int, ...], ...]
    """Hands by action and showdown cell."""
    seven: tuple[int, ...]
    early: tuple[tuple[int, ...], ...]
    """Hands by the cells decided by hole cards and flop, for each such wager."""
    highest: tuple[int, ...]
    sums: tuple[int, ...]
    """Cents by wager, then envy, the main game and everything, without meter shares."""
    squares: tuple[int, ...]
    """The squares of the same sums, round by round."""
    awards: tuple[tuple[int, ...], ...]
    """The meter shares won, in order of rounds and payment."""

    def __add__(self, other: Tally) -> Tally:
        names = (part.name for part in fields(self) if part.name != "awards")
        parts = {name: _add(getattr(self, name), getattr(other, name)) for name in names}
        # The sort is stable, so awards within a round stay in the order they are paid.
        awards = sorted(self.awards + other.awards, key=lambda award: award[0])
        return Tally(**parts, awards=tuple(awards))


def _add(one: Any, other: Any) -> Any:
    """Add two integers, or two nested tuples of integers element by element."""
    if isinstance(one, int):
        return one + other
    return tuple(_add(a, b) for a, b in zip(one, other, strict=True))
