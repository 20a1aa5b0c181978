"""Reading a line of a hand history word by word; what is wrong is told with line and column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from json import JSONDecoder
from typing import Any, Final

import msgspec

from houseway.cards import Card, cards
from houseway.money import cents, dollars

MOST: Final = 10**12
"""No seat, size or number of cards is above it."""

_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_'-]*")
_WORDS: Final = re.compile(rf"(?:{_WORD.pattern}[ \t]*)+")
_NUMBER: Final = re.compile(r"-?\d{1,13}(?![\d.])", re.ASCII)
_AMOUNT: Final = re.compile(r"(-?)\$?((?:\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.\d{1,2})?)(?![\d.])", re.ASCII)
_CARDS: Final = re.compile(r"(?:(?:10|[2-9TJQKA])[CDHS](?![A-Za-z0-9])[ \t]*)+", re.IGNORECASE | re.ASCII)
_PLAIN: Final = re.compile(r"[^\s,:;/\"#()][^,:;/\"#()\n]*")


class HistoryError(ValueError):
    """A history that cannot be read: where, what was expected, what stands there."""

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
        """Go on at a place, or behind the spaces there."""
        rest = self.text[place:]
        self.place = place + len(rest) - len(rest.lstrip(" \t"))

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.place)
        if found is not None:
            self._move(found.end())
        return found

    def _needed(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        found = self._take(pattern)
        if found is None:
            raise self.expected(what)
        return found

    @property
    def rest(self) -> str:
        """What is still to be read."""
        return self.text[self.place :]

    @property
    def done(self) -> bool:
        """Whether nothing follows but a remark."""
        return self.rest[:1] in ("", "#")

    def wrong(self, message: str, place: int | None = None) -> HistoryError:
        """An error at a place of the line, here without one."""
        return HistoryError(self.number, (self.place if place is None else place) + 1, message)

    def expected(self, what: str) -> HistoryError:
        """The error for something else standing here."""
        found = "the end of the line" if self.done else repr(self.rest.split("#")[0][:24].rstrip())
        return self.wrong(f"expected {what}, found {found}")

    def twice(self, name: str, place: int) -> HistoryError:
        """The error for a part that was already given."""
        return self.wrong(f"{said(name)!r} is given twice; keep only one", place)

    def finish(self) -> None:
        """Nothing may follow."""
        if not self.done:
            raise self.expected("the end of the line")

    def next_is(self, text: str) -> bool:
        """Whether a text comes next; it is read if so. A word must end where one of the text does."""
        start = self.place
        for word in text.split():
            end = self.place + len(word)
            goes_on = word[-1].isalnum() and self.text[end : end + 1].isalnum()
            if goes_on or not self.text.startswith(word, self.place):
                self.place = start
                return False
            self._move(end)
        return True

    def need(self, text: str) -> None:
        """A text that must come next."""
        if not self.next_is(text):
            raise self.expected(repr(text))

    def word(self, what: str) -> str:
        """A word."""
        return self._needed(_WORD, what)[0]

    def words(self, what: str) -> str:
        """Words that name one thing, joined as the rulebooks join them: "cover all" is cover_all."""
        return "_".join(self._needed(_WORDS, what)[0].split())

    def number_(self, what: str) -> int:
        """A whole number."""
        found = self._take(_NUMBER)
        if found is None or abs(int(found[0])) > MOST:
            raise self.expected(what)
        return int(found[0])

    def times(self) -> int:
        """A multiple of the ante: "4x" or "4"."""
        found = self.number_("how many times the ante, such as 4x")
        self.next_is("x")
        return found

    def amount(self) -> str:
        """An amount in dollars, without sign of currency and separators."""
        found = self._needed(_AMOUNT, "an amount such as 7.50")
        return found[1] + found[2].replace(",", "")

    def cents(self) -> int:
        """An amount in cents."""
        text = self.amount()
        return -cents(text[1:]) if text.startswith("-") else cents(text)

    def cards(self, what: str = "cards such as Ah Kd") -> tuple[Card, ...]:
        """One card or several."""
        return cards(self._needed(_CARDS, what)[0])

    def plain(self, what: str) -> str:
        """Words as they stand, or in quotation marks where they hold something else."""
        if self.rest.startswith('"'):
            return str(self.json(what))
        return self._needed(_PLAIN, what)[0].rstrip()

    def json(self, what: str) -> Any:
        """A JSON value: a text in quotation marks, a list, an object."""
        try:
            _, end = JSONDecoder().raw_decode(self.text, self.place)
            found = msgspec.json.decode(self.text[self.place : end])
        except (ValueError, RecursionError):
            raise self.expected(what) from None
        self._move(end)
        return found

    def value(self, what: str) -> Any:
        """A setting: yes or no, a whole number, an amount, words, or JSON."""
        if self.rest.startswith(('"', "[", "{")):
            return self.json(what)
        if (found := self._take(_NUMBER)) is not None:
            return int(found[0])
        if (found := self._take(_AMOUNT)) is not None:
            return found[1] + found[2]
        text = self.plain(what)
        return {"yes": True, "no": False}.get(text, text)


def money(amount: int) -> str:
    """Cents as a person writes them: "10", "7.50"."""
    return dollars(amount).removesuffix(".00")


def plain(text: str) -> str:
    """Words as they stand where they can be read so, else in quotation marks."""
    simple = _PLAIN.fullmatch(text) is not None and text == text.strip() and text.isascii()
    return text if simple else msgspec.json.encode(text).decode()


def value(given: Any) -> str:
    """A setting as `Line.value` reads it."""
    if isinstance(given, bool):
        return "yes" if given else "no"
    if isinstance(given, str) and _WORD.fullmatch(given) is not None and given not in ("yes", "no"):
        return given
    return msgspec.json.encode(given).decode()


def lines_of(text: str) -> Iterator[LineReader]:
    """The lines of a text that hold more than a remark."""
    for number, raw in enumerate(text.split("\n"), 1):
        line = LineReader(number, raw.removesuffix("\r"))
        if not line.done:
            yield line


def lines_under(head: str, text: str) -> Iterator[LineReader]:
    """The lines of a history after its first, which must be `head`."""
    lines = lines_of(text)
    first = next(lines, None) or LineReader(1, "")
    if first.rest.split("#")[0].rstrip() != head:
        raise first.expected(repr(head))
    return lines


def items(line: LineReader, *, may_be_empty: bool = False) -> Iterator[None]:
    """Yield before each item of a list with commas; at least once, unless the list may be empty."""
    if may_be_empty and (line.done or line.rest.startswith((";", "("))):
        return
    yield
    while line.next_is(","):
        yield


def pairs(
    line: LineReader, name: Callable[[], str], amount: Callable[[], Any], *, may_be_empty: bool = False
) -> dict[str, Any]:
    """Names with a value each, such as "ante 10, trips 5"; HistoryError if a name is given twice."""
    found: dict[str, Any] = {}
    for _ in items(line, may_be_empty=may_be_empty):
        start = line.place
        key = name()
        if key in found:
            raise line.twice(key, start)
        found[key] = amount()
    return found


def said(name: str) -> str:
    """The name of a wager or a meter as a person writes it."""
    return name.replace("_", " ")
