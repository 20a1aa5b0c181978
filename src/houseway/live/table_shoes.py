"""The shoes of one table: each shuffle makes a new shoe, and only recorded events change it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

import msgspec

from houseway.cards import Card
from houseway.engine import events as e
from houseway.engine.deal_acts import cards_out
from houseway.engine.state import State
from houseway.shoe import Entropy, SealedShoe, Shoe, TypedShoe, self_test, shoe_id

SEED = 32


class ShoeActs(msgspec.Struct, frozen=True):
    """A shoe in a snapshot: its name, its cuts and its deals."""

    id: str
    acts: tuple[tuple[str, Any], ...]


class SavedShoes(msgspec.Struct, frozen=True):
    """All shoes of a table in a snapshot."""

    shuffles: int
    decks: dict[str, ShoeActs]


class ShoeSource(Protocol):
    """A source of shoes. A shoe's secret is stored with the record. After a restart, `make` returns a shoe
    with the same cards for that secret."""

    knows: bool
    """True if its shoes know their cards before they are dealt."""

    def secret(self, name: str) -> bytes:
        """Return the secret of a new shoe."""

    def make(self, name: str, secret: bytes, decks: int) -> Shoe:
        """Return the shoe that belongs to a secret, before any cut."""


class SealedShoes:
    """Shoes shuffled from fresh seeds and sealed."""

    knows = True

    def __init__(self, entropy: Entropy) -> None:
        self._entropy = entropy

    def secret(self, name: str) -> bytes:
        self_test()
        return self._entropy.named(name).draw(SEED)

    def make(self, name: str, secret: bytes, decks: int) -> Shoe:
        return SealedShoe(secret, decks, name)


class TypedShoes:
    """Shoes on a real table: a person types the cards that are dealt."""

    knows = False

    def __init__(self, shoe: Callable[[int], Shoe]) -> None:
        self._shoe = shoe

    def secret(self, name: str) -> bytes:
        return b""

    def make(self, name: str, secret: bytes, decks: int) -> Shoe:
        return self._shoe(decks)


class Shoes:
    """The shoe of every deck at a table."""

    def __init__(self, stream: str, decks: int, maker: ShoeSource, secret: Callable[[str], bytes]) -> None:
        self._stream = stream
        self._decks = decks
        self._maker = maker
        self._secret = secret
        """Returns the secret of a recorded shoe."""
        self._shuffles = 0
        self._by_deck: dict[str, tuple[str, Shoe]] = {}
        self._acts: dict[str, list[tuple[str, Any]]] = {}
        self.fresh: tuple[str, bytes, Shoe] | None = None
        """A shuffled shoe that is not on record yet: its name, its secret, the shoe."""

    def shuffle(self, deck: str) -> Shoe:
        """Return the shoe for a deck's next shuffle. It stays the same until the shuffle is recorded."""
        name = shoe_id(self._stream, self._shuffles + 1, deck)
        if self.fresh is None or self.fresh[0] != name:
            secret = self._maker.secret(name)
            self.fresh = (name, secret, self._maker.make(name, secret, self._decks))
        return self.fresh[2]

    def of(self, deck: str) -> Shoe | None:
        """Return the shoe of a deck; None before its first shuffle."""
        entry = self._by_deck.get(deck)
        return entry[1] if entry else None

    def _recorded(self, name: str) -> Shoe:
        """Rebuild a recorded shoe."""
        return self._maker.make(name, self._secret(name), self._decks)

    def follow(self, event: e.Event, before: State, after: State, *, past: bool = False) -> None:
        """Apply a recorded event to the shoes; `past` is true when a record is read again."""
        if isinstance(event, e.DeckShuffled):
            self._shuffles += 1
            name = shoe_id(self._stream, self._shuffles, event.deck)
            shoe = self.fresh[2] if self.fresh and self.fresh[0] == name else self._recorded(name)
            self.fresh = None
            self._by_deck[event.deck] = (name, shoe)
            self._acts[event.deck] = []
        elif isinstance(event, e.DeckCut) and event.rest_on_top:
            self._do(event.deck, "cut", event.count)
        elif isinstance(event, e.PlayersCutMade):
            self._do(event.deck, "permute", event.salts)
        for old, new in zip(before.decks, after.decks, strict=False):
            if new.used > old.used and self._maker.knows:
                self._do(new.name, "take", new.used - old.used)
            elif (new.used > old.used or new.out != old.out) and not past:
                # Cards that a person typed are known from now on.
                self.remember(new.name, cards_out(after))

    def _do(self, deck: str, act: str, what: Any) -> None:
        shoe = self._by_deck[deck][1]
        if act == "cut":
            shoe.cut(what)
        elif act == "permute":
            shoe.permute({int(seat): bytes.fromhex(salt) for seat, salt in what.items()})
        else:
            shoe.take(what)
        acts = self._acts[deck]
        if act == "take" and acts and acts[-1][0] == "take":
            acts[-1] = ("take", acts[-1][1] + what)
        else:
            acts.append((act, what))

    def saved(self) -> SavedShoes:
        """Return the shoes for a snapshot: names and acts, but no cards."""
        decks = {deck: ShoeActs(name, tuple(self._acts[deck])) for deck, (name, _) in self._by_deck.items()}
        return SavedShoes(self._shuffles, decks)

    def restore(self, saved: SavedShoes) -> None:
        """Rebuild the shoes of a snapshot."""
        self._shuffles = saved.shuffles
        for deck, kept in saved.decks.items():
            self._by_deck[deck] = (kept.id, self._recorded(kept.id))
            self._acts[deck] = []
            for act, what in kept.acts:
                if act != "take" or self._maker.knows:
                    self._do(deck, act, what)

    def remember(self, deck: str, dealt: Iterable[Card]) -> None:
        """Give a typed shoe the cards that were dealt from it earlier."""
        shoe = self.of(deck)
        if isinstance(shoe, TypedShoe):
            shoe.remember(dealt)

    def broken(self, state: State) -> str:
        """Return the name of a shoe whose cards do not match the recorded seal, or an empty string."""
        for deck in state.decks:
            name, shoe = self._by_deck.get(deck.name, ("", None))
            if shoe is not None and shoe.seal != deck.seal:
                return name
        return ""
