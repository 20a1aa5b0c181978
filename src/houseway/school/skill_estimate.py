"""The skill of a player, estimated from answers to positions whose difficulty the solver has fixed.

The model is logit choice: the log-odds of the best choice against another are skill * gap / 0.05, where the
gap is what the other choice gives up, in antes. So the unit of skill is one logit in a position in which
the wrong choice gives up 0.05 antes. A player who guesses has skill 0, and the reference player of
`choice_model` has skill 1. Only the player is estimated; the items have no free parameter.

The likelihood is conditional on the positions shown. So any way to choose them, even from earlier answers,
leaves it as it is. Its only statistic is the loss over all answers.

The estimate maximizes the likelihood with Firth's (1993) correction, which removes the bias of small
samples. The 95 % interval has the limits at which the loss is as improbable as 2.5 % on either side, by the
saddlepoint formula of Lugannani and Rice in the form of Barndorff-Nielsen (r*).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import copysign, inf, log, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

UNIT: Final = 0.05
"""The gap, in antes, at which skill is the log-odds of the right answer."""
Z95: Final = 1.959964
LEAST: Final = -20.0
LARGEST: Final = 60.0
"""Skills are searched between these."""
STEPS: Final = 36

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Item:
    """An answered position."""

    gaps: tuple[float, ...]
    """How much each choice other than the best gives up, in antes."""
    loss: float
    """How much the choice made gave up."""


@dataclass(frozen=True, slots=True)
class SkillEstimate:
    """A skill with its uncertainty, in logits."""

    skill: float
    error: float
    """The standard error."""
    low: float
    high: float
    """The 95 % interval. Without any error, it has no upper end, and `high` is infinite."""


@dataclass(frozen=True, slots=True)
class _Sums:
    """The log-likelihood without the loss, and the first three cumulants of the loss, at one skill."""

    log_norm: float
    mean: float
    variance: float
    third: float


def estimate_skill(items: Sequence[Item]) -> SkillEstimate:
    """Return the estimate from answers; raise ValueError if no position had a choice."""
    width = max((len(item.gaps) for item in items), default=0)
    if not width:
        raise ValueError("a skill needs answers to positions with a choice")
    gaps = np.full((len(items), width + 1), inf)
    gaps[:, 0] = 0.0
    for row, item in enumerate(items):
        gaps[row, 1 : len(item.gaps) + 1] = item.gaps
    gaps /= UNIT
    lost = sum(item.loss for item in items) / UNIT

    def corrected(skill: float) -> float:
        sums = _sums(gaps, skill)
        bent = sums.third / sums.variance if sums.variance > 0 else inf
        return sums.mean - lost - bent / 2

    skill = _root(corrected, LEAST, LARGEST)
    variance = _sums(gaps, skill).variance
    low, high = _interval(gaps, lost)
    return SkillEstimate(skill, 1 / sqrt(variance) if variance else inf, min(low, skill), max(high, skill))


def _sums(gaps: Floats, skill: float) -> _Sums:
    present = np.isfinite(gaps)
    sizes = np.where(present, gaps, 0.0)
    powers = np.where(present, -skill * sizes, -inf)
    top = powers.max(axis=1, keepdims=True)
    weights = np.exp(powers - top)
    totals = weights.sum(axis=1, keepdims=True)
    chances = weights / totals
    means = (chances * sizes).sum(axis=1, keepdims=True)
    apart = sizes - means
    return _Sums(
        float((np.log(totals) + top).sum()),
        float(means.sum()),
        float((chances * apart**2).sum()),
        float((chances * apart**3).sum()),
    )


def _interval(gaps: Floats, lost: float) -> tuple[float, float]:
    """Return the 95 % interval."""

    def log_likelihood(skill: float) -> float:
        return -skill * lost - _sums(gaps, skill).log_norm

    most = float(np.where(np.isfinite(gaps), gaps, 0.0).max(axis=1).sum())
    # Half of the chance of an extreme result counts, as for the other results.
    if lost <= 1e-9:
        return _root(lambda skill: log(0.05) - log_likelihood(skill), LEAST, LARGEST), inf
    if lost >= most - 1e-9:
        return -inf, _root(lambda skill: log_likelihood(skill) - log(0.05), LEAST, LARGEST)
    likeliest = _root(lambda skill: _sums(gaps, skill).mean - lost, LEAST, LARGEST)
    top, root_variance = log_likelihood(likeliest), sqrt(_sums(gaps, likeliest).variance)

    def pivot(skill: float) -> float:
        """Return the normal quantile of the loss at a skill."""
        r = copysign(sqrt(max(0.0, 2 * (top - log_likelihood(skill)))), likeliest - skill)
        ratio = (likeliest - skill) * root_variance / r if abs(r) > 1e-3 else 0.0
        return r + log(ratio) / r if ratio > 0 else r

    reach = 6 / root_variance
    low = _root(lambda skill: pivot(skill) - Z95, likeliest - reach, likeliest)
    high = _root(lambda skill: pivot(skill) + Z95, likeliest, likeliest + 2 * reach)
    return low, high


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Return the place at which a falling function is zero, or the end nearest to it."""
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2
