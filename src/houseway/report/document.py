"""A printed sheet as data: title, headings, lines and tables, each with its clauses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from houseway.rules.wagers import Shape

Align = Literal["left", "right", "center"]


@dataclass(frozen=True, slots=True)
class TextLine:
    """A sentence or two, with its clauses."""

    text: str
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a section, or of a subsection at level 2."""

    text: str
    level: Literal[1, 2] = 1


@dataclass(frozen=True, slots=True)
class Bullets:
    """A bulleted list."""

    lines: tuple[TextLine, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table. A column of clauses has its own style."""

    title: str
    align: Align = "left"
    clauses: bool = False


CLAUSES = Column("clause", clauses=True)


@dataclass(frozen=True, slots=True)
class SheetTable:
    """Rows under column titles. The foot has the clauses that apply to a whole column."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    foot: tuple[str, ...] | None = None


class Comparison(SheetTable):
    """Two rulebooks side by side: a parameter, then each side's value and clauses.

    The terminal, which is too narrow, prints one below the other.
    """


@dataclass(frozen=True, slots=True)
class LayoutSpot:
    """A betting spot as drawn on a layout."""

    label: str
    shape: Shape
    joined: bool = False
    """True if an equals sign joins it to the previous spot."""


@dataclass(frozen=True, slots=True)
class Spots:
    """The betting spots of one position, from the player's left to right."""

    spots: tuple[LayoutSpot, ...]


Block = Heading | TextLine | Bullets | SheetTable | Spots


@dataclass(frozen=True, slots=True)
class Document:
    """A sheet."""

    title: str
    subtitle: str
    blocks: tuple[Block, ...]
    foot: tuple[str, ...] = ()
    """Footer lines: the rulebook and its hash."""


def clause_table(*titles: str, rows: Iterable[tuple[str, ...]]) -> SheetTable:
    """Return a table whose last column has the clauses."""
    return SheetTable((*map(Column, titles), CLAUSES), tuple(rows))


def for_posting(document: Document) -> Document:
    """Return a sheet for posting. Clauses, lines that explain them, source and hash are left out."""
    blocks = (block for block in document.blocks if not (isinstance(block, TextLine) and block.clause))
    return Document(document.title.partition(": ")[2] or document.title, "", tuple(map(_strip, blocks)))


def _strip(block: Block) -> Block:
    if isinstance(block, Bullets):
        return Bullets(tuple(replace(line, clause="") for line in block.lines))
    if isinstance(block, SheetTable):
        columns = [n for n, column in enumerate(block.columns) if not column.clauses]
        rows = tuple(tuple(row[n] for n in columns) for row in block.rows)
        return SheetTable(tuple(block.columns[n] for n in columns), rows)
    return block
