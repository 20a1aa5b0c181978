"""Defaults for a new table: the deal mode that offers the most wagers, and usual limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from houseway.engine.terms import Terms, stakeable
from houseway.rules.compile import chosen_table, tables_in_use
from houseway.rules.options import SHOOTOUT
from houseway.rules.rulebook import Rulebook

LIMITS: Final = {"min": "5", "max": "100"}
"""The posted limits if neither the rulebook nor the person who opens the table sets any."""
PROGRESSIVE: Final = {"min": "1", "max": "5"}
"""The posted limits of a progressive wager if neither its pay table nor the house sets its amount."""

BACKS: Final = ("red", "blue")
"""The colours of the card backs of a table's decks."""


def card_backs(terms: Terms, named: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the colour of each deck's back, as named or by default. In Texas Shootout, the decks of the
    shoe count as one."""
    return named or BACKS[: 1 if terms.rulebook.game == SHOOTOUT else terms.house("decks") or 1]


def offering(
    book: Rulebook,
    mode: str,
    tables: Mapping[str, str],
    limits: Mapping[str, Mapping[str, str]],
    house: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a table's mode, pay tables and limits; anything left out gets its default."""
    bounded = {
        name: dict(LIMITS)
        for name in stakeable(book)
        if name not in {*book.posted, *book.limits, "progressive"}
        and not (book.wagers[name].equals or book.wagers[name].amount)
    }
    if _progressive_open(book, tables, house or {}):
        bounded["progressive"] = dict(PROGRESSIVE)
    return {
        "mode": mode or max(book.modes, key=lambda mode: _offered(book, mode)),
        "tables": dict(tables),
        "limits": {**bounded, **limits},
    }


def _progressive_open(book: Rulebook, tables: Mapping[str, str], house: Mapping[str, Any]) -> bool:
    """True if the progressive wager needs a posted maximum, because its amount is not fixed."""
    needed = book.bet_limit is not None and book.bet_limit.maxima is not None
    table = chosen_table(book, "progressive", tables_in_use(book, tables, house))
    return needed and table is not None and table.wager is None and "progressive_wager" not in house


def _offered(book: Rulebook, mode: str) -> int:
    """Return the number of wagers that a deal mode offers."""
    return sum(w.modes is None or mode in w.modes.value for w in book.wagers.values())
