"""Scenario decks as values: each card is a happening with its frequency and its difficulty."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

MOST_CARDS: Final = 200
MOST_ROUNDS: Final = 500
"""The highest round number of a card."""
MOST_AFTER: Final = 600_000
"""The longest delay of a card, in milliseconds."""
MOST_TEXT: Final = 200
"""The most characters of a player's words."""
HARDEST: Final = 3


class ScenarioCard(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """One kind of happening, and how often it happens."""

    kind: str
    """A kind of conduct, or of irregularity; `kinds.KINDS` lists them."""
    chance: int = 0
    """The percentage of rounds in which it happens."""
    rounds: tuple[int, ...] = ()
    """The rounds in which it happens, from 1, besides those that the chance gives."""
    difficulty: int = 1
    """1 for what a new dealer must handle, 3 for what is hard to notice or to handle."""
    at: str = ""
    """The place: "seat 2", "dealer", "board" or "deck"; "seat" is any seat; empty for any place."""
    after: int = 0
    """For a slow player, the milliseconds to the decision. Otherwise, the milliseconds from the moment at
    which the happening becomes possible."""
    says: str = ""
    """The player's words; empty for one of the usual sentences."""


class ScenarioDeck(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """What can happen at a training table."""

    name: str = "quiet"
    about: str = ""
    cards: tuple[ScenarioCard, ...] = ()

    def up_to(self, difficulty: int) -> ScenarioDeck:
        """Return the deck without its harder cards."""
        return replace(self, cards=tuple(card for card in self.cards if card.difficulty <= difficulty))


QUIET: Final = ScenarioDeck()
"""The deck without happenings."""
