"""The fast evaluator: add up the cards of a hand and look up the strength of the sum.

Each card is a number with a three-bit counter for its rank and a four-bit counter for its suit. The sum of
up to seven cards is therefore the multiset of their ranks and the number of cards in each suit. The ranks
decide every class except the suited ones. If five or more cards share a suit, the ranks of those cards are
looked up as well, and the higher strength counts. docs/ranking.md has the mathematics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from houseway.cards import DECK, Card
from houseway.ranking.classes import HandClass

RANK_BITS: Final = 39
RANK_MASK: Final = (1 << RANK_BITS) - 1
RANK_KEY: Final[dict[Card, int]] = {c: 1 << (3 * c.rank) for c in DECK}
KEY: Final[dict[Card, int]] = {c: RANK_KEY[c] + (1 << (RANK_BITS + 4 * c.suit)) for c in DECK}
"""Each card's number; a hand is the sum of its cards' numbers."""

# Adding three to a suit's counter sets its top bit if the suit has five or more cards. So one test of all
# top bits finds a flush in any suit.
THREE_EACH: Final = sum(3 << (RANK_BITS + 4 * s) for s in range(4))
TOP_BITS: Final = sum(8 << (RANK_BITS + 4 * s) for s in range(4))


@dataclass(frozen=True, slots=True)
class Evaluator:
    """Gives the strength of a hand under one order of classes. Tied hands have the same strength."""

    order: tuple[HandClass, ...]
    decks: int
    places: bytes
    """The position in the order of each strength's class; 0 is the best."""
    ranks: dict[int, int]
    """The strength of every multiset of ranks, by its sum."""
    suited: dict[int, int]
    """The strength of every multiset of ranks in one suit, by its sum."""

    def __hash__(self) -> int:
        return hash((self.order, self.decks))

    def strength(self, cards: Sequence[Card]) -> int:
        """Return the strength of the best five of five to seven cards."""
        total = 0
        for c in cards:
            total += KEY[c]
        return self.of_sum(total, cards)

    def of_sum(self, total: int, cards: Sequence[Card]) -> int:
        """Return the strength of cards whose sum is known; `cards` is used only if five share a suit."""
        strength = self.ranks[total & RANK_MASK]
        flagged = (total + THREE_EACH) & TOP_BITS
        if flagged:
            suit = (flagged >> RANK_BITS).bit_length() // 4 - 1
            suited = sum([RANK_KEY[c] for c in cards if c.suit == suit])
            return max(strength, self.suited[suited])
        return strength

    def name(self, strength: int) -> HandClass:
        """Return the class of a strength."""
        return self.order[self.places[strength]]
