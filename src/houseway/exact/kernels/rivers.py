"""Compute the value of every hand on a board and, ignoring suits, sum the values over rivers and turns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import RANKS, Integers
from houseway.exact.kernels.boards import Matchups, Tiny
from houseway.exact.kernels.compiler import kernel

Sums = NDArray[np.signedinteger]
"""Integers as wide as the pay tables require."""
Bytes = NDArray[np.int8]


class GameArrays(NamedTuple):
    """The payments of a hand: first for each option after the river, then for other results to be
    summed."""

    pays: Integers
    """Four numbers for each hand class and option: a constant, and the amounts to add for each dealer hand
    that does not qualify, that is beaten, and that ties."""
    options: int
    """The number of options after the river."""
    first: int
    """The choice number of the first option: 0 if it is a fold, 1 if folding is not allowed."""


class RiverStep(NamedTuple):
    """The step from a flop to a turn, or from a turn to a board.

    Indexes: the flop or turn, and the next card.
    """

    grown: Integers
    """The index of the resulting turn or board, or -1 if there is none."""
    left: Integers
    """The remaining copies of the next card."""


@kernel
def total(pays: Integers, weak: int, won: int, tied: int) -> int:
    """The total result of an option over all dealer hands."""
    return int(pays[0] + pays[1] * weak + pays[2] * won + pays[3] * tied)


@kernel
def decide(pays: Integers, options: int, weak: int, won: int, tied: int) -> tuple[int, int]:
    """The best option after the river and its total; a tie goes to the earlier option."""
    choice, best = 0, total(pays[0], weak, won, tied)
    for option in range(1, options):
        value = total(pays[option], weak, won, tied)
        choice = option if value > best else choice
        best = max(value, best)
    return choice, best


@kernel
def price(board: int, matchups: Matchups, game: GameArrays, known: Sums, pair: Tiny, choices: Bytes,
          forced: bool, row: Sums) -> None:  # fmt: skip
    """Write the value of each hand on a board. Table 0 is for the choice after the river, the other tables
    for plays after the flop.

    With `forced`, the choices in `choices` are kept. The `known` value of a hand's pair of ranks is
    subtracted. A hand that cannot be dealt is worth 0.
    """
    wins, ties, below = matchups.wins[board], matchups.ties[board], matchups.below[board]
    place, ways, made = matchups.place[board], matchups.ways[board], choices[board]
    for hand in range(len(ways)):
        if ways[hand] == 0:
            row[:, hand] = 0
            if not forced:
                made[hand] = game.first
            continue
        pays, ranks = game.pays[place[hand]], pair[hand]
        weak, won, tied = below[hand], wins[hand], ties[hand]
        if forced:
            best = total(pays[made[hand] - game.first], weak, won, tied)
        else:
            choice, best = decide(pays, game.options, weak, won, tied)
            made[hand] = choice + game.first
        row[0, hand] = best - known[0, ranks]
        for table in range(1, len(row)):
            play = total(pays[game.options + table - 1], weak, won, tied)
            row[table, hand] = play - known[table, ranks]


@kernel
def price_ranks(start: int, stop: int, matchups: Matchups, game: GameArrays, choices: Bytes, forced: bool,
                worths: Sums) -> None:  # fmt: skip
    """Price rank boards."""
    nothing = np.zeros((worths.shape[1], 1), worths.dtype)
    pair = np.zeros(worths.shape[2], np.uint8)
    for board in range(start, stop):
        price(board, matchups, game, nothing, pair, choices, forced, worths[board])


@kernel
def add(cells: Sums, row: Sums) -> None:
    """Add the cells of a board to a row, table by table."""
    for table in range(row.shape[0]):
        one, other = row[table], cells[table]
        for hand in range(row.shape[1]):
            one[hand] += other[hand]


@kernel
def add_outside(cells: Sums, left: int, gone: Sums, row: Sums) -> None:
    """Add the cells of a board, once for each remaining card of a rank outside the suit."""
    for table in range(row.shape[0]):
        one, other = row[table], cells[table]
        for hand in range(row.shape[1]):
            one[hand] += (left - gone[hand]) * other[hand]


@kernel
def sum_ranks(step: RiverStep, held: Sums, cells: Sums, sums: Sums, start: int, stop: int) -> None:
    """Sum the values by rank alone over all ranks of the next board card.

    `held` counts the cards of each rank in the hand.
    """
    grown, left = step
    for at in range(start, stop):
        row = sums[at]
        row[:] = 0
        for rank in range(RANKS):
            if left[at, rank] > 0:
                add_outside(cells[grown[at, rank]], left[at, rank], held[rank], row)
