"""The shoes of a record shuffled again from their seeds, and its cards held against them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from houseway.cards import Card, written
from houseway.engine import events as e
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.shoe import Act, SealedShoe, ShoeError, shoe_id


@dataclass
class ShuffledDeck:
    """A deck since its last shuffle: the name of its shoe, the seal told, and all that was done to it."""

    shoe_id: str
    seal: str
    """Empty where none was told."""
    acts: list[Act] = field(default_factory=list)
    shoe: SealedShoe | None = None
    """The shoe made again; None where its seed is not there."""

    def do(self, act: Act) -> tuple[Card, ...] | None:
        """Note an act and do it to the shoe; the cards it takes off, where they are known."""
        match act, self.acts:
            case ("take", count), [*_, ("take", before)]:
                self.acts[-1] = ("take", before + count)
            case _:
                self.acts.append(act)
        name, given = act
        cards: tuple[Card, ...] | None = getattr(self.shoe, name)(given) if self.shoe else None
        return cards


class SealedShoes:
    """Every shoe of a table as its seed gives it, cut and dealt as the record says."""

    def __init__(self, stream: str, secret: Callable[[str], bytes | None]) -> None:
        """`secret` gives the seed of a shoe by its name, or None where it is not there."""
        self._stream = stream
        self._secret = secret
        self._shuffles = 0
        self.decks: dict[str, ShuffledDeck] = {}
        self.unsealed = 0
        """Shoes no seal was told of: there is nothing to hold their cards against."""
        self.known = 0
        """Shoes whose seed is there."""
        self.unknown: list[int] = []
        """The events at which a shoe was sealed whose seed is not there."""

    def follow(self, table: Table, seq: int, event: e.Event) -> Iterator[str]:
        """Do to the shoes what event `seq` did; tells what is not as it was sealed."""
        deck = self.decks.get(getattr(event, "deck", ""))
        try:
            match event:
                case e.DeckShuffled():
                    yield from self._shuffle(table, seq, event)
                case e.RoundOpened() if event.seal != (deck.seal if deck else ""):
                    yield f"round {event.number} was opened under another seal than its deck has"
                case e.DeckCut(rest_on_top=True) if deck:
                    deck.do(("cut", event.count))
                case e.PlayersCutMade() if deck:
                    deck.do(("permute", {seat: bytes.fromhex(salt) for seat, salt in event.salts.items()}))
        except (ShoeError, ValueError) as error:
            yield f"the shoe cannot be cut so: {error}"

    def _shuffle(self, table: Table, seq: int, event: e.DeckShuffled) -> Iterator[str]:
        self._shuffles += 1
        name = shoe_id(self._stream, self._shuffles, event.deck)
        deck = self.decks[event.deck] = ShuffledDeck(name, event.seal)
        if not event.seal:
            self.unsealed += 1
            return
        seed = self._secret(name)
        if seed is None:
            self.unknown.append(seq)
            return
        self.known += 1
        shoe = SealedShoe(seed, table.book.ranking.decks, name)
        if shoe.seal == event.seal:
            deck.shoe = shoe
        else:
            yield f"the seed of {name} leads to another seal than was told"

    def dealt(self, before: State, after: State, cards: tuple[Card, ...] | None) -> Iterator[str]:
        """Take off the shoes what an entry took off its decks; None where its cards are not known."""
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
                yield f"{written(cards)} came off deck {deck.name}, where {written(sealed)} was sealed"

    def saved(self) -> dict[str, Any]:
        """What a snapshot says of the shoes: how often was shuffled, and of every sealed one its name and
        what was done to it."""
        sealed = {name: deck for name, deck in self.decks.items() if deck.seal}
        decks = {
            n: {"id": deck.shoe_id, "acts": list(map(_saved, deck.acts))} for n, deck in sealed.items()
        }
        return {"shuffles": self._shuffles, "decks": decks}


def _saved(act: Act) -> list[Any]:
    """An act as a snapshot has it in JSON."""
    name, given = act
    if isinstance(given, int):
        return [name, given]
    return [name, {str(seat): salt.hex() for seat, salt in given.items()}]
