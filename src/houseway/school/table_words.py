"""What a player looks up at the table: the hand classes with examples, and the words of the game."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

from houseway.cards import Card, cards
from houseway.rules.compare.value_words import cite
from houseway.rules.options import SHOOTOUT
from houseway.rules.rulebook import Rulebook

SHOOTOUT_ONLY: Final = "Texas Shootout: "
"""The start of a meaning that applies to Texas Shootout only."""
ULTIMATE_ONLY: Final = frozenset({"ante, blind", "check, fold", "play", "qualify", "hole cards, board"})
"""Words that Texas Shootout does not have, or in which the numbers differ."""


@dataclass(frozen=True, slots=True)
class HandExample:
    """A class of hands with an example, as a rulebook ranks it."""

    name: str
    cards: tuple[Card, ...]
    says: str
    clause: str
    """The clauses that define it, as `cite` writes them; may be empty."""


@cache
def _written() -> dict[str, Any]:
    file = resources.files(__package__).joinpath("words.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def hand_examples(book: Rulebook) -> tuple[HandExample, ...]:
    """Return the hand classes of a rulebook, the highest first. A class without an example is left out."""
    written = _written()["hands"]
    return tuple(
        HandExample(one.name, cards(written[one.name]["cards"]), written[one.name]["says"], cite(one.basis))
        for one in book.ranking.classes
        if one.name in written
    )


def table_words(book: Rulebook) -> dict[str, str]:
    """Return the words that a player of a rulebook meets, with their meanings."""
    words: dict[str, str] = _written()["words"]
    if book.game == SHOOTOUT:
        return {word: meaning for word, meaning in words.items() if word not in ULTIMATE_ONLY}
    return {word: meaning for word, meaning in words.items() if not meaning.startswith(SHOOTOUT_ONLY)}
