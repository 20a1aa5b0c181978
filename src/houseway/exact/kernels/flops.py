"""The suit-distinct states after the flop: which there are, and the best choice in each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import CLASSES, FLUSH_FLOPS, RANKS, Integers
from houseway.exact.kernels.compiler import kernel

Indices = NDArray[np.int32]
NOTHING = FLUSH_FLOPS * CLASSES
"""The place after the last sum of a flop, which holds zero: a suit that is not on the flop."""


class States(NamedTuple):
    """The states after the flop that differ by more than the names of suits."""

    base: Indices
    """Where the sum by rank flop and pair is."""
    suits: Indices
    """Where the corrections for the suits on the flop are."""
    start: NDArray[np.uint8]
    """The starting hand."""
    weight: NDArray[np.int8]
    """How many deals are alike."""
    cards: NDArray[np.int16]
    """The flop's number and the two cards in the hole."""
    by_suit: Integers
    """The suit-distinct flops as a set of ranks for each suit."""
    by_pair: Indices
    """The state of each flop and pair of cards; any where they share a card."""


@kernel
def start_of(rank: int, suit: int, other: int, other_suit: int) -> int:
    """The number of a starting hand on a grid of ranks: suited above the diagonal."""
    low, high = min(rank, other), max(rank, other)
    return high * RANKS + low if suit == other_suit else low * RANKS + high


@kernel
def state_worth(state: int, states: States, by_rank: Integers, by_suit: Integers) -> int:
    """A state's sum: what the ranks alone bring and a correction for each suit on the flop."""
    total: int = by_rank[states.base[state]]
    for suit in range(3):
        total += by_suit[states.suits[state, suit]]
    return total


@kernel
def choose_states(first: int, last: int, states: States, by_rank: Integers, by_suit: Integers, checks: bool,
                  choices: NDArray[np.int8], forced: bool, sums: Integers) -> None:  # fmt: skip
    """Choose in each state, 0 for a check or the n-th play, and sum what it brings by starting hand."""
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
    """Count the states in which the two best of these choices are worth the same."""
    found = 0
    for state in range(first, last):
        best = state_worth(state, states, by_rank[0], by_suit[0])
        many = 1
        for n in range(1, len(by_rank)):
            value = state_worth(state, states, by_rank[n], by_suit[n])
            many = many + 1 if value == best else 1 if value > best else many
            best = max(value, best)
        found += many > 1
    return found
