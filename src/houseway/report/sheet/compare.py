"""Two par sheets side by side, every difference marked."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from io import StringIO
from typing import Any

from houseway.report.sheet import figures as f
from houseway.report.sheet.data import entry_data, figures
from houseway.report.sheet.html import wager_table
from houseway.report.sheet.model import Entry, Form, Sheet
from houseway.report.sheet.parts import cell, figure_of, label, page, row, table
from houseway.rules.compare import Difference, Stated, about_money
from houseway.wording import several

MARK = "≠"
FIGURES: dict[str, Form] = {
    "made": "percent", "staked": "plain", "hits": "percent", "value": "plain", "return": "percent",
    "edge": "percent", "variance": "plain",
}  # fmt: skip
"""The figures of a wager, and how each is shown."""
LEGEND = (
    "A dash: the other game has no such figure. Pay tables of different names stand together where they "
    "pay the same."
)


@dataclass(frozen=True, slots=True)
class Pair:
    """One figure in two sheets; None where one of them does not have it."""

    part: str
    """The wager and its pay tables, or the part of the game."""
    name: str
    a: Fraction | None
    b: Fraction | None
    form: Form

    @property
    def differs(self) -> bool:
        """Whether the exact figures differ."""
        return self.a != self.b


@dataclass(frozen=True, slots=True)
class Choice:
    """A starting hand that two games play differently."""

    hand: str
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Compared:
    """Two sheets, figure by figure."""

    a: Sheet
    b: Sheet
    pairs: tuple[Pair, ...]
    only_a: tuple[Entry, ...]
    """Wagers and pay tables the other does not have."""
    only_b: tuple[Entry, ...]
    choices: tuple[Choice, ...]
    rules: tuple[Difference, ...]
    """What the rulebooks themselves say differently of wagers, limits and payments."""

    @property
    def names(self) -> tuple[str, str]:
        """What the two are called."""
        one, other = self.a.rulebook, self.b.rulebook
        return (one, other) if one != other else (f"{one} A", f"{other} B")


def compare(a: Sheet, b: Sheet, rules: Sequence[Difference] = ()) -> Compared:
    """Put every figure of two sheets beside its counterpart; `rules` are what the two rulebooks say."""
    other = {h.name: h.best for h in b.hands if a.game == b.game}
    changed = (
        Choice(h.name, h.best, other[h.name]) for h in a.hands if other.get(h.name, h.best) != h.best
    )
    pairs = list(_game(a, b))
    alone: tuple[list[Entry], list[Entry]] = [], []
    for name in _either((e.wager for e in a.entries), (e.wager for e in b.entries)):
        for one, two in _counterparts(a.of(name), b.of(name)):
            if one and two:
                pairs += _figures_of(one, two)
            else:
                alone[0].extend([one] if one else [])
                alone[1].extend([two] if two else [])
    differ = tuple(rule for rule in rules if rule.differs and about_money(rule.name))
    return Compared(a, b, tuple(pairs), tuple(alone[0]), tuple(alone[1]), tuple(changed), differ)


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
        # What is paid without a wager of its own is told of the wager it stands beside.
        share = name == "value" and "dollar" not in (one.unit, other.unit)
        pair = Pair(part, name, left[name], right[name], "percent" if share else form)
        # No stake, or a stake of one in every round, is what wagers have unless something is said.
        usual = name in ("made", "staked") and not pair.differs and pair.a in (0, 1)
        known = pair.a is not None or pair.b is not None
        if known and not usual and (name != "value" or not one.staked):
            yield pair


def _part(title: str, table: str) -> str:
    return f"{title} {table}".strip()


def _counterparts(a: Sequence[Entry], b: Sequence[Entry]) -> Iterator[tuple[Entry | None, Entry | None]]:
    """Tables of one name belong together; of the others, those that pay the same."""
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


def text(found: Compared) -> str:
    """The comparison as a page."""
    one, other = found.names
    count = sum(pair.differs for pair in found.pairs)
    facts = [
        (one, found.a.title),
        ("SHA-256", found.a.hash),
        (other, found.b.title),
        ("SHA-256", found.b.hash),
        ("Program", f"houseway {found.a.version}"),
        ("Date", found.a.date),
    ]
    every = several(len(found.pairs), "figure")
    told = f"{count} of {every} {'differs' if count == 1 else 'differ'}, marked {MARK} and set in bold."
    body = [
        f"<p>{told if count else f'None of {every} differs.'} {LEGEND}</p>",
        _figures(found),
    ]
    for name, alone in zip(found.names, (found.only_a, found.only_b), strict=True):
        if alone:
            body += [f"<h2>{MARK} Only in {escape(name)}</h2>", wager_table(alone)]
    if found.choices:
        rows = [row([label(c.hand), cell(escape(c.a)), cell(escape(c.b))]) for c in found.choices]
        body.append("<h2>Starting hands played differently</h2>")
        body.append(table(("hand", f"best in {one}", f"best in {other}"), rows))
    if found.rules:
        rows = [row([label(r.title), *(cell(_said(side), "") for side in (r.a, r.b))]) for r in found.rules]
        body.append("<h2>Rules about money that differ</h2>")
        body.append(table(("rule", one, other), rows, left=3))
    foot = f"{one} {found.a.hash[:16]} · {other} {found.b.hash[:16]} · houseway {found.a.version}"
    return page(f"{one} and {other}", "Par sheets compared", facts, body, foot)


def _figures(found: Compared) -> str:
    rows, last = [], ""
    for pair in found.pairs:
        first = pair.part != last
        gap = pair.b - pair.a if pair.differs and pair.a is not None and pair.b is not None else None
        rows.append(
            row(
                [
                    label(pair.part if first else ""),
                    cell(escape(_title(pair)), ""),
                    *(cell(_shown(side, pair.form)) for side in (pair.a, pair.b)),
                    cell("" if gap is None else _gap(gap, pair.form)),
                    cell(MARK if pair.differs else "", "mark"),
                ],
                " ".join(filter(None, ("differs" if pair.differs else "", "first" if first else ""))),
            )
        )
        last = pair.part
    return table(("", "figure", *found.names, "difference", ""), rows, left=2)


def _title(pair: Pair) -> str:
    return "one other hand is worth" if pair.name == "value" else pair.name


def _said(stated: Stated | None) -> str:
    return "<br/>".join(map(escape, stated.parts)) if stated else "–"


def _shown(value: Fraction | None, form: Form) -> str:
    return "–" if value is None else figure_of(value, f.shown(value, form))


def _gap(value: Fraction, form: Form) -> str:
    sign = "+" if value > 0 else ""
    return figure_of(value, f"{sign}{f.shown(value, 'plain' if form == 'signed' else form)}")


def document(found: Compared) -> dict[str, Any]:
    """The comparison as plain data."""
    return {
        **{
            side: {"rulebook": s.rulebook, "title": s.title, "hash": s.hash}
            for side, s in (("a", found.a), ("b", found.b))
        },
        "version": found.a.version,
        "date": found.a.date or None,
        "figures": [
            {
                "part": pair.part,
                "figure": pair.name,
                "a": None if pair.a is None else f.exact(pair.a),
                "b": None if pair.b is None else f.exact(pair.b),
                "differs": pair.differs,
            }
            for pair in found.pairs
        ],
        "only_a": [entry_data(e) for e in found.only_a],
        "only_b": [entry_data(e) for e in found.only_b],
        "starting_hands": [{"hand": c.hand, "a": c.a, "b": c.b} for c in found.choices],
        "rules": [
            {
                "name": r.name,
                "title": r.title,
                "a": r.a.value if r.a else None,
                "b": r.b.value if r.b else None,
            }
            for r in found.rules
        ],
    }


def lines(found: Compared) -> str:
    """The comparison as comma-separated values; decimals, for a spreadsheet."""
    out = StringIO()
    write = csv.writer(out, lineterminator="\n").writerow
    write(("part", "figure", *found.names, "differs"))
    for pair in found.pairs:
        sides = (f.digits(pair.a), f.digits(pair.b))
        write((pair.part, pair.name, *sides, "yes" if pair.differs else "no"))
    for place, e in [*((0, e) for e in found.only_a), *((1, e) for e in found.only_b)]:
        for name, value in figures(e).items():
            both = ["", ""]
            both[place] = f.digits(value)
            write((_part(e.title, e.table), name, *both, "yes"))
    return out.getvalue()
