"""Betting spots as messages, from a rulebook's wagers."""

from __future__ import annotations

from typing import Any, TypeVar

from houseway.client.messages import BettingSpot
from houseway.engine.terms import Terms
from houseway.rules.wagers import Shape, Wager

Kind = TypeVar("Kind", bound=BettingSpot)


def betting_spot(kind: type[Kind], terms: Terms, wager: Wager, **more: Any) -> Kind:
    """Return the spot of a wager; `more` are the other fields of this kind of spot."""
    return kind(
        wager=wager.name,
        title=wager.title,
        shape=spot_shape(terms, wager),
        equals=wager.equals.value if wager.equals else "",
        later=wager.later,
        **more,
    )


def spot_shape(terms: Terms, wager: Wager) -> Shape:
    """Return the shape of a wager's spot at a table."""
    table = terms.in_use.get(wager.name)
    return wager.shape(metered=table is not None and bool(table.meters))
