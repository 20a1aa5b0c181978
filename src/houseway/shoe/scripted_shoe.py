"""A shoe with a chosen order of cards, for tests and worked rounds."""

from __future__ import annotations

from collections.abc import Iterable

from houseway.cards import DECK, Card
from houseway.shoe.shoe import ShoeError, UnsealedShoe
from houseway.shoe.stack import Stack


class ScriptedShoe(UnsealedShoe, Stack):
    """The given cards on top, then all others in factory order; it has no seal."""

    def __init__(self, order: Iterable[Card], decks: int = 1) -> None:
        top = tuple(order)
        rest = list(DECK * decks)
        for card in top:
            if card not in rest:
                copies = "the deck has only one" if decks == 1 else f"the shoe has only {decks}"
                raise ShoeError(f"the {card.words} ({card}) is scripted too often; {copies}")
            rest.remove(card)
        super().__init__([*top, *rest])
