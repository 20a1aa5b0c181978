"""The par sheet as data: the same figures, as text of exact fractions and as lines for a spreadsheet."""

from __future__ import annotations

import csv
from fractions import Fraction
from io import StringIO
from typing import Any

from houseway.report.sheet.figures import digits, exact
from houseway.report.sheet.model import Entry, Meter, Sheet

COLUMNS = ("wager", "table", "unit", "made", "staked", "hits", "value", "return", "edge", "variance")


def document(sheet: Sheet) -> dict[str, Any]:
    """A sheet as plain data."""
    return {
        "rulebook": sheet.rulebook,
        "title": sheet.title,
        "game": sheet.game,
        "source": sheet.source,
        "hash": sheet.hash,
        "version": sheet.version,
        "date": sheet.date or None,
        "deals": str(sheet.deals),
        "measures": {m.name: exact(m.value) for m in sheet.measures},
        "actions": {name: exact(share) for name, share in sheet.actions},
        "outcomes": [{"net": exact(net), "count": str(count)} for net, count in sheet.outcomes],
        "starting_hands": [
            {
                "hand": h.name,
                "share": exact(h.share),
                "values": {choice: exact(worth) for choice, worth in h.values.items()},
                "best": h.best,
                "cost": _or_none(h.cost),
            }
            for h in sheet.hands
        ],
        "wagers": [entry_data(e) for e in sheet.entries],
        "house_way": [{"line": line, "decides": exact(share)} for line, share in sheet.lines],
        "settings": [
            {"name": c.name, "value": c.value, "by": c.standing, "about": c.about} for c in sheet.settings
        ],
        "caps": list(sheet.caps),
        "method": list(sheet.method),
    }


def _or_none(value: Fraction | None) -> str | None:
    return None if value is None else exact(value)


def figures(e: Entry) -> dict[str, Fraction | None]:
    """The figures of a wager by name."""
    return {
        "made": e.made,
        "staked": e.staked,
        "hits": e.hits,
        "value": e.value,
        "return": e.returned,
        "edge": e.edge,
        "variance": e.variance,
    }


def entry_data(e: Entry) -> dict[str, Any]:
    """A wager under one pay table."""
    told: dict[str, Any] = {"wager": e.wager, "table": e.table, "unit": e.unit}
    told |= {name: _or_none(value) for name, value in figures(e).items()}
    told["lines"] = [
        {"when": line.when, "pays": line.pays, "ways": str(line.ways), "net": exact(line.net)}
        for line in e.lines
    ]
    if e.metered:
        told["progressive"] = {
            "stake": exact(Fraction(e.metered.stake, 100)),
            "fixed": exact(e.metered.fixed),
            "envy": exact(e.metered.envy),
            "meters": {meter.name: _meter(meter) for meter in e.metered.meters},
        }
    return told


def _meter(meter: Meter) -> dict[str, Any]:
    return {
        "seed": exact(meter.seed),
        "worth": exact(meter.worth),
        "break_even": [exact(even) for even in meter.break_even],
    }


def lines(sheet: Sheet) -> str:
    """A line of comma-separated values for each wager and pay table; decimals, for a spreadsheet."""
    out = StringIO()
    write = csv.writer(out, lineterminator="\n").writerow
    write(COLUMNS)
    for e in sheet.entries:
        write([e.wager, e.table, e.unit, *map(digits, figures(e).values())])
    return out.getvalue()
