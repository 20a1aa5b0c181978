"""The shoe of a real table: a person types the cards as they are dealt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from houseway.cards import DECK, Card, CardError, cards
from houseway.shoe.shoe import UnsealedShoe, check_cut, check_take
from houseway.wording import several

Ask = Callable[[int, str], str]
"""Asks a person to type a number of cards; the text names the place they go to."""
Say = Callable[[str], None]


class TypedShoe(UnsealedShoe):
    """Cards shuffled and cut by hand. The shoe knows only the cards that a person has typed."""

    def __init__(self, decks: int, ask: Ask, say: Say, dealt: Iterable[Card] = ()) -> None:
        """`dealt` lists the cards already dealt, from the record of an interrupted round."""
        self._decks = decks
        self._ask = ask
        self._say = say
        self._dealt = Counter(dealt)
        self._typed: tuple[Card, ...] = ()

    def remember(self, dealt: Iterable[Card]) -> None:
        """Set the cards dealt so far, from the record."""
        self._dealt, self._typed = Counter(dealt), ()

    @property
    def size(self) -> int:
        """The number of cards in the full shoe."""
        return len(DECK) * self._decks

    @property
    def left(self) -> int:
        """The number of cards not yet dealt."""
        return self.size - self._dealt.total()

    def cut(self, count: int) -> None:
        """Only check the number, because the person cuts the cards."""
        check_cut(count, self.left)

    def take(self, count: int, place: str = "") -> tuple[Card, ...]:
        """Deal the next cards, as typed."""
        next_cards = self.peek(count, place)
        self._typed = self._typed[count:]
        self._dealt.update(next_cards)
        return next_cards

    def peek(self, count: int, place: str = "") -> tuple[Card, ...]:
        """Return the next cards without dealing them. Ask the person again until they are valid."""
        check_take(count, self.left)
        if not count or len(self._typed) == count:
            return self._typed[:count]
        while True:
            try:
                self._typed = self._read(self._ask(count, place), count)
                return self._typed
            except CardError as problem:
                self._say(str(problem))

    def _read(self, text: str, count: int) -> tuple[Card, ...]:
        """Parse the typed cards; raise CardError if they cannot be the next cards."""
        typed = cards(text)
        if len(typed) != count:
            raise CardError(f"type {several(count, 'card')}, not {len(typed)}")
        dealt = self._dealt + Counter(typed)
        for card in typed:
            if dealt[card] > self._decks:
                copies = "the deck has only one" if self._decks == 1 else f"the shoe has only {self._decks}"
                if self._dealt[card] < self._decks:
                    raise CardError(f"you typed the {card.words} ({card}) more than once, and {copies}")
                raise CardError(f"the {card.words} ({card}) has been dealt already, and {copies}")
        return typed
