"""Sentences as data: actor, verb, object and clause.

`render` chooses the past or present tense, names the seats for a listener, and writes cards and amounts for
the record, the page, the terminal or a screen reader.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from houseway.cards import Card

Cards = tuple[Card, ...]

Topic = Literal["record", "round", "seat", "act", "board", "call", "news", "paid"]
"""The topic of a sentence, which decides who sees it.

"record" is a routine event that only the record shows. "round" opens or closes a round. "seat" concerns
seats, wagers and hands. "act" is a decision. "board" shows community cards. "call" is also said by the
dealer. "news" is something that everyone at the table should know. "paid" is a settled wager.
"""


class Verb(NamedTuple):
    """A verb in its base form, with the words that belong to it: "sit down", "be shuffled"."""

    base: str
    plural: bool = False
    """True if the subject is plural. Not needed for seats, whose number is known."""


class Seats(NamedTuple):
    """One or more seats, written as "you", by player's name or by number."""

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
    """An amount in cents. At the table, an exact amount is written with two decimals."""

    cents: int
    exact: bool = True


class CardWords(NamedTuple):
    """Cards the reader may see."""

    cards: Cards


class HandWords(NamedTuple):
    """A hand in a dealer's words, and the cards that make it."""

    words: str
    cards: Cards = ()
    order: tuple[str, ...] = ()
    article: bool = False
    """True if the words need an article, as in "had a pair of twos"."""


class StakeWords(NamedTuple):
    """Wagers with their amounts."""

    wagers: tuple[tuple[str, int], ...]


class TipWords(NamedTuple):
    """Tips with the wagers that they are on: "$2 on the ante and $1 on trips"."""

    wagers: tuple[tuple[str, int], ...]


class Times(NamedTuple):
    """The size of the play wager, as a multiple of the ante."""

    times: int


class By(NamedTuple):
    """The sender who decided for the player, such as "deadline"; empty if the player decided."""

    who: str


Word = str | Verb | Seats | Owner | Amount | CardWords | HandWords | StakeWords | TipWords | Times | By
Words = tuple[Word, ...]


class WagerWords(NamedTuple):
    """A settled wager as data, for grouping and colouring."""

    name: str
    result: str
    net: int
    """Cents gained or lost."""


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened."""

    actor: Words = ()
    verb: Verb | None = None
    """None if the sentence has only an object."""
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
    """The settled wagers that the sentence reports."""

    def seats(self) -> set[int]:
        """Return the seats that the sentence names. Their players get their own wording."""
        seats: set[int] = set()
        for word in (*self.actor, *self.object, *self.headline):
            if isinstance(word, Seats):
                seats.update(word.numbers)
            elif isinstance(word, Owner):
                seats.add(word.seat)
        return seats
