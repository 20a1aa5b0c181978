"""What every hand on every board is worth, and the sums of it over rivers and turns."""

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

Sums = NDArray[np.signedinteger]
"""Whole numbers as wide as the pay tables ask."""
Bytes = NDArray[np.int8]


@kernel
def worth(pays: Integers, wins: Small, ties: Small, below: Small, place: Tiny, standing: Integers,
          play: Integers, folded: Integers) -> None:  # fmt: skip
    """Write what each hand of a board brings over all the dealer's hands.

    A class's twelve numbers are three sums linear in the counts: ante and blind, a play wager of one
    ante, ante and blind of a fold.
    """
    for hand in range(len(wins)):
        at = pays[place[hand]]
        won, tied, weak = wins[hand], ties[hand], below[hand]
        standing[hand] = at[0] + at[1] * weak + at[2] * won + at[3] * tied
        play[hand] = at[4] + at[5] * weak + at[6] * won + at[7] * tied
        folded[hand] = at[8] + at[9] * weak + at[10] * won + at[11] * tied


@kernel
def decide(standing: Integers, play: Integers, folded: Integers, folds: bool, sizes: Integers,
           forced: bool, choices: Bytes, best: Integers) -> None:  # fmt: skip
    """Choose after the river for each hand of a board: 0 is a fold, n the n-th size.

    A tie goes to what comes first. With `forced` the choices given are made and nothing is chosen.
    """
    if forced:
        for hand in range(len(best)):
            choice = choices[hand]
            best[hand] = folded[hand] if choice == 0 else standing[hand] + sizes[choice - 1] * play[hand]
        return
    for hand in range(len(best)):
        best[hand] = folded[hand] if folds else standing[hand] + sizes[0] * play[hand]
        choices[hand] = 0 if folds else 1
    for n in range(0 if folds else 1, len(sizes)):
        for hand in range(len(best)):
            value = standing[hand] + sizes[n] * play[hand]
            choices[hand] = n + 1 if value > best[hand] else choices[hand]
            best[hand] = max(value, best[hand])


@kernel
def price(start: int, stop: int, wins: Small, ties: Small, below: Small, place: Tiny, ways: Tiny,
          pays: Integers, folds: bool, sizes: Integers, mixes: Integers, rank_board: Integers,
          rank_pair: Tiny, under: Integers, choices: Bytes, forced: bool, worths: Sums,
          before: Integers) -> None:  # fmt: skip
    """Price boards: in table 0 the choice after the river, then each mix of standing and play.

    What the ranks alone are worth (`under`) is taken off. Tables beyond those of `worths` are not kept
    but summed over the boards into `before`.
    """
    kept = worths.shape[1]
    hands = wins.shape[1]
    standing = np.empty(hands, np.int64)
    play = np.empty(hands, np.int64)
    best = np.empty(hands, np.int64)
    for board in range(start, stop):
        worth(pays, wins[board], ties[board], below[board], place[board], standing, play, best)
        decide(standing, play, best, folds, sizes, forced, choices[board], best)
        many = ways[board]
        ranks = under[rank_board[board]]
        row = worths[board, 0]
        for hand in range(hands):
            row[hand] = best[hand] - ranks[0, rank_pair[hand]] if many[hand] > 0 else 0
        for n in range(len(mixes)):
            one, other = mixes[n, 0], mixes[n, 1]
            known = ranks[n + 1]
            if n + 1 < kept:
                row = worths[board, n + 1]
                for hand in range(hands):
                    value = one * standing[hand] + other * play[hand] - known[rank_pair[hand]]
                    row[hand] = value if many[hand] > 0 else 0
            else:
                total = before[n + 1 - kept]
                for hand in range(hands):
                    value = one * standing[hand] + other * play[hand] - known[rank_pair[hand]]
                    total[hand] += many[hand] * value


@kernel
def sum_rivers(start: int, stop: int, turns: Integers, gone: Sums, rivers: Sums, sums: Sums) -> None:
    """Sum each turn's cells over the rivers that bring a flush within reach.

    `gone[rank]` says how many cards of a rank outside the suit each class of two cards holds.
    """
    for turn in range(start, stop):
        mask, inside, low, high = turns[turn, 0], turns[turn, 1], turns[turn, 2], turns[turn, 3]
        row = sums[turn]
        row[:] = 0
        for rank in range(RANKS):
            if mask >> rank & 1 == 0:
                add(rivers[board_at(mask | 1 << rank, inside + 1, low, high)], row)
        if inside < 3:
            continue
        for rank in range(RANKS):
            first, second = joined(low, rank)
            board = board_at(mask, inside, first, second)
            add_outside(rivers[board], COPIES_OUTSIDE - (low == rank), gone[rank], row)


@kernel
def sum_turns(start: int, stop: int, flops: Integers, gone: Sums, turns: Sums, sums: Integers) -> None:
    """Sum each flop's cells over its turns; a turn and a river come in two orders and count once."""
    row = np.empty((turns.shape[1], CLASSES), np.int64)
    for flop in range(start, stop):
        mask, inside, low, high = flops[flop, 0], flops[flop, 1], flops[flop, 2], flops[flop, 3]
        row[:] = 0
        for rank in range(RANKS):
            if mask >> rank & 1 == 0:
                add(turns[turn_at(mask | 1 << rank, inside + 1, low, high)], row)
        if inside > 1:
            for rank in range(RANKS):
                first, second = joined(low, rank)
                turn = turn_at(mask, inside, first, second)
                add_outside(turns[turn], COPIES_OUTSIDE - (low == rank), gone[rank], row)
        for table in range(len(row)):
            for hand in range(CLASSES):
                sums[table, flop * CLASSES + hand] = row[table, hand] // 2


@kernel
def joined(low: int, rank: int) -> tuple[int, int]:
    """At most one rank outside the suit, and one more: the lower first."""
    if low < 0:
        return rank, -1
    return min(low, rank), max(low, rank)


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
def sum_ranks(grown: Integers, used: Integers, held: Integers, cells: Integers, sums: Integers) -> None:
    """Sum what lies a card further over the rank of that card, seen by rank alone.

    `grown` says what a rank makes of the cards so far, `used` and `held` how many of it lie on the
    board and in the hand.
    """
    for at in range(len(grown)):
        row = sums[at]
        row[:] = 0
        for rank in range(RANKS):
            if used[at, rank] < COPIES:
                add_outside(cells[grown[at, rank]], COPIES - used[at, rank], held[rank], row)
