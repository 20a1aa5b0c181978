"""How many deals reach each cell under given choices, and what they come to.

The sums of `suits` and `rivers` run backward from boards to flops; here the same sums run the other way,
and carry deals instead of worth. Deals go by routes, the last of which is decided after the river.
"""

from __future__ import annotations

import numpy as np

from houseway.exact.kernels.atoms import CLASSES, COPIES_OUTSIDE, RANKS, Integers
from houseway.exact.kernels.boards import Met, tally
from houseway.exact.kernels.compiler import kernel
from houseway.exact.kernels.flops import States
from houseway.exact.kernels.rivers import Bytes, GameArrays, RiverStep, Sums, add, add_outside, total
from houseway.exact.kernels.suits import Cells, Sight, hand_on

NOT_HERE = -1
"""The route of a state that no deal counted is in."""


@kernel
def send_states(states: States, routes: Bytes, by_rank: Sums, by_suit: Sums) -> None:
    """Send the deals of states by their routes to their rank flop and to each suit's flop."""
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
    sight: Sight,
    met: Met,
    game: GameArrays,
    choices: Bytes,
    here: Cells,
    below: Cells,
    ranks: Sums,
    counts: Integers,
) -> int:
    """Send flops' deals on to boards, for some of the cards outside, and count them there.

    Returns the deals in which the two best choices after the river are worth the same.
    """
    boards = np.empty((len(sight.boards), here.flops.shape[2], CLASSES), ranks.dtype)
    tied = 0
    for out in range(first, last):
        send_flops(out, sight, met, here, below, ranks, boards)
        for n in range(len(boards)):
            board = sight.first_board + out * len(boards) + n
            tied += count_board(board, met, game, choices, boards[n], counts)
    return tied


@kernel
def keep_flops(first: int, last: int, sight: Sight, met: Met, here: Cells, below: Cells, ranks: Sums,
               kept: Sums) -> None:  # fmt: skip
    """Send flops' deals of one route on to boards, for some of the cards outside, and write them down."""
    boards = np.empty((len(sight.boards), 1, CLASSES), ranks.dtype)
    for out in range(first, last):
        send_flops(out, sight, met, here, below, ranks, boards)
        for n in range(len(boards)):
            row = kept[sight.first_board + out * len(boards) + n]
            for hand in range(CLASSES):
                # A turn and a river came in two orders and count once.
                row[hand] = boards[n, 0, hand] >> 1


@kernel
def send_flops(out: int, sight: Sight, met: Met, here: Cells, below: Cells, ranks: Sums,
               boards: Sums) -> None:  # fmt: skip
    """Send the deals of flops with certain cards outside on to turns and boards.

    `below` are the flops and turns with one card fewer outside. Deals on boards are added to `ranks` as
    well, to be taken off those seen by rank alone.
    """
    low, high = sight.outside[out]
    turns = here.turns[out]
    turns[:] = 0
    boards[:] = 0
    scatter(sight.turns, sight.number, here.flops[out], turns)
    for lost, rest in ((low, high), (high, low)):
        if lost >= 0:
            left, gone = COPIES_OUTSIDE - (lost == rest), sight.gone[lost]
            hand_on(below.flops[max(rest, 0)], left, gone, turns)
            hand_on(below.turns[max(rest, 0)], left, gone, boards)
        if low == high:
            break
    scatter(sight.boards, sight.number, turns, boards)
    for n in range(len(boards)):
        board = sight.first_board + out * len(boards) + n
        for route in range(boards.shape[1]):
            row, known = boards[n, route], ranks[sight.rank_board[board], route]
            for hand in range(CLASSES):
                row[hand] = row[hand] if met.ways[board, hand] > 0 else 0
                known[sight.rank_pair[hand]] += row[hand]


@kernel
def scatter(sets: Integers, number: Integers, cells: Sums, sums: Sums) -> None:
    """Add to each set's sum the cells one rank of the suit before."""
    for n in range(len(sets)):
        for rank in range(RANKS):
            if sets[n] >> rank & 1:
                add(cells[number[sets[n] ^ 1 << rank]], sums[n])


@kernel
def send_ranks(step: RiverStep, held: Sums, deals: Sums, further: Sums) -> None:
    """Send deals seen by rank alone a card further."""
    for at in range(len(deals)):
        for rank in range(RANKS):
            if step.left[at, rank] > 0:
                add_outside(deals[at], step.left[at, rank], held[rank], further[step.grown[at, rank]])


@kernel
def count_ranks(met: Met, game: GameArrays, choices: Bytes, deals: Sums, counts: Integers) -> int:
    """Count deals on boards seen by rank alone; those in which the two best choices are worth the same."""
    tied = 0
    for board in range(len(deals)):
        for hand in range(deals.shape[2]):
            if met.ways[board, hand] == 0:
                deals[board, :, hand] = 0
        tied += count_board(board, met, game, choices, deals[board], counts)
    return tied


@kernel
def count_board(board: int, met: Met, game: GameArrays, choices: Bytes, deals: Sums,
                counts: Integers) -> int:  # fmt: skip
    """Count a board's deals by route, the last one by choice after the river, and by place.

    A turn and a river came in two orders and count once. Returns the deals of the last route in which the
    two best choices are worth the same.
    """
    last = len(deals) - 1
    for route in range(len(deals)):
        for hand in range(deals.shape[1]):
            number = np.int64(deals[route, hand]) >> 1
            if number != 0:
                chosen = route + choices[board, hand] if route == last else route
                tally(met, board, hand, number, counts[chosen])
    found = 0
    for hand in range(deals.shape[1]):
        if deals[last, hand] != 0 and is_tied(met, board, hand, game):
            found += deals[last, hand] >> 1
    return found


@kernel
def is_tied(met: Met, board: int, hand: int, game: GameArrays) -> bool:
    """Whether the two best options of a hand after the river are worth the same."""
    pays = game.pays[met.place[board, hand]]
    weak, won, tied = met.below[board, hand], met.wins[board, hand], met.ties[board, hand]
    best = total(pays[0], weak, won, tied)
    many = 1
    for option in range(1, game.options):
        value = total(pays[option], weak, won, tied)
        many = many + 1 if value == best else 1 if value > best else many
        best = max(value, best)
    return many > 1
