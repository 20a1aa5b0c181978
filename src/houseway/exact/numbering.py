"""Numbers for multisets, sets and cards as one suit sees them, as the kernels count them."""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations, combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import RANKS

Integers = NDArray[np.int64]

WAYS = np.array([[comb(n, k) for k in range(8)] for n in range(64)], np.int64)
"""How many ways to take k of n."""
COUNTERS = np.int64(1) << 3 * np.arange(RANKS)
"""A rank as the evaluator adds it up."""


@cache
def multisets(size: int, kinds: int = RANKS) -> Integers:
    """Every multiset of a size, of ranks or of other kinds, in the order of their numbers."""
    listed = chain.from_iterable(combinations_with_replacement(range(kinds), size))
    found = np.fromiter(listed, np.int64).reshape(comb(kinds + size - 1, size), size)
    return np.asarray(found[np.argsort(multiset_number(found))])


@cache
def subsets(size: int, kinds: int) -> Integers:
    """Every set of a size in the order of their numbers."""
    found = np.array(list(combinations(range(kinds), size)), np.int64)
    return np.asarray(found[np.argsort(subset_number(found))])


def multiset_number(held: Integers) -> Integers:
    """The number of each row of kinds, lowest first, among multisets of its size."""
    places = np.arange(held.shape[-1])
    return np.asarray(WAYS[held + places, places + 1].sum(axis=-1))


def subset_number(held: Integers) -> Integers:
    """The number of each row of different kinds, lowest first, among sets of its size."""
    return np.asarray(WAYS[held, np.arange(held.shape[-1]) + 1].sum(axis=-1))


def grown(held: Integers, kinds: int = RANKS) -> Integers:
    """The number of each multiset with one more of each kind."""
    more = np.broadcast_to(np.arange(kinds)[:, None], (len(held), kinds, 1))
    rows = np.broadcast_to(held[:, None], (len(held), kinds, held.shape[1]))
    return multiset_number(np.sort(np.concatenate([rows, more], axis=2), axis=2))


def with_pair(size: int) -> Integers:
    """The number of each multiset of ranks of a size with each pair of ranks more."""
    low, high = multisets(2).T
    return np.asarray(grown(multisets(size + 1))[grown(multisets(size)).take(low, axis=1), high])


def pair_of(one: Integers, other: Integers) -> Integers:
    """The numbers of unordered pairs of ranks, atoms or cards; the two may be the same."""
    low, high = np.minimum(one, other), np.maximum(one, other)
    return np.asarray(high * (high + 1) // 2 + low)


def repeats(cards: Integers) -> Integers:
    """How often each card of a row stands in it before."""
    return np.stack([(cards[:, :n] == cards[:, n : n + 1]).sum(axis=1) for n in range(cards.shape[1])], 1)


def place_of(sought: Integers, known: Integers) -> Integers:
    """Where each number sought stands among known ones."""
    order = np.argsort(known)
    return np.asarray(order[np.searchsorted(known, sought, sorter=order)])


def rank_sets(size: int) -> Integers:
    """Every set of so many ranks as bits, in the order of their numbers."""
    return np.flatnonzero([mask.bit_count() == size for mask in range(1 << RANKS)])


def outside_ranks(size: int) -> Integers:
    """Every two, one or no rank outside a suit, the lower first; -1 for none."""
    return np.pad(multisets(size), ((0, 0), (0, 2 - size)), constant_values=-1)


@cache
def suit_cards(size: int) -> Integers:
    """Every so many board cards with at most two outside a suit: the set in it, low and high outside.

    Most outside come first, then what lies outside counts, then the set in the suit: cards that share what
    lies outside stand together.
    """
    found = []
    for number in (2, 1, 0):
        inside, outside = rank_sets(size - number), outside_ranks(number)
        found.append(np.column_stack([np.tile(inside, len(outside)), np.repeat(outside, len(inside), 0)]))
    return np.concatenate(found)


def suit_card_numbers(size: int, nothing: int) -> Integers:
    """The number of so many board cards by the set in a suit, low and high outside; else `nothing`.

    A rank that is not there is -1 or 13.
    """
    found = np.full((1 << RANKS, RANKS + 1, RANKS + 1), nothing)
    found[tuple(suit_cards(size).T)] = np.arange(len(suit_cards(size)))
    return found
