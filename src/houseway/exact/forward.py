"""From the flop on to the river: how many deals go which way, and where they end.

Every state after the flop is on a route, a number from 0: what its deals are counted under. The pass of
`backward` runs from boards to flops; here deals run the other way, in the same steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from houseway.exact import backward
from houseway.exact.counts import Layout, cells, layout, spread
from houseway.exact.kernels import atoms, flops
from houseway.exact.kernels import forward as kernels
from houseway.exact.kernels.forward import NOT_HERE, Dealt
from houseway.exact.kernels.suits import Sight
from houseway.exact.pays import DEALER_HANDS
from houseway.exact.solution import Solution

T = TypeVar("T")

Deals = NDArray[np.int32]
"""Far below 2**31: the cards of one cell can be dealt in some hundred thousand ways at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """How many deals reach each cell: on boards that hold three or more of a suit, and on all others."""

    flush: Deals
    plain: Deals


def count(solution: Solution, choices: backward.Choices, routes: NDArray[np.integer], number: int,
          threads: int) -> tuple[NDArray[np.int64], int]:  # fmt: skip
    """Count the deals on so many routes by place, with the dealer's hands they meet.

    On the last route, and on it alone, a choice is made after the river: it is counted once for each. With
    the counts comes how many deals of it were a tie between the two best choices. A state that is nowhere
    has the route NOT_HERE.
    """
    pays = solution.pays
    plain, flush = cells(solution.order, pays.qualifier)
    game = backward.game_of(pays, ())
    counts = np.zeros((number + len(pays.streets[2].sizes), len(solution.order), 4), np.int64)

    def on_boards(sight: Sight, here: Dealt, below: Dealt, ranks: Deals, first: int,
                  last: int) -> tuple[NDArray[np.int64], int]:  # fmt: skip
        found = np.zeros_like(counts)
        tied = kernels.count_flops(
            first, last, sight, flush, game, choices.river, here, below, ranks, found
        )
        return found, tied

    ranks, parts = _walk(routes, number, threads, on_boards)
    tied = kernels.count_ranks(plain, game, choices.river_by_rank, ranks, counts)
    for found, more in parts:
        counts += found
        tied += more
    return counts, tied


def reached(solution: Solution, taken: NDArray[np.bool_], threads: int) -> Reached:
    """The cells that states after the flop reach in all their turns and rivers."""
    plain, flush = cells(solution.order, solution.pays.qualifier)
    boards = np.empty(flush.ways.shape, np.int32)

    def on_boards(sight: Sight, here: Dealt, below: Dealt, ranks: Deals, first: int, last: int) -> None:
        kernels.keep_flops(first, last, sight, flush, here, below, ranks, boards)

    ranks, _ = _walk(np.where(taken, 0, NOT_HERE), 1, threads, on_boards)
    # A turn and a river come in two orders and count once.
    return Reached(boards, np.where(plain.ways > 0, ranks[:, 0] >> 1, 0))


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
    on_boards: Callable[[Sight, Dealt, Dealt, Deals, int, int], T],
) -> tuple[Deals, list[T]]:
    """Send deals from the flops to boards that hold three or more of a suit, fewest cards outside first.

    Returns what is left on boards seen by rank alone, turn and river in both orders, and what the work
    `on_boards` gave.
    """
    plan = layout()
    by_rank, by_suit = _flops(plan, routes.astype(np.int8), number)
    ranks = _rank_boards(plan, by_rank)
    below = Dealt(*(np.zeros((1, 0, number, atoms.CLASSES), np.int32) for _ in range(2)))
    found: list[T] = []
    for sight in reversed(plan.sights):
        shape = (len(sight.outside), -1, number, atoms.CLASSES)
        stop = sight.first_flop + len(sight.outside) * len(sight.flops)
        turns = np.empty((len(sight.outside), len(sight.turns), *shape[2:]), np.int32)
        here = Dealt(by_suit[sight.first_flop : stop].reshape(shape), turns)
        taken = [np.zeros_like(ranks) for _ in range(threads)]
        work = partial(_with_room, partial(on_boards, sight, here, below), list(taken))
        found += spread(work, len(sight.outside), threads)
        for part in taken:
            ranks -= part
        below = here
    return ranks, found


def _with_room(work: Callable[[Deals, int, int], T], spare: list[Deals], first: int, last: int) -> T:
    ranks = spare.pop()  # There is one for each thread; a thread gives it back when it is done.
    found = work(ranks, first, last)
    spare.append(ranks)
    return found


def _flops(plan: Layout, routes: NDArray[np.int8], number: int) -> tuple[Deals, Deals]:
    """The deals on each rank flop, and on each flop as a suit of it sees it, by route."""
    by_rank = np.zeros((number, atoms.RANK_FLOPS * atoms.PAIRS), np.int32)
    by_suit = np.zeros((number, flops.NOTHING + 1), np.int32)
    kernels.send_states(0, len(routes), plan.base, plan.suits, plan.weight, routes, by_rank, by_suit)
    ranks, suits = (
        np.ascontiguousarray(found.reshape(number, -1, hands).transpose(1, 0, 2))
        for found, hands in ((by_rank, atoms.PAIRS), (by_suit[:, :-1], atoms.CLASSES))
    )
    return ranks, suits


def _rank_boards(plan: Layout, on_flops: Deals) -> Deals:
    """The deals on each rank board by route, a turn and a river in both orders."""
    routes = on_flops.shape[1]
    turns = np.zeros((atoms.RANK_TURNS, routes, atoms.PAIRS), np.int32)
    ranks = np.zeros((atoms.RANK_BOARDS, routes, atoms.PAIRS), np.int32)
    kernels.send_ranks(plan.rank_flops.grown, plan.rank_flops.used, plan.held, on_flops, turns)
    kernels.send_ranks(plan.rank_turns.grown, plan.rank_turns.used, plan.held, turns, ranks)
    return ranks
