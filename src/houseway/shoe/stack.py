"""A stack of cards in a known order, dealt from the top."""

from __future__ import annotations

from collections.abc import Sequence

from houseway.cards import Card
from houseway.shoe.shoe import check_cut, check_take


class Stack:
    """A stack of cards, each identified by its position before the first cut."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self._cards = tuple(cards)
        self._rest = list(range(len(cards)))
        self._dealt: list[int] = []

    @property
    def size(self) -> int:
        """The number of cards in the full shoe."""
        return len(self._cards)

    @property
    def left(self) -> int:
        """The number of cards not yet dealt."""
        return len(self._rest)

    @property
    def dealt(self) -> tuple[int, ...]:
        """The positions of the cards dealt so far, in dealing order."""
        return tuple(self._dealt)

    def cut(self, count: int) -> None:
        """Move `count` cards from the top to the bottom."""
        check_cut(count, self.left)
        self._rest = self._rest[count:] + self._rest[:count]

    def peek(self, count: int, place: str = "") -> tuple[Card, ...]:
        """Return the cards on top without dealing them."""
        check_take(count, self.left)
        return tuple([self._cards[p] for p in self._rest[:count]])

    def take(self, count: int, place: str = "") -> tuple[Card, ...]:
        """Deal the next cards from the top."""
        cards = self.peek(count)
        self._dealt += self._rest[:count]
        del self._rest[:count]
        return cards
