"""Restore the shoes of a record from their seeds, and compare the dealt cards with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from houseway.cards import Card, codes
from houseway.engine import events as e
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.shoe import Act, SealedShoe, ShoeError, shoe_id


@dataclass
class ShuffledDeck:
    """A deck since its last shuffle."""

    shoe_id: str
    seal: str
    """The published seal; empty if none was published."""
    acts: list[Act] = field(default_factory=list)
    """The cuts and deals since the shuffle."""
    shoe: SealedShoe | None = None
    """The restored shoe; None if its seed is missing."""

    def do(self, act: Act) -> tuple[Card, ...] | None:
        """Apply an act to the shoe, and add the act to `acts`.

        Return the dealt cards, if they are known.
        """
        match act, self.acts:
            case ("take", count), [*_, ("take", before)]:
                self.acts[-1] = ("take", before + count)
            case _:
                self.acts.append(act)
        name, argument = act
        cards: tuple[Card, ...] | None = getattr(self.shoe, name)(argument) if self.shoe else None
        return cards


class RecordedShoes:
    """The shoes of a table. Each is restored from its seed, then cut and dealt as the record says."""

    def __init__(self, stream: str, secret: Callable[[str], bytes | None]) -> None:
        """`secret` returns the seed of a shoe by its name, or None if it is missing."""
        self._stream = stream
        self._secret = secret
        self._shuffles = 0
        self.decks: dict[str, ShuffledDeck] = {}
        self.unsealed = 0
        """The number of shoes without a seal. Their cards cannot be checked."""
        self.unsealed_rounds: list[int] = []
        """The rounds that were dealt from a shoe without a seal."""
        self.known = 0
        """The number of shoes whose seed is available."""
        self.unknown: dict[int, str] = {}
        """The names of the shoes whose seed is missing. The keys are the events that sealed them."""

    def follow(self, table: Table, seq: int, event: e.Event) -> Iterator[str]:
        """Apply event `seq` to the shoes. Yield a sentence for each difference from the seal."""
        deck = self.decks.get(getattr(event, "deck", ""))
        if isinstance(event, e.RoundOpened) and deck and not deck.seal:
            self.unsealed_rounds.append(event.number)
        try:
            match event:
                case e.DeckShuffled():
                    yield from self._shuffle(table, seq, event)
                case e.RoundOpened() if event.seal != (deck.seal if deck else ""):
                    yield f"round {event.number} was opened under a seal that is not its deck's"
                case e.DeckCut(rest_on_top=True) if deck:
                    deck.do(("cut", event.count))
                case e.PlayersCutMade() if deck:
                    deck.do(("permute", {seat: bytes.fromhex(salt) for seat, salt in event.salts.items()}))
        except (ShoeError, ValueError) as error:
            yield f"the shoe cannot be cut as recorded: {error}"

    def _shuffle(self, table: Table, seq: int, event: e.DeckShuffled) -> Iterator[str]:
        self._shuffles += 1
        name = shoe_id(self._stream, self._shuffles, event.deck)
        deck = self.decks[event.deck] = ShuffledDeck(name, event.seal)
        if not event.seal:
            self.unsealed += 1
            return
        seed = self._secret(name)
        if seed is None:
            self.unknown[seq] = name
            return
        self.known += 1
        shoe = SealedShoe(seed, table.book.ranking.decks, name)
        if shoe.seal == event.seal:
            deck.shoe = shoe
        else:
            yield f"the seed of {name} does not match the published seal"

    def dealt(self, before: State, after: State, cards: tuple[Card, ...] | None) -> Iterator[str]:
        """Take as many cards from each restored shoe as the entry dealt from its deck.

        Yield each difference. `before` and `after` are the states before and after the entry. `cards` are
        the cards that were dealt, or None if they are unknown.
        """
        used = {deck.name: deck.used for deck in before.decks}
        for deck in after.decks:
            count = deck.used - used.get(deck.name, 0)
            if count <= 0 or deck.name not in self.decks:
                continue
            try:
                sealed = self.decks[deck.name].do(("take", count))
            except ShoeError as error:
                yield str(error)
                continue
            if sealed is not None and cards is not None and cards != sealed:
                yield f"deck {deck.name} dealt {codes(cards)}, but its seal has {codes(sealed)}"

    def saved(self) -> dict[str, Any]:
        """Return the shoes for a snapshot: the number of shuffles, and each sealed shoe's name and acts."""
        sealed = {name: deck for name, deck in self.decks.items() if deck.seal}
        decks = {
            n: {"id": deck.shoe_id, "acts": list(map(_saved, deck.acts))} for n, deck in sealed.items()
        }
        return {"shuffles": self._shuffles, "decks": decks}


def _saved(act: Act) -> list[Any]:
    """Return an act in the JSON form of a snapshot."""
    name, argument = act
    if isinstance(argument, int):
        return [name, argument]
    return [name, {str(seat): salt.hex() for seat, salt in argument.items()}]
