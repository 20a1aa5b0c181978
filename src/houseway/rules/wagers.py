"""Wagers and their payments: an ordered list of rows; the first row that matches a hand's facts decides.

A row either pays directly ("push", "1 to 1") or sends the case to a pay table. A pay table is a decision
table too and must cover every case that it is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from houseway.money import Cents, Payment
from houseway.rules.fact_groups import GROUPS, FactGroup
from houseway.rules.toml_reader import Basis, Cited, Reader
from houseway.wording import printable


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a decision table."""

    when: Mapping[str, Any]
    pays: Payment | None
    table: str | None
    """The pay table that decides instead: "trips" (the chosen one of that kind) or "cover_all.7"."""
    basis: Basis
    path: str
    setting: Mapping[str, Any] = field(default_factory=dict)
    """The house settings under which the row applies; empty if it always does."""

    @property
    def table_kind(self) -> str:
        """The kind of the pay table that decides instead; empty if the row pays directly."""
        return (self.table or "").partition(".")[0]


@dataclass(frozen=True, slots=True)
class PayTable:
    """A printed pay table."""

    kind: str
    name: str
    rows: tuple[Row, ...]
    basis: Basis
    cards: Cited[str] | None
    """The cards that count: "seven" or "first five"."""
    wager: Cited[Cents] | None
    """The only amount that the table allows."""
    base: Cited[Cents] | None
    """The wager that the listed flat amounts are for. For another wager, they are scaled in proportion."""
    seeds: Mapping[str, Cited[Cents]]
    """The starting amount of each meter, for a wager of `base`; for any wager if there is no `base`."""
    meters: tuple[str, ...]


Shape = Literal["circle", "diamond", "sensor"]
"""The shape of a betting spot: a wager against the dealer, a side bet, or one that is paid from meters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wager:
    """A betting spot with its conditions, amounts and payments."""

    name: str
    title: str
    looks: str = "hand"
    """The name of the fact group it depends on."""
    looks_assumed: bool = False
    """True if the file does not name the group."""
    pays: tuple[Row, ...]
    basis: Basis
    equals: Cited[str] | None
    """The wager whose amount it must match."""
    beside: Cited[tuple[str, ...]] | None
    """Other wagers; the player must also make at least one of them."""
    amount: Cited[Cents] | None
    """The only amount allowed."""
    least: Cited[Cents] | None
    """For envy: the smallest progressive or bonus wager with which a player can be paid."""
    excludes: Cited[str] | None
    """For envy: "hand" if a hand earns no bonus for itself, "player" if a player earns none for any of
    their own hands."""
    kept: Cited[bool] | None
    """True if the stake is never returned."""
    modes: Cited[tuple[str, ...]] | None
    """The deal modes in which it is offered."""
    alone: Basis | None
    """The clause that says whether the wager may be made alone."""
    closes: Basis | None
    """The clause that closes this wager, if it is not the one that closes the betting."""
    optional: bool = True

    @property
    def later(self) -> bool:
        """True if it is made during the round, not before it."""
        return self.group.against_dealer and self.optional

    def shape(self, *, metered: bool) -> Shape:
        """Return the shape of its spot on the layout; `metered` is true if meters pay it."""
        if self.group.against_dealer:
            return "circle"
        return "sensor" if metered else "diamond"

    @property
    def settings(self) -> tuple[str, ...]:
        """The house settings that decide which of its rows apply."""
        return tuple(dict.fromkeys(name for row in self.pays for name in row.setting))

    def rows(self, house: Callable[[str], Any]) -> tuple[Row, ...]:
        """Return the rows that apply under a house's settings; `house` returns the value of a setting."""
        return tuple(r for r in self.pays if all(house(name) == value for name, value in r.setting.items()))

    @property
    def group(self) -> FactGroup:
        """The fact group it depends on. A rulebook with an unknown group does not load."""
        return GROUPS[self.looks]


def read_rows(reader: Reader, key: str) -> tuple[Row, ...]:
    """Return decision rows, written as a list of tables, or as one table that maps hands to payments."""
    value = reader.raw(key)
    if isinstance(value, dict):
        return _rows_by_hand(reader.table(key))
    if isinstance(value, str):
        right = "name a table of shared/pays.toml or write the rows"
        reader.fault(key, f"{value!r} is not a shared pay table", right)
        return ()
    rows = []
    for row in reader.rows(key):
        table = row.text("table") or None
        pays = None if table else row.payment("pays")
        rows.append(row.record(Row, pays=pays, table=table, path=row.path))
    return tuple(rows)


def _rows_by_hand(reader: Reader) -> tuple[Row, ...]:
    return tuple(
        _row(reader.table(hand), {"hand": hand})
        if isinstance(value, dict)
        else Row({"hand": hand}, reader.payment(hand), None, Basis(), reader.at(hand))
        for hand, value in reader.data.items()
    )


def _row(reader: Reader, when: Mapping[str, Any]) -> Row:
    """Return a row from a table that has only a payment and its basis."""
    return reader.record(Row, when=when, pays=reader.payment("pays"), table=None, path=reader.path)


def read_wager(name: str, reader: Reader) -> Wager:
    """Return a wager from its table."""
    title = printable(reader.text("title", name.replace("_", " ").capitalize()))
    pays, assumed = read_rows(reader, "pays"), "looks" not in reader
    return reader.record(Wager, name=name, title=title, pays=pays, looks_assumed=assumed)


def read_table(kind: str, name: str, reader: Reader) -> PayTable:
    """Return a pay table from its table in the file."""
    rows = read_rows(reader, "rows")
    if reader.raw("rest") is not None:
        rows += (_row(reader.table("rest"), {}),)
    return reader.record(PayTable, kind=kind, name=name, rows=rows)
