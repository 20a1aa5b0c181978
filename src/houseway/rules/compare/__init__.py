"""Two rulebooks side by side: parameter by parameter, what each says and by which clause.

Only values are compared; the same value by another clause is no difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from houseway.rules.compare.parameters import parameters
from houseway.rules.compare.records import Parameter, ParameterDifference, Stated
from houseway.rules.options import BY_NAME
from houseway.rules.procedure import Irregularity, Step
from houseway.rules.rulebook import Rulebook

__all__ = ["Parameter", "ParameterDifference", "Stated", "about_money", "compare", "parameters"]

TITLES: Final = {
    "opening": "Steps of opening",
    "shuffling": "Steps before the deal",
    "round": "Steps of the round",
}


def about_money(name: str) -> bool:
    """Whether a parameter is about wagers, limits and payments, not about dealing or the room."""
    if name in BY_NAME:
        return BY_NAME[name].money
    return not name.startswith(("house.", "posting", "ranking", "steps.", "irregular"))


def compare(a: Rulebook, b: Rulebook) -> tuple[ParameterDifference, ...]:
    """Every parameter of two rulebooks in order, those with equal values included."""
    one = {p.name: p for p in parameters(a)}
    other = {p.name: p for p in parameters(b)}
    found = []
    for name in _merged(list(one), list(other)):
        left, right = one.get(name), other.get(name)
        known = left or right
        if known is None or (known.detail and not (left and right)):
            continue
        sides = left.stated if left else None, right.stated if right else None
        found.append(ParameterDifference(name, known.title, *sides))
    if {a.id, a.extends} & {b.id, b.extends} - {None}:
        found += _steps(a, b)
    return tuple(found)


def _steps(a: Rulebook, b: Rulebook) -> Iterator[ParameterDifference]:
    """The dealer's steps in which a rulebook and one that extends it differ; of strangers the parameters
    tell enough."""
    for section, title in TITLES.items():
        one, other = a.procedure.steps(section), b.procedure.steps(section)
        if one != other:
            yield ParameterDifference(f"steps.{section}", title, _told(one, other), _told(other, one))
    mine, theirs = a.procedure.irregularities, b.procedure.irregularities
    if mine != theirs:
        sides = _kinds(mine, theirs), _kinds(theirs, mine)
        yield ParameterDifference("irregularities", "When something goes wrong", *sides)


def _kinds(mine: tuple[Irregularity, ...], theirs: tuple[Irregularity, ...]) -> Stated:
    """The irregularities only one side has, or has otherwise."""
    return Stated(tuple(row.kind for row in mine if row not in theirs), tuple(row.basis for row in mine))


def _told(mine: tuple[Step, ...], theirs: tuple[Step, ...]) -> Stated:
    """The steps only one side has, or has otherwise; the whole order where only that differs."""
    own = [step for step in mine if step not in theirs]
    if not own and sorted(s.name for s in mine) == sorted(s.name for s in theirs):
        own = list(mine)
    return Stated(tuple(step.name for step in own) or ("without these",), tuple(s.basis for s in own))


def _merged(one: list[str], other: list[str]) -> list[str]:
    """Two orders as one: what only the second has follows what it follows there."""
    order, at = list(one), 0
    for name in other:
        if name in order:
            at = order.index(name) + 1
        else:
            order.insert(at, name)
            at += 1
    return order
