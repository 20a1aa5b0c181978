"""The proofs of a round from the house's own record, for those at the table to check its cards with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, groupby
from typing import Any, Final

import msgspec

from houseway.audit.record_header import recorded
from houseway.audit.roles import SURVEILLANCE
from houseway.audit.shoe_check import SealedShoes, ShuffledDeck
from houseway.audit.store import Store, StoreError
from houseway.cards import Card
from houseway.engine import events as e
from houseway.engine.evolve import evolve
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.views import View, view
from houseway.shoe import Deal, SealedShoe, ShoeError, round_proofs

ASK: Final = "ask `houseway audit verify` what is wrong"
EARLY: Final = "drawn in error"


def proofs(store: Store, stream: str, number: int, role: str) -> dict[str, Any]:
    """What the verifier needs for the cards of a round that a role has seen, and for no others.

    Seats and the rail have what the table showed them, surveillance every card once the round is closed.
    StoreError where there is no such round, where its shoe was not sealed, and where the record is one
    without the house's secrets.
    """
    table, entries = recorded(store, stream)
    followed = _Round(stream, table, number, role)
    for event in chain.from_iterable(entry.events for _, entry in entries):
        followed.take(event)
        if followed.closed:
            break
    return followed.proofs(store)


class _Taken(msgspec.Struct):
    """A card that left a shoe."""

    round: int
    to: str
    card: Card


class _Round:
    """A record followed to the end of one round: where the cards of its shoes went, and who saw them."""

    def __init__(self, stream: str, table: Table, number: int, role: str) -> None:
        self._stream = stream
        self._table = table
        self._number = number
        self._role = role
        self._state = State()
        # It keeps what was done to every shoe; only the one of the round is made again, at the end.
        self._shoes = SealedShoes(stream, lambda name: None)
        self._taken: dict[str, list[_Taken]] = {}
        """By deck, in the order of the deal, since the deck was shuffled."""
        self._deck = ""
        """The deck the round is dealt from."""
        self._seen: dict[str, Counter[str]] = {}
        """By place, as many of each card as lay there to be seen at any one time."""
        self._between = True
        """Whether no round is under way: a card burned now belongs to the one that comes."""
        self.closed = False

    def take(self, event: e.Event) -> None:
        """Follow the next event."""
        before, after = self._state, evolve(self._state, event)
        self._state = after
        followed = self._shoes.follow(self._table, 0, event)
        for sentence in chain(followed, self._shoes.dealt(before, after, None)):
            raise StoreError(f"{self._stream}: {sentence}; {ASK}")
        if isinstance(event, e.DeckShuffled):
            self._taken[event.deck] = []
        if isinstance(event, e.RoundOpened | e.RoundClosed):
            self._between = isinstance(event, e.RoundClosed)
        if place := _place(event):
            self._deal(place, event, before)
        if after.round.number == self._number:
            for shown, cards in _shown(view(self._table, after, self._role)):
                self._seen[shown] = self._seen.get(shown, Counter()) | cards
            self.closed = isinstance(event, e.RoundClosed)

    def _deal(self, place: str, event: e.Event, before: State) -> None:
        deck = self._state.playing
        cards: tuple[Card, ...] = getattr(event, "sealed", ()) or getattr(event, "face", ())
        taken = self._taken.setdefault(deck.name, [])
        off = deck.used - before.playing.used
        number = self._state.rounds + self._between
        if number == self._number and off:
            self._deck = deck.name
        # Cards that left the deck too early, the last ones there are, come before those on the deck.
        early = [card for card in taken if card.to == EARLY]
        for card in early[len(early) - len(before.round.drawn) :][: len(cards) - off]:
            card.to = place
        taken += [_Taken(number, place, card) for card in cards[len(cards) - off :]]

    # --- once the round is followed ---

    def proofs(self, store: Store) -> dict[str, Any]:
        """The proofs of what was seen."""
        if not self._deck:
            there = f"the record has {self._state.rounds} rounds"
            raise StoreError(f"no card was dealt in round {self._number}; {there}")
        deck = self._shoes.decks.get(self._deck)
        if deck is None or not deck.seal:
            why = "was dealt from a shoe without a seal; there is nothing to prove"
            raise StoreError(f"round {self._number} {why}")
        shoe = self._shoe(store, deck)
        taken = self._taken[self._deck]
        which = list(self._which(taken))
        if not which:
            raise StoreError(f"{self._role} has seen no card of round {self._number}")
        try:
            found = round_proofs(shoe, _deals(taken), which)
        except ShoeError as error:
            raise StoreError(f"{self._stream}: {error}; {ASK}") from error
        for card in found["cards"]:
            went = taken[card["dealt"]].card
            if card["card"] != str(went):
                place = f"{card['to']} in round {card['round']}, where {card['card']} was sealed"
                raise StoreError(f"{self._stream}: {went} went to {place}; {ASK}")
        return found

    def _shoe(self, store: Store, deck: ShuffledDeck) -> SealedShoe:
        """The shoe of the round, made again."""
        name = deck.shoe_id
        seed = store.secret(self._stream, name)
        if seed is None:
            raise StoreError(f"the record has no seed of {name}; only the house can prove its cards")
        decks = self._table.book.ranking.decks
        try:
            shoe = SealedShoe.restored(seed, decks, name, deck.acts)
        except ValueError as error:
            raise StoreError(f"{self._stream}: {name} cannot be dealt again: {error}; {ASK}") from error
        if shoe.seal != deck.seal:
            raise StoreError(f"the seed of {name} leads to another seal than was told; {ASK}")
        return shoe

    def _which(self, taken: list[_Taken]) -> Iterator[int]:
        """The numbers of the cards to be opened."""
        everything = self._role == SURVEILLANCE and self.closed
        left = {place: cards.copy() for place, cards in self._seen.items()}
        for number, card in enumerate(taken):
            seen = left.get(card.to, Counter())
            if card.round == self._number and (everything or seen[str(card.card)]):
                seen[str(card.card)] -= 1
                yield number


def _place(event: e.Event) -> str:
    """Where an event took cards to; nowhere, if it took none."""
    match event:
        case e.CardsDealt(to=place) | e.ExtraDealt(at=place):
            return place
        case e.HandCured():
            return "dealer"
        case e.CardsBurned():
            return "burn"
        case e.FaceUpFound(used=False):
            return "face up"
        case e.FaceUpFound() | e.CardDrawn():
            return EARLY
    return ""


def _shown(shown: View) -> Iterator[tuple[str, Counter[str]]]:
    """The cards that somebody sees, by place."""
    table, yours = shown.table, shown.yours
    yield "board", Counter(table.board)
    yield "dealer", Counter(table.dealer)
    for number, seat in table.seats.items():
        yield f"seat {number}", Counter(face for hand in seat.hands.values() for face in hand.faces)
    if yours.seat:
        yield f"seat {yours.seat}", Counter(face for hand in yours.cards for face in hand)
    exposed: dict[str, Counter[str]] = {}
    for place, faces in table.exposed:
        exposed.setdefault(place, Counter()).update(faces)
    yield from exposed.items()


def _deals(taken: list[_Taken]) -> list[Deal]:
    """Card after card, those that followed one another to a place together."""
    together = groupby(taken, key=lambda card: (card.round, card.to))
    return [Deal(number, place, len(list(cards))) for (number, place), cards in together]
