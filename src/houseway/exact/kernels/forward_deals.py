"""Carry deal counts forward from flops to boards, and count the deals by their results.

`suits` and `rivers` sum values backward from boards to flops; this module takes the same steps forward.
Deals are grouped by route, the choice made before the river (see `forward_counts`). Deals on the last route
are decided after the river.
"""

from __future__ import annotations

import numpy as np

from houseway.exact.kernels.atoms import COPIES_OUTSIDE, RANKS, SUIT_PAIRS, Integers
from houseway.exact.kernels.boards import Matchups, tally
from houseway.exact.kernels.compiler import kernel
from houseway.exact.kernels.flops import States
from houseway.exact.kernels.rivers import Bytes, GameArrays, RiverStep, Sums, add, add_outside, total
from houseway.exact.kernels.suits import Cells, SuitView, carry

NOT_HERE = -1
"""The route of states whose deals are not counted."""


@kernel
def send_states(states: States, routes: Bytes, by_rank: Sums, by_suit: Sums) -> None:
    """Add the deals of each state to the counts of its route, by rank alone and for each suit on the
    flop."""
    for state in range(len(routes)):
        route = routes[state]
        if route != NOT_HERE:
            by_rank[route, states.base[state]] += states.weight[state]
            for suit in range(3):
                by_suit[route, states.suits[state, suit]] += states.weight[state]


@kernel
def count_flops(
    first: int,
    last: int,
    view: SuitView,
    matchups: Matchups,
    game: GameArrays,
    choices: Bytes,
    here: Cells,
    below: Cells,
    ranks: Sums,
    counts: Integers,
) -> int:
    """Carry deals forward from flops to boards, and count them.

    Only the sets of outside cards from `first` to before `last` are included. Returns the number of
    deals in which the two best choices after the river have the same value.
    """
    boards = np.empty((len(view.boards), here.flops.shape[2], SUIT_PAIRS), ranks.dtype)
    tied = 0
    for out in range(first, last):
        send_flops(out, view, matchups, here, below, ranks, boards)
        for n in range(len(boards)):
            board = view.first_board + out * len(boards) + n
            tied += count_board(board, matchups, game, choices, boards[n], counts)
    return tied


@kernel
def keep_flops(first: int, last: int, view: SuitView, matchups: Matchups, here: Cells, below: Cells,
               ranks: Sums, by_board: Sums) -> None:  # fmt: skip
    """Carry the deals of one route forward from flops to boards, and write them to `by_board`."""
    boards = np.empty((len(view.boards), 1, SUIT_PAIRS), ranks.dtype)
    for out in range(first, last):
        send_flops(out, view, matchups, here, below, ranks, boards)
        for n in range(len(boards)):
            row = by_board[view.first_board + out * len(boards) + n]
            for hand in range(SUIT_PAIRS):
                # Turn and river are counted in both orders.
                row[hand] = boards[n, 0, hand] >> 1


@kernel
def send_flops(out: int, view: SuitView, matchups: Matchups, here: Cells, below: Cells, ranks: Sums,
               boards: Sums) -> None:  # fmt: skip
    """Carry the deals of flops with given outside cards forward to turns and boards.

    `below` has the flops and turns with one outside card fewer. Deals on boards are also added to `ranks`,
    so that the caller can subtract them from the deals by rank alone.
    """
    low, high = view.outside[out]
    turns = here.turns[out]
    turns[:] = 0
    boards[:] = 0
    scatter(view.turns, view.number, here.flops[out], turns)
    for lost, rest in ((low, high), (high, low)):
        if lost >= 0:
            left, gone = COPIES_OUTSIDE - (lost == rest), view.gone[lost]
            carry(below.flops[max(rest, 0)], left, gone, turns)
            carry(below.turns[max(rest, 0)], left, gone, boards)
        if low == high:
            break
    scatter(view.boards, view.number, turns, boards)
    for n in range(len(boards)):
        board = view.first_board + out * len(boards) + n
        for route in range(boards.shape[1]):
            row, known = boards[n, route], ranks[view.rank_board[board], route]
            for hand in range(SUIT_PAIRS):
                row[hand] = row[hand] if matchups.ways[board, hand] > 0 else 0
                known[view.rank_pair[hand]] += row[hand]


@kernel
def scatter(sets: Integers, number: Integers, cells: Sums, sums: Sums) -> None:
    """Add to the sum of each set of ranks the cells of the sets with one rank fewer."""
    for n in range(len(sets)):
        for rank in range(RANKS):
            if sets[n] >> rank & 1:
                add(cells[number[sets[n] ^ 1 << rank]], sums[n])


@kernel
def send_ranks(step: RiverStep, held: Sums, deals: Sums, further: Sums) -> None:
    """Carry deals forward by one board card, by rank alone."""
    for at in range(len(deals)):
        for rank in range(RANKS):
            if step.left[at, rank] > 0:
                add_outside(deals[at], step.left[at, rank], held[rank], further[step.grown[at, rank]])


@kernel
def count_ranks(matchups: Matchups, game: GameArrays, choices: Bytes, deals: Sums, counts: Integers) -> int:
    """Count deals on rank boards.

    Returns the number of deals in which the two best choices after the river have the same value.
    """
    tied = 0
    for board in range(len(deals)):
        for hand in range(deals.shape[2]):
            if matchups.ways[board, hand] == 0:
                deals[board, :, hand] = 0
        tied += count_board(board, matchups, game, choices, deals[board], counts)
    return tied


@kernel
def count_board(board: int, matchups: Matchups, game: GameArrays, choices: Bytes, deals: Sums,
                counts: Integers) -> int:  # fmt: skip
    """Count a board's deals by route and hand class, and on the last route by choice after the river.

    Turn and river are counted in both orders, so the counts are halved. Returns the number of deals on the
    last route in which the two best choices have the same value.
    """
    last = len(deals) - 1
    for route in range(len(deals)):
        for hand in range(deals.shape[1]):
            number = np.int64(deals[route, hand]) >> 1
            if number != 0:
                chosen = route + choices[board, hand] if route == last else route
                tally(matchups, board, hand, number, counts[chosen])
    tied = 0
    for hand in range(deals.shape[1]):
        if deals[last, hand] != 0 and is_tied(matchups, board, hand, game):
            tied += deals[last, hand] >> 1
    return tied


@kernel
def is_tied(matchups: Matchups, board: int, hand: int, game: GameArrays) -> bool:
    """True if the two best options of a hand after the river have the same value."""
    pays = game.pays[matchups.place[board, hand]]
    weak, won, tied = matchups.below[board, hand], matchups.wins[board, hand], matchups.ties[board, hand]
    best = total(pays[0], weak, won, tied)
    best_count = 1
    for option in range(1, game.options):
        value = total(pays[option], weak, won, tied)
        best_count = best_count + 1 if value == best else 1 if value > best else best_count
        best = max(value, best)
    return best_count > 1
