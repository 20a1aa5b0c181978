"""Cards that a person types: a real table shadowed, one deal at a time."""

from __future__ import annotations

from collections.abc import Iterable

from houseway.cards import Card
from houseway.shoe import TypedShoe
from houseway.wording import several


class CardsWantedError(Exception):
    """The table goes on when a person has typed so many cards for a place."""

    def __init__(self, count: int, place: str) -> None:
        self.count = count
        self.place = place
        super().__init__(f"{several(count, 'card is', 'cards are')} wanted for {place}")

    def at(self, place: str) -> CardsWantedError:
        """The same cards for a place named better."""
        return CardsWantedError(self.count, place)


class Dictation:
    """What the person has typed and the shoe has not taken yet.

    A shoe asks until the cards can be right; here it is answered once, and told to come back for more.
    """

    def __init__(self, dealt: Iterable[Card] = ()) -> None:
        self._dealt = tuple(dealt)
        """What came off the shoe before the game was taken up again."""
        self._text = ""
        self._wrong = ""

    def shoe(self, decks: int) -> TypedShoe:
        """A shoe that takes what is typed."""
        return TypedShoe(decks, self._ask, self._say, self._dealt)

    def ready(self) -> None:
        """From now on a new shoe is full."""
        self._dealt = ()

    def give(self, text: str) -> None:
        """The cards as typed."""
        self._text, self._wrong = text, ""

    def wrong(self) -> str:
        """What was wrong with the cards last given; empty where they were taken."""
        return self._wrong

    def _ask(self, count: int, place: str) -> str:
        text, self._text = self._text, ""
        if not text.strip():
            raise CardsWantedError(count, place)
        return text

    def _say(self, problem: str) -> None:
        self._wrong = problem
