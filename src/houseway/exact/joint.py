"""Deals counted by everything wagers depend on at once: showdown, seven cards, hole cards and flop."""

from __future__ import annotations

import os
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from houseway.exact.backward import Choices
from houseway.exact.outcome_table import by_choice
from houseway.exact.solution import Solution

Joint = Mapping[str, NDArray[np.int64]]
"""For each choice, "4x" to "1x" or "fold", the deals by part, dealer qualifying, contest and class of all
seven cards."""


def joint(
    solution: Solution,
    parts: NDArray[np.int64],
    choices: Choices | None = None,
    *,
    threads: int | None = None,
) -> Joint:
    """Count every deal of a solved game under its best choices, or under those given.

    `parts` numbers the states after the flop from 0: deals of different parts are counted apart.
    """
    made, size = choices or solution.found.choices, int(parts.max()) + 1
    counted: dict[str, NDArray[np.int64]] = {}
    for part in range(size):
        states = parts == part if size > 1 else None
        counts, _ = by_choice(solution, made, threads or os.cpu_count() or 1, states)
        for name, deals in counts.items():
            counted.setdefault(name, np.zeros((size, *deals.shape), np.int64))[part] = deals
    return counted
