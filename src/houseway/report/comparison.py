"""A comparison of two rulebooks, as a sheet and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from houseway.report import document as d
from houseway.rules.compare import ParameterDifference, Statement
from houseway.rules.rulebook import Rulebook
from houseway.wording import several

LEGEND = (
    "If a slash separates two clauses, the first is for dealing by hand and the second for dealing by "
    "device. (borrowed): the document has no clause on this, so the value comes from another document. "
    "silent: no document has a clause on this."
)
MISSING = " –: the rulebook has no such parameter, so there is no clause."
TIMES = (
    "×300: pays 300 times the wager, and the wager is not returned. "
    "In a pay table, a number alone is odds to one. "
)


def comparison(
    a: Rulebook, b: Rulebook, differences: Sequence[ParameterDifference], *, everything: bool
) -> d.Document:
    """Compare two rulebooks parameter by parameter: only the differences, or everything."""
    names = two_names(a.id, b.id)
    shared, unshared = _split(a, b, differences, everything=everything)
    blocks: list[d.Block] = []
    if shared:
        times = any("×" in side.value for x in shared for side in (x.a, x.b) if side)
        one, other = map(d.Column, names)
        columns = (d.Column("parameter"), one, d.CLAUSES, other, d.CLAUSES)
        rows = tuple((x.title, *_cells(x.a), *_cells(x.b)) for x in shared)
        missing = any(x.a is None or x.b is None for x in shared)
        legend = (TIMES if times else "") + LEGEND + (MISSING if missing else "")
        blocks += [d.TextLine(legend), d.Comparison(columns, rows)]
    elif not any(x.differs for x in differences):
        same = "word for word" if a.hash == b.hash else "in every parameter compared"
        blocks.append(d.TextLine(f"{names[0]} and {names[1]} are the same {same}."))
    for name, sides in zip(names, ([x.a for x in unshared], [x.b for x in unshared]), strict=True):
        alone = [
            (x.title, side.value, side.clause) for x, side in zip(unshared, sides, strict=True) if side
        ]
        if alone:
            blocks += [d.Heading(f"Only in {name}"), d.clause_table("parameter", "value", rows=alone)]
    count = sum(x.differs for x in differences)
    summary = "everything" if everything else several(count, "difference")
    foot = tuple(f"{name}: {book.hash}" for name, book in zip(names, (a, b), strict=True))
    subtitle = f"{a.title}; {b.title}: {summary}"
    return d.Document(f"{names[0]} and {names[1]} compared", subtitle, tuple(blocks), foot)


def comparison_data(
    a: Rulebook, b: Rulebook, differences: Sequence[ParameterDifference], *, everything: bool
) -> dict[str, Any]:
    """Return the comparison as data: differences (or everything), and parameters that only one game has."""
    shared, unshared = _split(a, b, differences, everything=everything)
    heads = {
        side: {"rulebook": book.id, "title": book.title, "game": book.game, "hash": book.hash}
        for side, book in (("a", a), ("b", b))
    }
    return {
        **heads,
        "parameters": [
            {**_head(x), "differs": x.differs, "a": x.a and _data(x.a), "b": x.b and _data(x.b)}
            for x in shared
        ],
        "only_a": [{**_head(x), **_data(x.a)} for x in unshared if x.a],
        "only_b": [{**_head(x), **_data(x.b)} for x in unshared if x.b],
    }


def two_names(one: str, other: str) -> tuple[str, str]:
    """Return names that tell two rulebooks apart, even if they have the same id."""
    return (one, other) if one != other else (f"{one} A", f"{other} B")


def _split(
    a: Rulebook, b: Rulebook, differences: Sequence[ParameterDifference], *, everything: bool
) -> tuple[list[ParameterDifference], list[ParameterDifference]]:
    """Return the parameters to print side by side, and those that only one game has.

    If both rulebooks are for the same game, a parameter that one of them lacks is printed as a difference.
    """
    same_game = a.game == b.game
    shared = [x for x in differences if (same_game or (x.a and x.b)) and (everything or x.differs)]
    return shared, [x for x in differences if not same_game and not (x.a and x.b)]


def _cells(stated: Statement | None) -> tuple[str, str]:
    return ("none", "–") if stated is None else ("\n".join(stated.parts), stated.clause)


def _head(difference: ParameterDifference) -> dict[str, Any]:
    return {"name": difference.name, "title": difference.title}


def _data(stated: Statement) -> dict[str, Any]:
    filled = any(basis.filled for basis in stated.bases)
    return {"value": stated.value, "clause": stated.clause, "clauses": stated.clauses, "filled": filled}
