"""Two rulebooks compared, as a sheet and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from houseway.report.document import (
    Block,
    Comparison,
    Document,
    Heading,
    Line,
    Paragraph,
    Side,
    clause_table,
)
from houseway.rules.compare import Difference, Stated
from houseway.rules.rulebook import Rulebook
from houseway.wording import several

ABSENT = Side(("none",), "–")
LEGEND = (
    "Two clauses divided by a stroke: dealt by hand, by device. (filled): a silence filled from another "
    "document."
)
TIMES = "×300 is 300 times the wager, which is not returned; other odds are to 1. "


def comparison(a: Rulebook, b: Rulebook, found: Sequence[Difference], *, everything: bool) -> Document:
    """What two rulebooks say, parameter by parameter: only what differs, or everything."""
    names = _names(a, b)
    shared = [x for x in found if _common(a, b, x) and (everything or x.differs)]
    blocks: list[Block] = []
    if shared:
        rows = tuple((x.title, _side(x.a), _side(x.b)) for x in shared)
        times = any("×" in side.value for x in shared for side in (x.a, x.b) if side)
        blocks += [Paragraph(Line((TIMES if times else "") + LEGEND)), Comparison(names, rows)]
    elif not any(x.differs for x in found):
        same = "word for word" if a.hash == b.hash else "in every parameter compared"
        blocks.append(Paragraph(Line(f"{names[0]} and {names[1]} say the same, {same}.")))
    for name, side in zip(names, ("a", "b"), strict=True):
        alone = tuple(
            (x.title, stated.value, stated.clause)
            for x in found
            if not _common(a, b, x) and (stated := x.a if side == "a" else x.b)
        )
        if alone:
            blocks += [Heading(f"Only in {name}"), clause_table("parameter", "value", rows=alone)]
    count = sum(x.differs for x in found)
    what = "everything" if everything else several(count, "difference")
    foot = tuple(f"{name}: {book.hash}" for name, book in zip(names, (a, b), strict=True))
    subtitle = f"{a.title}; {b.title}: {what}"
    return Document(f"{names[0]} and {names[1]} compared", subtitle, tuple(blocks), foot)


def comparison_data(
    a: Rulebook, b: Rulebook, found: Sequence[Difference], *, everything: bool
) -> dict[str, Any]:
    """The same as data: what differs (or all), and what only one of two games has."""
    shared = [x for x in found if _common(a, b, x) and (everything or x.differs)]
    apart = [x for x in found if not _common(a, b, x)]
    return {
        "a": {"rulebook": a.id, "title": a.title, "game": a.game, "hash": a.hash},
        "b": {"rulebook": b.id, "title": b.title, "game": b.game, "hash": b.hash},
        "parameters": [
            {"name": x.name, "title": x.title, "differs": x.differs, "a": _data(x.a), "b": _data(x.b)}
            for x in shared
        ],
        "only_a": [{"name": x.name, "title": x.title, **_told(x.a)} for x in apart if x.a],
        "only_b": [{"name": x.name, "title": x.title, **_told(x.b)} for x in apart if x.b],
    }


def _common(a: Rulebook, b: Rulebook, found: Difference) -> bool:
    """Whether a parameter belongs to both: in one game an absence is a value, between games it is not."""
    return a.game == b.game or (found.a is not None and found.b is not None)


def _names(a: Rulebook, b: Rulebook) -> tuple[str, str]:
    return (a.id, b.id) if a.id != b.id else (f"{a.id} A", f"{b.id} B")


def _side(stated: Stated | None) -> Side:
    return ABSENT if stated is None else Side(stated.parts, stated.clause)


def _data(stated: Stated | None) -> dict[str, Any] | None:
    return None if stated is None else _told(stated)


def _told(stated: Stated) -> dict[str, Any]:
    filled = any(basis.filled for basis in stated.bases)
    return {"value": stated.value, "clause": stated.clause, "clauses": stated.clauses, "filled": filled}
