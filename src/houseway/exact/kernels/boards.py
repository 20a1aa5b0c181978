"""Every hand on every board against every hand the dealer may hold."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import (
    ATOMS,
    CLASSES,
    COPIES,
    COPIES_OUTSIDE,
    PAIRS,
    RANKS,
    Integers,
    choose,
    multiset,
    ranks_of,
    two,
)
from houseway.exact.kernels.compiling import kernel

Small = NDArray[np.int16]
Tiny = NDArray[np.unsignedinteger]
"""Numbers that are never negative: an index of them needs no look at its sign."""

CLASS_BITS = 9
"""A class fits these bits; a hand's sorting key is its strength above them."""


class Met(NamedTuple):
    """Hands on boards: what each is, and how many of the dealer's hands it meets in which way."""

    wins: Small
    ties: Small
    below: Small
    """The dealer's hands that do not qualify."""
    place: Tiny
    ways: Tiny
    """How many boards of real cards the cell stands for; 0 where its cards cannot be."""


@kernel
def compare(strengths: Integers, copies: Integers, first: Integers, second: Integers, least: int,
            wins: Small, ties: Small, below: Small) -> None:  # fmt: skip
    """Count for each hand on one board the dealer's hands it beats and ties, and those under `least`.

    Hands are walked from the weakest up. `held` counts the dealer's hands met so far, in all and with
    one certain card; a player's own two cards are taken out by subtraction.
    """
    keys = np.empty(len(first), np.int64)
    size = 0
    for hand in range(len(first)):
        a, b = first[hand], second[hand]
        if copies[a] > (a == b) and copies[b] > 0:
            keys[size] = strengths[hand] << CLASS_BITS | hand
            size += 1
    keys = np.sort(keys[:size])
    total = unqualified = 0
    held = np.zeros(len(copies), np.int64)
    level = np.zeros(len(copies), np.int64)
    weak = np.zeros(len(copies), np.int64)
    start = 0
    while start < size:
        strength = keys[start] >> CLASS_BITS
        stop = start
        equal = 0
        while stop < size and keys[stop] >> CLASS_BITS == strength:
            hand = keys[stop] & (1 << CLASS_BITS) - 1
            a, b = first[hand], second[hand]
            if a == b:
                equal += copies[a] * (copies[a] - 1) // 2
                level[a] += copies[a] - 1
            else:
                equal += copies[a] * copies[b]
                level[a] += copies[b]
                level[b] += copies[a]
            stop += 1
        for at in range(start, stop):
            hand = keys[at] & (1 << CLASS_BITS) - 1
            a, b = first[hand], second[hand]
            wins[hand] = total - held[a] - held[b]
            ties[hand] = equal - level[a] - level[b] + 1
        total += equal
        for atom in range(len(copies)):
            held[atom] += level[atom]
            level[atom] = 0
        if strength < least:
            unqualified = total
            weak[:] = held
        start = stop
    for at in range(size):
        hand = keys[at] & (1 << CLASS_BITS) - 1
        own = keys[at] >> CLASS_BITS < least
        below[hand] = unqualified - weak[first[hand]] - weak[second[hand]] + own


@kernel
def flush_boards(start: int, stop: int, boards: Integers, ranked: Integers, suited: Integers,
                 places: Integers, least: int, wins: Small, ties: Small, below: Small, place: Tiny,
                 ways: Tiny) -> None:  # fmt: skip
    """Fill the cells of boards that hold three or more of a suit.

    `ranked` has the strength of a rank board with two ranks, `suited` that of a set of one suit's ranks.
    """
    first = np.empty(CLASSES, np.int64)
    second = np.empty(CLASSES, np.int64)
    for b in range(ATOMS):
        for a in range(b + 1):
            first[two(a, b)], second[two(a, b)] = a, b
    strengths = np.empty(CLASSES, np.int64)
    copies = np.empty(ATOMS, np.int64)
    ranks = np.empty(5, np.int64)
    for board in range(start, stop):
        mask, low, high = boards[board, 0], boards[board, 2], boards[board, 3]
        ranks_of(mask, low, high, ranks)
        by_rank = ranked[multiset(ranks, 5)]
        for rank in range(RANKS):
            copies[rank] = 1 - (mask >> rank & 1)
            copies[RANKS + rank] = COPIES_OUTSIDE - (low == rank) - (high == rank)
        for hand in range(CLASSES):
            a, b = first[hand], second[hand]
            ways[board, hand] = 0
            if copies[a] <= (a == b) or copies[b] == 0:
                continue
            held = mask
            if a < RANKS:
                held |= 1 << a
            if b < RANKS:
                held |= 1 << b
            strength = max(by_rank[two(a % RANKS, b % RANKS)], suited[held])
            strengths[hand] = strength
            place[board, hand] = places[strength]
            ways[board, hand] = outside_ways(low, high, a, b)
        compare(strengths, copies, first, second, least, wins[board], ties[board], below[board])


@kernel
def outside_ways(low: int, high: int, a: int, b: int) -> int:
    """How many pairs, cards or nothing outside the suit make the ranks low and high, two cards gone."""
    if low < 0:
        return 1
    left = COPIES_OUTSIDE - (a == RANKS + low) - (b == RANKS + low)
    if high < 0:
        return left
    if high == low:
        return choose(left, 2)
    return left * (COPIES_OUTSIDE - (a == RANKS + high) - (b == RANKS + high))


@kernel
def rank_boards(start: int, stop: int, boards: Integers, ranked: Integers, places: Integers, least: int,
                wins: Small, ties: Small, below: Small, place: Tiny, ways: Tiny) -> None:  # fmt: skip
    """Fill the cells of boards seen by rank alone, as if no flush could be."""
    first = np.empty(PAIRS, np.int64)
    second = np.empty(PAIRS, np.int64)
    for b in range(RANKS):
        for a in range(b + 1):
            first[two(a, b)], second[two(a, b)] = a, b
    copies = np.empty(RANKS, np.int64)
    for board in range(start, stop):
        copies[:] = COPIES
        for i in range(5):
            copies[boards[board, i]] -= 1
        ways[board, :] = 0
        if copies.min() < 0:
            continue
        for hand in range(PAIRS):
            a, b = first[hand], second[hand]
            if copies[a] > (a == b) and copies[b] > 0:
                place[board, hand] = places[ranked[board, hand]]
                number = 1
                for rank in range(RANKS):
                    number *= choose(COPIES - (a == rank) - (b == rank), COPIES - copies[rank])
                ways[board, hand] = number
        compare(ranked[board], copies, first, second, least, wins[board], ties[board], below[board])


@kernel
def tally(met: Met, board: int, hand: int, number: int, counts: Integers) -> None:
    """Count a hand so many times at its place: itself and the dealer's hands below, beaten and tied."""
    at = counts[met.place[board, hand]]
    at[0] += number
    at[1] += number * met.below[board, hand]
    at[2] += number * met.wins[board, hand]
    at[3] += number * met.ties[board, hand]


@kernel
def count_hands(start: int, stop: int, met: Met, counts: Integers) -> None:
    """Count every hand on boards by class and place."""
    for board in range(start, stop):
        for hand in range(met.ways.shape[1]):
            if met.ways[board, hand] > 0:
                tally(met, board, hand, met.ways[board, hand], counts[hand])


@kernel
def discount_ranks(start: int, stop: int, ways: Tiny, rank_board: Integers, rank_pair: Tiny, under: Met,
                   counts: Integers) -> None:  # fmt: skip
    """Take what ranks alone say of the hands on flush boards off the counts."""
    for board in range(start, stop):
        for hand in range(ways.shape[1]):
            if ways[board, hand] > 0:
                number = -np.int64(ways[board, hand])
                tally(under, rank_board[board], rank_pair[hand], number, counts[hand])
