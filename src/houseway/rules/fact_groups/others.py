"""Another player's hand, for envy."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from houseway.ranking import HandClass
from houseway.rules.fact_groups.base import HAND, Fact, FactGroup, HandFacts, Reads, Settled


class Others(FactGroup):
    """Another player's hand."""

    name = "others"
    about = "Paid on another player's hand, without a wager of its own"
    reads = Reads.OTHER_HAND

    @staticmethod
    def index(place: int) -> int:
        """The number of a cell."""
        return place

    def facts(self, classes: Sequence[HandClass], hands: int) -> tuple[Fact, ...]:
        """The other player's hand."""
        return (Fact(HAND, tuple(classes), "the other player's hand"),)

    def reader(self, places: int, *, first_five: bool = False) -> Callable[[HandFacts], int]:
        """Read the other player's hand, given as the hand."""
        if first_five:
            return lambda hand: hand.first_five
        return lambda hand: hand.place

    def reason(self, settled: Settled) -> str:
        """Say whose hand is paid for."""
        return f"For the hand of seat {settled.from_seat}"


GROUP = Others()
