"""The statistics of leaks: kinds of position in which a player makes more mistakes than ordinary error
explains.

Everyone makes mistakes, and makes more of them if two choices are nearly equal. This is ordinary error: the
chance of a mistake depends on how far the choices are apart, not on the kind of hand. A kind is a leak only
if it has more mistakes than that.

The test. Decisions are sorted into strata: the same number of wrong choices, and about the same difficulty.
With ordinary error only, the errors of a stratum fall on its decisions at random, so the number that fall
on one kind is hypergeometric, whatever the player's level. The errors of a kind over all strata are a sum
of such numbers, and its distribution is computed exactly. No model of errors is fitted, so careless and
hesitant players are treated alike. Since many kinds are tested, Holm's method keeps the chance of any false
leak below 5 %.

The cost. The losses of a kind, minus those that the player's errors in other kinds of the same strata
explain. Its 95 % interval is the gamma interval of Fay and Feuer (1997) for a weighted sum of rare events,
minus the same amount.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import exp, lgamma, log, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

LEVEL: Final = 0.05
"""The chance of a false leak that is allowed, over all kinds together."""
LEAST_SEEN: Final = 5
"""A kind with fewer decisions than this is not tested."""
TEMPERATURE: Final = 0.1
"""The scale of difficulty in antes: choices that differ by much more than this are easy."""
Z95: Final = 1.959964

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Trial:
    """A decision in which an error was possible."""

    kind: str
    gaps: tuple[float, ...]
    """How much each wrong choice gives up, in antes. Choices within a close call of the best are not
    wrong."""
    loss: float
    """The loss of the choice made; 0 if it was not wrong."""


@dataclass(frozen=True, slots=True)
class KindEstimate:
    """The errors and the cost of one kind, in antes over all its decisions."""

    kind: str
    seen: int
    errors: int
    lost: float
    """The losses of its errors."""
    explained: float
    """The losses that the player's errors in other kinds explain."""
    low: float
    high: float
    """The 95 % interval of the cost."""
    p: float
    """The chance of at least as many errors with ordinary error only."""
    leak: bool
    """True if the kind is a leak: significant among all kinds, with an interval above zero."""

    @property
    def cost(self) -> float:
        """The losses above those that ordinary error explains."""
        return self.lost - self.explained


def difficulty(gaps: Sequence[float]) -> float:
    """Return how far the wrong choices are from the best, as one number: low if the decision is hard."""
    nearest = min(gaps)
    return nearest - TEMPERATURE * log(sum(exp((nearest - gap) / TEMPERATURE) for gap in gaps))


def strata(trials: Sequence[Trial]) -> list[list[int]]:
    """Return the trials in strata: equal numbers of wrong choices, and nearly equal difficulty.

    The number of strata grows with the square root of the number of trials.
    """
    groups: dict[int, list[int]] = defaultdict(list)
    for number, trial in enumerate(trials):
        groups[len(trial.gaps)].append(number)
    listed = []
    for _, members in sorted(groups.items()):
        ranked = sorted(members, key=lambda n: (difficulty(trials[n].gaps), n))
        parts = max(1, round(sqrt(len(ranked)) / 2))
        edges = [len(ranked) * n // parts for n in range(parts + 1)]
        listed += [ranked[a:b] for a, b in pairwise(edges) if b > a]
    return listed


def estimate_kinds(trials: Sequence[Trial]) -> tuple[KindEstimate, ...]:
    """Return the estimate of every kind that was seen, costliest first."""
    parts = strata(trials)
    stratum = np.empty(len(trials), np.int64)
    for number, members in enumerate(parts):
        stratum[members] = number
    sizes = np.bincount(stratum, minlength=len(parts)) if trials else np.zeros(0, np.int64)
    wrong = np.array([trial.loss > 0 for trial in trials], bool)
    errors = np.bincount(stratum[wrong], minlength=len(parts)) if trials else sizes
    kinds: dict[str, list[int]] = defaultdict(list)
    for number, trial in enumerate(trials):
        kinds[trial.kind].append(number)
    overall = int(errors.sum()), int(sizes.sum())
    rows = []
    for kind, members in kinds.items():
        at = stratum[members]
        own = np.bincount(at, minlength=len(parts))
        missed = np.bincount(at[wrong[members]], minlength=len(parts))
        p = tail(sizes, errors, own, int(missed.sum()))
        losses = np.array([trials[n].loss for n in members])
        rates = _other_rates(sizes - own, errors - missed, overall, (int(missed.sum()), len(members)))
        typical = np.array([_typical(trials[n].gaps) for n in members])
        explained = float((rates[at] * typical).sum())
        low, high = gamma_interval(losses[losses > 0], float(typical.max()))
        rows.append(
            KindEstimate(
                kind,
                len(members),
                int(missed.sum()),
                float(losses.sum()),
                explained,
                low - explained,
                high - explained,
                p,
                leak=False,
            )
        )
    leaks = _holm({row.kind: row.p for row in rows if row.seen >= LEAST_SEEN})
    final = [replace(row, leak=row.kind in leaks and row.low > 0) for row in rows]
    return tuple(sorted(final, key=lambda row: (-row.cost, row.kind)))


def _holm(chances: Mapping[str, float]) -> set[str]:
    """Return the kinds that Holm's method rejects at `LEVEL`."""
    rejected: set[str] = set()
    for rank, (kind, p) in enumerate(sorted(chances.items(), key=lambda item: (item[1], item[0]))):
        if p > LEVEL / (len(chances) - rank):
            break
        rejected.add(kind)
    return rejected


def _other_rates(
    sizes: NDArray[np.int64],
    errors: NDArray[np.int64],
    overall: tuple[int, int],
    own: tuple[int, int],
) -> Floats:
    """Return the player's rate of errors in each stratum, from the other kinds.

    Two decisions at the overall rate of the other kinds are added, so that small strata do not decide
    alone.
    """
    wrong, seen = overall[0] - own[0], overall[1] - own[1]
    rate = wrong / seen if seen else 0.0
    return np.asarray((errors + 2 * rate) / (sizes + 2.0), np.float64)


def _typical(gaps: Sequence[float]) -> float:
    """Return the loss of an error: the average of the wrong choices, the nearer ones more often."""
    nearest = min(gaps)
    weights = [exp((nearest - gap) / TEMPERATURE) for gap in gaps]
    return sum(w * gap for w, gap in zip(weights, gaps, strict=True)) / sum(weights)


def tail(sizes: NDArray[np.int64], errors: NDArray[np.int64], own: NDArray[np.int64], count: int) -> float:
    """Return the chance that at least `count` errors fall on a kind.

    Stratum by stratum, `errors` errors fall at random on `sizes` decisions, `own` of them of the kind.
    """
    total = np.ones(1)
    for size, wrong, members in zip(sizes.tolist(), errors.tolist(), own.tolist(), strict=True):
        if wrong and members:
            total = np.convolve(total, hypergeometric(size, members, wrong))
    return float(min(1.0, total[count:].sum())) if count < len(total) else 0.0


def hypergeometric(size: int, members: int, drawn: int) -> Floats:
    """Return the chance of 0, 1, 2 … members among `drawn` of `size` things."""
    chances = np.zeros(min(members, drawn) + 1)
    every = _log_choose(size, drawn)
    for number in range(max(0, drawn + members - size), len(chances)):
        chances[number] = exp(
            _log_choose(members, number) + _log_choose(size - members, drawn - number) - every
        )
    return chances


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def gamma_interval(losses: Floats, largest: float) -> tuple[float, float]:
    """Return the 95 % interval of the expected sum of losses that happen at random.

    `largest` is the loss that the next error might have. Without losses, the interval starts at zero.
    """
    total, squares = float(losses.sum()), float((losses**2).sum())
    low = 0.0
    if total:
        low = squares / total * _gamma_quantile(total**2 / squares, -Z95)
    total, squares = total + largest, squares + largest**2
    return low, squares / total * _gamma_quantile(total**2 / squares, Z95)


def _gamma_quantile(shape: float, z: float) -> float:
    """Return a quantile of the gamma distribution, by the cube root that Wilson and Hilferty found."""
    root = 1 - 1 / (9 * shape) + z / (3 * sqrt(shape))
    return shape * max(0.0, root) ** 3
