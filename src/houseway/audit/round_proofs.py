"""Build the proofs with which players check the cards of a round. This needs the server's own record; an
export without hidden cards is not enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, groupby
from typing import Any, Final

import msgspec

from houseway.audit.cut_check import CutCheck
from houseway.audit.record_header import read_record
from houseway.audit.roles import SURVEILLANCE
from houseway.audit.shoe_check import RecordedShoes, ShuffledDeck
from houseway.audit.store import Store, StoreError
from houseway.cards import Card
from houseway.engine import events as e
from houseway.engine.evolve import evolve
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.views import RoleView, view
from houseway.shoe import Deal, SealedShoe, ShoeError, round_proofs
from houseway.wording import several

ASK: Final = "run `houseway audit verify` to see what is wrong"
EARLY: Final = "drawn in error"
FACE_UP: Final = "face up"


def proofs(store: Store, stream: str, number: int, role: str) -> dict[str, Any]:
    """Return proofs for the cards of a round that a role has seen, and for no other cards.

    Seats and the rail get the cards that the table showed them. Surveillance gets all cards of a closed
    round. Raises StoreError if there is no such round, if its shoe was not sealed, or if the record does
    not have the house's secrets.
    """
    table, entries = read_record(store, stream)
    round_ = _Round(stream, table, number, role)
    events = chain.from_iterable(enumerate(entry.events, entry.seq) for _, entry in entries)
    for seq, event in events:
        round_.take(seq, event)
        if round_.closed:
            break
    return round_.proofs(store)


class _DealtCard(msgspec.Struct):
    """A card that left a shoe."""

    round: int
    to: str
    card: Card


class _Round:
    """Replays a record to the end of one round.

    Collects where its cards went, and which cards the role saw.
    """

    def __init__(self, stream: str, table: Table, number: int, role: str) -> None:
        self._stream = stream
        self._table = table
        self._number = number
        self._role = role
        self._state = State()
        # These shoes only collect the cuts and deals; the shoe of the round is restored at the end.
        self._shoes = RecordedShoes(stream, lambda name: None)
        self._cuts = CutCheck()
        self._dealt: dict[str, list[_DealtCard]] = {}
        """The cards dealt from each deck since it was shuffled, in the order of the deal."""
        self._deck = ""
        """The deck that the round is dealt from."""
        self._visible: dict[str, Counter[str]] = {}
        """For each place, the maximum number of copies of each card that the role saw there at one time."""
        self._between = True
        """True if no round is under way: a card burned now belongs to the next round."""
        self.closed = False

    def take(self, seq: int, event: e.Event) -> None:
        """Apply the next event, which has the number `seq`."""
        for _ in self._cuts.follow(seq, event):
            # Ignore faults here: anyone who checks the proofs will find them.
            pass
        before, after = self._state, evolve(self._state, event)
        self._state = after
        followed = self._shoes.follow(self._table, 0, event)
        problem = next(chain(followed, self._shoes.dealt(before, after, None)), None)
        if problem is not None:
            raise StoreError(f"{self._stream}: {problem}; {ASK}")
        if isinstance(event, e.DeckShuffled):
            self._dealt[event.deck] = []
        if isinstance(event, e.RoundOpened | e.RoundClosed):
            self._between = isinstance(event, e.RoundClosed)
        if isinstance(event, e.FaceUpFound) and event.at and not event.used:
            self._set_aside(event)
        elif place := _place(event):
            self._deal(place, event, before)
        if after.round.number == self._number:
            for shown, cards in _shown(view(self._table, after, self._role)):
                self._visible[shown] = self._visible.get(shown, Counter()) | cards
            self.closed = isinstance(event, e.RoundClosed)

    def _deal(self, place: str, event: e.Event, before: State) -> None:
        """Remember where an event dealt its cards.

        Cards that were drawn in error before are dealt first, then cards from the deck.
        """
        deck = self._state.playing
        cards: tuple[Card, ...] = getattr(event, "sealed", ()) + getattr(event, "face", ())
        dealt = self._dealt.setdefault(deck.name, [])
        from_deck = deck.used - before.playing.used
        number = self._state.rounds + self._between
        if number == self._number and from_deck:
            self._deck = deck.name
        # Cards that were drawn in error and are still unused are dealt first. They are the last of `early`.
        early = [card for card in dealt if card.to == EARLY]
        for card in early[len(early) - len(before.round.drawn) :][: len(cards) - from_deck]:
            card.to = place
        dealt += [_DealtCard(number, place, card) for card in cards[len(cards) - from_deck :]]

    def _set_aside(self, event: e.FaceUpFound) -> None:
        """Take a card that was found face up from the place it was dealt to, and set it aside."""
        dealt = self._dealt.get(self._state.playing.name, [])
        group = (card for card in reversed(dealt) if card.to == event.at and card.card in event.face)
        if (card := next(group, None)) is not None:
            card.to = FACE_UP

    # --- after the last event of the round ---

    def proofs(self, store: Store) -> dict[str, Any]:
        """Return the proofs of the cards that the role has seen."""
        if not self._deck:
            there = f"the record has {several(self._state.rounds, 'round')}"
            raise StoreError(f"no card was dealt in round {self._number}; {there}")
        deck = self._shoes.decks.get(self._deck)
        if deck is None or not deck.seal:
            why = "was dealt from a shoe without a seal; there is nothing to prove"
            raise StoreError(f"round {self._number} {why}")
        shoe = self._shoe(store, deck)
        dealt = self._dealt[self._deck]
        which = list(self._cards_to_prove(dealt))
        if not which:
            raise StoreError(f"{self._role} has seen no card of round {self._number}")
        try:
            committed = self._cuts.cuts.get(self._deck, []) if self._cuts.committed_table else None
            result = round_proofs(shoe, _deals(dealt), which, committed)
        except ShoeError as error:
            raise StoreError(f"{self._stream}: {error}; {ASK}") from error
        for card in result["cards"]:
            went = dealt[card["dealt"]].card
            if card["card"] != str(went):
                place = f"{card['to']} in round {card['round']}, but the seal has {card['card']}"
                raise StoreError(f"{self._stream}: {went} was dealt to {place}; {ASK}")
        return result

    def _shoe(self, store: Store, deck: ShuffledDeck) -> SealedShoe:
        """Return the shoe of the round, restored from its seed."""
        name = deck.shoe_id
        seed = store.secret(self._stream, name)
        if seed is None:
            raise StoreError(f"the record has no seed for {name}; use the house's own record")
        try:
            shoe = SealedShoe.restored(seed, self._table.book.ranking.decks, name, deck.acts)
        except ValueError as error:
            raise StoreError(f"{self._stream}: {name} cannot be restored: {error}; {ASK}") from error
        if shoe.seal != deck.seal:
            raise StoreError(f"the seed of {name} does not match the published seal; {ASK}")
        return shoe

    def _cards_to_prove(self, dealt: list[_DealtCard]) -> Iterator[int]:
        """Yield the positions of the cards to prove, counted from 0 in the order of the deal."""
        everything = self._role == SURVEILLANCE and self.closed
        left = {place: cards.copy() for place, cards in self._visible.items()}
        for number, card in enumerate(dealt):
            visible = left.get(card.to, Counter())
            if card.round == self._number and (everything or visible[str(card.card)]):
                visible[str(card.card)] -= 1
                yield number


def _place(event: e.Event) -> str:
    """Return the place that an event dealt cards to, or an empty string if it dealt none."""
    match event:
        case e.CardsDealt(to=place) | e.ExtraDealt(at=place):
            return place
        case e.HandCured(at=place) | e.CardReplaced(at=place):
            return place
        case e.CardsBurned():
            return "burn"
        case e.FaceUpFound(used=False, at=""):
            return FACE_UP
        case e.FaceUpFound(at="") | e.CardDrawn() | e.BoardExposed(drawn=True):
            return EARLY
    return ""


def _shown(shown: RoleView) -> Iterator[tuple[str, Counter[str]]]:
    """Yield each place in a view, with the cards that are visible there."""
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


def _deals(dealt: list[_DealtCard]) -> list[Deal]:
    """Return the cards as deals. Consecutive cards to the same place are one deal."""
    together = groupby(dealt, key=lambda card: (card.round, card.to))
    return [Deal(number, place, len(list(cards))) for (number, place), cards in together]
