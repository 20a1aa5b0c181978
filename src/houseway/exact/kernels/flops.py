"""The suit-distinct states after the flop: which there are, and the best choice in each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import (
    CLASSES,
    FLUSH_FLOPS,
    PAIRS,
    RANKS,
    SUITS,
    Integers,
    flop_at,
    multiset,
    two,
)
from houseway.exact.kernels.compiling import kernel

Indices = NDArray[np.int32]
NOTHING = FLUSH_FLOPS * CLASSES
"""The place after the last sum of a flop, which holds zero: a suit that is not on the flop."""


@kernel
def start_of(rank: int, suit: int, other: int, other_suit: int) -> int:
    """The number of a starting hand on a grid of ranks: suited above the diagonal."""
    low, high = min(rank, other), max(rank, other)
    return high * RANKS + low if suit == other_suit else low * RANKS + high


@kernel
def list_states(flops: Integers, base: Indices, suits: Indices, start: NDArray[np.uint8],
                weight: NDArray[np.int8], cards: NDArray[np.int16]) -> int:  # fmt: skip
    """List every (hole, flop) that differs by more than the names of suits; how many there are.

    `flops` gives each flop as four sets of ranks, one a suit, in descending order. Suits with the same
    ranks on the flop may change places, so of their holdings only the descending order is listed; the
    weight is the number of deals alike. `cards` gets the flop's number and the two cards.
    """
    held = np.empty(SUITS, np.int64)
    ranks = np.empty(3, np.int64)
    size = 0
    for n in range(len(flops)):
        flop = flops[n]
        flop_ranks(flop, -1, ranks)
        by_rank = multiset(ranks, 3)
        for second in range(1, 52):
            for first in range(second):
                r, s, q, t = first // SUITS, first % SUITS, second // SUITS, second % SUITS
                if flop[s] >> r & 1 or flop[t] >> q & 1:
                    continue
                held[:] = 0
                held[s] |= 1 << r
                held[t] |= 1 << q
                alike = arrangements(flop, held)
                if alike == 0:
                    continue
                base[size] = by_rank * PAIRS + two(r, q)
                for suit in range(3):
                    suits[size, suit] = NOTHING
                    if flop[suit] != 0:
                        others = flop_ranks(flop, suit, ranks)
                        low = ranks[0] if others > 0 else -1
                        high = ranks[1] if others > 1 else -1
                        at = flop_at(flop[suit], 3 - others, low, high)
                        a = r if s == suit else RANKS + r
                        b = q if t == suit else RANKS + q
                        suits[size, suit] = at * CLASSES + two(a, b)
                start[size] = start_of(r, s, q, t)
                weight[size] = alike
                cards[size, 0], cards[size, 1], cards[size, 2] = n, first, second
                size += 1
    return size


@kernel
def flop_ranks(flop: Integers, without: int, ranks: Integers) -> int:
    """Write the flop's ranks, lowest first, those of one suit left out; how many there are."""
    size = 0
    for rank in range(RANKS):
        for suit in range(SUITS):
            if suit != without and flop[suit] >> rank & 1:
                ranks[size] = rank
                size += 1
    return size


@kernel
def arrangements(flop: Integers, held: Integers) -> int:
    """How many ways to give the four holdings to four suits; 0 where another order is the listed one."""
    ways, run = 24, 1
    for suit in range(1, SUITS):
        same = flop[suit] == flop[suit - 1]
        if same and held[suit] > held[suit - 1]:
            return 0
        run = run + 1 if same and held[suit] == held[suit - 1] else 1
        ways //= run
    return ways


@kernel
def state_worth(state: int, base: Indices, suits: Indices, by_rank: Integers,
                by_suit: Integers) -> int:  # fmt: skip
    """A state's sum: what the ranks alone bring and a correction for each suit on the flop."""
    total: int = by_rank[base[state]]
    for suit in range(3):
        total += by_suit[suits[state, suit]]
    return total


@kernel
def choose_states(first: int, last: int, base: Indices, suits: Indices,
                  start: NDArray[np.uint8], weight: NDArray[np.int8], by_rank: Integers, by_suit: Integers,
                  checks: bool, choices: NDArray[np.int8], forced: bool,
                  sums: Integers) -> None:  # fmt: skip
    """Choose in each state, 0 for a check or the n-th play, and sum what it brings by starting hand."""
    for state in range(first, last):
        if forced:
            choice = choices[state]
            best = state_worth(state, base, suits, by_rank[choice], by_suit[choice])
        else:
            choice = 0 if checks else 1
            best = state_worth(state, base, suits, by_rank[choice], by_suit[choice])
            for n in range(choice + 1, len(by_rank)):
                value = state_worth(state, base, suits, by_rank[n], by_suit[n])
                if value > best:
                    best, choice = value, n
            choices[state] = choice
        sums[start[state]] += weight[state] * best


@kernel
def count_tied(first: int, last: int, base: Indices, suits: Indices, by_rank: Integers,
               by_suit: Integers) -> int:  # fmt: skip
    """Count the states in which the two best of these choices are worth the same."""
    found = 0
    for state in range(first, last):
        best = state_worth(state, base, suits, by_rank[0], by_suit[0])
        many = 1
        for n in range(1, len(by_rank)):
            value = state_worth(state, base, suits, by_rank[n], by_suit[n])
            many = many + 1 if value == best else 1 if value > best else many
            best = max(value, best)
        found += many > 1
    return found


@kernel
def list_flops(found: Integers) -> int:
    """Write the suit-distinct flops as four sets of ranks, one a suit, in descending order; how many."""
    sets = np.zeros(SUITS, np.int64)
    size = 0
    for third in range(2, 52):
        for second in range(1, third):
            for first in range(second):
                sets[:] = 0
                sets[first % SUITS] |= 1 << first // SUITS
                sets[second % SUITS] |= 1 << second // SUITS
                sets[third % SUITS] |= 1 << third // SUITS
                if sets[0] >= sets[1] and sets[1] >= sets[2] and sets[2] >= sets[3]:
                    found[size] = sets
                    size += 1
    return size
