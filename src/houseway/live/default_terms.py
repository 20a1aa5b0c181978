"""What a table offers where nobody says: the deal mode with the most wagers, usual limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from houseway.engine.terms import stakeable
from houseway.rules.rulebook import Rulebook

LIMITS: Final = {"min": "5", "max": "100"}
"""What is posted where neither the rulebook nor who opens the table says anything."""


def offering(
    book: Rulebook, mode: str, tables: Mapping[str, str], limits: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    """Mode, tables and limits as a rulebook takes them; left open, every wager is offered."""
    bounded = {
        name: dict(LIMITS)
        for name in stakeable(book)
        if name not in {*book.posted, *book.limits, "progressive"}
        and not (book.wagers[name].equals or book.wagers[name].amount)
    }
    return {
        "mode": mode or max(book.modes, key=lambda mode: _offered(book, mode)),
        "tables": dict(tables),
        "limits": {**bounded, **limits},
    }


def _offered(book: Rulebook, mode: str) -> int:
    """How many wagers a deal mode offers."""
    return sum(w.modes is None or mode in w.modes.value for w in book.wagers.values())
