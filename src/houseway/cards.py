"""Playing cards, written as "Ah Kd".

There are exactly 52 card objects, plus one for an unseen card. Cards are compared by identity; a six-deck
shoe contains each object six times. Cards have no serializer on purpose: only code that decides who may see
a card turns it into text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
RANK_WORDS: Final = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "jack", "queen", "king", "ace",
)  # fmt: skip
SUIT_WORDS: Final = ("clubs", "diamonds", "hearts", "spades")


@final
class Card:
    """One of the 52 cards: rank 0 (two) to 12 (ace), suit 0 to 3 in the order c, d, h, s."""

    __slots__ = ("_text", "bit", "number", "rank", "suit")

    rank: int
    suit: int
    number: int
    """The card's position in a sorted deck, 0 to 51: 4 * rank + suit."""
    bit: int
    """The card's bit in a set of cards that is stored as one integer."""
    _text: str

    def __init__(self, rank: int, suit: int) -> None:
        object.__setattr__(self, "rank", rank)
        object.__setattr__(self, "suit", suit)
        object.__setattr__(self, "number", 4 * rank + suit)
        object.__setattr__(self, "bit", 1 << self.number)
        object.__setattr__(self, "_text", RANKS[rank] + SUITS[suit])

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"cards are immutable: cannot set {self}.{name}")

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return self._text

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return read_card, (self._text,)

    @property
    def words(self) -> str:
        """The card in words: "ace of hearts"."""
        return f"{RANK_WORDS[self.rank]} of {SUIT_WORDS[self.suit]}"


def _unseen() -> Card:
    blank = object.__new__(Card)
    fields = {"rank": -1, "suit": -1, "number": -1, "bit": 0, "_text": "??"}
    for name, value in fields.items():
        object.__setattr__(blank, name, value)
    return blank


UNSEEN: Final = _unseen()
"""A card at a real table that nobody has seen. It has no rank or suit, and is written "??"."""
DECK: Final[tuple[Card, ...]] = tuple(Card(r, s) for r in range(13) for s in range(4))
"""The 52 cards, twos first."""

_BY_TEXT: Final[dict[str, Card]] = {str(c): c for c in DECK}
_LOOSE: Final = re.compile(r"(10|[2-9TJQKA])([CDHS])|[^ ,;/|\-\t\r\n][^ ]{0,7}", re.IGNORECASE | re.ASCII)
"""Matches a card, or text that is not a card; everything between matches is a separator."""


class CardError(ValueError):
    """A text does not name a card."""


def card(text: str) -> Card:
    """Return the card that a text names.

    >>> card("Ah"), card("10D")
    (Ah, Td)
    """
    exact = _BY_TEXT.get(text)
    if exact is not None:
        return exact
    listed = cards(text)
    if len(listed) != 1:
        raise CardError(f"{text!r} names {len(listed)} cards; write one card, such as Ah")
    return listed[0]


def read_card(text: str) -> Card:
    """Return the card that a record names; "??" is a card that nobody has seen."""
    return UNSEEN if text == str(UNSEEN) else card(text)


def cards(text: str) -> tuple[Card, ...]:
    """Return the cards that a text names, in any case and with any separators.

    >>> cards("Ah Td 2c") == cards("ahTD,2C")
    True
    """
    try:
        return tuple([_BY_TEXT[t] for t in text.split()])
    except KeyError:
        return _any_form(text)


def _any_form(text: str) -> tuple[Card, ...]:
    listed: list[Card] = []
    for match in _LOOSE.finditer(text):
        if match[1] is None:
            raise CardError(
                f"{match[0]!r} is not a card; write a rank (2-9, T, J, Q, K, A) and a suit (c, d, h, s)"
            )
        rank = match[1].upper().replace("10", "T")
        listed.append(_BY_TEXT[rank + match[2].lower()])
    return tuple(listed)


def codes(cards: Iterable[Card]) -> str:
    """Return cards in standard notation: "Ah Td 2c"."""
    return " ".join(map(str, cards))
