"""The par sheet as one printable page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from html import escape
from itertools import groupby

from houseway.report.sheet import charts
from houseway.report.sheet import figures as f
from houseway.report.sheet import html_parts as p
from houseway.report.sheet.grids import strategy
from houseway.report.sheet.model import Entry, Sheet
from houseway.report.sheet.schedules import schedules
from houseway.rules.compare.value_words import listed

HEADLINE = 3
"""The number of figures in large print at the top."""
ORIGINS = {"set": "set for this sheet", "example": "example; the house must set it", "open": "not set"}
"""The words for the origin of a setting's value."""


def text(sheet: Sheet) -> str:
    """Return a sheet as a complete page."""
    body = [
        *_main_game(sheet),
        "<h2>All wagers</h2>",
        wager_table(sheet.entries),
        *(f"<p><strong>Warning:</strong> {escape(words)}.</p>" for words in sheet.warnings),
        *strategy(sheet),
        *schedules(sheet),
        *_outcomes(sheet),
        *_settings(sheet),
        "<h2>Method</h2>",
        *(f"<p>{escape(words)}</p>" for words in sheet.method[:-1]),
    ]
    foot = f"{sheet.rulebook} · {sheet.hash} · houseway {sheet.version}"
    return p.page(sheet.title, "Par sheet", p.facts_of(sheet), body, foot, _closing(sheet))


def _main_game(sheet: Sheet) -> Iterator[str]:
    yield "<h2>The main game under best play</h2>"
    yield '<div class="headline">'
    for m in [m for m in sheet.measures if m.form == "percent"][:HEADLINE]:
        yield f"<div><b>{p.figure(m.value, m.form)}</b><span>{escape(m.title)}</span></div>"
    yield "</div>"
    rows = [p.row(m.title, p.figure(m.value, m.form)) for m in sheet.measures]
    rows += [
        p.row("Standard deviation of a round, in antes", _deviation(m.value))
        for m in sheet.measures
        if m.name == "variance"
    ]
    yield p.table(("measure", "figure"), rows)
    yield p.picture(charts.choices(sheet.actions), "How often a round ends with each choice.")
    if sheet.outcomes:
        chart = charts.outcomes(sheet.outcomes)
        yield p.picture(chart, "Net result of a round: ante, blind and play together.")


def _deviation(variance: Fraction) -> str:
    return f.decimal(f.root(variance), 6)


def wager_table(entries: Sequence[Entry]) -> str:
    """Return a table of wagers and pay tables, one row each."""
    heads = ("wager", "pay table", "hit freq.", "one in", "return", "house edge", "variance", "std. dev.")
    rows = []
    for _, same in groupby(entries, key=lambda e: e.wager):
        rows += [_line_of(e, first=not n) for n, e in enumerate(same)]
    return p.table(heads, rows, caption=_units(entries), left=2)


def _units(entries: Sequence[Entry]) -> str:
    """Return the units of the figures, as sentences."""
    main = list(dict.fromkeys(e.title.lower() for e in entries if e.unit == "ante"))
    if not main:
        text = "Return, edge and variance are per unit staked."
    else:
        text = "Return and edge are per unit staked. Variance is per unit staked for side bets."
        text += f" For {listed(main)} it is in antes squared, over the rounds in which the wager is made."
    if any(e.metered for e in entries):
        text += " For progressives, every meter (jackpot) is at its seed (starting amount), without envy."
    return text


def _line_of(e: Entry, *, first: bool) -> str:
    hits, spread = ("not counted", "–"), ("not counted", "–")
    if e.hits is not None:
        hits = p.in_percent(e.hits), _one_in(e.hits)
    if e.variance is not None:
        spread = p.figure(e.variance), _deviation(e.variance)
    if e.edge is None or e.returned is None:
        unit = "per other hand" if e.unit == "dollar" else "of the wager per other hand"
        back = f'<td class="right" colspan="2">{p.worth_of(e)} {unit}</td>'
    else:
        back = p.cell(p.in_percent(e.returned)) + p.cell(p.in_percent(e.edge))
    name = p.cell(escape(p.table_name(e)), "")
    cells = (p.label(e.title if first else ""), name, *map(p.cell, hits), back, *map(p.cell, spread))
    return p.row_of(*cells, kind="first" if first else "")


def _one_in(chance: Fraction) -> str:
    return f.decimal(1 / chance, 3) if chance else "never"


def _outcomes(sheet: Sheet) -> Iterator[str]:
    if sheet.outcomes:
        yield "<h2>Distribution of net results</h2>"
        total = sum(count for _, count in sheet.outcomes)
        shares = [Fraction(count, total) for _, count in sheet.outcomes]
        rows = [
            p.row(f.net(result), f"{count:,}", p.figure_of(share, chance), _one_in(share))
            for (result, count), share, chance in zip(
                sheet.outcomes, shares, f.chances(shares), strict=True
            )
            if share
        ]
        yield p.table(("net, in antes", "deals", "probability", "one in"), rows)


def _settings(sheet: Sheet) -> Iterator[str]:
    yield "<h2>House settings used</h2>"
    rows = []
    for c in sheet.settings:
        cells = c.value, ORIGINS.get(c.origin, c.origin), c.about
        rows.append(p.row(c.name.replace("_", " "), *map(escape, cells), left=4))
    yield p.table(("setting", "value", "source", "about"), rows, left=4, whole=False)


def _closing(sheet: Sheet) -> str:
    """Return the list of what the figures do not include, to be read before signing."""
    text = f"<p>{escape(sheet.method[-1])}</p>"
    if sheet.caps:
        limits = "".join(f"<li>{escape(words)}</li>" for words in sheet.caps)
        text += "<p>Limits on winnings that apply at the table but are not in the figures:</p>"
        text += f"<ul>{limits}</ul>"
    return text
