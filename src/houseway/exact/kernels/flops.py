"""Find the best choice for every combination of hole cards and flop.

Combinations that differ only in the names of suits are one state.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import FLUSH_FLOPS, RANKS, SUIT_PAIRS, Integers
from houseway.exact.kernels.compiler import kernel

Indices = NDArray[np.int32]
NOTHING = FLUSH_FLOPS * SUIT_PAIRS
"""The index past the last flop sum.

Its value is zero, and it is used for a suit that is not on the flop.
"""


class States(NamedTuple):
    """The states after the flop. States that differ only in the names of suits are listed once."""

    base: Indices
    """The index of the sum for the ranks of the flop and of the hole cards, ignoring suits."""
    suits: Indices
    """The indices of the corrections for the suits on the flop."""
    start: NDArray[np.uint8]
    """The starting hand."""
    weight: NDArray[np.int8]
    """How many equivalent deals the state represents."""
    cards: NDArray[np.int16]
    """The flop's index and the two hole cards."""
    flop_ranks_by_suit: Integers
    """For each suit-distinct flop, the set of its ranks in each suit, as a bit mask."""
    by_pair: Indices
    """The state of each flop and pair of cards; arbitrary if they share a card."""


@kernel
def start_of(rank: int, suit: int, other: int, other_suit: int) -> int:
    """The index of a starting hand on a 13 by 13 grid: suited hands are below the diagonal.

    Row and column 0 are the twos. A printed grid starts with the aces, so its suited hands are above
    the diagonal.
    """
    low, high = min(rank, other), max(rank, other)
    return high * RANKS + low if suit == other_suit else low * RANKS + high


@kernel
def state_worth(state: int, states: States, by_rank: Integers, by_suit: Integers) -> int:
    """The sum for a state: its sum by rank and a correction for each suit on the flop."""
    total: int = by_rank[states.base[state]]
    for suit in range(3):
        total += by_suit[states.suits[state, suit]]
    return total


@kernel
def choose_states(first: int, last: int, states: States, by_rank: Integers, by_suit: Integers, checks: bool,
                  choices: NDArray[np.int8], forced: bool, sums: Integers) -> None:  # fmt: skip
    """Make the best choice in each state, and add its value to the sum of the starting hand.

    0 is a check and n is the n-th size. With `forced`, the choices in `choices` are kept.
    """
    lowest = 0 if checks else 1
    for state in range(first, last):
        choice = choices[state] if forced else lowest
        best = state_worth(state, states, by_rank[choice], by_suit[choice])
        if not forced:
            for n in range(lowest + 1, len(by_rank)):
                value = state_worth(state, states, by_rank[n], by_suit[n])
                if value > best:
                    best, choice = value, n
            choices[state] = choice
        sums[states.start[state]] += states.weight[state] * best


@kernel
def count_tied(first: int, last: int, states: States, by_rank: Integers, by_suit: Integers) -> int:
    """Count the states in which the two best choices have the same value."""
    tied = 0
    for state in range(first, last):
        best = state_worth(state, states, by_rank[0], by_suit[0])
        best_count = 1
        for n in range(1, len(by_rank)):
            value = state_worth(state, states, by_rank[n], by_suit[n])
            best_count = best_count + 1 if value == best else 1 if value > best else best_count
            best = max(value, best)
        tied += best_count > 1
    return tied
