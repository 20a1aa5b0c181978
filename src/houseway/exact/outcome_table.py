"""What the deals of a solved game come to: how often each choice is made, each net result, variance."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from houseway.exact import backward, forward
from houseway.exact.counts import layout, spread
from houseway.exact.kernels import flops
from houseway.exact.kernels.forward import NOT_HERE
from houseway.exact.pays import Pays
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
    plays = len(after.sizes)
    routes = np.where(checked, np.where(choices.flop == 0, plays, choices.flop - 1), NOT_HERE)
    later, tied_rivers = forward.count(solution, choices, routes, plays + 1, threads)
    played = [choices.start == n + 1 for n in range(len(before.sizes))]
    starts = backward.start_counts(solution.order, pays.qualifier) * backward.COMBOS[:, None, None]
    tallies = [*(starts[taken].sum(axis=0) for taken in played), *later]
    sizes = (*before.sizes, *after.sizes, 0, *river.sizes)
    counts: dict[str, NDArray[np.int64]] = {}
    for size, tally in zip(sizes, tallies, strict=True):
        if tally.any():
            name = f"{size}x" if size else "fold"
            found = forward.contests(tally, pays.qualifier)
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
