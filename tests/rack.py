"""The discard rack read back: every hand of a round, told from the order of the cards alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from houseway.cards import Card
from houseway.engine import events as e


class Pile(NamedTuple):
    """What went to the rack together: in which round, what it was, how many cards; no faces."""

    round: int
    what: str
    cards: int


def piles(events: Iterable[e.Event]) -> list[Pile]:
    """What went to the rack since it was last emptied, from the bottom up: the public record alone."""
    found: list[Pile] = []
    number, deck = 0, ""
    for event in events:
        match event:
            case e.RoundOpened():
                number, deck = event.number, event.deck
            case e.RackCleared():
                found = []
            case e.DeckShuffled() if event.deck == deck or not deck:
                # The rack's own deck was shuffled: its cards are out of the rack.
                found = []
            case e.CardsRacked():
                found.append(Pile(number, event.what, event.count))
            case e.CardsBurned():
                found.append(Pile(number, "burn", event.count))
            case e.FaceUpFound(used=False):
                found.append(Pile(number, "face up", len(event.face)))
            case e.StubRemoved(racked=True) | e.StubCounted(racked=True):
                found.append(Pile(number, "stub", event.count))
    return found


def rebuilt(rack: Sequence[Card], record: Sequence[Pile], number: int = 0) -> dict[str, tuple[Card, ...]]:
    """Whose cards lay where in a round ("seat 3", "dealer", "board"), from the rack's cards in their order.

    The last round of the record, or another one that was dealt from the same shoe.
    """
    wanted = number or max((pile.round for pile in record), default=0)
    found: dict[str, tuple[Card, ...]] = {}
    at = 0
    for pile in record:
        if pile.round == wanted:
            found[pile.what] = (*found.get(pile.what, ()), *rack[at : at + pile.cards])
        at += pile.cards
    if at != len(rack):
        raise ValueError(f"{len(rack)} cards lie in the rack and {at} were put there")
    return found
