"""A wager and its payments: an ordered decision table over facts, in which the first match decides.

A row either says what happens ("push", "1 to 1") or sends the case to a pay table, which is a decision
table again and must answer every case it is sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from houseway.money import Cents, Payment
from houseway.rules.fact_groups import GROUPS, FactGroup
from houseway.rules.toml_reader import Basis, Cited, Reader


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a decision table."""

    when: Mapping[str, Any]
    pays: Payment | None
    table: str | None
    """The pay table that answers instead, as "trips" (the one chosen) or "cover_all.7"."""
    basis: Basis
    path: str

    @property
    def table_kind(self) -> str:
        """The kind of the pay table that answers instead; empty if the row answers itself."""
        return (self.table or "").partition(".")[0]


@dataclass(frozen=True, slots=True)
class PayTable:
    """A printed pay table."""

    kind: str
    name: str
    rows: tuple[Row, ...]
    basis: Basis
    cards: Cited[str] | None
    """Which cards are read: "seven" or "first five"."""
    wager: Cited[Cents] | None
    """The one amount the table is played with."""
    base: Cited[Cents] | None
    """The wager for which flat amounts are listed; they grow and shrink with the wager."""
    seeds: Mapping[str, Cited[Cents]]
    """What each meter starts from, for each dollar of wager."""
    meters: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wager:
    """A betting spot: who may use it, for how much, and what it pays."""

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
    """The wagers of which at least one must stand beside it."""
    amount: Cited[Cents] | None
    """The one amount it may have."""
    least: Cited[Cents] | None
    """The amount of the companion from which it is due (envy)."""
    excludes: Cited[str] | None
    """Envy: whether a player's own "hand" or every hand of the "player" gives none."""
    kept: Cited[bool] | None
    """Whether the stake is never handed back."""
    modes: Cited[tuple[str, ...]] | None
    """The deal modes in which it is offered."""
    optional: bool = True

    @property
    def group(self) -> FactGroup:
        """The fact group it depends on; a rulebook with an unknown one does not load."""
        return GROUPS[self.looks]


def read_rows(reader: Reader, key: str) -> tuple[Row, ...]:
    """Decision rows, written as a list of tables or, by hand alone, as a map of hand to payment."""
    given = reader.raw(key)
    if isinstance(given, dict):
        return _mapped(reader.table(key))
    if isinstance(given, str):
        right = "name one of shared/pays.toml or write the rows"
        reader.fault(key, f"{given!r} is no shared pay table", right)
        return ()
    rows = []
    for row in reader.rows(key):
        table = row.text("table") or None
        pays = None if table else row.payment("pays")
        rows.append(row.record(Row, pays=pays, table=table, path=row.path))
    return tuple(rows)


def _mapped(reader: Reader) -> tuple[Row, ...]:
    return tuple(
        _paid(reader.table(hand), {"hand": hand})
        if isinstance(given, dict)
        else Row({"hand": hand}, reader.payment(hand), None, Basis(), reader.at(hand))
        for hand, given in reader.data.items()
    )


def _paid(reader: Reader, when: Mapping[str, Any]) -> Row:
    """A row whose table has a payment and its basis alone."""
    return reader.record(Row, when=when, pays=reader.payment("pays"), table=None, path=reader.path)


def read_wager(name: str, reader: Reader) -> Wager:
    """A wager from its table."""
    title = reader.text("title", name.replace("_", " ").capitalize())
    pays, assumed = read_rows(reader, "pays"), "looks" not in reader
    return reader.record(Wager, name=name, title=title, pays=pays, looks_assumed=assumed)


def read_table(kind: str, name: str, reader: Reader) -> PayTable:
    """A pay table from its table in the file."""
    rows = read_rows(reader, "rows")
    if reader.raw("rest") is not None:
        rows += (_paid(reader.table("rest"), {}),)
    return reader.record(PayTable, kind=kind, name=name, rows=rows)
