"""Building blocks of a sheet's page: figures with their fractions, tables, and the page itself."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape
from importlib import resources

from houseway.report.html_page import STYLE
from houseway.report.sheet.figures import decimal, exact, percent, shown
from houseway.report.sheet.model import Entry, Form, Sheet

SHEET_STYLE = resources.files("houseway.report.sheet").joinpath("sheet.css").read_text("utf-8")

LONGEST = 26
"""A table with at most this many rows is kept on one printed page."""


def figure_of(value: Fraction, words: str) -> str:
    """Return a figure with its exact fraction in the markup."""
    return f'<data value="{exact(value)}">{escape(words)}</data>'


def figure(value: Fraction, form: Form = "plain") -> str:
    """Return a figure in this form, with its exact fraction in the markup."""
    return figure_of(value, shown(value, form))


def in_percent(value: Fraction) -> str:
    """Return a share as a percentage."""
    return figure(value, "percent")


def worth_of(e: Entry) -> str:
    """Return the value of an envy payment, which needs no wager, for each other player's hand."""
    return figure_of(e.value, f"${decimal(e.value, 6)}" if e.unit == "dollar" else percent(e.value))


def table_name(e: Entry) -> str:
    """Return the name of a pay table, or the number of hands dealt."""
    return f"{e.table} hands" if e.table.isdigit() else e.table


def cell(inner: str, kind: str = "right") -> str:
    """Return a table cell with HTML inside."""
    return f"<td{_class(kind)}>{inner}</td>"


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def label(words: str) -> str:
    """Return the first cell of a row."""
    return f'<th scope="row">{escape(words)}</th>'


def row_of(*cells: str, kind: str = "") -> str:
    """Return a row of a table from its cells."""
    return f"<tr{_class(kind)}>{''.join(cells)}</tr>"


def row(head: str, *inner: str, left: int = 1, kind: str = "") -> str:
    """Return a row with HTML in its cells. The first `left` columns are left-aligned, the others right."""
    cells = (cell(html, "" if n < left else "right") for n, html in enumerate(inner, 1))
    return row_of(label(head), *cells, kind=kind)


def table(heads: Sequence[str], rows: Sequence[str], foot: Sequence[str] = (), caption: str = "",
          left: int = 1, *, whole: bool = True) -> str:  # fmt: skip
    """Return a table whose first `left` columns are words and whose other columns are figures.

    In print it stays on one page unless it is long or `whole` is false.
    """
    titles = "".join(
        f'<th scope="col"{_class("" if n < left else "right")}>{escape(head)}</th>'
        for n, head in enumerate(heads)
    )
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    below = f"<tfoot>{''.join(foot)}</tfoot>" if foot else ""
    short = " short" if whole and len(rows) <= LONGEST else ""
    body = "\n".join(rows)
    return (
        f'<div class="wide{short}"><table>{title}\n<thead><tr>{titles}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody>{below}</table></div>"
    )


def picture(svg: str, words: str) -> str:
    """Return a chart with a caption above it."""
    return f"<figure><figcaption>{escape(words)}</figcaption>{svg}</figure>"


def page(
    title: str,
    kicker: str,
    facts: Sequence[tuple[str, str]],
    body: Sequence[str],
    foot: str,
    closing: str = "",
) -> str:
    """Return a complete page. `closing` is kept with the signatures, and `foot` ends every printed page."""
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(words)}</dd>" for name, words in facts if words)
    running = "".join(c for c in foot if c not in '"\\<>&\n')
    small = "font: 7.5pt serif; color: #5A5242;"
    at_foot = (
        f'@page {{ @bottom-left {{ content: "{running}"; {small} }} '
        f'@bottom-right {{ content: counter(page) " / " counter(pages); {small} }} }}'
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{escape(f"{kicker}: {title}")}</title>
<style>
{STYLE}
{SHEET_STYLE}{at_foot}</style>
</head>
<body>
<header>
<p class="kicker">{escape(kicker)}</p>
<h1>{escape(title)}</h1>
<dl>{rows}</dl>
</header>
<main>
{chr(10).join(body)}
<div class="closing">{closing}{SIGNATURES}</div>
</main>
<footer>
<p>{escape(foot)}</p>
</footer>
</body>
</html>
"""


SIGNATURES = (
    '<section class="sign">'
    + "".join(
        f"<div><h3>{who}</h3><p>name</p><p>signature</p><p>date</p></div>"
        for who in ("Prepared by", "Reviewed by")
    )
    + "</section>"
)


def facts_of(sheet: Sheet) -> list[tuple[str, str]]:
    """Return the inputs of a sheet."""
    return [
        ("Rulebook", sheet.rulebook),
        ("Source", sheet.source),
        ("Rulebook hash", f"SHA-256 {sheet.hash}"),
        ("Program", f"houseway {sheet.version}"),
        ("Deals counted", f"{sheet.deals:,}"),
        ("Date", sheet.date),
    ]
