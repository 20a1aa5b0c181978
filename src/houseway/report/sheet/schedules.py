"""The wagers section: every pay table with true odds, what meters are worth, where all comes back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from html import escape
from itertools import groupby

from houseway.report.sheet import charts
from houseway.report.sheet import figures as f
from houseway.report.sheet.model import Entry, Line, Sheet
from houseway.report.sheet.parts import (
    cell,
    figure_of,
    in_percent,
    label,
    number,
    picture,
    row,
    table,
    table_name,
    worth_of,
)
from houseway.report.sheet.payments import times_note
from houseway.wording import several

ABREAST = 4
"""Pay tables that stand side by side; more where each has ways of its own and no columns for them."""


def schedules(sheet: Sheet) -> Iterator[str]:
    yield "<h2>Wager by wager</h2>"
    for _, same in groupby(sheet.entries, key=lambda e: e.wager):
        entries = list(same)
        if not entries[0].lines:
            continue
        yield f"<h3>{escape(entries[0].title)}</h3>"
        for _, alike in groupby(entries, key=lambda e: [line.when for line in e.lines]):
            listed = list(alike)
            size = max(ABREAST, 6 if _ways_differ(listed) else 0)
            for n in range(0, len(listed), size):
                yield _schedule(listed[n : n + size])
        if any(e.metered for e in entries):
            yield from _meters(entries)


def _ways_differ(entries: Sequence[Entry]) -> bool:
    return len({tuple(line.ways for line in e.lines) for e in entries}) > 1


def _schedule(entries: Sequence[Entry]) -> str:
    """Pay tables side by side, their figures below."""
    first = entries[0]
    apart = _ways_differ(entries)
    names = [table_name(e) or "pays" for e in entries]
    rows = []
    shares = [Fraction(line.ways, first.ways) for line in first.lines]
    for n, (line, share, chance) in enumerate(zip(first.lines, shares, f.chances(shares), strict=True)):
        cells = [label(line.when)]
        if apart:
            cells += [
                cell(f"{escape(e.lines[n].pays)}<br/><small>{escape(_odds(e.lines[n], e))}</small>")
                for e in entries
            ]
        else:
            ways = cell(f"{line.ways:,}")
            cells += [ways, cell(figure_of(share, chance)), cell(escape(f.against(share)))]
            cells += [cell(escape(e.lines[n].pays)) for e in entries]
        rows.append(row(cells))
    heads = ("comes to", *(() if apart else ("ways", "chance", "true odds")), *names)
    skip = "" if apart else "<td></td>" * 3
    foot = [
        f"<tr><th>{words}</th>{skip}{''.join(cell(told) for told in figures)}</tr>"
        for words, figures in _foot(entries)
    ]
    notes = {
        "The first line that fits decides.": first.unit == "ante",
        "Below each payment: true odds against it.": apart,
    }
    told = [note for note, holds in notes.items() if holds]
    told += times_note(line.pays for e in entries for line in e.lines)
    return table(heads, rows, foot, " ".join(told))


def _odds(line: Line, e: Entry) -> str:
    return f.against(Fraction(line.ways, e.ways))


def _foot(entries: Sequence[Entry]) -> Iterator[tuple[str, list[str]]]:
    if all(e.edge is None for e in entries):
        yield "one other hand is worth", [worth_of(e) for e in entries]
        return
    if any(e.made != 1 for e in entries):
        yield "made in", [in_percent(e.made) for e in entries]
        yield "average stake", [number(e.staked) for e in entries]
    yield "hits", ["–" if e.hits is None else in_percent(e.hits) for e in entries]
    yield "return", [in_percent(e.returned or Fraction()) for e in entries]
    yield "house edge", [in_percent(e.edge or Fraction()) for e in entries]
    yield "variance", ["–" if e.variance is None else number(e.variance) for e in entries]


def _meters(entries: Sequence[Entry]) -> Iterator[str]:
    """What meters add, and where all comes back."""
    rows, most = [], 1
    for e in entries:
        if e.metered is None:
            continue
        for n, meter in enumerate(e.metered.meters):
            most = max(most, len(meter.break_even))
            head = (
                (e.table, f.money(Fraction(e.metered.stake, 100)), in_percent(e.metered.fixed))
                if not n
                else ("",) * 3
            )
            rows.append(
                row(
                    [
                        label(head[0]),
                        cell(escape(meter.name), ""),
                        cell(head[1]),
                        cell(head[2]),
                        cell(_money(meter.seed)),
                        cell(figure_of(meter.worth, f"{f.decimal(100_000 * meter.worth, 5)} ¢")),
                        cell(in_percent(e.returned or Fraction()) if not n else ""),
                    ],
                    "" if n else "first",
                )
            )
    heads = ("table", "meter", "wager", "fixed part", "seed", "each $1,000 shown", "return at seed")
    yield "<h3>What the meters are worth</h3>"
    yield table(
        heads, rows, caption="Each $1,000 a meter shows is worth so many cents to one wager.", left=2
    )
    yield "<h3>Break-even meters</h3>"
    others = ("without envy", *(several(n, "other") for n in range(1, most)))
    yield table(
        ("table", "meter", *others),
        [
            row(
                [
                    label(e.table if not n else ""),
                    cell(escape(meter.name), ""),
                    *(cell(_money(even)) for even in meter.break_even),
                    *["<td></td>"] * (most - len(meter.break_even)),
                ],
                "" if n else "first",
            )
            for e in entries
            if e.metered
            for n, meter in enumerate(e.metered.meters)
        ],
        caption="What the meter must show at the wager above, other meters at seed, with envy from so many "
        "other hands at the table.",
        left=2,
    )
    yield from _meter_chart(entries)


def _money(value: Fraction) -> str:
    return figure_of(value, f.money(value))


def _meter_chart(entries: Sequence[Entry]) -> Iterator[str]:
    """Return against the meter, for tables with one meter; those alike for a dollar are one line."""
    lines: dict[tuple[Fraction, ...], list[str]] = {}
    for e in entries:
        if e.metered and len(e.metered.meters) == 1:
            (meter,) = e.metered.meters
            stake = Fraction(e.metered.stake, 100)
            if meter.break_even and meter.break_even[0] > 0:
                rise = e.metered.fixed, meter.worth, meter.seed / stake, meter.break_even[0] / stake
                lines.setdefault(rise, []).append(e.table)
    if lines:
        told = [charts.Rise(", ".join(names), *figures) for figures, names in lines.items()]
        yield picture(charts.meters(told), "Return against what the meter shows, without envy.")
