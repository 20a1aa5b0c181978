"""Compare two rulebooks, parameter by parameter, with the clause of each value.

Only values are compared: the same value with a different clause is not a difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from houseway.rules.compare.parameters import parameters
from houseway.rules.compare.records import Parameter, ParameterDifference, Statement
from houseway.rules.options import BY_NAME
from houseway.rules.procedure import Irregularity, Step
from houseway.rules.rulebook import Rulebook

__all__ = ["Parameter", "ParameterDifference", "Statement", "about_money", "compare", "parameters"]

TITLES: Final = {
    "opening": "Opening steps",
    "shuffling": "Steps before the deal",
    "round": "Steps of a round",
}


def about_money(name: str) -> bool:
    """True if a parameter is about wagers, limits or payments rather than dealing or the room."""
    if name in BY_NAME:
        return BY_NAME[name].money
    return not name.startswith(("house.", "posting", "ranking", "steps.", "irregular"))


def compare(a: Rulebook, b: Rulebook) -> tuple[ParameterDifference, ...]:
    """Return every parameter of two rulebooks in order, including those with equal values."""
    left, right = ({p.name: p for p in parameters(book)} for book in (a, b))
    differences = []
    for name in _merged(list(left), list(right)):
        one, other = left.get(name), right.get(name)
        either = one or other
        if either is None or (either.detail and not (one and other)):
            continue
        sides = one.stated if one else None, other.stated if other else None
        differences.append(ParameterDifference(name, either.title, *sides))
    if {a.id, a.extends} & {b.id, b.extends} - {None}:
        differences += _steps(a, b)
    return tuple(differences)


def _steps(a: Rulebook, b: Rulebook) -> Iterator[ParameterDifference]:
    """Yield the sections of the procedure in which two related rulebooks differ, and the irregularities.

    Two rulebooks are related if one extends the other, or if both extend the same base.
    """
    for section, title in TITLES.items():
        one, other = a.procedure.steps(section), b.procedure.steps(section)
        if one != other:
            sides = _own_steps(one, other), _own_steps(other, one)
            yield ParameterDifference(f"steps.{section}", title, *sides)
    mine, theirs = a.procedure.irregularities, b.procedure.irregularities
    if mine != theirs:
        sides = _own_kinds(mine, theirs), _own_kinds(theirs, mine)
        yield ParameterDifference("irregularities", "Irregularities", *sides)


def _own_kinds(mine: tuple[Irregularity, ...], theirs: tuple[Irregularity, ...]) -> Statement:
    """Return the irregularities of `mine` that are not in `theirs`."""
    return Statement(tuple(row.kind for row in mine if row not in theirs), tuple(row.basis for row in mine))


def _own_steps(mine: tuple[Step, ...], theirs: tuple[Step, ...]) -> Statement:
    """Return the steps of `mine` that are not in `theirs`; all steps if only their order differs."""
    own = [step for step in mine if step not in theirs]
    if not own and sorted(s.name for s in mine) == sorted(s.name for s in theirs):
        own = list(mine)
    return Statement(tuple(step.name for step in own) or ("not included",), tuple(s.basis for s in own))


def _merged(one: list[str], other: list[str]) -> list[str]:
    """Merge two lists of names; a name that is only in `other` follows the name that precedes it there."""
    order, at = list(one), 0
    for name in other:
        if name in order:
            at = order.index(name) + 1
        else:
            order.insert(at, name)
            at += 1
    return order
