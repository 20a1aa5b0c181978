"""Counts and articles in sentences, and text that is safe to print."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

UNPRINTABLE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
"""Characters that would move a cursor, clear a screen or reverse the direction of a line."""

SHOWN: Final = (
    ("what folded hands kept", "the remaining wagers of folded hands"),
    ("collect the cards left out", "collect the cards still on the table"),
    ("announce no more bets", "announce “no more bets”"),
    ("deal four cards to each", "deal four cards to each player and the dealer"),
    ("offer the inspection", "let the first player inspect the cards"),
)
"""Phrases in the names of steps and passes, each with clearer words for it. Old records have the
phrases, and so may your own rulebooks."""


def several(count: int, one: str, more: str = "") -> str:
    """Return a count with its noun, singular or plural.

    >>> several(1, "round"), several(1_200, "round"), several(0, "card is", "cards are")
    ('1 round', '1,200 rounds', '0 cards are')
    """
    return f"{count:,} {one if count == 1 else more or f'{one}s'}"


def alternatives(names: Iterable[str]) -> str:
    """Return names as alternatives.

    >>> alternatives(["seat 2", "dealer", "deck"]), alternatives(["deck"])
    ('seat 2, dealer or deck', 'deck')
    """
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def times_text(count: int) -> str:
    """Return a count of times in words.

    >>> times_text(0), times_text(1), times_text(2)
    ('never', 'once', 'twice')
    """
    return {0: "never", 1: "once", 2: "twice"}.get(count) or several(count, "time")


def overpaid_or_underpaid(cents: int) -> str:
    """Return the direction of a wrong payment. `cents` are those beyond the right amount.

    >>> overpaid_or_underpaid(1000), overpaid_or_underpaid(-750)
    ('overpaid', 'underpaid')
    """
    return "overpaid" if cents > 0 else "underpaid"


def wager_name(name: str) -> str:
    """Return a wager's name as players say it.

    >>> wager_name("cover_all")
    'cover all'
    """
    return name.replace("_", " ")


def place_name(place: str) -> str:
    """Return a place with its article, if it takes one.

    >>> place_name("seat 3"), place_name("board")
    ('seat 3', 'the board')
    """
    return place if place.startswith("seat ") else f"the {place}"


def the_wager(name: str) -> str:
    """Return a wager's name for use in a sentence, with its article if it takes one.

    >>> the_wager("ante"), the_wager("trips"), the_wager("cover_all")
    ('the ante', 'trips', 'cover all')
    """
    return wager_name(name) if name in ("trips", "cover_all", "envy") else f"the {name}"


def with_article(hand: str) -> str:
    """Return a class of hands with its article, if it takes one.

    >>> with_article("royal flush"), with_article("four of a kind")
    ('a royal flush', 'four of a kind')
    """
    return hand if " of a kind" in hand or hand == "two pair" else f"a {hand}"


def capital(words: str) -> str:
    """Return words with a capital first letter.

    >>> capital("seat 3"), capital("")
    ('Seat 3', '')
    """
    return f"{words[:1].upper()}{words[1:]}"


def as_sentence(words: str) -> str:
    """Return words as a sentence, with a capital letter and one full stop; empty if there are none.

    >>> as_sentence("asked seat 4"), as_sentence("That is a card."), as_sentence("")
    ('Asked seat 4.', 'That is a card.', '')
    """
    return f"{capital(words)}{'' if words.endswith('.') else '.'}" if words else ""


def shown_name(name: str) -> str:
    """Return the name of a step or pass as it is shown to people.

    >>> shown_name("settle what folded hands kept"), shown_name("burn")
    ('settle the remaining wagers of folded hands', 'burn')
    """
    for stored, shown in SHOWN:
        name = name.replace(stored, shown)
    return name


def stored_name(name: str) -> str:
    """Return the name of a step or pass in rulebooks and records, from the name that is shown.

    >>> stored_name("settle the remaining wagers of folded hands")
    'settle what folded hands kept'
    """
    for stored, shown in SHOWN:
        name = name.replace(shown, stored)
    return name


def printable(text: str) -> str:
    r"""Return text with its control characters escaped, so that it cannot control a terminal.

    >>> printable("Hold'em \x1b[2J")
    "Hold'em \\x1b[2J"
    """
    return UNPRINTABLE.sub(lambda match: _escaped(ord(match[0])), text)


def _escaped(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
