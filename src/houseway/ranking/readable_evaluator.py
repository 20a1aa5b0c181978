"""The readable evaluator, which defines what each hand is worth.

It tries every combination of five cards, gives each the first class in the rulebook's list that it fits,
and keeps the best. It is slow and simple on purpose; `fast_evaluator` must agree with it on every hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import itemgetter

from houseway.cards import Card
from houseway.ranking.classes import HandClass, Ranks, classify, words


@dataclass(frozen=True, slots=True)
class Hand:
    """The best five cards: their class, the ranks that decide, and the cards in that order."""

    name: HandClass
    place: int
    """The position of the class in the rulebook's list; 0 is the best."""
    ranks: Ranks
    cards: tuple[Card, ...]

    @property
    def key(self) -> tuple[int, Ranks]:
        """A sort key: greater for the higher hand, equal for hands that tie."""
        return -self.place, self.ranks

    @property
    def words(self) -> str:
        """The hand as a dealer calls it: "full house, nines over kings"."""
        return words(self.name, self.ranks)


def read(cards: Sequence[Card], order: Sequence[HandClass]) -> Hand:
    """Return the best five of five to seven cards; `order` lists the classes, best first."""
    if not 5 <= len(cards) <= 7:
        raise ValueError(f"a hand must have five to seven cards (got {len(cards)})")
    classes = tuple(order)
    (place, ranks), five = max(
        ((_key(five, classes), five) for five in combinations(cards, 5)), key=itemgetter(0)
    )
    return Hand(classes[-place], -place, ranks, _arranged(five, ranks))


def compare(one: Hand, other: Hand) -> int:
    """Return 1 if the first hand is higher, 0 if they tie, -1 if it is lower."""
    return (one.key > other.key) - (one.key < other.key)


def _key(five: tuple[Card, ...], order: tuple[HandClass, ...]) -> tuple[int, Ranks]:
    suited = len({c.suit for c in five}) == 1
    place, ranks = classify(tuple(sorted([c.rank for c in five])), order, suited=suited)
    return -place, ranks


def _arranged(five: Sequence[Card], ranks: Ranks) -> tuple[Card, ...]:
    left = sorted(five, key=lambda c: -c.suit)
    played = []
    for rank in ranks:
        card = next(c for c in left if c.rank == rank % 13)
        left.remove(card)
        played.append(card)
    return tuple(played)
