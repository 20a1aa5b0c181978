"""The discard rack read back: every hand of a round, told from the order of the cards alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from houseway.cards import Card
from houseway.engine import events as e

Pile = tuple[str, int]
"""What went to the rack together and how many cards it was; no faces."""


def piles(events: Iterable[e.Event]) -> list[Pile]:
    """What went to the rack since it was last emptied, from the bottom up: the public record alone."""
    found: list[Pile] = []
    for event in events:
        match event:
            case e.DeckShuffled() | e.RackCleared():
                found = []
            case e.CardsRacked():
                found.append((event.what, event.count))
            case e.CardsBurned():
                found.append(("burn", event.count))
            case e.FaceUpFound(used=False):
                found.append(("face up", len(event.face)))
            case e.StubRemoved(racked=True) | e.StubCounted(racked=True):
                found.append(("stub", event.count))
    return found


def rebuilt(rack: Sequence[Card], record: Iterable[Pile]) -> dict[str, tuple[Card, ...]]:
    """Whose cards lay where: "seat 3", "dealer", "board", from the rack's cards in their order."""
    found: dict[str, tuple[Card, ...]] = {}
    at = 0
    for what, count in record:
        found[what] = (*found.get(what, ()), *rack[at : at + count])
        at += count
    if at != len(rack):
        raise ValueError(f"{len(rack)} cards lie in the rack and {at} were put there")
    return found
