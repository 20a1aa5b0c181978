"""The dealer's house way in Texas Shootout: an ordered list of rules for which two of four cards to keep.

Of four cards, the dealer keeps the two that fit the first possible line. If several pairs fit that line,
the higher top card decides, then the higher second card, then suited before unsuited, then the order dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from houseway.cards import RANKS, Card
from houseway.rules.toml_reader import Basis


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseWayLine:
    """One line of the house way; a condition that is left out is always met."""

    text: str
    pair: bool | None = None
    high: str = RANKS
    """The ranks allowed for the higher card, such as "JQK"."""
    low: str = RANKS
    suited: bool | None = None
    connected: bool = False

    def fits(self, high: Card, low: Card) -> bool:
        """True if two cards, the higher first, fit the line."""
        return (
            RANKS[high.rank] in self.high
            and RANKS[low.rank] in self.low
            and (self.pair is None or self.pair == (high.rank == low.rank))
            and (self.suited is None or self.suited == (high.suit == low.suit))
            and (not self.connected or high.rank - low.rank == 1)
        )


@dataclass(frozen=True, slots=True)
class HouseWay:
    """A named, versioned house way."""

    name: str
    version: int
    lines: tuple[HouseWayLine, ...]
    basis: Basis

    @property
    def complete(self) -> bool:
        """True if some line has no conditions, so that any two cards fit it."""
        return any(line == HouseWayLine(text=line.text) for line in self.lines)

    def keep(self, four: Sequence[Card]) -> tuple[tuple[Card, Card], int]:
        """Return the two cards to keep, in the order dealt, and the number of the line they fit."""
        best: tuple[int, int, int, bool, tuple[int, int]] | None = None
        for one, other in combinations(range(len(four)), 2):
            high, low = four[one], four[other]
            if low.rank > high.rank:
                high, low = low, high
            for number, line in enumerate(self.lines):
                if line.fits(high, low):
                    suited = high.suit == low.suit
                    rating = (number, -high.rank, -low.rank, not suited, (one, other))
                    if best is None or rating < best:
                        best = rating
                    break
        if best is None:
            raise ValueError(f"no line of the house way {self.name} fits these cards")
        one, other = best[4]
        return (four[one], four[other]), best[0] + 1
