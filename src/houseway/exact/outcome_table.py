"""What the deals of a solved game come to: how often each choice is made, each net result, variance."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from houseway.exact import backward
from houseway.exact.counts import Layout, cells, layout, spread
from houseway.exact.kernels import atoms, flops, forward
from houseway.exact.kernels.boards import Met
from houseway.exact.kernels.rivers import Game
from houseway.exact.kernels.suits import Sight
from houseway.exact.pays import DEALER_HANDS, Pays
from houseway.exact.solution import DEALS, Solution
from houseway.ranking import HandClass


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Every deal of a game under its solution's choices, counted."""

    actions: Mapping[str, int]
    """Deals that end with each choice: "4x" to "1x", "fold"."""
    nets: Mapping[Fraction, int]
    """Deals by what they bring, in antes, lowest first."""
    folded: Mapping[HandClass, int]
    """Deals folded by the class of the hand given up."""
    average_bet: Fraction
    value: Fraction
    variance: Fraction
    states_reached: int
    """Suit-distinct states after the flop that a check before it leads to."""
    tied_states: int
    """Suit-distinct states after the flop in which the two best choices are worth the same."""
    tied_rivers: int
    """Hands on boards reached without a play in which the two best choices are worth the same."""
    seconds: float
    counts: Mapping[str, NDArray[np.int64]] = field(repr=False)
    """For each choice the deals by dealer qualifying, contest and class of hand."""

    @property
    def element_of_risk(self) -> Fraction:
        """What the house wins of each unit wagered."""
        return -self.value / self.average_bet


def outcomes(solution: Solution, *, threads: int | None = None) -> Outcomes:
    """Count every deal of a solved game by what it comes to."""
    began = time.perf_counter()
    pays, choices = solution.pays, solution.found.choices
    before, after, river = pays.streets
    checked = choices.start[layout().start] == 0
    threads = threads or os.cpu_count() or 1
    later, tied_rivers = _after_checks(solution, checked, threads)
    played = [choices.start == n + 1 for n in range(len(before.sizes))]
    starts = backward.start_counts(solution.order, pays.qualifier) * backward.COMBOS[:, None, None]
    tallies = [*(starts[taken].sum(axis=0) for taken in played), *later]
    sizes = (*before.sizes, *after.sizes, 0, *river.sizes)
    counts: dict[str, NDArray[np.int64]] = {}
    for size, tally in zip(sizes, tallies, strict=True):
        if tally.any():
            name = f"{size}x" if size else "fold"
            found = _contests(tally, pays.qualifier)
            counts[name] = counts[name] + found if name in counts else found
    staked = {f"{size}x" if size else "fold": size for size in sizes}
    nets = _nets(pays, counts, staked)
    value = Fraction(sum(net * n for net, n in nets.items())) / DEALS
    squares = Fraction(sum(net * net * n for net, n in nets.items())) / DEALS
    actions = {name: int(tally.sum()) for name, tally in counts.items()}
    bet = Fraction(sum(n * (pays.wagers + staked[name]) for name, n in actions.items()), DEALS)
    folded = counts["fold"].sum(axis=(0, 1)) if "fold" in counts else ()
    return Outcomes(
        actions,
        nets,
        {name: int(n) for name, n in zip(solution.order, folded, strict=False) if n},
        bet,
        value,
        squares - value * value,
        int(checked.sum()),
        _tied_states(solution, threads),
        tied_rivers,
        time.perf_counter() - began,
        counts,
    )


def _after_checks(solution: Solution, checked: NDArray[np.bool_],
                  threads: int) -> tuple[NDArray[np.int64], int]:  # fmt: skip
    """Deals of the states reached: by each play after the flop, then by the choice after the river.

    Each is counted by place, with the dealer's hands it meets; with them comes how many deals after the
    river were a tie between the two best choices.
    """
    pays, plan, choices = solution.pays, layout(), solution.found.choices
    plain, flush = cells(solution.order, pays.qualifier)
    plays = len(pays.streets[1].sizes)
    routes = np.where(choices.flop == 0, plays, choices.flop - 1)
    by_rank, by_suit = _flops(plan, np.where(checked, routes, forward.NOT_HERE).astype(np.int8), plays + 1)
    game = backward.game_of(pays)
    counts = np.zeros((plays + 1 + len(pays.streets[2].sizes), len(solution.order), 4), np.int64)
    ranks = _rank_boards(plan, by_rank)
    tied = 0
    below = forward.Dealt(*(np.zeros((1, 0, plays + 1, atoms.CLASSES), np.int32) for _ in range(2)))
    for sight in reversed(plan.sights):
        shape = (len(sight.outside), -1, plays + 1, atoms.CLASSES)
        stop = sight.first_flop + len(sight.outside) * len(sight.flops)
        turns = np.empty((len(sight.outside), len(sight.turns), *shape[2:]), np.int32)
        here = forward.Dealt(by_suit[sight.first_flop : stop].reshape(shape), turns)
        taken = [np.zeros_like(ranks) for _ in range(threads)]
        work = partial(
            _send_flops, sight, flush, game, choices.river, here, below, list(taken), counts.shape
        )
        for found, number in spread(work, len(sight.outside), threads):
            counts += found
            tied += number
        for part in taken:
            ranks -= part
        below = here
    tied += forward.count_ranks(plain, game, choices.river_by_rank, ranks, counts)
    return counts, tied


def _send_flops(sight: Sight, flush: Met, game: Game, choices: NDArray[np.int8], here: forward.Dealt,
                below: forward.Dealt, spare: list[NDArray[np.int32]], shape: tuple[int, ...],
                first: int, last: int) -> tuple[NDArray[np.int64], int]:  # fmt: skip
    counts = np.zeros(shape, np.int64)
    ranks = spare.pop()  # There is one for each thread; a thread gives it back when it is done.
    tied = forward.send_flops(first, last, sight, flush, game, choices, here, below, ranks, counts)
    spare.append(ranks)
    return counts, tied


def _flops(plan: Layout, routes: NDArray[np.int8],
           number: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:  # fmt: skip
    """The deals on each rank flop, and on each flop as a suit of it sees it, by route.

    Far below 2**31: the cards of one cell can be dealt in some hundred thousand ways at most.
    """
    by_rank = np.zeros((number, atoms.RANK_FLOPS * atoms.PAIRS), np.int32)
    by_suit = np.zeros((number, flops.NOTHING + 1), np.int32)
    forward.send_states(0, len(routes), plan.base, plan.suits, plan.weight, routes, by_rank, by_suit)
    ranks, suits = (
        np.ascontiguousarray(found.reshape(number, -1, hands).transpose(1, 0, 2))
        for found, hands in ((by_rank, atoms.PAIRS), (by_suit[:, :-1], atoms.CLASSES))
    )
    return ranks, suits


def _rank_boards(plan: Layout, on_flops: NDArray[np.int32]) -> NDArray[np.int32]:
    """The deals on each rank board by route, a turn and a river in both orders."""
    routes = on_flops.shape[1]
    turns = np.zeros((atoms.RANK_TURNS, routes, atoms.PAIRS), np.int32)
    ranks = np.zeros((atoms.RANK_BOARDS, routes, atoms.PAIRS), np.int32)
    forward.send_ranks(plan.rank_flops.grown, plan.rank_flops.used, plan.held, on_flops, turns)
    forward.send_ranks(plan.rank_turns.grown, plan.rank_turns.used, plan.held, turns, ranks)
    return ranks


def _contests(tally: NDArray[np.int64], qualifier: int) -> NDArray[np.int64]:
    """Deals by dealer qualifying, contest and class, from what is counted by class.

    A dealer below the qualifier loses to every hand that reaches it, and the reverse.
    """
    boards, weak, won, tied = tally.T
    nothing = np.zeros_like(boards)
    rest = DEALER_HANDS * boards
    reaches = [[nothing, nothing, weak], [rest - won - tied, tied, won - weak]]
    short = [[weak - won - tied, tied, won], [rest - weak, nothing, nothing]]
    return np.where(np.arange(len(tally)) <= qualifier, reaches, short)


def _nets(pays: Pays, counts: Mapping[str, NDArray[np.int64]],
          staked: Mapping[str, int]) -> dict[Fraction, int]:  # fmt: skip
    """Deals by what they bring, from the pay tables and the counts alone."""
    found: Counter[Fraction] = Counter()
    for name, tally in counts.items():
        brings = pays.folded if name == "fold" else pays.standing + staked[name] * pays.play
        for net, number in zip(brings.ravel(), tally.ravel(), strict=True):
            if number:
                found[Fraction(int(net), pays.unit)] += int(number)
    return dict(sorted(found.items()))


def _tied_states(solution: Solution, threads: int) -> int:
    """In how many states after the flop the two best choices are worth the same."""
    plan, found = layout(), solution.found
    first = 0 if solution.pays.streets[1].checks else 1
    by_rank, by_suit = found.by_rank[first:], found.by_suit[first:]
    parts = spread(
        lambda a, b: flops.count_tied(a, b, plan.base, plan.suits, by_rank, by_suit),
        len(plan.base),
        threads,
    )
    return sum(parts)
