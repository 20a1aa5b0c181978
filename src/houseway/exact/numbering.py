"""Index numbers of card sets, of multisets of ranks and of boards. The kernels use the same numbers."""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations, combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import RANKS

Integers = NDArray[np.int64]

WAYS = np.array([[comb(n, k) for k in range(8)] for n in range(64)], np.int64)
"""Binomial coefficients: the number of ways to choose k of n."""
COUNTERS = np.int64(1) << 3 * np.arange(RANKS)
"""The number that the evaluator adds for a card of each rank."""


@cache
def multisets(size: int, kinds: int = RANKS) -> Integers:
    """List the multisets of `size` ranks (or other kinds) in index order."""
    listed = chain.from_iterable(combinations_with_replacement(range(kinds), size))
    rows = np.fromiter(listed, np.int64).reshape(comb(kinds + size - 1, size), size)
    return np.asarray(rows[np.argsort(multiset_number(rows))])


@cache
def subsets(size: int, kinds: int) -> Integers:
    """List the sets of `size` kinds in index order."""
    rows = np.array(list(combinations(range(kinds), size)), np.int64)
    return np.asarray(rows[np.argsort(subset_number(rows))])


def multiset_number(held: Integers) -> Integers:
    """Return the index of each row among multisets of the same size. Rows must be sorted."""
    places = np.arange(held.shape[-1])
    return np.asarray(WAYS[held + places, places + 1].sum(axis=-1))


def subset_number(held: Integers) -> Integers:
    """Return the index of each row among sets of the same size. Rows must be sorted and without repeats."""
    return np.asarray(WAYS[held, np.arange(held.shape[-1]) + 1].sum(axis=-1))


def grown(held: Integers, kinds: int = RANKS) -> Integers:
    """For each multiset and kind, return the index of the multiset with one more of that kind."""
    more = np.broadcast_to(np.arange(kinds)[:, None], (len(held), kinds, 1))
    rows = np.broadcast_to(held[:, None], (len(held), kinds, held.shape[1]))
    return multiset_number(np.sort(np.concatenate([rows, more], axis=2), axis=2))


def with_pair(size: int) -> Integers:
    """For each multiset of `size` ranks and each pair of ranks, return the index of the combined
    multiset."""
    low, high = multisets(2).T
    return np.asarray(grown(multisets(size + 1))[grown(multisets(size)).take(low, axis=1), high])


def pair_of(one: Integers, other: Integers) -> Integers:
    """Return the index of each unordered pair of ranks, atoms or cards. The two may be equal."""
    low, high = np.minimum(one, other), np.maximum(one, other)
    return np.asarray(high * (high + 1) // 2 + low)


def repeats(cards: Integers) -> Integers:
    """For each card of a row, count the earlier cards in the row that are equal to it."""
    return np.stack([(cards[:, :n] == cards[:, n : n + 1]).sum(axis=1) for n in range(cards.shape[1])], 1)


def place_of(sought: Integers, known: Integers) -> Integers:
    """Return the position of each sought number among the known numbers."""
    order = np.argsort(known)
    return np.asarray(order[np.searchsorted(known, sought, sorter=order)])


def rank_sets(size: int) -> Integers:
    """List the sets of `size` ranks as bit masks, in index order."""
    return np.flatnonzero([mask.bit_count() == size for mask in range(1 << RANKS)])


def outside_ranks(size: int) -> Integers:
    """List the multisets of `size` ranks (0 to 2), the lower rank first, padded with -1 to two columns."""
    return np.pad(multisets(size), ((0, 0), (0, 2 - size)), constant_values=-1)


@cache
def suit_cards(size: int) -> Integers:
    """List the sets of `size` board cards with at most two cards outside a given suit.

    A row has a bit mask of the ranks in the suit, then the low and the high rank outside it (-1 if
    missing). Rows are sorted by the number of cards outside the suit (most first), then by these cards,
    then by the ranks in the suit. So rows with the same outside cards are adjacent.
    """
    boards = []
    for number in (2, 1, 0):
        inside, outside = rank_sets(size - number), outside_ranks(number)
        boards.append(np.column_stack([np.tile(inside, len(outside)), np.repeat(outside, len(inside), 0)]))
    return np.concatenate(boards)


def suit_card_numbers(size: int, nothing: int) -> Integers:
    """Return the position of each row in `suit_cards`, as an array indexed by the three numbers of the row.

    The index of a missing rank is -1 or 13. Entries without a row have the value `nothing`.
    """
    numbers = np.full((1 << RANKS, RANKS + 1, RANKS + 1), nothing)
    numbers[tuple(suit_cards(size).T)] = np.arange(len(suit_cards(size)))
    return numbers
