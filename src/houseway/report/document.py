"""A printed sheet as a value: title, headings, lines, tables, each with the clauses it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Align = Literal["left", "right", "center"]
Shape = Literal["circle", "diamond", "sensor"]


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, and the clauses it rests on."""

    text: str
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """The head of a section, or of a part of one at level 2."""

    text: str
    level: Literal[1, 2] = 1


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A sentence or two on their own."""

    line: Line


@dataclass(frozen=True, slots=True)
class Bullets:
    """Sentences in a list."""

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; a column of clauses is set apart in print."""

    title: str
    align: Align = "left"
    clauses: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under column titles; the foot names the clauses of whole columns."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    foot: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: what it says, part by part, and the clauses."""

    parts: tuple[str, ...]
    clause: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Parameters of two things, side by side where the page is wide enough."""

    names: tuple[str, str]
    rows: tuple[tuple[str, Side, Side], ...]


@dataclass(frozen=True, slots=True)
class Spot:
    """A betting spot as drawn on a layout."""

    label: str
    shape: Shape
    joined: bool = False
    """Whether an equals sign joins it to the spot before."""


@dataclass(frozen=True, slots=True)
class Spots:
    """The betting spots of one position, from the player's left to right."""

    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across the page."""


Block = Heading | Paragraph | Bullets | Table | Comparison | Spots | Rule


@dataclass(frozen=True, slots=True)
class Document:
    """A sheet."""

    title: str
    subtitle: str
    blocks: tuple[Block, ...]
    foot: tuple[str, ...] = ()
    """Small print: which rulebook, which text of it."""


def clause_table(*titles: str, rows: tuple[tuple[str, ...], ...]) -> Table:
    """A table whose last column holds the clauses."""
    columns = (*(Column(title) for title in titles), Column("clause", clauses=True))
    return Table(columns, rows)


def for_posting(document: Document) -> Document:
    """A sheet as it hangs on the table: no clauses, no remarks about them, no source, no hash."""
    blocks = tuple(clean for block in document.blocks if (clean := _bare(block)) is not None)
    return Document(document.title.partition(": ")[2] or document.title, "", blocks, ())


def _bare(block: Block) -> Block | None:
    if isinstance(block, Paragraph):
        return None if block.line.clause else block
    if isinstance(block, Bullets):
        return Bullets(tuple(Line(line.text) for line in block.lines))
    if isinstance(block, Table):
        kept = [n for n, column in enumerate(block.columns) if not column.clauses]
        rows = tuple(tuple(row[n] for n in kept) for row in block.rows)
        return Table(tuple(block.columns[n] for n in kept), rows)
    return block
