"""Tail probabilities by textbook formulas: χ², normal, Kolmogorov–Smirnov; and a χ² test that merges small cells."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]


def upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function: a series below the mean, a continued fraction above."""
    if x <= 0:
        return 1.0
    front = math.exp(-x + a * math.log(x) - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-16:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - front * total)
    # Lentz's method evaluates the continued fraction from the front.
    b = x + 1 - a
    c, d = 1e300, 1 / b
    fraction = d
    for n in range(1, 100_000):
        b += 2
        top = -n * (n - a)
        d = 1 / (top * d + b)
        c = b + top / c
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            return front * fraction
    raise ArithmeticError(f"no convergence at a = {a}, x = {x}")


def chi_tail(statistic: float, freedom: int) -> float:
    """The probability of a χ² this large or larger."""
    return upper_gamma(freedom / 2, statistic / 2)


def normal_tails(z: float) -> float:
    """The probability of a standard normal this far from zero or farther, on either side."""
    return math.erfc(abs(z) / math.sqrt(2))


def uniformity(values: Sequence[float]) -> float:
    """Kolmogorov–Smirnov: the probability that as many uniform numbers are at least as uneven."""
    n = len(values)
    gap = max(max((i + 1) / n - value, value - i / n) for i, value in enumerate(sorted(values)))
    scaled = (math.sqrt(n) + 0.12 + 0.11 / math.sqrt(n)) * gap
    if scaled < 0.2:
        return 1.0
    terms = [math.exp(-2 * k * k * scaled * scaled) for k in range(1, 101)]
    return min(1.0, 2 * (sum(terms[::2]) - sum(terms[1::2])))


def fits(counts: Sequence[int] | Counts, chances: Sequence[float], least: float = 10) -> float:
    """The χ² tail probability of counts, given the probabilities. Neighbouring cells are merged until each expects `least`."""
    total = int(sum(counts))
    statistic, cells = 0.0, 0
    pooled = []
    seen, expected = 0, 0.0
    for count, chance in zip(counts, chances, strict=True):
        seen, expected = seen + int(count), expected + chance * total
        if expected >= least:
            pooled.append((seen, expected))
            seen, expected = 0, 0.0
    last_seen, last_wanted = pooled.pop()
    pooled.append((last_seen + seen, last_wanted + expected))
    for seen, expected in pooled:
        statistic += (seen - expected) ** 2 / expected
        cells += 1
    return chi_tail(statistic, cells - 1)
