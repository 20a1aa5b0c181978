"""Money in whole cents, and odds as printed. Nothing here uses floating point.

A payment is written as in the documents: "3 to 2" (the stake is returned as well), "300 for 1" (the house
keeps the stake), "10 % of main" (a share of a meter), "$1,000" (a flat amount), "push" and "lose". Every
table of every rulebook uses this notation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal, NewType

Cents = NewType("Cents", int)

Rounding = Literal["down", "nearest", "up"]

_DOLLARS: Final = re.compile(r"\$?(\d{1,3}(?:,\d{3}){1,4}|\d{1,15})(?:\.(\d{1,2}))?", re.ASCII)
_ODDS: Final = re.compile(r"(\d[\d,]{0,11}) (to|for) (\d{1,9})", re.ASCII)
_SHARE: Final = re.compile(r"(\d{1,3}) ?%(?: of (\w+))?", re.ASCII)


LARGEST_AMOUNT: Final = 10**12
"""The largest amount of any command, in cents: ten billion dollars."""


class MoneyError(ValueError):
    """A text is not an amount or a payment. The message ends with "; " and what to write instead."""


def cents(text: str) -> Cents:
    """Return the cents in an amount of dollars, written as people write it.

    >>> cents("7.50"), cents("$1,000")
    (750, 100000)
    """
    match = _DOLLARS.fullmatch(text)
    if match is None:
        short = text if len(text) <= 40 else f"{text[:40]}…"
        raise MoneyError(f"{short!r} is not an amount; write dollars with up to two decimals, such as 7.50")
    return Cents(int(match[1].replace(",", "")) * 100 + int((match[2] or "").ljust(2, "0")))


@lru_cache(maxsize=1 << 14)
def dollars(amount: int) -> str:
    """Return cents as dollars with two decimals: "7.50", "-10.00"."""
    sign = "-" if amount < 0 else ""
    return f"{sign}{abs(amount) // 100}.{abs(amount) % 100:02d}"


def spoken(amount: int) -> str:
    """Return cents as printed on a sign: "$1,000", "$7.50"."""
    return exactly(amount).removesuffix(".00")


def exactly(amount: int) -> str:
    """Return cents as dollars with a dollar sign and two decimals: "$1,000.00"."""
    return f"{'-' if amount < 0 else ''}${abs(amount) // 100:,}.{abs(amount) % 100:02d}"


def rounded(numerator: int, denominator: int, rounding: Rounding) -> Cents:
    """Return a fraction rounded to whole cents by the house's rule."""
    whole, rest = divmod(numerator, denominator)
    if rest and (rounding == "up" or (rounding == "nearest" and 2 * rest >= denominator)):
        whole += 1
    return Cents(whole)


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds of a win: `units` are paid for each `per` staked. With "for", the house keeps the stake."""

    units: int
    per: int
    house_keeps_stake: bool = False

    def __str__(self) -> str:
        return f"{self.units} {'for' if self.house_keeps_stake else 'to'} {self.per}"

    @property
    def ratio(self) -> Fraction:
        """The winnings for each unit staked, without the stake itself."""
        return Fraction(self.units, self.per)


@dataclass(frozen=True, slots=True)
class Share:
    """A share of a progressive meter."""

    percent: int
    meter: str = "main"

    def __str__(self) -> str:
        return f"{self.percent} %"


@dataclass(frozen=True, slots=True)
class Flat:
    """A fixed amount, such as an envy bonus."""

    amount: Cents

    def __str__(self) -> str:
        return spoken(self.amount)


Payment = Odds | Share | Flat | Literal["push", "lose"]


def payment(text: str) -> Payment:
    """Return a payment from its text in a document.

    >>> payment("3 to 2"), payment("10 % of main"), payment("$1,000")
    (Odds(units=3, per=2, house_keeps_stake=False), Share(percent=10, meter='main'), Flat(amount=100000))
    """
    if text == "push":
        return "push"
    if text == "lose":
        return "lose"
    if match := _ODDS.fullmatch(text):
        units, per = int(match[1].replace(",", "")), int(match[3])
        if units and per:
            return Odds(units, per, house_keeps_stake=match[2] == "for")
    elif match := _SHARE.fullmatch(text):
        if 0 < int(match[1]) <= 100:
            return Share(int(match[1]), match[2] or "main")
    elif text.startswith("$") and _DOLLARS.fullmatch(text):
        return Flat(cents(text))
    raise MoneyError(
        f'{text!r} is not a payment; write odds as "A to B" or "A for B", a share as "P % of METER", an '
        'amount as "$D", or "push" or "lose"'
    )
