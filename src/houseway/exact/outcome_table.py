"""The outcomes of a solved game: how often each choice and each net result occurs, and the variance."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from houseway.exact import backward_pass, forward_counts
from houseway.exact.board_counts import CORES, spread
from houseway.exact.flop_states import states
from houseway.exact.kernels import flops
from houseway.exact.kernels.forward_deals import NOT_HERE
from houseway.exact.pay_arrays import PayArrays
from houseway.exact.solution import DEALS, Solution
from houseway.ranking import HandClass

FOLD = "fold"

Counts = Mapping[str, NDArray[np.int64]]
"""The number of deals with each final choice, from "4x" to "1x" and "fold".

The indexes of an array are whether the dealer qualifies, the contest (lose, tie or win) and the hand class.
"""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Counts of all deals of a game if the choices of its solution are made."""

    actions: Mapping[str, int]
    """The number of deals that end with each choice: "4x" to "1x", "fold"."""
    nets: Mapping[Fraction, int]
    """The number of deals with each net result in antes, lowest result first."""
    folded: Mapping[HandClass, int]
    """The number of deals in which a hand of each class folds."""
    average_bet: Fraction
    value: Fraction
    variance: Fraction
    states_reached: int
    """The number of suit-distinct states after the flop that the player reaches by checking before it."""
    tied_states: int
    """The number of suit-distinct states after the flop in which the two best choices have the same
    value."""
    tied_rivers: int
    """The number of deals with two checks in which the two best choices after the river have the same
    value."""
    seconds: float
    counts: Counts = field(repr=False)

    @property
    def element_of_risk(self) -> Fraction:
        """The expected loss per unit wagered in total."""
        return -self.value / self.average_bet


def outcomes(solution: Solution, *, threads: int | None = None) -> Outcomes:
    """Count every deal of a solved game by its outcome."""
    began = time.perf_counter()
    pays, choices = solution.pays, solution.result.choices
    threads = threads or CORES
    counts, tied_rivers = by_choice(solution, choices, threads)
    sizes = [size for street in pays.streets for size in street.sizes]
    staked = {FOLD: 0, **{f"{size}x": size for size in sizes}}
    nets = _nets(pays, counts, staked)
    value = Fraction(sum(net * n for net, n in nets.items())) / DEALS
    squares = Fraction(sum(net * net * n for net, n in nets.items())) / DEALS
    actions = {name: int(tally.sum()) for name, tally in counts.items()}
    bet = Fraction(sum(n * (pays.wagers + staked[name]) for name, n in actions.items()), DEALS)
    folded = counts[FOLD].sum(axis=(0, 1)) if FOLD in counts else ()
    return Outcomes(
        actions,
        nets,
        {name: int(n) for name, n in zip(solution.order, folded, strict=False) if n},
        bet,
        value,
        squares - value * value,
        int((choices.start[states().start] == 0).sum()),
        _tied_states(solution, threads),
        tied_rivers,
        time.perf_counter() - began,
        counts,
    )


def counts_by_part(
    solution: Solution,
    parts: NDArray[np.int64],
    choices: backward_pass.StreetChoices | None = None,
    *,
    threads: int | None = None,
) -> Counts:
    """Count every deal of a solved game, separately for each part of the states after the flop.

    `parts` has the part of each state, numbered from 0. The part is the first index of the counts; the
    other indexes are those of `Counts`. If `choices` is not given, the best choices are made.
    """
    made, size = choices or solution.result.choices, int(parts.max()) + 1
    counted: dict[str, NDArray[np.int64]] = {}
    for part in range(size):
        counts, _ = by_choice(solution, made, threads or CORES, parts == part if size > 1 else None)
        for name, deals in counts.items():
            counted.setdefault(name, np.zeros((size, *deals.shape), np.int64))[part] = deals
    return counted


def by_choice(
    solution: Solution,
    made: backward_pass.StreetChoices,
    threads: int,
    included: NDArray[np.bool_] | None = None,
) -> tuple[dict[str, NDArray[np.int64]], int]:
    """Count the deals of a solved game with each final choice, as `Counts`.

    If `included` is given, only the deals of these states after the flop are counted. The second value
    returned is the number of deals in which the two best choices after the river have the same value.
    """
    before, after, river = (street.sizes for street in solution.pays.streets)
    start = made.start[states().start]
    # If all deals are counted, the counts of deals played before the flop are known from the starting
    # hands.
    first = 0 if included is None else len(before)
    routes = np.where(made.flop == 0, first + len(after), first + made.flop - 1)
    routes = np.where(start == 0, routes, NOT_HERE if included is None else start - 1)
    if included is not None:
        routes = np.where(included, routes, NOT_HERE)
    tallies, tied = forward_counts.count(solution, made, routes, first + len(after) + 1, threads)
    counted = list(tallies)
    if included is None:
        starts = backward_pass.start_counts(solution.order, solution.pays.qualifier)
        starts = starts * backward_pass.COMBOS[:, None, None]
        counted = [*(starts[made.start == n].sum(axis=0) for n, _ in enumerate(before, 1)), *counted]
    counts: dict[str, NDArray[np.int64]] = {}
    for size, tally in zip((*before, *after, 0, *river), counted, strict=True):
        if tally.any():
            name = f"{size}x" if size else FOLD
            counts[name] = counts.get(name, 0) + forward_counts.contests(tally, solution.pays.qualifier)
    return counts, tied


def _nets(pays: PayArrays, counts: Counts, staked: Mapping[str, int]) -> dict[Fraction, int]:
    """Return the number of deals with each net result."""
    nets: Counter[Fraction] = Counter()
    for name, tally in counts.items():
        brings = pays.folded if name == FOLD else pays.standing + staked[name] * pays.play
        for net, number in zip(brings.ravel(), tally.ravel(), strict=True):
            if number:
                nets[Fraction(int(net), pays.unit)] += int(number)
    return dict(sorted(nets.items()))


def _tied_states(solution: Solution, threads: int) -> int:
    """The number of states after the flop in which the two best choices have the same value."""
    first = 0 if solution.pays.streets[1].checks else 1
    by_rank, by_suit = solution.result.by_rank[first:], solution.result.by_suit[first:]
    size = len(states().base)
    return sum(spread(lambda a, b: flops.count_tied(a, b, states(), by_rank, by_suit), size, threads))
