"""Checks of the chip values that a house sets for its tray."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from houseway.money import exactly

MOST_VALUES: Final = 12
QUARTER: Final = 25
"""Cents."""
LARGEST: Final = 100_000_00
"""The largest chip value, in cents."""


def chip_problem(values: Sequence[int]) -> str:
    """Return what is wrong with the chip values of a tray, in cents; empty if nothing is.

    >>> chip_problem([2500, 500, 100, 50]), chip_problem([21, 33])
    ('', 'a chip of $0.33 is neither a multiple of $0.25 nor of the smallest chip, $0.21')
    """
    if len(values) > MOST_VALUES:
        return f"a tray has at most {MOST_VALUES} chip values (got {len(values)})"
    smallest = min(values, default=1)
    for value in values:
        if value > LARGEST:
            return f"the largest chip is {exactly(LARGEST)} (got {exactly(value)})"
        if value % QUARTER and value % smallest:
            quarter, least = exactly(QUARTER), exactly(smallest)
            return (
                f"a chip of {exactly(value)} is neither a multiple of {quarter} nor of the smallest chip,"
                f" {least}"
            )
    return ""
