"""What some rounds of a run came to, counted in whole numbers."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Tally:
    """What some chunks of a run came to, in whole numbers; any two of a run add up."""

    rounds: int
    showdown: tuple[tuple[int, ...], ...]
    """Hands by action and cell of the showdown."""
    seven: tuple[int, ...]
    early: tuple[tuple[int, ...], ...]
    """Hands by the cells that hole cards with flop decide, for each wager on one."""
    highest: tuple[int, ...]
    sums: tuple[int, ...]
    """Cents by wager, then envy, the main game, everything; shares of meters apart."""
    squares: tuple[int, ...]
    """Of the same sums, round by round."""
    awards: tuple[tuple[int, ...], ...]
    """The shares of meters won, in the order of rounds and of payment."""

    def __add__(self, other: Tally) -> Tally:
        names = (part.name for part in fields(self) if part.name != "awards")
        parts = {name: _added(getattr(self, name), getattr(other, name)) for name in names}
        # Sorting keeps the order of payment within a round, which is never cut in two.
        awards = sorted(self.awards + other.awards, key=lambda award: award[0])
        return Tally(**parts, awards=tuple(awards))


def _added(one: Any, other: Any) -> Any:
    """Two whole numbers added, or two tuples of them, however deep, place by place."""
    if isinstance(one, int):
        return one + other
    return tuple(_added(a, b) for a, b in zip(one, other, strict=True))
