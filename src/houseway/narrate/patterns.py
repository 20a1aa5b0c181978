"""Read the sentence patterns of `patterns.toml`, and fill them with the values of an event."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

from houseway.engine import events as e
from houseway.narrate import sentences as s
from houseway.narrate.sentences import Verb, Word, Words
from houseway.rules.compare.value_words import listed
from houseway.wording import place_name, wager_name

NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

_WRITTEN: Final = tomllib.loads(
    resources.files("houseway.narrate").joinpath("patterns.toml").read_text("utf-8")
)

DECISIONS: Final[Mapping[type[e.Event], str]] = {
    getattr(e, name): pattern for name, pattern in _WRITTEN["decisions"].items()
}
"""The words that everyone at the table sees for each type of bet or decision."""

PATTERNS: Final[Mapping[type[e.Event], tuple[s.Topic, str]]] = {
    getattr(e, name): (topic, DECISIONS.get(getattr(e, name), "") + pattern)
    for topic, patterns in _WRITTEN["topics"].items()
    for name, pattern in patterns.items()
}
"""The topic and the pattern of each type of event."""

HEADLINES: Final[Mapping[type[e.Event], str]] = {
    getattr(e, name): pattern for name, pattern in _WRITTEN["headlines"].items()
}
"""Short forms said at the table instead of the whole sentence."""

SILENT: Final = frozenset(getattr(e, name) for name in _WRITTEN["silent"])
"""Routine events that have no sentence."""

SETTLED: Final[Mapping[str, str]] = _WRITTEN["settled"]
"""The patterns for a settled wager: its stake, and each result."""


def cards_counted(count: int) -> str:
    """Return a number of cards in words."""
    number = NUMBERS[count] if count < len(NUMBERS) else str(count)
    return f"{number} card{'' if count == 1 else 's'}"


def bet_in_words(name: str) -> str:
    """Return a wager's name for use after "the" or a possessive: "play wager", "trips bet", "ante"."""
    return _BETS.get(name) or wager_name(name)


_BETS: Final = {
    "play": "play wager",
    "trips": "trips bet",
    "progressive": "progressive bet",
    "cover_all": "cover all bet",
    "envy": "envy bonus",
}
"""The wagers whose names alone do not read as a noun in a sentence."""

_KINDS: Final[Mapping[str, Callable[[Any], Word]]] = {
    "": str,
    "$": lambda cents: s.Amount(cents, exact=False),
    "exact": s.Amount,
    "cards": s.CardWords,
    "who": lambda seat: s.Seats((seat,)),
    "whose": s.Owner,
    "seats": lambda seats: listed(f"seat {seat}" for seat in seats),
    "stakes": lambda wagers: s.StakeWords(tuple(wagers.items())),
    "tips": lambda wagers: s.TipWords(tuple(wagers.items())),
    "times": s.Times,
    "by": s.By,
    "word": lambda word: word,
    "count": cards_counted,
    "place": place_name,
    "wager": bet_in_words,
    "list": listed,
}

_PIECES: Final = re.compile(r"<([^>]+)>|\{(\w+):?([^}]*)\}|\[(\w+)([?!])([^\]]*)\]|([^<{\[]+)")


class _Field(NamedTuple):
    name: str
    word: Callable[[Any], Word]


class _Optional(NamedTuple):
    field: str
    filled: bool
    pattern: str


@cache
def _pieces(pattern: str) -> tuple[Word | _Field | _Optional, ...]:
    return tuple(map(_piece, _PIECES.finditer(pattern)))


def _piece(match: re.Match[str]) -> Word | _Field | _Optional:
    verb, field, kind, given, sign, words, text = match.groups("")
    if given:
        return _Optional(given, sign == "?", words)
    return _Field(field, _KINDS[kind]) if field else Verb(verb) if verb else text


def fill(pattern: str, value: Callable[[str], Any]) -> Words:
    """Return a pattern filled with values; `value` looks up the value of a field."""
    words: list[Word] = []
    for piece in _pieces(pattern):
        if isinstance(piece, _Field):
            words.append(piece.word(value(piece.name)))
        elif not isinstance(piece, _Optional):
            words.append(piece)
        elif bool(value(piece.field)) == piece.filled:
            words += fill(piece.pattern, value)
    return tuple(words)
