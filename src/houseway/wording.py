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


def the_wager(name: str) -> str:
    """Return a wager's name for use in a sentence, with its article if it takes one.

    >>> the_wager("ante"), the_wager("trips"), the_wager("cover_all")
    ('the ante', 'trips', 'cover all')
    """
    return name.replace("_", " ") if name in ("trips", "cover_all", "envy") else f"the {name}"


def with_article(hand: str) -> str:
    """Return a class of hands with its article, if it takes one.

    >>> with_article("royal flush"), with_article("four of a kind")
    ('a royal flush', 'four of a kind')
    """
    return hand if " of a kind" in hand or hand == "two pair" else f"a {hand}"


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
