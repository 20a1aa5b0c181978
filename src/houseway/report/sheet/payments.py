"""Payments in a narrow column, and envy, which is paid without a wager of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from houseway.money import Flat, Odds, Payment, Share
from houseway.report.sheet.model import Entry, Line, entry
from houseway.report.words import NEVER_FOR, printed, wording
from houseway.rules.compare.words import brief
from houseway.rules.rulebook import Rulebook
from houseway.rules.wagers import Wager

TIMES = "×"
"""Begins a payment of so many times the wager that keeps the wager."""


def pays_of(book: Rulebook, pays: Payment) -> str:
    """A payment as the rulebook prints it, shortened where its words would fill a line."""
    told = wording(book)
    long = isinstance(pays, Share) or (isinstance(pays, Odds) and pays.keeps_stake and told == NEVER_FOR)
    return brief(pays) if long else printed(pays, told)


def times_note(pays: Iterable[str]) -> list[str]:
    """What the sign of a multiple means, told of the largest there is; nothing where there is none."""
    multiples = [told.removeprefix(TIMES).replace(",", "") for told in pays if told.startswith(TIMES)]
    largest = max((int(told) for told in multiples if told.isdecimal()), default=1)
    example = f"{TIMES}{largest:,} is {largest:,}" if largest > 1 else f"{TIMES} is so many"
    return [f"{example} times the wager, which is not returned."] if multiples else []


def envy_entry(
    wager: Wager,
    table: str,
    paid: Sequence[tuple[str, int, Flat]],
    ways: int,
    stake: int,
    unit: str = "wager",
) -> Entry:
    """Envy for one other hand: what each hand that gives it pays, for a wager of so many cents."""
    hits = sum(number for _, number, _ in paid)
    lines = [Line(hand, str(flat), number, Fraction(flat.amount, stake)) for hand, number, flat in paid]
    lines.append(Line("anything else", "nothing", ways - hits, Fraction()))
    return entry(wager.name, wager.title, table, tuple(lines), hits=hits, unit=unit, staked=Fraction())
