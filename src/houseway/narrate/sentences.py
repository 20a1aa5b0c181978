"""Sentences as data: the actor, the verb, the cards and amounts, and the clause.

`render` chooses the past or present tense, names the seats for a listener, and writes cards and amounts for
the record, the page, the terminal or a screen reader.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from houseway.cards import Card

Cards = tuple[Card, ...]

Topic = Literal["record", "round", "seat", "act", "board", "call", "news", "paid"]
"""The topic of a sentence; it decides which viewers get the sentence.

"record" is routine that only the record shows. "round" opens or closes a round. "seat" is about seats,
wagers and hands. "act" is a decision. "board" shows community cards. "call" is also said by the dealer.
"news" is something that everyone at the table should know. "paid" is a settled wager.
"""


class Verb(NamedTuple):
    """A verb in its base form, with the words that belong to it: "sit down", "be shuffled"."""

    base: str
    plural: bool = False
    """True if several things act; several seats need not say so."""


class Seats(NamedTuple):
    """Seats, as "you", by their players' names or by their numbers."""

    numbers: tuple[int, ...]
    player: str = ""
    """The player's name, if it is part of the event."""
    with_player: bool = False
    """True if the record gives the player's name after the number."""
    hand: int = 1


class Owner(NamedTuple):
    """A possessive: "your", "Otto's", "seat 3's"."""

    seat: int


class Amount(NamedTuple):
    """Cents; an exact amount has both decimals at the table."""

    cents: int
    exact: bool = True


class CardWords(NamedTuple):
    """Cards the reader may see."""

    cards: Cards


class HandWords(NamedTuple):
    """A hand as a dealer calls it, and the cards it is read from."""

    words: str
    cards: Cards = ()
    order: tuple[str, ...] = ()


class StakeWords(NamedTuple):
    """Wagers with their amounts."""

    wagers: tuple[tuple[str, int], ...]


class Times(NamedTuple):
    """How often the ante is bet."""

    times: int


class By(NamedTuple):
    """The supervisor or the deadline, acting in a seat's place; empty if the player acted."""

    who: str


Word = str | Verb | Seats | Owner | Amount | CardWords | HandWords | StakeWords | Times | By
Words = tuple[Word, ...]


class WagerWords(NamedTuple):
    """A settled wager as data, to be grouped or coloured."""

    name: str
    result: str
    net: int
    """Cents gained or lost."""


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened."""

    actor: Words = ()
    verb: Verb | None = None
    """None for a statement, which has only an object."""
    object: Words = ()
    headline: Words = ()
    """A short form, said at the table instead of the whole sentence: "Flop: …"."""
    stage: str = ""
    """The betting point of a decision."""
    topic: Topic = "record"
    clause: str | None = None
    seat: int = 0
    hand: int = 1
    wagers: tuple[WagerWords, ...] = ()
    """The settled wagers it is about."""

    def seats(self) -> set[int]:
        """Return the seats that the sentence names; it is worded differently for the players there."""
        words = (*self.actor, *self.object, *self.headline)
        named = {word.seat for word in words if isinstance(word, Owner)}
        return named.union(*(word.numbers for word in words if isinstance(word, Seats)))
