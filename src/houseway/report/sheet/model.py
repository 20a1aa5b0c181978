"""The par sheet as a value: every figure an exact fraction, nothing of how it is printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from houseway.money import Flat
from houseway.rules.wagers import Wager

Form = Literal["percent", "signed", "plain"]
"""How a figure is shown: a share, what is won or lost in units, any other number."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure of the main game."""

    name: str
    title: str
    value: Fraction
    form: Form


@dataclass(frozen=True, slots=True)
class PayLine:
    """One thing a wager may come to."""

    when: str
    pays: str
    ways: int
    net: Fraction
    """What it brings, in the unit of its wager."""


@dataclass(frozen=True, slots=True)
class Meter:
    """A progressive meter at the wager in use, in dollars."""

    name: str
    seed: Fraction
    worth: Fraction
    """What each dollar it shows is worth to one wager."""
    break_even: tuple[Fraction, ...]
    """What it must show for all to come back, the other meters at seed: beside no other hand, one, two …"""


@dataclass(frozen=True, slots=True)
class Metered:
    """What of a progressive comes back whatever its meters show, and what the meters add."""

    stake: int
    """The wager in cents."""
    fixed: Fraction
    envy: Fraction
    """What each other hand adds, for each unit of the wager."""
    meters: tuple[Meter, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A wager under one pay table."""

    wager: str
    title: str
    table: str
    """The pay table, or how many hands are dealt; empty where there is one only."""
    unit: str
    """What values are counted in: "ante", "wager"."""
    value: Fraction
    """What one wager brings on average."""
    staked: Fraction
    """The average stake; none where a payment needs no wager of its own."""
    made: Fraction
    """The share of rounds in which it is made."""
    hits: Fraction | None
    """How often it wins, where that was counted."""
    variance: Fraction | None
    lines: tuple[PayLine, ...] = ()
    metered: Metered | None = None

    @property
    def edge(self) -> Fraction | None:
        """What the house wins of each unit staked."""
        return -self.value / self.staked if self.staked else None

    @property
    def returned(self) -> Fraction | None:
        """What comes back of each unit staked."""
        return None if self.edge is None else 1 - self.edge

    @property
    def ways(self) -> int:
        """All ways its lines count."""
        return sum(line.ways for line in self.lines)


def entry(
    wager: Wager,
    table: str,
    lines: tuple[PayLine, ...],
    *,
    hits: int,
    unit: str = "wager",
    staked: Fraction = Fraction(1),
    made: Fraction = Fraction(1),
    metered: Metered | None = None,
) -> Entry:
    """A wager whose every line was counted; `hits` are the ways that win."""
    ways = sum(line.ways for line in lines)
    value = sum((line.net * line.ways for line in lines), Fraction()) / ways
    squares = sum((line.net**2 * line.ways for line in lines), Fraction()) / ways
    head, variance = (wager.name, wager.title, table, unit), squares - value**2
    return Entry(*head, value, staked, made, Fraction(hits, ways), variance, lines, metered)


def envy_entry(
    wager: Wager,
    table: str,
    paid: Sequence[tuple[str, int, Flat]],
    ways: int,
    stake: int,
    unit: str = "wager",
) -> Entry:
    """Envy for one other hand: what each hand that gives it pays, for a wager of so many cents."""
    hits = sum(number for _, number, _ in paid)
    lines = [PayLine(hand, str(flat), number, Fraction(flat.amount, stake)) for hand, number, flat in paid]
    lines.append(PayLine("anything else", "nothing", ways - hits, Fraction()))
    return entry(wager, table, tuple(lines), hits=hits, unit=unit, staked=Fraction())


@dataclass(frozen=True, slots=True)
class Hand:
    """A starting hand of two cards."""

    name: str
    """As "AKs", "T9o", "77"; where decks are several a pair of one card twice is "77s"."""
    values: Mapping[str, Fraction]
    """What each choice is worth."""
    best: str
    cost: Fraction | None
    """What the wrong choice costs: checking what should be played, playing what should be checked."""
    share: Fraction
    """How often it is dealt, or played where a player keeps two cards of more."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A house setting and the value used."""

    name: str
    about: str
    value: str
    standing: str
    """Who chose: "set", "default", "example", "open"."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A rulebook's mathematics on paper."""

    rulebook: str
    title: str
    game: str
    source: str
    hash: str
    version: str
    """The program's."""
    date: str
    """As given; empty where none was."""
    deals: int
    measures: tuple[Measure, ...]
    actions: tuple[tuple[str, Fraction], ...]
    """How often a round ends with each choice."""
    outcomes: tuple[tuple[Fraction, int], ...]
    """Deals by what they bring; empty where that was not counted."""
    hands: tuple[Hand, ...]
    entries: tuple[Entry, ...]
    lines: tuple[tuple[str, Fraction], ...]
    """The lines of a house way, and how often each decides."""
    settings: tuple[Choice, ...]
    caps: tuple[str, ...]
    method: tuple[str, ...]

    def of(self, wager: str) -> tuple[Entry, ...]:
        """A wager under each of its pay tables."""
        return tuple(e for e in self.entries if e.wager == wager)
