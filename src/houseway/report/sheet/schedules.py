"""The pay tables section of a par sheet: every table with its true odds, and the value of the meters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from html import escape
from itertools import groupby

from houseway.report.sheet import charts
from houseway.report.sheet import figures as f
from houseway.report.sheet import html_parts as p
from houseway.report.sheet.model import Entry, Sheet
from houseway.wording import several

TIMES = "×"
"""The prefix of a payment that is a multiple of the wager and does not return the wager."""
ABREAST, ABREAST_NARROW = 4, 6
"""The maximum number of pay tables side by side, with and without shared columns for the combinations."""


def schedules(sheet: Sheet) -> Iterator[str]:
    yield "<h2>Pay tables and true odds</h2>"
    for _, same in groupby(sheet.entries, key=lambda e: e.wager):
        entries = list(same)
        if not entries[0].lines:
            continue
        yield f"<h3>{escape(entries[0].title)}</h3>"
        for _, same_lines in groupby(entries, key=lambda e: [line.when for line in e.lines]):
            listed = list(same_lines)
            size = ABREAST_NARROW if _ways_differ(listed) else ABREAST
            for n in range(0, len(listed), size):
                yield _schedule(listed[n : n + size])
        if any(e.metered for e in entries):
            yield from _meters(entries)


def _ways_differ(entries: Sequence[Entry]) -> bool:
    return len({tuple(line.ways for line in e.lines) for e in entries}) > 1


def _schedule(entries: Sequence[Entry]) -> str:
    """Return pay tables side by side, with their figures below."""
    first = entries[0]
    own_ways = _ways_differ(entries)
    rows = []
    shares = [Fraction(line.ways, first.ways) for line in first.lines]
    for n, (line, share, chance) in enumerate(zip(first.lines, shares, f.chances(shares), strict=True)):
        pays = [escape(e.lines[n].pays) for e in entries]
        if own_ways:
            odds = [f.against(Fraction(e.lines[n].ways, e.ways)) for e in entries]
            cells = [f"{pay}<br/><small>{odd}</small>" for pay, odd in zip(pays, odds, strict=True)]
        else:
            cells = [f"{line.ways:,}", p.figure_of(share, chance), f.against(share), *pays]
        rows.append(p.row(line.when, *cells))
    counted = () if own_ways else ("combinations", "probability", "true odds")
    heads = ("outcome", *counted, *(p.table_name(e) or "pays" for e in entries))
    skip = "<td></td>" * len(counted)
    foot = [
        f"<tr><th>{words}</th>{skip}{''.join(map(p.cell, figures))}</tr>"
        for words, figures in _foot(entries)
    ]
    notes = ["The first line that matches applies."] if first.unit == "ante" else []
    notes += ["True odds are below each payment."] if own_ways else []
    notes += _times_note(line.pays for e in entries for line in e.lines)
    return p.table(heads, rows, foot, " ".join(notes))


def _times_note(pays: Iterable[str]) -> list[str]:
    """Return a note that explains the multiplication sign, with the largest multiple as an example.

    Return an empty list if no payment has the sign.
    """
    multiples = [text.removeprefix(TIMES).replace(",", "") for text in pays if text.startswith(TIMES)]
    largest = max((int(text) for text in multiples if text.isdecimal()), default=1)
    example = f"{TIMES}{largest:,} is {largest:,}" if largest > 1 else f"{TIMES} marks a number of"
    return [f"{example} times the wager, which is not returned."] if multiples else []


def _foot(entries: Sequence[Entry]) -> Iterator[tuple[str, list[str]]]:
    if all(e.edge is None for e in entries):
        yield "value per other hand", [p.worth_of(e) for e in entries]
        return
    if any(e.made != 1 for e in entries):
        yield "share of rounds", [p.in_percent(e.made) for e in entries]
        yield "average stake", [p.figure(e.staked) for e in entries]
    yield "hit frequency", ["–" if e.hits is None else p.in_percent(e.hits) for e in entries]
    yield "return", [p.in_percent(e.returned or Fraction()) for e in entries]
    yield "house edge", [p.in_percent(e.edge or Fraction()) for e in entries]
    yield "variance", ["–" if e.variance is None else p.figure(e.variance) for e in entries]


def _meters(entries: Sequence[Entry]) -> Iterator[str]:
    """Yield the value of the meters and their break-even amounts."""
    tables = [(e, e.metered) for e in entries if e.metered]
    most = max([1, *(len(meter.break_even) for _, metered in tables for meter in metered.meters)])
    worths, break_even = [], []
    for e, metered in tables:
        stake, returned = f.money(Fraction(metered.stake, 100)), p.in_percent(e.returned or Fraction())
        head = e.table, stake, p.in_percent(metered.fixed), returned
        kind = "first"
        for meter in metered.meters:
            table, stake, fixed, returned = head
            name, worth = escape(meter.name), f"{f.decimal(100_000 * meter.worth, 5)} ¢"
            figures = stake, fixed, _money(meter.seed), p.figure_of(meter.worth, worth), returned
            worths.append(p.row(table, name, *figures, left=2, kind=kind))
            even = [p.cell(_money(shows)) for shows in meter.break_even]
            even += ["<td></td>"] * (most - len(even))
            break_even.append(p.row_of(p.label(table), p.cell(name, ""), *even, kind=kind))
            head, kind = ("",) * 4, ""
    heads = ("table", "meter", "wager", "fixed part", "seed", "value of $1,000", "return at seed")
    yield "<h3>Value of the meters</h3>"
    caption = "Value of $1,000: how many cents $1,000 on the meter adds to the value of one wager."
    yield p.table(heads, worths, caption=caption, left=2)
    yield "<h3>Break-even meters</h3>"
    others = (several(n, "other") for n in range(1, most))
    caption = (
        "The meter amount at which the return is 100%, for the wager above and with other meters at seed. "
        "The first amount is without envy; the others include envy from other hands at the table."
    )
    yield p.table(("table", "meter", "without envy", *others), break_even, caption=caption, left=2)
    yield from _meter_chart(entries)


def _money(value: Fraction) -> str:
    return p.figure_of(value, f.money(value))


def _meter_chart(entries: Sequence[Entry]) -> Iterator[str]:
    """Yield a chart of the return by meter amount. Tables with the same return per dollar share a line."""
    lines: dict[tuple[Fraction, ...], list[str]] = {}
    for e in entries:
        if e.metered and len(e.metered.meters) == 1:
            (meter,) = e.metered.meters
            stake = Fraction(e.metered.stake, 100)
            if meter.break_even and meter.break_even[0] > 0:
                rise = e.metered.fixed, meter.worth, meter.seed / stake, meter.break_even[0] / stake
                lines.setdefault(rise, []).append(e.table)
    if lines:
        rises = [charts.MeterCurve(", ".join(names), *figures) for figures, names in lines.items()]
        yield p.picture(charts.meters(rises), "Return by meter amount, without envy.")
