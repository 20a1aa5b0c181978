"""Deals counted by all that wagers look at together: showdown, seven cards, hole cards with flop."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from houseway.exact.backward import Choices
from houseway.exact.counts import cells, layout, multisets, spread, strengths
from houseway.exact.kernels import atoms, deals
from houseway.exact.outcome_table import from_the_flop, tally
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
    at = cells(solution.order, solution.pays.qualifier)
    classes = np.array(known_as)[first_five(solution.order)]
    before, after, river = solution.pays.streets
    start, checked = made.start[plan.start], made.start[plan.start] == 0
    routes = [
        *(((f"{size}x",), start == n, None) for n, size in enumerate(before.sizes, 1)),
        *(((f"{size}x",), checked & (made.flop == n), None) for n, size in enumerate(after.sizes, 1)),
        (labels(river.sizes, FOLD), checked & (made.flop == 0), made),
    ]
    parted = (
        (place, names, taken & (classes == place), by)
        for place in sorted(set(known_as))
        for names, taken, by in routes
    )
    jobs = [job for job in parted if job[2].any()]

    def work(first: int, last: int) -> list[NDArray[np.int64]]:
        return [tally(solution, from_the_flop(at, taken), by) for _, _, taken, by in jobs[first:last]]

    found: dict[str, NDArray[np.int64]] = {}
    shape = (len(solution.order), *solution.pays.play.shape)
    done = spread(work, len(jobs), threads or os.cpu_count() or 1)
    for (place, names, _, _), counted in zip(jobs, (each for part in done for each in part), strict=True):
        for name, deals_ in zip(names, counted, strict=True):
            found.setdefault(name, np.zeros(shape, np.int64))[place] += deals_
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
