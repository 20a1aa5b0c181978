"""Defaults for a new table: the deal mode with the most wagers, and usual limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from houseway.engine.terms import stakeable
from houseway.rules.rulebook import Rulebook

LIMITS: Final = {"min": "5", "max": "100"}
"""The posted limits if neither the rulebook nor the person who opens the table sets any."""


def offering(
    book: Rulebook, mode: str, tables: Mapping[str, str], limits: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    """Return a table's mode, pay tables and limits; defaults fill what is left open."""
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
    """Return the number of wagers that a deal mode offers."""
    return sum(w.modes is None or mode in w.modes.value for w in book.wagers.values())
