"""Two par sheets side by side, with every difference marked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from itertools import groupby
from typing import Any

from houseway.report.comparison import two_names
from houseway.report.sheet import figures as f
from houseway.report.sheet import html_parts as p
from houseway.report.sheet.html import wager_table
from houseway.report.sheet.model import Entry, Form, Sheet
from houseway.report.sheet.sheet_data import FIGURES, entry_data, figures, plain, rows_in_csv
from houseway.rules.compare import ParameterDifference, Statement, about_money
from houseway.wording import several

MARK = "≠"
LEGEND = (
    "A dash means that the game has no such figure. Pay tables with different names are compared if they "
    "pay the same."
)


@dataclass(frozen=True, slots=True)
class Pair:
    """One figure in two sheets; None if a sheet does not have it."""

    part: str
    """The wager and its pay tables, or the part of the game."""
    name: str
    a: Fraction | None
    b: Fraction | None
    form: Form

    @property
    def differs(self) -> bool:
        """True if the exact figures differ."""
        return self.a != self.b


@dataclass(frozen=True, slots=True)
class SheetDiff:
    """Two sheets, figure by figure."""

    a: Sheet
    b: Sheet
    pairs: tuple[Pair, ...]
    only_a: tuple[Entry, ...]
    """Wagers and pay tables that the other sheet does not have."""
    only_b: tuple[Entry, ...]
    choices: tuple[tuple[str, str, str], ...]
    """Starting hands that the two games play differently, with the best choice in each."""
    rules: tuple[ParameterDifference, ...]
    """Differences between the rulebooks in wagers, limits and payments."""

    @property
    def names(self) -> tuple[str, str]:
        """The names of the two rulebooks."""
        return two_names(self.a.rulebook, self.b.rulebook)


def compare(a: Sheet, b: Sheet, rules: Sequence[ParameterDifference] = ()) -> SheetDiff:
    """Pair every figure of two sheets; `rules` are the parameters of the two rulebooks."""
    other = {h.name: h.best for h in b.hands if a.game == b.game}
    changed = ((h.name, h.best, other[h.name]) for h in a.hands if other.get(h.name, h.best) != h.best)
    pairs = list(_game(a, b))
    matched = [
        both
        for name in _either((e.wager for e in a.entries), (e.wager for e in b.entries))
        for both in _counterparts(a.of(name), b.of(name))
    ]
    pairs += [pair for one, two in matched if one and two for pair in _figures_of(one, two)]
    only_a = tuple(one for one, two in matched if one and not two)
    only_b = tuple(two for one, two in matched if two and not one)
    differ = tuple(rule for rule in rules if rule.differs and about_money(rule.name))
    return SheetDiff(a, b, tuple(pairs), only_a, only_b, tuple(changed), differ)


def _game(a: Sheet, b: Sheet) -> Iterator[Pair]:
    known = {m.name: m for m in (*b.measures, *a.measures)}
    left, right = ({m.name: m.value for m in sheet.measures} for sheet in (a, b))
    for name in _either(left, right):
        yield Pair("Main game", known[name].title, left.get(name), right.get(name), known[name].form)
    ends, others = dict(a.actions), dict(b.actions)
    for name in _either(ends, others):
        yield Pair("Main game", f"Rounds that end with {name}", ends.get(name), others.get(name), "percent")


def _figures_of(one: Entry, other: Entry) -> Iterator[Pair]:
    tables = dict.fromkeys(e.table for e in (one, other) if e.table)
    part = _part(one.title, " / ".join(tables))
    left, right = figures(one), figures(other)
    for name, form in FIGURES.items():
        # A payment without its own wager is valued as a share of the wager that it comes with.
        share = name == "value" and "dollar" not in (one.unit, other.unit)
        pair = Pair(part, name, left[name], right[name], "percent" if share else form)
        # Skip the usual case: no stake, or a stake of one in every round.
        usual = name in ("made", "staked") and not pair.differs and pair.a in (0, 1)
        known = pair.a is not None or pair.b is not None
        if known and not usual and (name != "value" or not one.staked):
            yield pair


def _part(title: str, table: str) -> str:
    return f"{title} {table}".strip()


def _counterparts(a: Sequence[Entry], b: Sequence[Entry]) -> Iterator[tuple[Entry | None, Entry | None]]:
    """Pair tables with the same name, then other tables that pay the same."""
    left = {e.table: e for e in b}
    for one in a:
        other = left.pop(one.table, None)
        if other is None:
            named = {e.table for e in a}
            same = [e for e in left.values() if e.table not in named and _pays(e) == _pays(one)]
            other = left.pop(same[0].table) if same else None
        yield one, other
    yield from ((None, e) for e in left.values())


def _pays(e: Entry) -> list[tuple[str, int, Fraction]]:
    return [(line.when, line.ways, line.net) for line in e.lines]


def _either(a: Iterable[str], b: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*a, *b]))


def text(comparison: SheetDiff) -> str:
    """Return the comparison as a page."""
    one, other = comparison.names
    count = sum(pair.differs for pair in comparison.pairs)
    facts = [
        (one, comparison.a.title),
        ("SHA-256", comparison.a.hash),
        (other, comparison.b.title),
        ("SHA-256", comparison.b.hash),
        ("Program", f"houseway {comparison.a.version}"),
        ("Date", comparison.a.date),
    ]
    every = several(len(comparison.pairs), "figure")
    summary = f"{count} of {every} {'differs' if count == 1 else 'differ'}, marked {MARK} and set in bold."
    body = [f"<p>{summary if count else f'None of {every} differs.'} {LEGEND}</p>", _figures(comparison)]
    for name, alone in zip(comparison.names, (comparison.only_a, comparison.only_b), strict=True):
        if alone:
            body += [f"<h2>{MARK} Only in {escape(name)}</h2>", wager_table(alone)]
    if comparison.choices:
        rows = [p.row(hand, escape(a), escape(b)) for hand, a, b in comparison.choices]
        body.append("<h2>Starting hands played differently</h2>")
        body.append(p.table(("hand", f"best in {one}", f"best in {other}"), rows))
    if comparison.rules:
        rows = [p.row(rule.title, _stated(rule.a), _stated(rule.b), left=3) for rule in comparison.rules]
        body.append("<h2>Rules about money that differ</h2>")
        body.append(p.table(("rule", one, other), rows, left=3))
    a, b = comparison.a, comparison.b
    foot = f"{one} {a.hash[:16]} · {other} {b.hash[:16]} · houseway {a.version}"
    return p.page(f"{one} and {other}", "Par sheets compared", facts, body, foot)


def _figures(comparison: SheetDiff) -> str:
    rows = []
    for part, pairs in groupby(comparison.pairs, key=lambda pair: pair.part):
        for n, pair in enumerate(pairs):
            title = "value per other hand" if pair.name == "value" else pair.name
            sides = ["–" if side is None else p.figure(side, pair.form) for side in (pair.a, pair.b)]
            kinds = ["differs"] * pair.differs + ["first"] * (n == 0)
            cells = [p.label("" if n else part), p.cell(escape(title), ""), *map(p.cell, sides)]
            cells += [p.cell(_gap(pair)), p.cell(MARK if pair.differs else "", "mark")]
            rows.append(p.row_of(*cells, kind=" ".join(kinds)))
    return p.table(("", "figure", *comparison.names, "difference", ""), rows, left=2)


def _stated(stated: Statement | None) -> str:
    return "<br/>".join(map(escape, stated.parts)) if stated else "–"


def _gap(pair: Pair) -> str:
    """Return the difference with its sign, or an empty string if the figures are equal or incomplete."""
    if not pair.differs or pair.a is None or pair.b is None:
        return ""
    gap = pair.b - pair.a
    form: Form = "plain" if pair.form == "signed" else pair.form
    return p.figure_of(gap, ("+" if gap > 0 else "") + f.shown(gap, form))


def document(comparison: SheetDiff) -> dict[str, Any]:
    """Return the comparison as plain data."""
    return {
        **{
            side: {"rulebook": s.rulebook, "title": s.title, "hash": s.hash}
            for side, s in (("a", comparison.a), ("b", comparison.b))
        },
        "version": comparison.a.version,
        "date": comparison.a.date or None,
        "figures": [
            {"part": x.part, "figure": x.name, "a": plain(x.a), "b": plain(x.b), "differs": x.differs}
            for x in comparison.pairs
        ],
        "only_a": [entry_data(e) for e in comparison.only_a],
        "only_b": [entry_data(e) for e in comparison.only_b],
        "starting_hands": [{"hand": hand, "a": a, "b": b} for hand, a, b in comparison.choices],
        "rules": [
            {"name": r.name, "title": r.title, "a": r.a and r.a.value, "b": r.b and r.b.value}
            for r in comparison.rules
        ],
    }


def csv_text(comparison: SheetDiff) -> str:
    """Return the comparison as comma-separated decimals for a spreadsheet."""
    rows: list[tuple[str, ...]] = [("part", "figure", *comparison.names, "differs")]
    for pair in comparison.pairs:
        sides = f.digits(pair.a), f.digits(pair.b)
        rows.append((pair.part, pair.name, *sides, "yes" if pair.differs else "no"))
    only = [(e, 0) for e in comparison.only_a] + [(e, 1) for e in comparison.only_b]
    for e, side in only:
        for name, value in figures(e).items():
            sides = ("", f.digits(value)) if side else (f.digits(value), "")
            rows.append((_part(e.title, e.table), name, *sides, "yes"))
    return rows_in_csv(rows)
