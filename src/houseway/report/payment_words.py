"""Write payments and their conditions as a printed rules card words them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from houseway.money import Flat, Odds, Payment, Share, spoken
from houseway.rules.compare.value_words import brief, listed
from houseway.rules.fact_groups import GROUPS
from houseway.rules.fact_groups.base import HAND
from houseway.rules.odds_words import NEVER_FOR, multiple, wording
from houseway.rules.rulebook import Rulebook
from houseway.rules.toml_reader import Basis
from houseway.rules.wagers import PayTable, Row

CARDS: Final = {"first five": "the hole cards and the flop", "seven": "the best five of all seven cards"}
"""The cards that a pay table uses."""

_WHEN: Final = {
    (fact.name, value): words
    for group in GROUPS.values()
    for fact in group.facts((), 0)
    for value, words in fact.words.items()
}


def payment_text(pays: Payment, wording: str | None) -> str:
    """Return a payment as a rulebook may print it. Some rulebooks must not print odds with "for".

    >>> payment_text(Odds(300, 1, house_keeps_stake=True), "to or win")
    'win 300 times the wager; the wager is not returned'
    """
    match pays:
        case Odds(units, per, house_keeps_stake=True) if wording == NEVER_FOR:
            times = "" if units == per else f"{multiple(units, per)} times "
            return f"win {times}the wager; the wager is not returned"
        case Odds(units, per, keeps):
            return f"{units:,} {'for' if keeps else 'to'} {per}"
        case Share(percent, meter):
            return f"{percent} % of the {meter} meter"
        case Flat(amount):
            return spoken(amount)
        case word:
            return {"push": "pushes", "lose": "loses"}[word]


def short_payment_text(book: Rulebook, pays: Payment) -> str:
    """Return a payment as the rulebook prints it, abbreviated if it would fill a line."""
    words = wording(book)
    long = isinstance(pays, Share) or (
        isinstance(pays, Odds) and pays.house_keeps_stake and words == NEVER_FOR
    )
    return brief(pays) if long else payment_text(pays, words)


def row_text(row: Row, wording: str | None) -> str:
    """Return the result of a wager's row in words: "loses", "pays 1 to 1", "pays by the blind table"."""
    if row.table is not None:
        return f"pays {row_payment(row, wording)}"
    return result_text(row.pays or "lose", wording)


def row_payment(row: Row, wording: str | None) -> str:
    """Return what a wager's row pays: "loses", "1 to 1", "by the blind table"."""
    if row.table is not None:
        return f"by the {row.table_kind.replace('_', ' ')} table"
    return payment_text(row.pays or "lose", wording)


def result_text(pays: Payment, wording: str | None) -> str:
    """Return the result of a wager in words: "loses", "pays 1 to 1"."""
    return payment_text(pays, wording) if isinstance(pays, str) else f"pays {payment_text(pays, wording)}"


def conditions(when: Mapping[str, Any]) -> str:
    """Return the conditions of a row in words: "the player's hand wins, straight or better"."""
    return ", ".join(_condition(name, value) for name, value in when.items())


def _condition(name: str, value: Any) -> str:
    if isinstance(value, list):
        return listed((_condition(name, v) for v in value), "or")
    known = _WHEN.get((name, value))
    if known is not None:
        return known
    return str(value) if name == HAND else f"{value} {name.replace('_', ' ')}"


def basis_of(row: Row, table: PayTable) -> Basis:
    """Return the basis of a pay table line: its own, or the table's if it has none."""
    return row.basis if row.basis.clauses or row.basis.own else table.basis
