"""Settle a round with the package `second_settler`, which shares no code with the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from houseway.rules.rulebook import Rulebook
from houseway.second_settler import DOCUMENTS, SETTINGS, settle


def knows(book: Rulebook) -> bool:
    """True if the second settler was written for this rulebook's document.

    The text of the rulebook does not matter: the second settler has its own odds, so that it notices a
    wrong line in the rulebook too.
    """
    return book.id in DOCUMENTS


def settle_independently(document: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the second settler's settlement of a round, or its refusal.

    Only the fields that decide payments are passed on: no limits, no settings of the deal.
    """
    house = {name: value for name, value in data["house"].items() if name in SETTINGS[document]}
    return settle({**{key: value for key, value in data.items() if key != "limits"}, "house": house})
