"""The wording of odds: some documents forbid "for", as in "300 for 1"."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from houseway.money import Odds, payment
from houseway.rules.rulebook import Rulebook

NEVER_FOR: Final = "to or win"
"""The option value under which odds must not use "for"."""


def wording(book: Rulebook) -> str | None:
    """Return the wording that the rulebook requires for printed odds, or None if it does not say."""
    value = book.option("odds_wording")
    return str(value) if value else None


def odds_text(odds: str | None, wording: str | None) -> str:
    """Return the odds of a payment in a wording that the rulebook allows.

    >>> odds_text("300 for 1", "to or win")
    '300 times the wager'
    >>> odds_text("300 for 1", "to and for")
    '300 for 1'
    """
    pays = payment(odds) if odds and wording == NEVER_FOR else None
    if isinstance(pays, Odds) and pays.house_keeps_stake:
        return f"{multiple(pays.units, pays.per)} times the wager"
    return odds or ""


def multiple(units: int, per: int) -> str:
    """Return a multiple in words: "300", "1.5", or "1 1/3" if it has no short decimal."""
    whole, rest = divmod(units, per)
    if not rest:
        return f"{whole:,}"
    hundredths = Fraction(100 * rest, per)
    if hundredths.denominator == 1:
        return f"{whole:,}.{hundredths.numerator:02}".rstrip("0")
    return f"{whole:,} {rest}/{per}"
