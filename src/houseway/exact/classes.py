"""How many hands of a deck are of each class."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod

from houseway.cards import DECK, RANKS, SUITS
from houseway.ranking import HandClass, evaluator

FLUSH = 5
OTHER_SUITS = len(SUITS) - 1


@cache
def class_counts(order: tuple[HandClass, ...], size: int) -> tuple[int, ...]:
    """How many sets of `size` cards, five to seven, of one deck are of each class of an order.

    Ranks alone say what a hand is, unless five or more cards share a suit: those hands are counted by
    the ranks inside the suit and outside it, and taken off what their ranks had.
    """
    by = evaluator(order, 1)
    found = [0] * len(order)
    flushes: Counter[tuple[int, ...]] = Counter()
    one_suit = [card for card in DECK if card.suit == 0]
    for inside in range(FLUSH, size + 1):
        for held in combinations(one_suit, inside):
            suited = by.strength(held)
            for others in combinations_with_replacement(range(len(RANKS)), size - inside):
                ranks = tuple(sorted((*(card.rank for card in held), *others)))
                ways = len(SUITS) * suitings(others, OTHER_SUITS)
                flushes[ranks] += ways
                found[by.places[max(suited, by.of_sum(rank_sum(ranks), ()))]] += ways
    for ranks in combinations_with_replacement(range(len(RANKS)), size):
        ways = suitings(ranks, len(SUITS)) - flushes[ranks]
        if ways:
            found[by.places[by.of_sum(rank_sum(ranks), ())]] += ways
    return tuple(found)


def suitings(ranks: tuple[int, ...], suits: int) -> int:
    """In how many ways cards of these ranks can be of these many suits."""
    return prod(comb(suits, ranks.count(rank)) for rank in set(ranks))


def rank_sum(ranks: tuple[int, ...]) -> int:
    """Ranks added up as the evaluator takes them."""
    return sum(1 << 3 * rank for rank in ranks)
