"""The par sheet as one printable page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from html import escape
from itertools import groupby

from houseway.report.sheet import charts
from houseway.report.sheet import figures as f
from houseway.report.sheet.grids import strategy
from houseway.report.sheet.model import Entry, Sheet
from houseway.report.sheet.parts import (
    cell,
    facts_of,
    figure_of,
    in_percent,
    label,
    number,
    page,
    picture,
    row,
    table,
    table_name,
    worth_of,
)
from houseway.report.sheet.schedules import schedules

HEADLINE = 3
"""Figures set large at the top."""


def text(sheet: Sheet) -> str:
    """A sheet as a complete page."""
    body = [
        *_main_game(sheet),
        *_summary(sheet),
        *strategy(sheet),
        *schedules(sheet),
        *_settings(sheet),
    ]
    foot = f"{sheet.rulebook} · {sheet.hash} · houseway {sheet.version}"
    return page(sheet.title, "Par sheet", facts_of(sheet), body, foot, _closing(sheet))


def _main_game(sheet: Sheet) -> Iterator[str]:
    yield "<h2>The main game under best play</h2>"
    yield '<div class="headline">'
    for m in [m for m in sheet.measures if m.form == "percent"][:HEADLINE]:
        told = figure_of(m.value, f.shown(m.value, m.form))
        yield f"<div><b>{told}</b><span>{escape(m.title)}</span></div>"
    yield "</div>"
    rows = [
        row([label(m.title), cell(figure_of(m.value, f.shown(m.value, m.form)))]) for m in sheet.measures
    ]
    variance = next((m.value for m in sheet.measures if m.name == "variance"), None)
    if variance is not None:
        deviation = f.decimal(f.root(variance), 6)
        rows.append(row([label("Standard deviation of a round, in antes"), cell(deviation)]))
    yield table(("measure", "figure"), rows)
    yield picture(charts.choices(sheet.actions), "How often a round ends with each choice.")
    if sheet.outcomes:
        yield picture(
            charts.outcomes(sheet.outcomes), "What a round brings, ante, blind and play together."
        )


def _summary(sheet: Sheet) -> Iterator[str]:
    yield "<h2>Every wager</h2>"
    yield wager_table(sheet.entries)


def wager_table(entries: Sequence[Entry]) -> str:
    """Wagers and pay tables, a row each."""
    heads = ("wager", "pay table", "hits", "one in", "return", "house edge", "variance", "std. dev.")
    rows = []
    for _, same in groupby(entries, key=lambda e: e.wager):
        rows += [_line_of(e, first=not n) for n, e in enumerate(same)]
    return table(heads, rows, caption=_units(entries), left=2)


def _units(entries: Sequence[Entry]) -> str:
    told = "Return, edge and variance are per unit staked"
    if any(e.unit == "ante" for e in entries):
        told += (
            "; the variance of a wager of the main game is in antes, over the rounds in which it is made"
        )
    if any(e.metered for e in entries):
        told += "; progressives with every meter at its seed, envy apart"
    return f"{told}."


def _line_of(e: Entry, *, first: bool) -> str:
    cells = [label(e.title if first else ""), cell(escape(table_name(e)), "")]
    cells.append(cell("not counted" if e.hits is None else in_percent(e.hits)))
    cells.append(cell("–" if e.hits is None else _one_in(e.hits)))
    if e.edge is None or e.returned is None:
        unit = "a hand" if e.unit == "dollar" else "of the wager a hand"
        cells.append(f'<td class="right" colspan="2">{worth_of(e)} {unit}</td>')
    else:
        cells += [cell(in_percent(e.returned)), cell(in_percent(e.edge))]
    if e.variance is None:
        cells += [cell("not counted"), cell("–")]
    else:
        cells += [cell(number(e.variance)), cell(f.decimal(f.root(e.variance), 6))]
    return row(cells, "first" if first else "")


def _one_in(chance: Fraction) -> str:
    return escape(f.one_in(chance).removeprefix("1 in "))


def _settings(sheet: Sheet) -> Iterator[str]:
    if sheet.outcomes:
        yield "<h2>What a round brings</h2>"
        total = sum(count for _, count in sheet.outcomes)
        shares = [Fraction(count, total) for _, count in sheet.outcomes]
        rows = [
            row(
                [
                    label(f.net(brings)),
                    cell(f"{count:,}"),
                    cell(figure_of(share, told)),
                    cell(_one_in(share)),
                ]
            )
            for (brings, count), share, told in zip(sheet.outcomes, shares, f.chances(shares), strict=True)
            if share
        ]
        yield table(("net, in antes", "deals", "chance", "one in"), rows)
    yield "<h2>House settings used</h2>"
    standing = {"set": "set for this sheet", "example": "example; the house must choose", "open": "not set"}
    yield table(
        ("setting", "value", "by", "about"),
        [
            row([label(c.name.replace("_", " ")), cell(escape(c.value), ""),
                 cell(standing.get(c.standing, c.standing), ""), cell(escape(c.about), "")])
            for c in sheet.settings
        ],
        left=4,
        whole=False,
    )  # fmt: skip
    yield "<h2>Method</h2>"
    yield from (f"<p>{escape(words)}</p>" for words in sheet.method[:-1])


def _closing(sheet: Sheet) -> str:
    """What is not in the figures, to be read before signing."""
    told = f"<p>{escape(sheet.method[-1])}</p>"
    if sheet.caps:
        limits = "".join(f"<li>{escape(words)}</li>" for words in sheet.caps)
        told += "<p>Limits on what a hand may win, in force at the table and not in the figures:</p>"
        told += f"<ul>{limits}</ul>"
    return told
