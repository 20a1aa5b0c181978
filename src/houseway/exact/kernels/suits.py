"""Sum, over rivers and turns, the values of boards with three or more cards of one suit.

At most two board cards are outside the suit, and boards are grouped by these outside cards. Boards with two
outside cards are summed first, separately for each pair of outside cards. Removing a river or turn outside
the suit leaves one outside card fewer, so these sums are carried to the turns and flops with one outside
card. Boards with one outside card are next, then boards with none. Deals are counted by the same steps in
reverse order, from flops to boards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from houseway.exact.kernels.atoms import COPIES_OUTSIDE, RANKS, SUIT_PAIRS, Integers
from houseway.exact.kernels.boards import Matchups, Tiny
from houseway.exact.kernels.compiler import kernel
from houseway.exact.kernels.rivers import Bytes, GameArrays, Sums, add, add_outside, price


class SuitView(NamedTuple):
    """All boards, turns and flops with a given number of cards outside a suit."""

    outside: Integers
    """The ranks of the outside cards, the lower first; -1 for none."""
    boards: Integers
    turns: Integers
    flops: Integers
    """In index order, the sets of ranks in the suit that complete a board, a turn and a flop."""
    number: Integers
    """The index of each set among sets of its size."""
    first_board: int
    first_flop: int
    """The indices of the first board and the first flop of this view."""
    rank_board: Integers
    rank_pair: Tiny
    """The rank board of each board, and the pair of ranks of each suit pair."""
    gone: Sums
    """For each rank, the number of cards of this rank outside the suit in each suit pair."""


class Cells(NamedTuple):
    """Sums or deal counts of turns and flops.

    Indexes: the cards outside a suit, and the set of ranks in it.
    """

    turns: Sums
    flops: Sums


@kernel
def price_boards(view: SuitView, matchups: Matchups, game: GameArrays, under: Sums, choices: Bytes,
                 forced: bool, carried: Cells, sums: Integers, below: Cells, first: int,
                 last: int) -> None:  # fmt: skip
    """Price boards, and sum them over rivers and turns into `sums`.

    Only the sets of outside cards from `first` to before `last` are priced. The sums start with those in
    `carried`. Sums for turns and flops with one outside card fewer are added to `below`.
    """
    tables = len(sums)
    boards = np.empty((len(view.boards), tables, SUIT_PAIRS), under.dtype)
    turns = np.empty((len(view.turns), tables, SUIT_PAIRS), under.dtype)
    flops = np.empty((len(view.flops), tables, SUIT_PAIRS), np.int64)
    for out in range(first, last):
        for n in range(len(boards)):
            board = view.first_board + out * len(boards) + n
            price(board, matchups, game, under[view.rank_board[board]], view.rank_pair, choices, forced,
                  boards[n])  # fmt: skip
        begin(carried.turns, out, turns)
        begin(carried.flops, out, flops)
        gather(view.turns, view.number, boards, turns)
        gather(view.flops, view.number, turns, flops)
        for n in range(len(flops)):
            start = (view.first_flop + out * len(flops) + n) * SUIT_PAIRS
            for table in range(tables):
                for hand in range(SUIT_PAIRS):
                    # Turn and river are counted in both orders.
                    sums[table, start + hand] = flops[n, table, hand] >> 1
        low, high = view.outside[out]
        for lost, rest in ((low, high), (high, low)):
            if lost >= 0:
                left, gone = COPIES_OUTSIDE - (lost == rest), view.gone[lost]
                carry(boards, left, gone, below.turns[max(rest, 0)])
                carry(turns, left, gone, below.flops[max(rest, 0)])
            if low == high:
                break


@kernel
def begin(carried: Sums, out: int, sums: Sums) -> None:
    """Start with the carried sums, or with zero if there are none."""
    if len(carried) > 0:
        sums[:] = carried[out]
    else:
        sums[:] = 0


@kernel
def gather(sets: Integers, number: Integers, cells: Sums, sums: Sums) -> None:
    """For each set of ranks, add the cells of all sets that have one more rank to its sum."""
    for n in range(len(sets)):
        for rank in range(RANKS):
            if sets[n] >> rank & 1 == 0:
                add(cells[number[sets[n] | 1 << rank]], sums[n])


@kernel
def carry(cells: Sums, left: int, gone: Sums, sums: Sums) -> None:
    """Add cells to the same sets with one outside card more or fewer, weighted by the remaining copies."""
    for n in range(len(cells)):
        add_outside(cells[n], left, gone, sums[n])
