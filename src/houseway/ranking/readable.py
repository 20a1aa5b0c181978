"""The readable evaluator: the specification of what a hand is and which of two is higher.

It tries every five of the cards, calls each by the first class of the rulebook's list that it fits,
and keeps the best. Slow and plain on purpose; `fast` must agree with it on every hand there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from houseway.cards import Card
from houseway.ranking.classes import HandClass, Ranks, classify, words


@dataclass(frozen=True, slots=True)
class Hand:
    """Five cards that play: their class, the ranks that decide, the cards in that order."""

    name: HandClass
    place: int
    """How far down the rulebook's list the class stands; 0 is the best."""
    ranks: Ranks
    cards: tuple[Card, ...]

    @property
    def key(self) -> tuple[int, Ranks]:
        """Greater for the higher hand, equal for hands that tie; suits never count."""
        return -self.place, self.ranks

    @property
    def words(self) -> str:
        """The hand as a dealer calls it: "full house, nines over kings"."""
        return words(self.name, self.ranks)


def read(cards: Sequence[Card], order: Sequence[HandClass]) -> Hand:
    """The best five of five to seven cards, by the classes of `order` from the best down."""
    if not 5 <= len(cards) <= 7:
        raise ValueError(f"a hand is read from five to seven cards, not {len(cards)}")
    best = max((_hand(five, order) for five in combinations(cards, 5)), key=lambda hand: hand.key)
    return replace(best, cards=_arranged(best.cards, best.ranks))


def compare(one: Hand, other: Hand) -> int:
    """1 where the first hand is higher, 0 where they tie, -1 where it is lower."""
    return (one.key > other.key) - (one.key < other.key)


def _hand(five: tuple[Card, ...], order: Sequence[HandClass]) -> Hand:
    suited = len({c.suit for c in five}) == 1
    place, ranks = classify([c.rank for c in five], order, suited=suited)
    return Hand(order[place], place, ranks, five)


def _arranged(five: Sequence[Card], ranks: Ranks) -> tuple[Card, ...]:
    left = sorted(five, key=lambda c: -c.suit)
    played = []
    for rank in ranks:
        found = next(c for c in left if c.rank == rank % 13)
        left.remove(found)
        played.append(found)
    return tuple(played)
