"""From the flop on to the river: how many deals go which way, and where they end.

Every state after the flop is on a route, a number from 0: what its deals are counted under. The pass of
`backward` runs from boards to flops; here deals run the other way, in the same steps.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from houseway.exact import backward_pass
from houseway.exact.board_counts import cells, layout, spread_rooms
from houseway.exact.flop_states import states
from houseway.exact.kernels import atoms, flops
from houseway.exact.kernels import forward_deals as kernels
from houseway.exact.kernels.forward_deals import NOT_HERE
from houseway.exact.kernels.suits import Cells, Sight
from houseway.exact.pay_arrays import DEALER_HANDS
from houseway.exact.solution import Solution

T = TypeVar("T")

Deals = NDArray[np.int32]
"""Far below 2**31: the cards of one cell can be dealt in some hundred thousand ways at most."""


def count(
    solution: Solution,
    choices: backward_pass.StreetChoices,
    routes: NDArray[np.integer],
    number: int,
    threads: int,
) -> tuple[NDArray[np.int64], int]:
    """Count the deals on so many routes by place, with the dealer's hands they meet.

    On the last route, and on it alone, a choice is made after the river: it is counted once for each. With
    the counts comes how many deals of it were a tie between the two best choices. A state that is nowhere
    has the route NOT_HERE.
    """
    pays = solution.pays
    plain, flush = cells(solution.order, pays.qualifier)
    game = backward_pass.game_of(pays, ())
    counts = np.zeros((number + len(pays.streets[2].sizes), len(solution.order), 4), np.int64)

    def on_boards(sight: Sight, here: Cells, below: Cells, ranks: Deals, first: int,
                  last: int) -> tuple[NDArray[np.int64], int]:  # fmt: skip
        found = np.zeros_like(counts)
        args = (sight, flush, game, choices.river, here, below, ranks, found)
        return found, kernels.count_flops(first, last, *args)

    ranks, parts = _walk(routes, number, threads, on_boards)
    tied = kernels.count_ranks(plain, game, choices.river_by_rank, ranks, counts)
    for found, more in parts:
        counts += found
        tied += more
    return counts, tied


def reached(solution: Solution, taken: NDArray[np.bool_], threads: int) -> tuple[Deals, Deals]:
    """How many deals of some states reach each cell: by rank alone, and with three or more of a suit."""
    plain, flush = cells(solution.order, solution.pays.qualifier)
    boards = np.empty(flush.ways.shape, np.int32)

    def on_boards(sight: Sight, here: Cells, below: Cells, ranks: Deals, first: int, last: int) -> None:
        kernels.keep_flops(first, last, sight, flush, here, below, ranks, boards)

    ranks, _ = _walk(np.where(taken, 0, NOT_HERE), 1, threads, on_boards)
    # A turn and a river come in two orders and count once.
    return np.where(plain.ways > 0, ranks[:, 0] >> 1, 0), boards


def contests(counted: NDArray[np.int64], qualifier: int) -> NDArray[np.int64]:
    """Deals by dealer qualifying, contest and class, from what is counted by place.

    A dealer below the qualifier loses to every hand that reaches it, and the reverse.
    """
    boards, weak, won, tied = counted.T
    nothing = np.zeros_like(boards)
    rest = DEALER_HANDS * boards
    reaches = [[nothing, nothing, weak], [rest - won - tied, tied, won - weak]]
    short = [[weak - won - tied, tied, won], [rest - weak, nothing, nothing]]
    return np.where(np.arange(len(counted)) <= qualifier, reaches, short)


def _walk(
    routes: NDArray[np.integer],
    number: int,
    threads: int,
    on_boards: Callable[[Sight, Cells, Cells, Deals, int, int], T],
) -> tuple[Deals, list[T]]:
    """Send deals from the flops to boards that hold three or more of a suit, fewest cards outside first.

    Returns what is left on boards seen by rank alone, turn and river in both orders, and what the work
    `on_boards` gave.
    """
    plan = layout()
    by_rank, by_suit = _flops(routes.astype(np.int8), number)
    rank_turns = np.zeros((atoms.RANK_TURNS, number, atoms.PAIRS), np.int32)
    ranks = np.zeros((atoms.RANK_BOARDS, number, atoms.PAIRS), np.int32)
    kernels.send_ranks(plan.rank_flops, plan.held, by_rank, rank_turns)
    kernels.send_ranks(plan.rank_turns, plan.held, rank_turns, ranks)
    below = Cells(*(np.zeros((1, 0, number, atoms.CLASSES), np.int32) for _ in range(2)))
    found: list[T] = []
    for sight in reversed(plan.sights):
        shape = (len(sight.outside), -1, number, atoms.CLASSES)
        stop = sight.first_flop + len(sight.outside) * len(sight.flops)
        turns = np.empty((len(sight.outside), len(sight.turns), *shape[2:]), np.int32)
        here = Cells(turns, by_suit[sight.first_flop : stop].reshape(shape))
        taken = [np.zeros_like(ranks) for _ in range(threads)]
        found += spread_rooms(partial(on_boards, sight, here, below), taken, len(sight.outside))
        for part in taken:
            ranks -= part
        below = here
    return ranks, found


def _flops(routes: NDArray[np.int8], number: int) -> tuple[Deals, Deals]:
    """The deals on each rank flop, and on each flop as a suit of it sees it, by route."""
    by_rank = np.zeros((number, atoms.RANK_FLOPS * atoms.PAIRS), np.int32)
    by_suit = np.zeros((number, flops.NOTHING + 1), np.int32)
    kernels.send_states(states(), routes, by_rank, by_suit)
    ranks, suits = (
        np.ascontiguousarray(found.reshape(number, -1, hands).transpose(1, 0, 2))
        for found, hands in ((by_rank, atoms.PAIRS), (by_suit[:, :-1], atoms.CLASSES))
    )
    return ranks, suits
