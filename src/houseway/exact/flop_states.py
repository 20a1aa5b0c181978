"""The list of flops, and the list of states after the flop (hole cards and flop).

Flops and states that differ only in the names of suits are listed once.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from houseway.cards import DECK
from houseway.exact.kernels.atoms import PAIRS, RANKS, SUIT_PAIRS, SUITS
from houseway.exact.kernels.flops import NOTHING, States
from houseway.exact.numbering import (
    Integers,
    multiset_number,
    pair_of,
    place_of,
    subset_number,
    subsets,
    suit_card_numbers,
    suit_cards,
)

FLOPS = 1_755


def sets_of(cards: Integers) -> Integers:
    """Return the ranks of each row of cards as four bit masks, one for each suit."""
    return np.stack([((cards % SUITS == suit) << cards // SUITS).sum(axis=1) for suit in range(SUITS)], 1)


def suit_flops(flops: Integers) -> Integers:
    """Return the index of each flop with respect to each suit.

    The index is one past the last flop if the suit is not on the flop.
    """
    number = suit_card_numbers(3, len(suit_cards(3)))
    ranks = np.where(flops[:, :, None] % SUITS == np.arange(SUITS), RANKS, flops[:, :, None] // SUITS)
    low, high, _ = np.sort(ranks, axis=1).transpose(1, 0, 2)
    return np.asarray(number[sets_of(flops), low, high])


@cache
def states() -> States:
    """Return the states after the flop. A state is a flop with two hole cards.

    The suits of a flop are sorted by their sets of ranks, highest first. Two suits that have the same ranks
    on the flop can be swapped, so only the state with the higher hole cards in the first of them is listed.
    """
    threes, pairs = subsets(3, len(DECK)), subsets(2, len(DECK))
    flops = threes[(np.diff(sets_of(threes)) <= 0).all(axis=1)]
    by_suit = sets_of(flops)
    alike = (np.diff(by_suit) == 0) @ (1 << np.arange(SUITS - 1))
    listed_pairs, ways = _listed_pairs(sets_of(pairs))
    listed = listed_pairs[alike]
    on_flop, held = ((np.int64(1) << cards).sum(axis=1) for cards in (flops, pairs))
    free = on_flop[:, None] & held == 0
    flop, pair = np.nonzero(free & (listed == np.arange(len(pairs))))
    ranks, suits = pairs.T // SUITS, pairs.T % SUITS
    suit_pairs = np.stack([pair_of(*np.where(suits == suit, ranks, ranks + RANKS)) for suit in range(3)], 1)
    corrections = np.minimum((suit_flops(flops)[:, :3] * SUIT_PAIRS)[flop] + suit_pairs[pair], NOTHING)
    low, high = ranks
    start = np.where(suits[0] == suits[1], high * RANKS + low, low * RANKS + high)
    by_rank = multiset_number(flops // SUITS) * PAIRS
    number = np.zeros(free.shape, np.int32)
    number[flop, pair] = np.arange(len(flop))
    return States(
        (by_rank[flop] + pair_of(low, high)[pair]).astype(np.int32),
        corrections.astype(np.int32),
        start[pair].astype(np.uint8),
        ways[alike[flop], pair].astype(np.int8),
        np.column_stack([flop, pairs[pair]]).astype(np.int16),
        by_suit,
        np.take_along_axis(number, listed, axis=1),
    )


def _listed_pairs(holes: Integers) -> tuple[Integers, Integers]:
    """For every two hole cards, return the listed pair that they are equivalent to, and the number of
    equivalent pairs.

    The first index of both arrays is a bit mask with one bit for each two adjacent suits: 1 if the
    suits have the same ranks on the flop.
    """
    orders = list(permutations(range(SUITS)))
    keys = np.stack([_key(holes[:, order]) for order in orders])
    listed, ways = [], []
    for alike in range(1 << SUITS - 1):
        run = np.cumsum([0, *(1 - (alike >> np.arange(SUITS - 1) & 1))])
        allowed = keys[[(run[list(order)] == run).all() for order in orders]]
        listed.append(place_of(allowed.max(axis=0), keys[0]))
        ways.append(len(orders) // (allowed == keys[0]).sum(axis=0))
    return np.array(listed), np.array(ways)


def _key(sets: Integers) -> Integers:
    """Pack the sets of ranks in the four suits into one integer."""
    return np.asarray(sets @ (np.int64(1) << RANKS * np.arange(SUITS)[::-1]))


@cache
def suit_maps() -> tuple[NDArray[np.int16], NDArray[np.int8]]:
    """Return, for every set of three cards, the listed flop that it is equivalent to, and the new name of
    each suit."""
    sets = sets_of(subsets(3, len(DECK)))
    order = np.argsort(-sets, axis=1, kind="stable")
    flop = place_of(_key(np.take_along_axis(sets, order, axis=1)), _key(states().flop_ranks_by_suit))
    return flop.astype(np.int16), np.argsort(order, axis=1).astype(np.int8)


def state_of(hole: Integers, flop: Integers) -> int:
    """Return the index of the state with these hole cards and this flop."""
    flop_of, suit_map = suit_maps()
    at = subset_number(np.sort(flop))
    own = np.sort(hole - hole % SUITS + suit_map[at, hole % SUITS])
    return int(states().by_pair[flop_of[at], subset_number(own)])
