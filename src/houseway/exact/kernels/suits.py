"""Boards, turns and flops as one suit sees them, summed for all that share the cards outside the suit.

With no more than two cards outside, a river or turn in the suit keeps them, and one outside adds to them.
So boards with two cards outside are summed pair by pair, each pair by itself, and what they bring to turns
and flops with one card fewer outside is handed down; then those with one, then those with none. Deals go
the other way, from flops to boards, in the same steps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from houseway.exact.kernels.atoms import CLASSES, COPIES_OUTSIDE, RANKS, Integers
from houseway.exact.kernels.boards import Met, Tiny
from houseway.exact.kernels.compiler import kernel
from houseway.exact.kernels.rivers import Bytes, GameArrays, Sums, add, add_outside, price


class Sight(NamedTuple):
    """How one suit sees all cards with so many of them outside it."""

    outside: Integers
    """The ranks outside, the lower first; -1 for none."""
    boards: Integers
    turns: Integers
    flops: Integers
    """The sets of ranks in the suit, by number, that complete them to a board, a turn and a flop."""
    number: Integers
    """The number of each set among sets of its size."""
    first_board: int
    first_flop: int
    """The numbers of the first board and flop seen so."""
    rank_board: Integers
    rank_pair: Tiny
    """The rank board of each board, the pair of ranks of each class."""
    gone: Sums
    """How many cards of each rank outside the suit a class holds."""


class Cells(NamedTuple):
    """Sums or deals on turns and flops, by cards outside a suit and set in it."""

    turns: Sums
    flops: Sums


@kernel
def price_boards(sight: Sight, met: Met, game: GameArrays, under: Sums, choices: Bytes, forced: bool,
                 handed: Cells, sums: Integers, below: Cells, first: int, last: int) -> None:  # fmt: skip
    """Price boards and sum them over rivers and turns into `sums`, for some of the cards outside.

    What was handed down is counted in; what goes to turns and flops with one card fewer outside is added
    to what is `below`.
    """
    tables = len(sums)
    boards = np.empty((len(sight.boards), tables, CLASSES), under.dtype)
    turns = np.empty((len(sight.turns), tables, CLASSES), under.dtype)
    flops = np.empty((len(sight.flops), tables, CLASSES), np.int64)
    for out in range(first, last):
        for n in range(len(boards)):
            board = sight.first_board + out * len(boards) + n
            price(board, met, game, under[sight.rank_board[board]], sight.rank_pair, choices, forced,
                  boards[n])  # fmt: skip
        begin(handed.turns, out, turns)
        begin(handed.flops, out, flops)
        gather(sight.turns, sight.number, boards, turns)
        gather(sight.flops, sight.number, turns, flops)
        for n in range(len(flops)):
            start = (sight.first_flop + out * len(flops) + n) * CLASSES
            for table in range(tables):
                for hand in range(CLASSES):
                    # A turn and a river come in two orders and count once.
                    sums[table, start + hand] = flops[n, table, hand] >> 1
        low, high = sight.outside[out]
        for lost, rest in ((low, high), (high, low)):
            if lost >= 0:
                left, gone = COPIES_OUTSIDE - (lost == rest), sight.gone[lost]
                hand_on(boards, left, gone, below.turns[max(rest, 0)])
                hand_on(turns, left, gone, below.flops[max(rest, 0)])
            if low == high:
                break


@kernel
def begin(handed: Sums, out: int, sums: Sums) -> None:
    """Begin sums with what was handed down, or with nothing."""
    if len(handed) > 0:
        sums[:] = handed[out]
    else:
        sums[:] = 0


@kernel
def gather(sets: Integers, number: Integers, cells: Sums, sums: Sums) -> None:
    """Add to each set's sum the cells one rank of the suit further."""
    for n in range(len(sets)):
        for rank in range(RANKS):
            if sets[n] >> rank & 1 == 0:
                add(cells[number[sets[n] | 1 << rank]], sums[n])


@kernel
def hand_on(cells: Sums, left: int, gone: Sums, sums: Sums) -> None:
    """Add cells to the sums of the same sets with a card outside more or fewer, as often as it may come."""
    for n in range(len(cells)):
        add_outside(cells[n], left, gone, sums[n])
