"""Rebuild every hand of a round from the order of its cards in the discard rack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from houseway.engine import events as e
from houseway.engine.state import State

C = TypeVar("C")


class PileRecord(NamedTuple):
    """A pile of cards that went into the rack together: its round, kind and count, without the faces."""

    round: int
    what: str
    cards: int


class RackRecord:
    """The piles put in the rack since it was last emptied, bottom first."""

    def __init__(self) -> None:
        self.piles: list[PileRecord] = []
        self._round = 0

    def take(self, event: e.Event, after: State) -> None:
        """Add the piles that an event put in the rack; `after` is the state after the event."""
        if isinstance(event, e.RoundOpened):
            self._round = event.number
        if len(after.rack) < len(self.piles):
            self.piles = []
        new = after.rack[len(self.piles) :]
        self.piles += [PileRecord(self._round, pile.what, pile.count) for pile in new]


def rebuild(rack: Sequence[C], record: Sequence[PileRecord], number: int = 0) -> dict[str, tuple[C, ...]]:
    """Return the cards of each place in a round ("seat 3", "dealer", "board"), in the order of the rack.

    `rack` has the cards from the bottom up. `number` is a round dealt from the same shoe, by default the
    last one on record. Raises ValueError if the rack has more or fewer cards than were put there.
    """
    target = number or max((pile.round for pile in record), default=0)
    hands: dict[str, tuple[C, ...]] = {}
    at = 0
    for pile in record:
        if pile.round == target:
            hands[pile.what] = (*hands.get(pile.what, ()), *rack[at : at + pile.cards])
        at += pile.cards
    if at != len(rack):
        raise ValueError(f"the rack has {len(rack)} cards, but {at} were put there")
    return hands
