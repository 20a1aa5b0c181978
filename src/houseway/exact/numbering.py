"""Indices for multisets, sets and cards (a card is its rank, in or outside one suit), as in the kernels."""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations, combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import RANKS

Integers = NDArray[np.int64]

WAYS = np.array([[comb(n, k) for k in range(8)] for n in range(64)], np.int64)
"""Binomial coefficients: the ways to choose k of n."""
COUNTERS = np.int64(1) << 3 * np.arange(RANKS)
"""Each rank's term in the evaluator's sums."""


@cache
def multisets(size: int, kinds: int = RANKS) -> Integers:
    """Every multiset of a size, of ranks or other kinds, in index order."""
    listed = chain.from_iterable(combinations_with_replacement(range(kinds), size))
    rows = np.fromiter(listed, np.int64).reshape(comb(kinds + size - 1, size), size)
    return np.asarray(rows[np.argsort(multiset_number(rows))])


@cache
def subsets(size: int, kinds: int) -> Integers:
    """Every set of a size, in index order."""
    rows = np.array(list(combinations(range(kinds), size)), np.int64)
    return np.asarray(rows[np.argsort(subset_number(rows))])


def multiset_number(held: Integers) -> Integers:
    """The index of each row of kinds, in ascending order, among multisets of its size."""
    places = np.arange(held.shape[-1])
    return np.asarray(WAYS[held + places, places + 1].sum(axis=-1))


def subset_number(held: Integers) -> Integers:
    """The index of each row of distinct kinds, in ascending order, among sets of its size."""
    return np.asarray(WAYS[held, np.arange(held.shape[-1]) + 1].sum(axis=-1))


def grown(held: Integers, kinds: int = RANKS) -> Integers:
    """The index of each multiset after adding one of each kind."""
    more = np.broadcast_to(np.arange(kinds)[:, None], (len(held), kinds, 1))
    rows = np.broadcast_to(held[:, None], (len(held), kinds, held.shape[1]))
    return multiset_number(np.sort(np.concatenate([rows, more], axis=2), axis=2))


def with_pair(size: int) -> Integers:
    """The index of each multiset of ranks after adding each pair of ranks."""
    low, high = multisets(2).T
    return np.asarray(grown(multisets(size + 1))[grown(multisets(size)).take(low, axis=1), high])


def pair_of(one: Integers, other: Integers) -> Integers:
    """The indices of unordered pairs of ranks, atoms or cards; both may be equal."""
    low, high = np.minimum(one, other), np.maximum(one, other)
    return np.asarray(high * (high + 1) // 2 + low)


def repeats(cards: Integers) -> Integers:
    """How often each card of a row occurs earlier in the row."""
    return np.stack([(cards[:, :n] == cards[:, n : n + 1]).sum(axis=1) for n in range(cards.shape[1])], 1)


def place_of(sought: Integers, known: Integers) -> Integers:
    """The position of each sought number among the known ones."""
    order = np.argsort(known)
    return np.asarray(order[np.searchsorted(known, sought, sorter=order)])


def rank_sets(size: int) -> Integers:
    """Every set of `size` ranks as a bit mask, in index order."""
    return np.flatnonzero([mask.bit_count() == size for mask in range(1 << RANKS)])


def outside_ranks(size: int) -> Integers:
    """Every choice of `size` ranks (0 to 2) outside a suit, the lower first, filled up to two with -1."""
    return np.pad(multisets(size), ((0, 0), (0, 2 - size)), constant_values=-1)


@cache
def suit_cards(size: int) -> Integers:
    """All boards of `size` cards with at most two outside a suit: the set in it, low and high outside.

    They are sorted by number of cards outside (most first), then by the cards outside, then by the set in
    the suit, so boards that share the cards outside are adjacent.
    """
    boards = []
    for number in (2, 1, 0):
        inside, outside = rank_sets(size - number), outside_ranks(number)
        boards.append(np.column_stack([np.tile(inside, len(outside)), np.repeat(outside, len(inside), 0)]))
    return np.concatenate(boards)


def suit_card_numbers(size: int, nothing: int) -> Integers:
    """The index of `size` board cards by the set in a suit, low and high outside, or `nothing`.

    A missing rank is -1 or 13.
    """
    numbers = np.full((1 << RANKS, RANKS + 1, RANKS + 1), nothing)
    numbers[tuple(suit_cards(size).T)] = np.arange(len(suit_cards(size)))
    return numbers
