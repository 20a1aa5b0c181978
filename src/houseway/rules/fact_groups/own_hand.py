"""The facts of the player's own hand: the class of the cards that count, and how a royal flush was made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from houseway.ranking import HandClass
from houseway.rules.fact_groups.base import HAND, Domain, Fact, HandFacts, Inputs, OwnCards, Payment

ROYAL: Final = "royal flush"
MADE: Final = ("no royal", "first five", "first seven", "community")
MADE_WORDS: Final = {
    "first five": "in the first five cards",
    "first seven": "with the turn or the river",
    "community": "wholly on the board",
}
NO_ROYAL, FIRST_FIVE, FIRST_SEVEN, COMMUNITY = range(4)


class OwnHand(OwnCards):
    """The player's own hand alone."""

    name = "hand"
    about = "A side bet on the player's own hand"
    reads = Inputs.OWN_HAND

    @staticmethod
    def index(place: int, made: int) -> int:
        """Return the number of the cell."""
        return place * 4 + made

    def facts(self, classes: Sequence[HandClass], hands: int) -> tuple[Fact, ...]:
        """Return two facts: the hand, and how a royal flush was made."""
        return (
            Fact(HAND, tuple(classes), "the player's best five of the cards that the table reads"),
            Fact("made", MADE, "how a royal flush was made", words=MADE_WORDS),
        )

    def reader(self, places: int, *, first_five: bool = False) -> Callable[[HandFacts], int]:
        """Return a function that reads all seven cards, or the hole cards with the flop."""
        index = self.index
        if first_five:
            return lambda hand: index(hand.first_five, hand.first_five_made)
        return lambda hand: index(hand.place, hand.made)

    def possible(self, at: Mapping[str, Any], domain: Domain) -> bool:
        """True if `made` fits the hand: "no royal" for every hand except a royal flush."""
        return bool((at[HAND] == ROYAL) == (at["made"] != MADE[NO_ROYAL]))

    def describe(self, settled: Payment) -> str:
        """Return the hand that the pay table reads."""
        five = settled.first_five
        if five is not None:
            return f"{five.words} in the first five cards"
        return settled.own.words if settled.own is not None else ""


GROUP = OwnHand()
