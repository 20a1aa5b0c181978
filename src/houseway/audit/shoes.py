"""The shoes of a record shuffled again from their seeds, and its cards held against them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from houseway.cards import Card, written
from houseway.engine import events as e
from houseway.engine.state import State
from houseway.shoe import SealedShoe, ShoeError, shoe_id


class SealedShoes:
    """Every shoe of a table as its seed gives it, cut and dealt as the record says."""

    def __init__(self, stream: str, decks: int, secret: Callable[[str], bytes | None]) -> None:
        """`secret` gives the seed of a shoe by its name, or None where it is not there."""
        self._stream = stream
        self._decks = decks
        self._secret = secret
        self._shuffles = 0
        self._shoes: dict[str, SealedShoe] = {}
        self.seals: dict[str, str] = {}
        """By deck, the seal told when it was shuffled; empty for a shoe without one."""
        self._acts: dict[str, tuple[str, list[list[Any]]]] = {}
        self.unsealed = 0
        """Shoes no seal was told of: there is nothing to hold their cards against."""
        self.known = 0
        """Shoes whose seed is there."""
        self.unknown: list[int] = []
        """The events at which a shoe was sealed whose seed is not there."""

    def follow(self, seq: int, event: e.Event) -> Iterator[str]:
        """Do to the shoes what event `seq` did; tells what is not as it was sealed."""
        try:
            match event:
                case e.DeckShuffled():
                    yield from self._shuffle(seq, event)
                case e.RoundOpened(deck=deck, seal=seal) if seal != self.seals.get(deck, ""):
                    yield f"round {event.number} was opened under another seal than its deck has"
                case e.DeckCut(deck=deck, rest_on_top=True):
                    self._did(deck, "cut", event.count)
                    if deck in self._shoes:
                        self._shoes[deck].cut(event.count)
                case e.PlayersCutMade(deck=deck):
                    salts = {seat: bytes.fromhex(salt) for seat, salt in event.salts.items()}
                    self._did(deck, "permute", {str(seat): salt for seat, salt in event.salts.items()})
                    if deck in self._shoes:
                        self._shoes[deck].permute(salts)
        except (ShoeError, ValueError) as error:
            yield f"the shoe cannot be cut so: {error}"

    def _shuffle(self, seq: int, event: e.DeckShuffled) -> Iterator[str]:
        self._shuffles += 1
        name = shoe_id(self._stream, self._shuffles, event.deck)
        self.seals[event.deck] = event.seal
        self._acts[event.deck] = (name, [])
        self._shoes.pop(event.deck, None)
        if not event.seal:
            self.unsealed += 1
            return
        seed = self._secret(name)
        if seed is None:
            self.unknown.append(seq)
            return
        self.known += 1
        shoe = SealedShoe(seed, self._decks, name)
        if shoe.seal != event.seal:
            yield f"the seed of {name} leads to another seal than was told"
            return
        self._shoes[event.deck] = shoe

    def dealt(self, before: State, after: State, cards: tuple[Card, ...] | None) -> Iterator[str]:
        """Take off the shoes what an entry took off its decks; None where its cards are not known."""
        used = {deck.name: deck.used for deck in before.decks}
        for deck in after.decks:
            count = deck.used - used.get(deck.name, 0)
            if count <= 0:
                continue
            self._did(deck.name, "take", count)
            shoe = self._shoes.get(deck.name)
            if shoe is None:
                continue
            try:
                next_ = shoe.take(count)
            except ShoeError as error:
                yield str(error)
                continue
            if cards is not None and cards != next_:
                yield f"{written(cards)} came off deck {deck.name}, where {written(next_)} was sealed"

    def _did(self, deck: str, act: str, what: Any) -> None:
        acts = self._acts[deck][1] if deck in self._acts else []
        if act == "take" and acts and acts[-1][0] == "take":
            acts[-1] = ["take", acts[-1][1] + what]
        else:
            acts.append([act, what])

    def saved(self) -> dict[str, Any]:
        """What a snapshot says of the shoes: how often was shuffled, and of every sealed one its name and
        what was done to it."""
        sealed = {deck: self._acts[deck] for deck in self._acts if self.seals[deck]}
        decks = {deck: {"id": name, "acts": acts} for deck, (name, acts) in sealed.items()}
        return {"shuffles": self._shuffles, "decks": decks}
