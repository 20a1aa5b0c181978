"""The par sheet as data: exact fractions, independent of how they are printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from houseway.exact.wager_values import advantage_warning
from houseway.money import Flat
from houseway.rules.wagers import Wager

Form = Literal["percent", "signed", "plain"]
"""How to print a figure: as a percentage, as a signed amount in units, or as a plain number."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure of the main game."""

    name: str
    title: str
    value: Fraction
    form: Form


@dataclass(frozen=True, slots=True)
class PayRow:
    """One possible outcome of a wager."""

    when: str
    pays: str
    ways: int
    net: Fraction
    """The net result, in the wager's unit."""


@dataclass(frozen=True, slots=True)
class Meter:
    """A progressive meter at the wager size in use, in dollars."""

    name: str
    seed: Fraction
    worth: Fraction
    """How much each dollar on the meter adds to the value of one wager."""
    break_even: tuple[Fraction, ...]
    """The amounts at which the return is 100 % (other meters at their seed), by number of other hands."""


@dataclass(frozen=True, slots=True)
class MeteredReturn:
    """A progressive's return in two parts: one does not depend on the meters, the other does."""

    stake: int
    """The wager in cents."""
    fixed: Fraction
    envy: Fraction
    """The average envy payment for every additional hand at the table, per unit of the wager."""
    meters: tuple[Meter, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A wager under one pay table."""

    wager: str
    title: str
    table: str
    """The pay table or the number of hands dealt; empty if there is only one."""
    unit: str
    """The unit of values: "ante", "wager" or "dollar"."""
    value: Fraction
    """The expected result of one wager."""
    staked: Fraction
    """The average stake; 0 for a payment that needs no wager."""
    made: Fraction
    """The share of rounds in which the wager is made."""
    hits: Fraction | None
    """The hit frequency, if it was counted."""
    variance: Fraction | None
    lines: tuple[PayRow, ...] = ()
    """The possible outcomes: the rows of its pay table, and the hands that lose."""
    metered: MeteredReturn | None = None

    @property
    def edge(self) -> Fraction | None:
        """The house edge per unit staked."""
        return -self.value / self.staked if self.staked else None

    @property
    def returned(self) -> Fraction | None:
        """The return per unit staked."""
        return None if self.edge is None else 1 - self.edge

    @property
    def ways(self) -> int:
        """The number of combinations over all lines."""
        return sum(line.ways for line in self.lines)


def entry(
    wager: Wager,
    table: str,
    lines: tuple[PayRow, ...],
    *,
    hits: int,
    unit: str = "wager",
    staked: Fraction = Fraction(1),
    made: Fraction = Fraction(1),
    metered: MeteredReturn | None = None,
) -> Entry:
    """Return the entry of a wager with every line counted; `hits` is the number of winning combinations."""
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
    """Return the entry for envy that is paid for one other hand, on a wager of `stake` cents."""
    hits = sum(number for _, number, _ in paid)
    lines = [PayRow(hand, str(flat), number, Fraction(flat.amount, stake)) for hand, number, flat in paid]
    lines.append(PayRow("anything else", "nothing", ways - hits, Fraction()))
    return entry(wager, table, tuple(lines), hits=hits, unit=unit, staked=Fraction())


@dataclass(frozen=True, slots=True)
class Hole:
    """A starting hand of two cards."""

    name: str
    """For example "AKs", "T9o", "77"; with several decks, "77s" is two copies of one card."""
    values: Mapping[str, Fraction]
    """The value of each choice."""
    best: str
    cost: Fraction | None
    """The cost of the wrong choice: a check instead of a play, or the reverse."""
    share: Fraction
    """How often the hand is dealt or, if the player keeps two of four cards, how often it is kept."""


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A house setting and the value used."""

    name: str
    about: str
    value: str
    origin: str
    """The origin of the value: "set", "default", "example" or "open"."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The par sheet of a rulebook."""

    rulebook: str
    title: str
    game: str
    source: str
    hash: str
    version: str
    """The program version."""
    date: str
    """The date as given, or empty."""
    deals: int
    measures: tuple[Measure, ...]
    actions: tuple[tuple[str, Fraction], ...]
    """How often a round ends with each choice."""
    outcomes: tuple[tuple[Fraction, int], ...]
    """Deals by net result; empty if they were not counted."""
    hands: tuple[Hole, ...]
    entries: tuple[Entry, ...]
    lines: tuple[tuple[str, Fraction], ...]
    """The lines of a house way, and how often each decides."""
    settings: tuple[SettingRow, ...]
    caps: tuple[str, ...]
    method: tuple[str, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about side bets, except progressives, that return more than their stake."""
        returns: dict[str, list[Fraction]] = {}
        for e in self.entries:
            if e.unit != "ante" and e.metered is None and e.returned is not None:
                returns.setdefault(e.title, []).append(e.returned)
        by_title = (advantage_warning(title, listed) for title, listed in returns.items())
        return tuple(warning for warning in by_title if warning)

    def of(self, wager: str) -> tuple[Entry, ...]:
        """Return a wager's entries, one for each pay table."""
        return tuple(e for e in self.entries if e.wager == wager)
