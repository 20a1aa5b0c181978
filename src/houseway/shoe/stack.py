"""Cards whose order is known to the shoe, dealt off the top."""

from __future__ import annotations

from collections.abc import Sequence

from houseway.cards import Card
from houseway.shoe.interface import check_cut, check_take


class Stack:
    """A stack of cards; a card is known by its position before the first cut."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self._cards = tuple(cards)
        self._rest = list(range(len(cards)))
        self._dealt: list[int] = []

    @property
    def size(self) -> int:
        """The cards of the full shoe."""
        return len(self._cards)

    @property
    def left(self) -> int:
        """The cards not yet dealt."""
        return len(self._rest)

    @property
    def dealt(self) -> tuple[int, ...]:
        """The positions of the cards dealt so far, in the order of the deal."""
        return tuple(self._dealt)

    def cut(self, count: int) -> None:
        """Cut: so many off the top go to the bottom."""
        check_cut(count, self.left)
        self._rest = self._rest[count:] + self._rest[:count]

    def peek(self, count: int, place: str = "") -> tuple[Card, ...]:
        """The cards on top, left there."""
        check_take(count, self.left)
        return tuple([self._cards[p] for p in self._rest[:count]])

    def take(self, count: int, place: str = "") -> tuple[Card, ...]:
        """The next cards off the top."""
        taken = self.peek(count)
        self._dealt += self._rest[:count]
        del self._rest[:count]
        return taken
