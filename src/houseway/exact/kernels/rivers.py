"""What every hand on a board is worth, and the sums of it by rank alone over rivers and turns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import RANKS, Integers
from houseway.exact.kernels.boards import Met, Tiny
from houseway.exact.kernels.compiler import kernel

Sums = NDArray[np.signedinteger]
"""Whole numbers as wide as the pay tables ask."""
Bytes = NDArray[np.int8]


class GameArrays(NamedTuple):
    """What pricing a hand takes: its options after the river, then what else is priced."""

    pays: Integers
    """By place and option four numbers: a sum, and what each of the dealer's hands adds that does not
    qualify, that is beaten, that ties."""
    options: int
    """How many of them come after the river."""
    first: int
    """The choice that the first option is: 0 where it is a fold, 1 where there is none."""


class RiverStep(NamedTuple):
    """What a card of each kind makes of a turn or a flop, -1 for nothing, and how many a deck has left."""

    grown: Integers
    left: Integers


@kernel
def total(pays: Integers, weak: int, won: int, tied: int) -> int:
    """What an option brings over all the dealer's hands."""
    return int(pays[0] + pays[1] * weak + pays[2] * won + pays[3] * tied)


@kernel
def decide(pays: Integers, options: int, weak: int, won: int, tied: int) -> tuple[int, int]:
    """The best option after the river and what it brings; a tie goes to what comes first."""
    choice, best = 0, total(pays[0], weak, won, tied)
    for option in range(1, options):
        value = total(pays[option], weak, won, tied)
        choice = option if value > best else choice
        best = max(value, best)
    return choice, best


@kernel
def price(board: int, met: Met, game: GameArrays, known: Sums, pair: Tiny, choices: Bytes, forced: bool,
          row: Sums) -> None:  # fmt: skip
    """Price a board's hands: in table 0 the choice after the river, then each play after the flop.

    With `forced` the choices given are made and nothing is chosen. What is `known` of a hand's pair of
    ranks is taken off; a hand that cannot be is worth nothing.
    """
    wins, ties, below = met.wins[board], met.ties[board], met.below[board]
    place, ways, made = met.place[board], met.ways[board], choices[board]
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
def price_ranks(start: int, stop: int, met: Met, game: GameArrays, choices: Bytes, forced: bool,
                worths: Sums) -> None:  # fmt: skip
    """Price boards seen by rank alone."""
    nothing = np.zeros((worths.shape[1], 1), worths.dtype)
    pair = np.zeros(worths.shape[2], np.uint8)
    for board in range(start, stop):
        price(board, met, game, nothing, pair, choices, forced, worths[board])


@kernel
def add(cells: Sums, row: Sums) -> None:
    """Add the cells of a board to a row, table by table."""
    for table in range(row.shape[0]):
        one, other = row[table], cells[table]
        for hand in range(row.shape[1]):
            one[hand] += other[hand]


@kernel
def add_outside(cells: Sums, left: int, gone: Sums, row: Sums) -> None:
    """Add the cells of a board once for each card that is left of a rank outside the suit."""
    for table in range(row.shape[0]):
        one, other = row[table], cells[table]
        for hand in range(row.shape[1]):
            one[hand] += (left - gone[hand]) * other[hand]


@kernel
def sum_ranks(step: RiverStep, held: Sums, cells: Sums, sums: Sums, start: int, stop: int) -> None:
    """Sum what lies a card further over the rank of that card, seen by rank alone.

    `held` says how many cards of each rank are in the hand.
    """
    grown, left = step
    for at in range(start, stop):
        row = sums[at]
        row[:] = 0
        for rank in range(RANKS):
            if left[at, rank] > 0:
                add_outside(cells[grown[at, rank]], left[at, rank], held[rank], row)
