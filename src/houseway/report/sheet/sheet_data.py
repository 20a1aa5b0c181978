"""The par sheet as JSON, with exact fractions as text, and as CSV lines for a spreadsheet."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from io import StringIO
from typing import Any

from houseway.report.sheet.figures import digits, exact
from houseway.report.sheet.model import Entry, Form, PayRow, Sheet

FIGURES: dict[str, Form] = {
    "made": "percent", "staked": "plain", "hits": "percent", "value": "plain", "return": "percent",
    "edge": "percent", "variance": "plain",
}  # fmt: skip
"""The figures of a wager, and how each is printed. "made" is the share of rounds in which it is made."""


def document(sheet: Sheet) -> dict[str, Any]:
    """Return a sheet as plain data."""
    return {
        **_fields(sheet, "rulebook", "title", "game", "source", "hash", "version"),
        "date": sheet.date or None,
        "deals": str(sheet.deals),
        "measures": {m.name: exact(m.value) for m in sheet.measures},
        "actions": plain(dict(sheet.actions)),
        "outcomes": [{"net": exact(net), "count": str(count)} for net, count in sheet.outcomes],
        "starting_hands": [
            {"hand": h.name, **_fields(h, "share", "values", "best", "cost")} for h in sheet.hands
        ],
        "wagers": [entry_data(e) for e in sheet.entries],
        "house_way": [{"line": line, "decides": exact(share)} for line, share in sheet.lines],
        "settings": [
            {"name": c.name, "value": c.value, "by": c.origin, "about": c.about} for c in sheet.settings
        ],
        **_fields(sheet, "caps", "method", *(["warnings"] if sheet.warnings else [])),
    }


def plain(value: Any) -> Any:
    """Return a value as plain data: fractions and counts as text, records by their fields."""
    match value:
        case Fraction():
            return exact(value)
        case int():
            return str(value)
        case Mapping():
            return {key: plain(each) for key, each in value.items()}
        case tuple():
            return [plain(each) for each in value]
        case PayRow():
            return _fields(value, "when", "pays", "ways", "net")
    return value


def _fields(record: Any, *names: str) -> dict[str, Any]:
    return {name: plain(getattr(record, name)) for name in names}


def figures(e: Entry) -> dict[str, Fraction | None]:
    """Return the figures of a wager by name."""
    return {name: getattr(e, "returned" if name == "return" else name) for name in FIGURES}


def entry_data(e: Entry) -> dict[str, Any]:
    """Return a wager under one pay table."""
    data = {**_fields(e, "wager", "table", "unit"), **plain(figures(e)), **_fields(e, "lines")}
    if e.metered:
        data["progressive"] = {
            "stake": exact(Fraction(e.metered.stake, 100)),
            **_fields(e.metered, "fixed", "envy"),
            "meters": {m.name: _fields(m, "seed", "worth", "break_even") for m in e.metered.meters},
        }
    return data


def csv_text(sheet: Sheet) -> str:
    """Return comma-separated decimals for a spreadsheet, one line per wager and pay table."""
    rows = ((e.wager, e.table, e.unit, *map(digits, figures(e).values())) for e in sheet.entries)
    return rows_in_csv([("wager", "table", "unit", *FIGURES), *rows])


lines = csv_text
"""Deprecated: the old name of `csv_text`."""


def rows_in_csv(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as comma-separated values."""
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
