"""Write sheets as one self-contained HTML page to print."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib import resources
from itertools import starmap

from houseway.report import document as d

STYLE = resources.files("houseway.report").joinpath("page.css").read_text("utf-8")

SHORT = 16
"""A table with at most this many rows is kept on one printed page."""

COMPARED = ("name", "said", "clause", "said", "clause")
"""The CSS classes of a comparison's cells."""


def text(sheet: d.Document) -> str:
    """Return a sheet as a complete page."""
    head = f"<h1>{escape(sheet.title)}</h1>"
    if sheet.subtitle:
        head += f"\n<p>{escape(sheet.subtitle)}</p>"
    body = "\n".join(map(_block, sheet.blocks))
    foot = "".join(f"<p>{escape(line)}</p>\n" for line in sheet.foot)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(sheet.title)}</title>
<style>
{STYLE}</style>
</head>
<body>
<header>
{head}
</header>
<main>
{body}
</main>
<footer>
{foot}</footer>
</body>
</html>
"""


def _block(block: d.Block) -> str:
    match block:
        case d.Heading(words, level):
            return f"<h{level + 1}>{escape(words)}</h{level + 1}>"
        case d.TextLine():
            return f"<p>{_line(block)}</p>"
        case d.Bullets(lines):
            items = "\n".join(f"<li>{_line(line)}</li>" for line in lines)
            return f"<ul>\n{items}\n</ul>"
        case d.SheetTable():
            return _table(block)
        case d.Spots(spots):
            return f'<div class="spots">{"".join(map(_spot, spots))}</div>'


def _table(table: d.SheetTable) -> str:
    kinds: Sequence[str] = COMPARED
    if not isinstance(table, d.Comparison):
        kinds = ["clause" if c.clauses else c.align for c in table.columns]
    heads = "".join(f'<th scope="col"{_class(c.align)}>{escape(c.title)}</th>' for c in table.columns)
    rows = (starmap(_cell, zip(kinds, row, strict=True)) for row in table.rows)
    body = "\n".join(f"<tr>{''.join(cells)}</tr>" for cells in rows)
    below = ""
    if table.foot:
        aligned = zip(table.columns, table.foot, strict=True)
        cells = "".join(f"<td{_class(c.align)}>{_ids(words)}</td>" for c, words in aligned)
        below = f"\n<tfoot><tr>{cells}</tr></tfoot>"
    text = f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody>{below}\n</table>"
    return f'<div class="wide{" short" if len(table.rows) <= SHORT else ""}">{text}</div>'


def _cell(kind: str, words: str) -> str:
    inner = _ids(words) if kind == "clause" else escape(words).replace("\n", "<br>")
    return f"<td{_class(kind)}>{inner}</td>"


def _class(name: str) -> str:
    return "" if name == "left" else f' class="{name}"'


def _line(line: d.TextLine) -> str:
    clause = f' <span class="clause">[{_ids(line.clause)}]</span>' if line.clause else ""
    return escape(line.text) + clause


def _ids(clauses: str) -> str:
    """Return clauses as spans that do not break at hyphens."""
    return " ".join(f'<span class="id">{escape(word)}</span>' for word in clauses.split())


def _spot(spot: d.LayoutSpot) -> str:
    joined = '<span class="equals">=</span>' if spot.joined else ""
    return f'{joined}<div class="spot {spot.shape}"><span>{escape(spot.label)}</span></div>'
