"""The forward pass: for a given strategy, count the deals that end in each board and hand, separately by
when the player made the play wager: before the flop, after the flop, or not before the river.

In this module, a route is the choice made before the river: a play before the flop, a play after the flop
or, as the last route, a check at both. A cell is the board and the hand in which a deal ends.
`backward_pass` sums values from boards back to flops; this module carries deal counts forward through the
same steps.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from houseway.exact import backward_pass
from houseway.exact.board_counts import cells, layout, spread_buffers
from houseway.exact.flop_states import states
from houseway.exact.kernels import atoms, flops
from houseway.exact.kernels import forward_deals as kernels
from houseway.exact.kernels.forward_deals import NOT_HERE
from houseway.exact.kernels.suits import Cells, SuitView
from houseway.exact.pay_arrays import DEALER_HANDS
from houseway.exact.solution import Solution

T = TypeVar("T")

Deals = NDArray[np.int32]
"""Deal counts. They stay far below 2**31: a cell has at most a few hundred thousand deals."""


def count(
    solution: Solution,
    choices: backward_pass.StreetChoices,
    routes: NDArray[np.integer],
    number: int,
    threads: int,
) -> tuple[NDArray[np.int64], int]:
    """Count the deals on each route by hand class, and by whether the dealer does not qualify, loses or
    ties.

    Only the last route has a choice after the river, so it has one set of counts for each choice. The
    second value returned is the number of deals on the last route in which the two best choices tie. States
    with the route NOT_HERE are not counted.
    """
    pays = solution.pays
    plain, flush = cells(solution.order, pays.qualifier)
    game = backward_pass.game_of(pays, ())
    counts = np.zeros((number + len(pays.streets[2].sizes), len(solution.order), 4), np.int64)

    def on_boards(view: SuitView, here: Cells, below: Cells, ranks: Deals, first: int,
                  last: int) -> tuple[NDArray[np.int64], int]:  # fmt: skip
        part = np.zeros_like(counts)
        args = (view, flush, game, choices.river, here, below, ranks, part)
        return part, kernels.count_flops(first, last, *args)

    ranks, parts = _walk(routes, number, threads, on_boards)
    tied = kernels.count_ranks(plain, game, choices.river_by_rank, ranks, counts)
    for part, more in parts:
        counts += part
        tied += more
    return counts, tied


def reached(solution: Solution, included: NDArray[np.bool_], threads: int) -> tuple[Deals, Deals]:
    """Count the deals of the included states that end in each cell, by rank alone and on flush boards."""
    plain, flush = cells(solution.order, solution.pays.qualifier)
    boards = np.empty(flush.ways.shape, np.int32)

    def on_boards(view: SuitView, here: Cells, below: Cells, ranks: Deals, first: int, last: int) -> None:
        kernels.keep_flops(first, last, view, flush, here, below, ranks, boards)

    ranks, _ = _walk(np.where(included, 0, NOT_HERE), 1, threads, on_boards)
    # Turn and river are counted in both orders.
    return np.where(plain.ways > 0, ranks[:, 0] >> 1, 0), boards


def contests(counted: NDArray[np.int64], qualifier: int) -> NDArray[np.int64]:
    """Convert the four counts of `tally` for each hand class into numbers of deals.

    Indexes: whether the dealer qualifies, the result against the dealer (loss, tie, win), and the class.
    """
    boards, weak, won, tied = counted.T
    nothing = np.zeros_like(boards)
    # If only one of the two hands reaches the qualifier, that hand wins.
    rest = DEALER_HANDS * boards
    reaches = [[nothing, nothing, weak], [rest - won - tied, tied, won - weak]]
    short = [[weak - won - tied, tied, won], [rest - weak, nothing, nothing]]
    return np.where(np.arange(len(counted)) <= qualifier, reaches, short)


def _walk(
    routes: NDArray[np.integer],
    number: int,
    threads: int,
    on_boards: Callable[[SuitView, Cells, Cells, Deals, int, int], T],
) -> tuple[Deals, list[T]]:
    """Carry deals forward from flops to boards with three or more cards of a suit, and call `on_boards`.

    Boards with the fewest cards outside that suit come first. Returns the deals on the other boards, in
    which turn and river are counted in both orders, and the results of `on_boards`.
    """
    plan = layout()
    by_rank, by_suit = _flops(routes.astype(np.int8), number)
    rank_turns = np.zeros((atoms.RANK_TURNS, number, atoms.PAIRS), np.int32)
    ranks = np.zeros((atoms.RANK_BOARDS, number, atoms.PAIRS), np.int32)
    kernels.send_ranks(plan.rank_flops, plan.held, by_rank, rank_turns)
    kernels.send_ranks(plan.rank_turns, plan.held, rank_turns, ranks)
    below = Cells(*(np.zeros((1, 0, number, atoms.SUIT_PAIRS), np.int32) for _ in range(2)))
    results: list[T] = []
    for view in reversed(plan.suit_views):
        shape = (len(view.outside), -1, number, atoms.SUIT_PAIRS)
        stop = view.first_flop + len(view.outside) * len(view.flops)
        turns = np.empty((len(view.outside), len(view.turns), *shape[2:]), np.int32)
        here = Cells(turns, by_suit[view.first_flop : stop].reshape(shape))
        by_thread = [np.zeros_like(ranks) for _ in range(threads)]
        results += spread_buffers(partial(on_boards, view, here, below), by_thread, len(view.outside))
        for part in by_thread:
            ranks -= part
        below = here
    return ranks, results


def _flops(routes: NDArray[np.int8], number: int) -> tuple[Deals, Deals]:
    """Return the deals on each flop for each route: by rank alone, and with respect to each suit."""
    by_rank = np.zeros((number, atoms.RANK_FLOPS * atoms.PAIRS), np.int32)
    by_suit = np.zeros((number, flops.NOTHING + 1), np.int32)
    kernels.send_states(states(), routes, by_rank, by_suit)
    ranks, suits = (
        np.ascontiguousarray(sums.reshape(number, -1, hands).transpose(1, 0, 2))
        for sums, hands in ((by_rank, atoms.PAIRS), (by_suit[:, :-1], atoms.SUIT_PAIRS))
    )
    return ranks, suits
