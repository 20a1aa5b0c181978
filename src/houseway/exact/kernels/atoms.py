"""Numbers for what a river decision depends on: atoms, classes of two cards, boards, turns and flops.

Seen from one suit a card is an atom: 0 to 12 is a rank in the suit, 13 to 25 a rank outside it. Two
cards are one of 351 classes. Cards on the board are a set of ranks in the suit, kept as bits, and at
most two ranks outside it, the lower first; a rank that is not there is -1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.compiling import kernel

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
def ranks_of(mask: int, low: int, high: int, ranks: Integers) -> int:
    """Write the ranks of some cards into `ranks`, lowest first; how many there are."""
    size = 0
    for rank in range(RANKS):
        for _ in range((mask >> rank & 1) + (low == rank) + (high == rank)):
            ranks[size] = rank
            size += 1
    return size


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
def outside(low: int, high: int) -> int:
    """The number of what lies outside the suit: nothing, one rank or two."""
    if high >= 0:
        return two(low, high)
    return max(low, 0)


@kernel
def cards_at(size: int, mask: int, inside: int, low: int, high: int) -> int:
    """The number of so many board cards, at most two of them outside the suit.

    Most outside come first, then what lies outside counts, then the set in the suit: cards that share
    what lies outside stand together.
    """
    number = outside(low, high) * choose(RANKS, inside) + subset(mask)
    if size - inside < 2:
        number += PAIRS * choose(RANKS, size - 2)
    if size == inside:
        number += RANKS * choose(RANKS, size - 1)
    return number


@kernel
def board_at(mask: int, inside: int, low: int, high: int) -> int:
    """The number of a board with three or more of the suit."""
    return cards_at(5, mask, inside, low, high)


@kernel
def flop_at(mask: int, inside: int, low: int, high: int) -> int:
    """The number of a flop with one or more of the suit."""
    return cards_at(3, mask, inside, low, high)


@kernel
def bits(mask: int) -> int:
    """How many ranks a set holds."""
    size = 0
    for rank in range(RANKS):
        size += mask >> rank & 1
    return size


@kernel
def list_cards(size: int, least: int, found: Integers) -> None:
    """Write every (set in the suit, how many, low, high) of `size` cards, `least` or more of the suit."""
    for mask in range(1 << RANKS):
        inside = bits(mask)
        if inside < least or inside > size:
            continue
        for high in range(RANKS if size - inside == 2 else 1):
            for low in range(high + 1 if size - inside == 2 else RANKS if size - inside == 1 else 1):
                second = high if size - inside == 2 else -1
                first = low if size > inside else -1
                at = cards_at(size, mask, inside, first, second)
                found[at, 0], found[at, 1], found[at, 2], found[at, 3] = mask, inside, first, second


@kernel
def list_sets(number: Integers) -> None:
    """Write the number of each set of ranks among sets of its size."""
    for mask in range(1 << RANKS):
        number[mask] = subset(mask)


@kernel
def list_rank_boards(boards: Integers, numbers: Integers) -> None:
    """Write the number of each flush board's ranks."""
    ranks = np.empty(5, np.int64)
    for board in range(len(boards)):
        ranks_of(boards[board, 0], boards[board, 2], boards[board, 3], ranks)
        numbers[board] = multiset(ranks, 5)


@kernel
def list_grown(held: Integers, numbers: Integers) -> None:
    """Write the number of each multiset of ranks with one rank more."""
    size = held.shape[1]
    ranks = np.empty(size + 1, np.int64)
    for at in range(len(held)):
        for rank in range(RANKS):
            ranks[:size] = held[at]
            ranks[size] = rank
            numbers[at, rank] = multiset(np.sort(ranks), size + 1)
