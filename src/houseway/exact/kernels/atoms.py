"""Atoms (groups of cards that are counted as alike), and index numbers for pairs, sets and boards.

Flushes are counted one suit at a time. Then it does not matter which of the other three suits a card has.
An atom is a group of cards that are alike: atoms 0 to 12 are the ranks in the suit, one card each; atoms 13
to 25 are the ranks outside it, three cards each. Two atoms form one of 351 suit pairs. Board cards are
described by a bit mask of the ranks in the suit and at most two ranks outside it, the lower first. A
missing rank is -1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.compiler import kernel

RANKS = 13
SUITS = 4
ATOMS = 26
PAIRS = 91
SUIT_PAIRS = 351
COPIES_OUTSIDE = 3

FLUSH_BOARDS = 286 * 91 + 715 * 13 + 1287
FLUSH_TURNS = 78 * 91 + 286 * 13 + 715
FLUSH_FLOPS = 13 * 91 + 78 * 13 + 286
RANK_BOARDS = 6188
"""The number of multisets of five ranks. Thirteen of them have one rank five times and cannot be dealt."""
RANK_TURNS = 1820
RANK_FLOPS = 455
COPIES = 4

Integers = NDArray[np.int64]


@kernel
def choose(n: int, k: int) -> int:
    """The binomial coefficient: the number of ways to choose k of n."""
    ways = 1
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways if n >= k else 0


@kernel
def pair_index(a: int, b: int) -> int:
    """The index of an unordered pair. There are 91 pairs of ranks and 351 pairs of atoms."""
    return b * (b + 1) // 2 + a if a <= b else a * (a + 1) // 2 + b


@kernel
def subset_index(mask: int) -> int:
    """The index of a set of ranks among sets of the same size."""
    index = size = 0
    for rank in range(RANKS):
        if mask >> rank & 1:
            size += 1
            index += choose(rank, size)
    return index


@kernel
def multiset_index(ranks: Integers, size: int) -> int:
    """The index of a sorted multiset of ranks among multisets of the same size."""
    index = 0
    for i in range(size):
        index += choose(ranks[i] + i, i + 1)
    return index


@kernel
def insert_sorted(values: Integers, size: int, value: int) -> None:
    """Insert a value into the first `size` entries, which are sorted."""
    while size > 0 and values[size - 1] > value:
        values[size] = values[size - 1]
        size -= 1
    values[size] = value


@kernel
def board_at(mask: int, inside: int, low: int, high: int) -> int:
    """The index of a board with three or more cards of the suit, in the order of `numbering.suit_cards`."""
    if inside == 3:
        return pair_index(low, high) * choose(RANKS, 3) + subset_index(mask)
    if inside == 4:
        return PAIRS * choose(RANKS, 3) + low * choose(RANKS, 4) + subset_index(mask)
    return PAIRS * choose(RANKS, 3) + RANKS * choose(RANKS, 4) + subset_index(mask)
