"""Compute the value of one hand: deal every possible board and compare with every possible dealer hand.

Cards that are known to be out of play can be excluded.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from houseway.exact.kernels.atoms import RANKS, SUITS, Integers, multiset_index, pair_index
from houseway.exact.kernels.boards import Strengths
from houseway.exact.kernels.compiler import kernel

LOSE, TIE, WIN = 0, 1, 2


class OneHand(NamedTuple):
    """The data of a game that are needed to price one hand."""

    by: Strengths
    least: int
    """The lowest strength that qualifies the dealer."""
    tables: Integers
    """The results of ante and blind, of a 1x play and of a fold.

    Indexes: whether the dealer qualifies, the contest (lose, tie or win) and the hand's class.
    """
    folds: bool
    sizes: Integers
    """Play sizes allowed after the river."""


@kernel
def flush_suit(board: Integers) -> int:
    """The suit with three or more cards on a board, or -1."""
    for suit in range(SUITS):
        size = 0
        for card in board:
            size += card % SUITS == suit
        if size >= 3:
            return suit
    return -1


@kernel
def mask_of(cards: Integers, suit: int) -> int:
    """The ranks of a suit among some cards, as a bit mask."""
    mask = 0
    for card in cards:
        if card % SUITS == suit:
            mask |= 1 << card // SUITS
    return mask


@kernel
def showdown(board: Integers, hole: Integers, left: Integers, by: Strengths, least: int,
             counts: Integers) -> int:  # fmt: skip
    """Count the dealer hands; return the strength of the player's hand.

    The indexes of `counts` are whether the dealer qualifies, and whether the player loses, ties or wins.
    `left` lists, in ascending order, the cards that are neither hole cards nor dead. Cards on the board are
    skipped.
    """
    by_rank, suited = by.ranked[multiset_index(np.sort(board // SUITS), 5)], by.suited
    suit = flush_suit(board)
    mask = mask_of(board, suit)
    on_board = np.int64(0)
    for card in board:
        on_board |= np.int64(1) << card
    ranks = np.empty(len(left), np.int64)
    inside = np.empty(len(left), np.int64)
    size = 0
    for card in left:
        if on_board >> card & 1 == 0:
            ranks[size] = card // SUITS
            inside[size] = (card % SUITS == suit) << card // SUITS
            size += 1
    own: int = max(
        by_rank[pair_index(hole[0] // SUITS, hole[1] // SUITS)], suited[mask | mask_of(hole, suit)]
    )
    won = tied = weak = 0
    for i in range(1, size):
        row = by_rank[pair_index(0, ranks[i]) :]
        held = mask | inside[i]
        for j in range(i):
            other = max(row[ranks[j]], suited[held | inside[j]])
            won += own > other
            tied += own == other
            weak += other < least
    dealers = size * (size - 1) // 2
    counts[:] = 0
    # If only one of the two hands reaches the qualifier, that hand wins.
    if own >= least:
        counts[0, WIN], counts[1, WIN] = weak, won - weak
        counts[1, TIE], counts[1, LOSE] = tied, dealers - won - tied
    else:
        counts[0, WIN], counts[0, TIE] = won, tied
        counts[0, LOSE], counts[1, LOSE] = weak - won - tied, dealers - weak
    return own


@kernel
def board_worth(board: Integers, hole: Integers, left: Integers, game: OneHand, counts: Integers,
                into: Integers) -> None:  # fmt: skip
    """Add three results of a board to `into`: that of the best choice after the river, that of the ante and
    blind, and that of a 1x play."""
    place = game.by.places[showdown(board, hole, left, game.by, game.least, counts)]
    tables, sizes = game.tables, game.sizes
    standing = play = folded = 0
    for qualifies in range(2):
        for contest in range(3):
            number = counts[qualifies, contest]
            standing += number * tables[0, qualifies, contest, place]
            play += number * tables[1, qualifies, contest, place]
            folded += number * tables[2, qualifies, contest, place]
    best = folded if game.folds else standing + sizes[0] * play
    for size in sizes:
        best = max(best, standing + size * play)
    into[0] += best
    into[1] += standing
    into[2] += play


@kernel
def after_flop(flop: Integers, hole: Integers, left: Integers, game: OneHand, into: Integers) -> None:
    """Add the results of every turn and river that can follow a flop to `into`."""
    board = np.empty(5, np.int64)
    board[:3] = flop
    counts = np.empty((2, 3), np.int64)
    for i in range(1, len(left)):
        for j in range(i):
            board[3], board[4] = left[i], left[j]
            board_worth(board, hole, left, game, counts, into)


@kernel
def before_flop(third: int, hole: Integers, left: Integers, game: OneHand, flops: Integers) -> None:
    """Add the results of each board to the sums of the ten flops that the board contains.

    A board is a list of five positions in `left`, in ascending order. Only the boards whose third position
    is `third` are added. `flops` has a row of sums for each three positions i < j < k.
    """
    board = np.empty(5, np.int64)
    at = np.empty(5, np.int64)
    counts = np.empty((2, 3), np.int64)
    into = np.empty(3, np.int64)
    at[2] = third
    for a in range(third):
        for b in range(a + 1, third):
            for c in range(third + 1, len(left)):
                for d in range(c + 1, len(left)):
                    at[0], at[1], at[3], at[4] = a, b, c, d
                    for n in range(5):
                        board[n] = left[at[n]]
                    into[:] = 0
                    board_worth(board, hole, left, game, counts, into)
                    for k in range(2, 5):
                        for j in range(1, k):
                            for i in range(j):
                                row = flops[triple_index(at[i], at[j], at[k])]
                                for n in range(3):
                                    row[n] += into[n]


@kernel
def triple_index(i: int, j: int, k: int) -> int:
    """The index of three positions i < j < k."""
    return k * (k - 1) * (k - 2) // 6 + j * (j - 1) // 2 + i


@kernel
def atom_of(card: int, suit: int) -> int:
    """The atom of a card with respect to a suit."""
    return card // SUITS if card % SUITS == suit else RANKS + card // SUITS
