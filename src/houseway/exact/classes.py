"""How many hands of a deck are of each class."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
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
    flushes: Counter[int] = Counter()
    one_suit = [card for card in DECK if card.suit == 0]
    for inside in range(FLUSH, size + 1):
        outside = suited_sums(size - inside, OTHER_SUITS).items()
        for held in combinations(one_suit, inside):
            suited, shown = by.strength(held), rank_sum(tuple(card.rank for card in held))
            for others, ways in outside:
                total = shown + others
                flushes[total] += len(SUITS) * ways
                found[by.places[max(suited, by.of_sum(total, ()))]] += len(SUITS) * ways
    for total, ways in suited_sums(size, len(SUITS)).items():
        found[by.places[by.of_sum(total, ())]] += ways - flushes[total]
    return tuple(found)


def suited_sums(size: int, suits: int) -> dict[int, int]:
    """The ranks of so many cards, added up as the evaluator takes them: in how many suits each may be."""
    found = {(size, 0): 1}
    choices = [comb(suits, taken) for taken in range(suits + 1)]
    for rank in range(len(RANKS)):
        found = {
            (left - taken, total + (taken << 3 * rank)): ways * choices[taken]
            for (left, total), ways in found.items()
            for taken in range(min(left, suits) + 1)
        }
    return {total: ways for (left, total), ways in found.items() if left == 0}


@cache
def suitings(ranks: tuple[int, ...], suits: int) -> int:
    """In how many ways cards of these ranks can be of these many suits."""
    return prod(comb(suits, ranks.count(rank)) for rank in set(ranks))


def rank_sum(ranks: tuple[int, ...]) -> int:
    """Ranks added up as the evaluator takes them."""
    return sum(1 << 3 * rank for rank in ranks)
