"""The discard rack read back: rebuild every hand of a round from the order of the cards alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from houseway.cards import Card
from houseway.engine import events as e


class Pile(NamedTuple):
    """Cards that went to the rack together: the round, their kind and count, but not their faces."""

    round: int
    what: str
    cards: int


def piles(events: Iterable[e.Event]) -> list[Pile]:
    """The piles put on the rack since it was last emptied, bottom first, read from the public record alone."""
    stack: list[Pile] = []
    number, deck = 0, ""
    for event in events:
        match event:
            case e.RoundOpened():
                number, deck = event.number, event.deck
            case e.RackCleared():
                stack = []
            case e.DeckShuffled() if event.deck == deck or not deck:
                # The rack's own deck was shuffled: its cards are out of the rack.
                stack = []
            case e.CardsRacked():
                stack.append(Pile(number, event.what, event.count))
            case e.CardsBurned():
                stack.append(Pile(number, "burn", event.count))
            case e.FaceUpFound(used=False):
                stack.append(Pile(number, "face up", len(event.face)))
            case e.StubRemoved(racked=True) | e.StubCounted(racked=True):
                stack.append(Pile(number, "stub", event.count))
    return stack


def rebuilt(rack: Sequence[Card], record: Sequence[Pile], number: int = 0) -> dict[str, tuple[Card, ...]]:
    """The cards of each place in a round ("seat 3", "dealer", "board"), read from the rack's cards in order.

    Reads the last round of the record, or another round dealt from the same shoe.
    """
    target = number or max((pile.round for pile in record), default=0)
    hands: dict[str, tuple[Card, ...]] = {}
    at = 0
    for pile in record:
        if pile.round == target:
            hands[pile.what] = (*hands.get(pile.what, ()), *rack[at : at + pile.cards])
        at += pile.cards
    if at != len(rack):
        raise ValueError(f"{len(rack)} cards are in the rack and {at} were put there")
    return hands
