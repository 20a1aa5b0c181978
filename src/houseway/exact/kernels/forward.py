"""How many deals reach each cell under given choices, and what they come to.

The sums of `rivers` run backward from boards to flops; here the same sums run the other way, and carry
deals instead of worth.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import (
    CLASSES,
    COPIES,
    COPIES_OUTSIDE,
    RANKS,
    Integers,
    board_at,
    turn_at,
)
from houseway.exact.kernels.boards import Small, Tiny
from houseway.exact.kernels.compiling import kernel
from houseway.exact.kernels.rivers import Bytes, add, add_outside, joined, worth

LOSE, TIE, WIN = 0, 1, 2


@kernel
def send_states(base: NDArray[np.int32], suits: NDArray[np.int32], weight: Bytes, taken: NDArray[np.bool_],
                by_rank: Integers, by_suit: Integers) -> None:  # fmt: skip
    """Send the deals of the states taken to their rank flop and to each suit's flop."""
    for state in range(len(base)):
        if taken[state]:
            by_rank[base[state]] += weight[state]
            for suit in range(3):
                by_suit[suits[state, suit]] += weight[state]


@kernel
def send_flops(flops: Integers, gone: Integers, deals: Integers, turns: Integers) -> None:
    """Send each flop's deals on to its turns."""
    for flop in range(len(flops)):
        mask, inside, low, high = flops[flop, 0], flops[flop, 1], flops[flop, 2], flops[flop, 3]
        row = deals[flop]
        for rank in range(RANKS):
            if mask >> rank & 1 == 0:
                add(row, turns[turn_at(mask | 1 << rank, inside + 1, low, high)])
        if inside > 1:
            for rank in range(RANKS):
                first, second = joined(low, rank)
                turn = turn_at(mask, inside, first, second)
                add_outside(row, COPIES_OUTSIDE - (low == rank), gone[rank], turns[turn])


@kernel
def send_turns(turns: Integers, gone: Integers, deals: Integers, boards: Integers) -> None:
    """Send each turn's deals on to the boards on which the suit can make a flush."""
    for turn in range(len(turns)):
        mask, inside, low, high = turns[turn, 0], turns[turn, 1], turns[turn, 2], turns[turn, 3]
        row = deals[turn]
        for rank in range(RANKS):
            if mask >> rank & 1 == 0:
                add(row, boards[board_at(mask | 1 << rank, inside + 1, low, high)])
        if inside < 3:
            continue
        for rank in range(RANKS):
            first, second = joined(low, rank)
            board = board_at(mask, inside, first, second)
            add_outside(row, COPIES_OUTSIDE - (low == rank), gone[rank], boards[board])


@kernel
def send_ranks(grown: Integers, used: Integers, held: Integers, deals: Integers, further: Integers) -> None:
    """Send deals seen by rank alone a card further."""
    for at in range(len(grown)):
        for rank in range(RANKS):
            if used[at, rank] < COPIES:
                add_outside(deals[at], COPIES - used[at, rank], held[rank], further[grown[at, rank]])


@kernel
def take_flushes(rank_board: Integers, rank_pair: Tiny, ways: Tiny, boards: Integers,
                 ranks: Integers) -> None:  # fmt: skip
    """Take the deals on flush boards off those seen by rank alone, and those no cards can make off both."""
    for board in range(len(rank_board)):
        for hand in range(CLASSES):
            if ways[board, hand] == 0:
                boards[board, hand] = 0
            ranks[rank_board[board], rank_pair[hand]] -= boards[board, hand]


@kernel
def tally(wins: Small, ties: Small, below: Small, place: Tiny, deals: Integers, choices: Bytes,
          qualifier: int, dealers: int, counts: Integers) -> None:  # fmt: skip
    """Count deals by choice, dealer qualifying, contest and class of hand."""
    for board in range(len(deals)):
        for hand in range(deals.shape[1]):
            number = deals[board, hand]
            if number == 0:
                continue
            at = place[board, hand]
            won, tied, weak = wins[board, hand], ties[board, hand], below[board, hand]
            into = counts[choices[board, hand]]
            if at <= qualifier:
                into[0, WIN, at] += number * weak
                into[1, WIN, at] += number * (won - weak)
                into[1, TIE, at] += number * tied
                into[1, LOSE, at] += number * (dealers - won - tied)
            else:
                into[0, WIN, at] += number * won
                into[0, TIE, at] += number * tied
                into[0, LOSE, at] += number * (weak - won - tied)
                into[1, LOSE, at] += number * (dealers - weak)


@kernel
def count_tied(wins: Small, ties: Small, below: Small, place: Tiny, deals: Integers, pays: Integers,
               folds: bool, sizes: Integers) -> int:  # fmt: skip
    """Count the deals in which the two best choices after the river are worth the same."""
    hands = deals.shape[1]
    standing = np.empty(hands, np.int64)
    play = np.empty(hands, np.int64)
    folded = np.empty(hands, np.int64)
    found = 0
    for board in range(len(deals)):
        worth(pays, wins[board], ties[board], below[board], place[board], standing, play, folded)
        for hand in range(hands):
            best = folded[hand] if folds else standing[hand] + sizes[0] * play[hand]
            many = 1
            for n in range(0 if folds else 1, len(sizes)):
                value = standing[hand] + sizes[n] * play[hand]
                many = many + 1 if value == best else 1 if value > best else many
                best = max(value, best)
            if many > 1:
                found += deals[board, hand]
    return found
