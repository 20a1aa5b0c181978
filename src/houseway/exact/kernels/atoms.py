"""Numbers for what a river decision depends on: atoms, classes of two cards, boards, turns and flops.

Seen from one suit a card is an atom: 0 to 12 is a rank in the suit, 13 to 25 a rank outside it. Two
cards are one of 351 classes. Cards on the board are a set of ranks in the suit, kept as bits, and at
most two ranks outside it, the lower first; a rank that is not there is -1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.compiler import kernel

RANKS = 13
SUITS = 4
ATOMS = 26
PAIRS = 91
CLASSES = 351
COPIES_OUTSIDE = 3

FLUSH_BOARDS = 286 * 91 + 715 * 13 + 1287
FLUSH_TURNS = 78 * 91 + 286 * 13 + 715
FLUSH_FLOPS = 13 * 91 + 78 * 13 + 286
RANK_BOARDS = 6188
"""Five ranks in any order, thirteen of them impossible: five of one rank."""
RANK_TURNS = 1820
RANK_FLOPS = 455
COPIES = 4

Integers = NDArray[np.int64]


@kernel
def choose(n: int, k: int) -> int:
    """How many ways to take k of n."""
    ways = 1
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways if n >= k else 0


@kernel
def two(a: int, b: int) -> int:
    """The number of an unordered pair; 91 pairs of ranks, 351 of atoms."""
    return b * (b + 1) // 2 + a if a <= b else a * (a + 1) // 2 + b


@kernel
def subset(mask: int) -> int:
    """The number of a set of ranks among sets of its size."""
    number = size = 0
    for rank in range(RANKS):
        if mask >> rank & 1:
            size += 1
            number += choose(rank, size)
    return number


@kernel
def multiset(ranks: Integers, size: int) -> int:
    """The number of ranks in ascending order, repeats allowed, among those of their size."""
    number = 0
    for i in range(size):
        number += choose(ranks[i] + i, i + 1)
    return number


@kernel
def put_in(room: Integers, size: int, value: int) -> None:
    """Put one more in order among so many."""
    while size > 0 and room[size - 1] > value:
        room[size] = room[size - 1]
        size -= 1
    room[size] = value


@kernel
def board_at(mask: int, inside: int, low: int, high: int) -> int:
    """The number of a board with three or more of the suit, as `suit_cards` of `numbering` lists them."""
    if inside == 3:
        return two(low, high) * choose(RANKS, 3) + subset(mask)
    if inside == 4:
        return PAIRS * choose(RANKS, 3) + low * choose(RANKS, 4) + subset(mask)
    return PAIRS * choose(RANKS, 3) + RANKS * choose(RANKS, 4) + subset(mask)
