"""Write sheets for the terminal, up to 100 columns wide."""

from __future__ import annotations

import io
from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule as Stroke
from rich.table import Table as Grid
from rich.text import Text

from houseway.report import document as d
from houseway.rules.wagers import Shape

WIDEST = 100
"""The widest line to print, in columns. Wider lines are hard to read."""

CLAUSE = "dim"
MARKS: dict[Shape, str] = {"circle": "( {} )", "diamond": "< {} >", "sensor": "[ {} ]"}


def text(sheet: d.Document, width: int = 80) -> str:
    """Return a sheet as plain text."""
    out = io.StringIO()
    show(sheet, Console(file=out, width=width, color_system=None))
    return out.getvalue()


def show(sheet: d.Document, console: Console | None = None) -> None:
    """Print a sheet to a terminal."""
    console = console or Console()
    width = min(console.width, WIDEST)
    for part in _parts(sheet, width):
        # Strip trailing spaces so that copied lines are clean.
        with console.capture() as capture:
            console.print(part, width=width, highlight=False)
        for line in capture.get().splitlines():
            console.file.write(line.rstrip() + "\n")


def _parts(sheet: d.Document, width: int) -> Iterator[RenderableType]:
    yield Text(sheet.title, style="bold")
    if sheet.subtitle:
        yield Text(sheet.subtitle, style="italic")
    for before, block in zip((None, *sheet.blocks), sheet.blocks, strict=False):
        if isinstance(before, d.SheetTable) and not isinstance(block, d.Heading):
            yield ""
        yield from _block(block, width)
    if sheet.foot:
        yield ""
        yield Group(*(Text(line, style=CLAUSE) for line in sheet.foot))


def _block(block: d.Block, width: int) -> Iterator[RenderableType]:
    match block:
        case d.Heading(words, level):
            yield ""
            head = Text(words, style="bold")
            yield Stroke(head, align="left", style=CLAUSE) if level == 1 else head
        case d.TextLine():
            yield _line(block)
        case d.Bullets(lines):
            grid = Grid.grid(padding=(0, 1))
            for line in lines:
                grid.add_row("•", _line(line))
            yield grid
        case d.Comparison():
            yield from _comparison(block)
        case d.SheetTable():
            yield _table(block, width)
        case d.Spots(spots):
            yield Padding(Text(draw_spots(spots)), (1, 2))


def draw_spots(spots: tuple[d.LayoutSpot, ...]) -> str:
    """Draw a position's betting spots in one line of text."""
    marks = ""
    for spot in spots:
        marks += (" = " if spot.joined else "   ") if marks else ""
        marks += MARKS[spot.shape].format(spot.label)
    return marks


def _line(line: d.TextLine) -> Text:
    words = Text(line.text)
    if line.clause:
        words.append(f" [{line.clause}]", style=CLAUSE)
    return words


def _table(table: d.SheetTable, width: int) -> Grid:
    grid = Grid(
        box=None, pad_edge=False, padding=(0, 2, 0, 0), collapse_padding=True, header_style="underline"
    )
    tight = _natural(table) > width
    for n, column in enumerate(table.columns):
        words = [word for row in table.rows for word in row[n].split()]
        least = max(map(len, words), default=1) if column.clauses or not tight else None
        grid.add_column(
            Text(column.title),
            justify=column.align,
            style=CLAUSE if column.clauses else None,
            min_width=least,
            max_width=_CLAUSES if column.clauses else None,
            footer=Text(table.foot[n], style=CLAUSE) if table.foot else "",
        )
    grid.show_footer = table.foot is not None
    if tight and table.foot:
        grid.padding = (0, 1, 0, 0)
    for row in table.rows:
        grid.add_row(*map(Text, row))
    return grid


_CLAUSES = 24
"""The width of two clauses and their separator; more clauses wrap."""


def _natural(table: d.SheetTable) -> int:
    every = (tuple(c.title for c in table.columns), *table.rows, *((table.foot,) if table.foot else ()))
    return sum(max(len(row[n]) for row in every) + 2 for n in range(len(table.columns))) - 2


def _comparison(table: d.Comparison) -> Iterator[RenderableType]:
    one, other = (f"  {table.columns[n].title}" for n in (1, 3))
    for title, left, left_clause, right, right_clause in table.rows:
        yield ""
        yield Text(title, style="bold")
        grid = Grid(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0), expand=True)
        grid.add_column(min_width=max(len(one), len(other)) - 2, no_wrap=True)
        grid.add_column(ratio=1)
        grid.add_column(style=CLAUSE, width=_CLAUSES)
        grid.add_row(one, Text(left), Text(left_clause))
        grid.add_row(other, Text(right), Text(right_clause))
        yield grid
