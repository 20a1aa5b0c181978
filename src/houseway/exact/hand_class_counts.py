"""The number of hands of each class in one deck."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb

import numpy as np

from houseway.cards import DECK, RANKS, SUITS
from houseway.exact.numbering import COUNTERS, Integers
from houseway.ranking import HandClass, evaluator

FLUSH = 5
OTHER_SUITS = len(SUITS) - 1


@cache
def class_counts(order: tuple[HandClass, ...], size: int) -> tuple[int, ...]:
    """Count the hands of `size` cards (five to seven) from one deck in each class.

    Hands are classified by ranks alone, unless five or more cards have the same suit. Hands with five or
    more cards of a suit are counted separately, by the ranks inside and outside the suit.
    """
    by = evaluator(order, 1)
    places = np.frombuffer(by.places, np.uint8)
    sums, ways = suited_sums(size, len(SUITS))
    ranked = np.array([by.of_sum(total, ()) for total in sums.tolist()])
    counts = np.zeros(len(order), np.int64)
    one_suit = [card for card in DECK if card.suit == 0]
    for inside in range(FLUSH, size + 1):
        held = list(combinations(one_suit, inside))
        suited = np.array([by.strength(cards) for cards in held])
        shown = np.array([COUNTERS[[card.rank for card in cards]].sum() for cards in held])
        others, suited_ways = suited_sums(size - inside, OTHER_SUITS)
        at = np.searchsorted(sums, shown[:, None] + others)
        flushes = np.broadcast_to(len(SUITS) * suited_ways, at.shape)
        np.add.at(counts, places[np.maximum(suited[:, None], ranked[at])], flushes)
        np.subtract.at(ways, at, flushes)
    np.add.at(counts, places[ranked], ways)
    return tuple(counts.tolist())


def suited_sums(size: int, suits: int) -> tuple[Integers, Integers]:
    """Return the evaluator's rank sum of every multiset of `size` ranks, and the number of ways to choose
    suits for it."""
    copies = np.arange(suits + 1)[:, None]
    choices = np.array([comb(suits, number) for number in range(suits + 1)])[:, None]
    left, sums, ways = np.array([[size], [0], [1]], np.int64)
    for rank in range(len(RANKS)):
        grown = np.array([left - copies, sums + (copies << 3 * rank), ways * choices]).reshape(3, -1)
        left, sums, ways = grown[:, grown[0] >= 0]
    whole = np.flatnonzero(left == 0)
    whole = whole[np.argsort(sums[whole])]
    return sums[whole], ways[whole]
