"""The facts of another player's hand, which decides envy bonuses."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from houseway.ranking import HandClass
from houseway.rules.fact_groups.base import HAND, Fact, FactGroup, HandFacts, Inputs, Payment


class Others(FactGroup):
    """Another player's hand."""

    name = "others"
    about = "Paid on another player's hand, without a separate wager"
    reads = Inputs.OTHER_HAND

    @staticmethod
    def index(place: int) -> int:
        """Return the number of the cell."""
        return place

    def facts(self, classes: Sequence[HandClass], hands: int) -> tuple[Fact, ...]:
        """Return one fact, the other player's hand."""
        return (Fact(HAND, tuple(classes), "the other player's hand"),)

    def reader(self, places: int, *, first_five: bool = False) -> Callable[[HandFacts], int]:
        """Return a function that reads the class of the other player's hand."""
        if first_five:
            return lambda hand: hand.first_five
        return lambda hand: hand.place

    def reason(self, settled: Payment) -> str:
        """Return whose hand is paid."""
        return f"For seat {settled.from_seat}'s hand"


GROUP = Others()
