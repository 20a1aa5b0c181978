"""Exact figures formatted for print: rounded once, half to even, never through a float."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

from houseway.report.sheet.model import Form

MINUS = "−"


def exact(value: Fraction) -> str:
    """Return a fraction as exact text."""
    return f"{value.numerator}/{value.denominator}"


def decimal(value: Fraction, places: int, *, sign: bool = False) -> str:
    """Return a fraction rounded to `places` decimals.

    >>> decimal(Fraction(-50_643_648_973, 2_317_817_502_000), 6)
    '−0.021850'
    """
    units = round(value * 10**places)
    whole, rest = divmod(abs(units), 10**places)
    mark = MINUS if units < 0 else "+" if sign and units else ""
    return f"{mark}{whole:,}" + (f".{rest:0{places}d}" if places else "")


def digits(value: Fraction | None) -> str:
    """Return a figure to twelve places in plain digits, for programs, or an empty string for None."""
    return "" if value is None else decimal(value, 12).replace(MINUS, "-").replace(",", "")


def percent(value: Fraction, places: int = 4) -> str:
    """Return a share as a percentage."""
    return f"{decimal(100 * value, places)} %"


def shown(value: Fraction, form: Form) -> str:
    """Return a figure as text: a percentage, a signed amount or a plain number, as `form` says."""
    return percent(value) if form == "percent" else decimal(value, 6, sign=form == "signed")


def chances(values: Sequence[Fraction]) -> list[str]:
    """Return a column of probabilities, with enough places for three significant digits of the rarest.

    >>> chances([Fraction(1, 2), Fraction(0), Fraction(4, 2_598_960)])
    ['50.000000 %', '0.000000 %', '0.000154 %']
    """
    rarest = min(filter(None, values), default=Fraction(1))
    places = 4
    while 100 * rarest * 10**places < 100 and places < 12:
        places += 1
    return [percent(value, places) for value in values]


def money(value: Fraction) -> str:
    """Return an amount in dollars and cents."""
    text = decimal(abs(value), 2)
    return f"{MINUS if value < 0 else ''}${text}"


def against(chance: Fraction) -> str:
    """Return the true odds against an event."""
    if not chance:
        return "never"
    odds = 1 / chance - 1
    least = Fraction(1, 100)
    return f"less than {decimal(least, 2)} to 1" if 0 < odds < least else f"{decimal(odds, 2)} to 1"


def root(value: Fraction) -> Fraction:
    """Return a square root to twelve places, rounded down."""
    return Fraction(isqrt(value.numerator * 10**24 // value.denominator), 10**12)


def net(value: Fraction) -> str:
    """Return a signed net result with as few places as needed: "+5", "−2.5"."""
    if value.denominator == 1:
        return decimal(value, 0, sign=True)
    return decimal(value, 4, sign=True).rstrip("0")
