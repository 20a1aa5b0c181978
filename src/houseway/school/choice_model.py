"""How hard a position is: a reference player who errs more often if two choices are nearly equal.

The model is logit choice. A player of temperature T takes a choice with a probability proportional to
exp(-gap / T), where the gap is the value that the choice gives up. The reference player has a temperature
of 0.05 antes.

Difficulty is in logits: the logarithm of the odds that the reference player errs. A position in which the
only wrong choice gives up 0.05 antes has difficulty -1, one that gives up 0.5 antes has -10, and 0 would be
a coin toss. The figures are computed with decimal arithmetic, so they are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Context, Decimal
from fractions import Fraction
from math import fsum
from typing import Final

REFERENCE: Final = Fraction(1, 20)
"""The temperature of the reference player, in antes."""
PLACES: Final = Decimal("0.0001")
_DIGITS: Final = Context(prec=30)
LEAST: Final = Decimal(-200)
"""The difficulty of a position in which every error is out of the question, and of one without a choice."""


def difficulty(gaps: Iterable[Fraction]) -> Decimal:
    """Return the difficulty of a position in logits, rounded to four places.

    `gaps` lists how much each choice other than the best gives up.
    """
    weights = _weights(gaps)
    total = sum(weights, Decimal(0))
    return max(LEAST, _DIGITS.ln(total)).quantize(PLACES) if total else LEAST.quantize(PLACES)


def error_chance(gaps: Iterable[Fraction]) -> Decimal:
    """Return the chance that the reference player does not take the best choice."""
    total = sum(_weights(gaps), Decimal(0))
    return _DIGITS.divide(total, 1 + total).quantize(Decimal("0.000001"))


def expected_loss(gaps: Iterable[Fraction]) -> float:
    """Return how many antes the reference player gives up on average.

    It is small for thin spots, which cost little, and for plain ones, which are rarely missed.
    """
    listed = list(gaps)
    weights = [float(weight) for weight in _weights(listed)]
    # fsum rounds once, so the result is the same under every version of Python; sum changed in 3.12.
    lost = fsum(float(gap) * weight for gap, weight in zip(listed, weights, strict=True))
    return lost / fsum([1.0, *weights])


def _weights(gaps: Iterable[Fraction]) -> list[Decimal]:
    """Return how often each wrong choice is taken, compared with the best one."""
    exponents = (-gap / REFERENCE for gap in gaps)
    return [_DIGITS.exp(_DIGITS.divide(Decimal(e.numerator), Decimal(e.denominator))) for e in exponents]
