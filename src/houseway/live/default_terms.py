"""Defaults for a new table: the deal mode that offers the most kinds of wagers, and usual limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from houseway.engine.terms import Terms, read_terms, stakeable
from houseway.rules.compile import chosen_table, tables_in_use
from houseway.rules.options import SHOOTOUT
from houseway.rules.posted_limits import ABOVE_BET_LIMIT
from houseway.rules.rulebook import Rulebook

MINIMUM: Final = "5"
MAXIMUMS: Final = ("100", "50", "25", "20", "10")
"""The posted minimum and maximum, if neither the rulebook nor the person who opens the table sets them.

The maximum is the first of these with which a player cannot exceed the document's bet limit.
"""
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
    offers = [_offer(book, mode, tables, limits, house or {}, most) for most in MAXIMUMS]
    if book.bet_limit is None:
        return offers[0]
    return next((offer for offer in offers if _keeps_bet_limit(book, offer, house or {})), offers[0])


def usual_mode(book: Rulebook) -> str:
    """Return the deal mode that offers the most kinds of wagers."""
    return max(book.modes, key=lambda mode: _offered(book, mode))


def _keeps_bet_limit(book: Rulebook, offer: Mapping[str, Any], house: Mapping[str, Any]) -> bool:
    """True if no player can exceed the document's bet limit under these limits."""
    terms, _ = read_terms(book, {**offer, "house": dict(house)})
    return all(refusal.code != ABOVE_BET_LIMIT for refusal in terms.open_limits(examples=True))


def _offer(
    book: Rulebook,
    mode: str,
    tables: Mapping[str, str],
    limits: Mapping[str, Mapping[str, str]],
    house: Mapping[str, Any],
    most: str,
) -> dict[str, Any]:
    """Return a table's mode, pay tables and limits; `most` is the maximum of wagers without limits."""
    mode = mode or usual_mode(book)
    bounded = {
        name: {"min": MINIMUM, "max": most}
        for name in stakeable(book)
        if name not in {*book.posted, *book.limits, "progressive"}
        and not (book.wagers[name].equals or book.wagers[name].amount)
        and _in_mode(book, name, mode)
    }
    if _progressive_open(book, tables, house):
        bounded["progressive"] = dict(PROGRESSIVE)
    return {
        "mode": mode,
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
    return sum(_in_mode(book, name, mode) for name in book.wagers)


def _in_mode(book: Rulebook, wager: str, mode: str) -> bool:
    """True if a deal mode offers a wager."""
    modes = book.wagers[wager].modes
    return modes is None or mode in modes.value
