"""The facts of the whole table: its highest hand, and the number of hands dealt."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from houseway.ranking import HandClass
from houseway.rules.fact_groups.base import HAND, Fact, FactGroup, HandFacts, Inputs, Payment

FEWEST = 2
"""The fewest hands in a round: one player's and the dealer's."""


class TableHigh(FactGroup):
    """The highest hand at the table."""

    name = "table"
    about = "A side bet on the highest hand at the table"
    reads = Inputs.TABLE

    @staticmethod
    def index(hands_dealt: int, place: int, places: int) -> int:
        """Return the number of the cell."""
        return (hands_dealt - 2) * places + place

    def facts(self, classes: Sequence[HandClass], hands: int) -> tuple[Fact, ...]:
        """Return two facts: the number of hands, and the highest of them."""
        return (
            Fact("hands_dealt", tuple(range(FEWEST, hands + 1)), "hands dealt, including the dealer's"),
            Fact(HAND, tuple(classes), "the highest hand at the table"),
        )

    def reader(self, places: int, *, first_five: bool = False) -> Callable[[HandFacts], int]:
        """Return a function that reads the number of hands and the highest of them."""
        index = self.index
        return lambda hand: index(hand.hands_dealt, hand.highest, places)

    def reason(self, settled: Payment) -> str:
        """Return a sentence that names the highest hand and says whether it is paid."""
        paid = f"pays {settled.odds}" if settled.odds else "is not paid"
        highest = settled.highest()
        shown = "" if highest is None else f", {highest[0]} {highest[1].words},"
        return f"The highest hand at the table{shown} {paid}"


GROUP = TableHigh()
