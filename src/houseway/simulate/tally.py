"""What some rounds of a run came to, counted in whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tally:
    """What some chunks of a run came to, in whole numbers; any two of a run add up."""

    rounds: int
    showdown: tuple[tuple[int, ...], ...]
    """Hands by action and cell of the showdown."""
    seven: tuple[int, ...]
    five: tuple[int, ...]
    highest: tuple[int, ...]
    sums: tuple[int, ...]
    """Cents by wager, then envy, the main game, everything; shares of meters apart."""
    squares: tuple[int, ...]
    """Of the same sums, round by round."""
    awards: tuple[tuple[int, ...], ...]
    """The shares of meters won, in the order of rounds and of payment."""

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.rounds + other.rounds,
            tuple(map(_added, self.showdown, other.showdown)),
            _added(self.seven, other.seven),
            _added(self.five, other.five),
            _added(self.highest, other.highest),
            _added(self.sums, other.sums),
            _added(self.squares, other.squares),
            # Sorting keeps the order of payment within a round, which is never cut in two.
            tuple(sorted(self.awards + other.awards, key=lambda award: award[0])),
        )


def _added(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))
