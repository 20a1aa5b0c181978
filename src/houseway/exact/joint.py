"""Deals counted by all that wagers look at together: showdown, seven cards, hole cards with flop."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from houseway.exact import forward
from houseway.exact.backward import Choices
from houseway.exact.counts import layout, multisets, strengths
from houseway.exact.kernels import atoms, deals
from houseway.exact.kernels.forward import NOT_HERE
from houseway.exact.solution import Solution, labels
from houseway.ranking import HandClass, evaluator

FOLD = "fold"

Joint = Mapping[str, NDArray[np.int64]]
"""For each choice, "4x" to "1x" or "fold", the deals by class of hole cards with flop, dealer qualifying,
contest and class of all seven cards."""


def joint(
    solution: Solution,
    known_as: Sequence[int],
    choices: Choices | None = None,
    *,
    threads: int | None = None,
) -> Joint:
    """Count every deal of a solved game under its best choices, or under those given.

    `known_as` says for each class of hole cards with flop under which class it is counted: what nobody
    tells apart need not be counted apart.
    """
    made, plan = choices or solution.found.choices, layout()
    classes = np.array(known_as)[first_five(solution.order)]
    before, after, river = (street.sizes for street in solution.pays.streets)
    names = [*(f"{size}x" for size in (*before, *after)), *labels(river, FOLD)]
    undecided = len(before) + len(after)
    later = np.where(made.flop == 0, undecided, len(before) + made.flop - 1)
    start = made.start[plan.start]
    routes = np.where(start == 0, later, start - 1)
    found: dict[str, NDArray[np.int64]] = {}
    shape = (len(solution.order), *solution.pays.play.shape)
    for place in sorted(set(known_as)):
        here = np.where(classes == place, routes, NOT_HERE)
        counted, _ = forward.count(solution, made, here, undecided + 1, threads or os.cpu_count() or 1)
        for name, deals_ in zip(names, counted, strict=True):
            apart = forward.contests(deals_, solution.pays.qualifier)
            found.setdefault(name, np.zeros(shape, np.int64))[place] += apart
    return {name: counted for name, counted in found.items() if counted.any()}


def first_five(order: tuple[HandClass, ...]) -> NDArray[np.int64]:
    """The class of hole cards with flop in each state after the flop."""
    plan, by = layout(), evaluator(order, 1)
    _, suited, places = strengths(by)
    counters = np.int64(1) << 3 * np.arange(atoms.RANKS)
    flop, pair = (multisets(size) for size in (3, 2))
    possible = plan.rank_flops.used[:, None] + plan.held.T <= atoms.COPIES
    sums = counters[flop].sum(axis=1)[:, None] + counters[pair].sum(axis=1)
    plain = np.zeros(sums.shape, np.int64)
    for n, k in np.argwhere(possible.all(axis=2)):
        plain[n, k] = by.of_sum(int(sums[n, k]), ())
    found = plain.ravel()[plan.base]
    # The suits of a flop are numbered from the one that holds most: five of a suit are of the first.
    one_suit = plan.by_suit[plan.cards[:, 0], 1] == 0
    flush = np.flatnonzero(one_suit & (plan.cards[:, 1:] % deals.SUITS == 0).all(axis=1))
    held = (1 << plan.cards[flush, 1:].astype(np.int64) // deals.SUITS).sum(axis=1)
    found[flush] = np.maximum(found[flush], suited[plan.by_suit[plan.cards[flush, 0], 0] | held])
    return np.asarray(places[found])
