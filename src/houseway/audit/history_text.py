"""A reader for the lines of a hand history. Its errors name the line and the column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from json import JSONDecoder
from typing import Any, Final

import msgspec

from houseway.cards import Card, cards
from houseway.money import cents, dollars

MOST: Final = 10**12
"""The largest value of a number, such as a seat number or a count of cards."""

_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_'-]*")
_WORDS: Final = re.compile(rf"(?:{_WORD.pattern}[ \t]*)+")
_NUMBER: Final = re.compile(r"-?\d{1,13}(?![\d.])", re.ASCII)
_AMOUNT: Final = re.compile(r"(-?)\$?((?:\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.\d{1,2})?)(?![\d.])", re.ASCII)
_CARDS: Final = re.compile(r"(?:(?:10|[2-9TJQKA])[CDHS](?![A-Za-z0-9])[ \t]*)+", re.IGNORECASE | re.ASCII)
_PLAIN: Final = re.compile(r"[^\s,:;/\"#()][^,:;/\"#()\n]*")


class HistoryError(ValueError):
    """Raised if a history cannot be read. The message names the line, the column and what was expected."""

    def __init__(self, line: int, column: int, message: str) -> None:
        self.line = line
        self.column = column
        super().__init__(f"line {line}, column {column}: {message}")


class LineReader:
    """One line, read from left to right."""

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        self.text = text
        self._move(0)

    def _move(self, place: int) -> None:
        """Continue at a place. Spaces there are skipped."""
        rest = self.text[place:]
        self.place = place + len(rest) - len(rest.lstrip(" \t"))

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.place)
        if match is not None:
            self._move(match.end())
        return match

    def _require(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        match = self._take(pattern)
        if match is None:
            raise self.expected(what)
        return match

    @property
    def rest(self) -> str:
        """The text still to be read."""
        return self.text[self.place :]

    @property
    def done(self) -> bool:
        """True if nothing follows, or only a comment."""
        return self.rest[:1] in ("", "#")

    def wrong(self, message: str, place: int | None = None) -> HistoryError:
        """Return an error at a place of the line, by default the current place."""
        return HistoryError(self.number, (self.place if place is None else place) + 1, message)

    def expected(self, what: str) -> HistoryError:
        """Return the error for unexpected text at the current place."""
        text = "the end of the line" if self.done else repr(self.rest.split("#")[0][:24].rstrip())
        return self.wrong(f"expected {what}, found {text}")

    def twice(self, name: str, place: int) -> HistoryError:
        """Return the error for a part that is given twice."""
        return self.wrong(f"{phrase(name)!r} is given twice; keep only one", place)

    def finish(self) -> None:
        """Raise HistoryError if anything other than a comment follows."""
        if not self.done:
            raise self.expected("the end of the line")

    def next_is(self, text: str) -> bool:
        """If this text comes next as whole words, read it and return True; otherwise return False."""
        start = self.place
        for word in text.split():
            end = self.place + len(word)
            continues = word[-1].isalnum() and self.text[end : end + 1].isalnum()
            if continues or not self.text.startswith(word, self.place):
                self.place = start
                return False
            self._move(end)
        return True

    def need(self, text: str) -> None:
        """Read a text that must come next."""
        if not self.next_is(text):
            raise self.expected(repr(text))

    def word(self, what: str) -> str:
        """Read a word."""
        return self._require(_WORD, what)[0]

    def words(self, what: str) -> str:
        """Read a name of one or more words.

        Return it as the rulebooks write it: "cover all" as cover_all.
        """
        return "_".join(self._require(_WORDS, what)[0].split())

    def number_(self, what: str) -> int:
        """Read a whole number."""
        match = self._take(_NUMBER)
        if match is None or abs(int(match[0])) > MOST:
            raise self.expected(what)
        return int(match[0])

    def times(self) -> int:
        """Read a multiple of the ante: "4x" or "4"."""
        multiple = self.number_("how many times the ante, such as 4x")
        self.next_is("x")
        return multiple

    def amount(self) -> str:
        """Read an amount in dollars. Return it without dollar sign and separators."""
        match = self._require(_AMOUNT, "an amount such as 7.50")
        return match[1] + match[2].replace(",", "")

    def cents(self) -> int:
        """Read an amount in dollars. Return it in cents."""
        text = self.amount()
        return -cents(text[1:]) if text.startswith("-") else cents(text)

    def cards(self, what: str = "cards such as Ah Kd") -> tuple[Card, ...]:
        """Read one or more cards."""
        return cards(self._require(_CARDS, what)[0])

    def plain(self, what: str) -> str:
        """Read plain words, or a text in quotation marks."""
        if self.rest.startswith('"'):
            return str(self.json(what))
        return self._require(_PLAIN, what)[0].rstrip()

    def json(self, what: str) -> Any:
        """Read a JSON value: a text in quotation marks, a list, an object."""
        try:
            _, end = JSONDecoder().raw_decode(self.text, self.place)
            content = msgspec.json.decode(self.text[self.place : end])
        except (ValueError, RecursionError):
            raise self.expected(what) from None
        self._move(end)
        return content

    def value(self, what: str) -> Any:
        """Read a setting: yes or no, a whole number, an amount, words, or JSON."""
        if self.rest.startswith(('"', "[", "{")):
            return self.json(what)
        if (match := self._take(_NUMBER)) is not None:
            return int(match[0])
        if (match := self._take(_AMOUNT)) is not None:
            return match[1] + match[2]
        text = self.plain(what)
        return {"yes": True, "no": False}.get(text, text)


def money(amount: int) -> str:
    """Return cents as dollars, as a person writes them: "10", "7.50"."""
    return dollars(amount).removesuffix(".00")


def plain(text: str) -> str:
    """Return a text unchanged if `LineReader.plain` reads it back, otherwise in quotation marks."""
    simple = _PLAIN.fullmatch(text) is not None and text == text.strip() and text.isascii()
    return text if simple else msgspec.json.encode(text).decode()


def value(setting: Any) -> str:
    """Return a setting in the form that `LineReader.value` reads."""
    if isinstance(setting, bool):
        return "yes" if setting else "no"
    if isinstance(setting, str) and _WORD.fullmatch(setting) is not None and setting not in ("yes", "no"):
        return setting
    return msgspec.json.encode(setting).decode()


def lines_of(text: str) -> Iterator[LineReader]:
    """Yield the lines of a text, except empty lines and comments."""
    for number, raw in enumerate(text.split("\n"), 1):
        line = LineReader(number, raw.removesuffix("\r"))
        if not line.done:
            yield line


def lines_under(head: str, text: str) -> Iterator[LineReader]:
    """Return the lines of a history after its first line, which must be `head`."""
    lines = lines_of(text)
    first = next(lines, None) or LineReader(1, "")
    if first.rest.split("#")[0].rstrip() != head:
        raise first.expected(repr(head))
    return lines


def items(line: LineReader, *, may_be_empty: bool = False) -> Iterator[None]:
    """Yield once before each item of a comma-separated list, so that the caller can read it."""
    if may_be_empty and (line.done or line.rest.startswith((";", "("))):
        return
    yield
    while line.next_is(","):
        yield


def pairs(
    line: LineReader, name: Callable[[], str], amount: Callable[[], Any], *, may_be_empty: bool = False
) -> dict[str, Any]:
    """Read names with values, such as "ante 10, trips 5". Raises HistoryError if a name is repeated."""
    values: dict[str, Any] = {}
    for _ in items(line, may_be_empty=may_be_empty):
        start = line.place
        key = name()
        if key in values:
            raise line.twice(key, start)
        values[key] = amount()
    return values


def phrase(name: str) -> str:
    """Return the name of a wager or a meter with spaces."""
    return name.replace("_", " ")
