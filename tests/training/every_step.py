"""Sessions that together have every step of each procedure, in each deal mode."""

from __future__ import annotations

from typing import Any

from houseway.engine.table import Table


def possible_steps(table: Table) -> set[str]:
    """Return the steps of the table's procedure, without the settlement of wagers that its deal mode does not offer.

    In Massachusetts, only a table with a dealing machine offers Cover All (MA-12.d).
    """
    offered = {one.name for one in table.terms.wagers if not one.modes or table.mode in one.modes.value}
    settled = {name: set(one.wagers) for name, one in table.passes.items()}
    return {
        name
        for name, step in table.steps.items()
        if not step.pass_name or step.pass_name not in settled or settled[step.pass_name] & offered
    }


Order = dict[str, Any]
STUB: Order = {"seats": 1, "rounds": 5, "seed": "1"}
"""The stub is counted in the fifth round."""
VOID: Order = {"seats": 1, "rounds": 1, "seed": "1", "void": True}
"""The players' cards are collected at the end of a void round."""
ORDERS: dict[tuple[str, str], tuple[Order, ...]] = {
    # The sessions with six players are chosen so that one of them has a straight flush, and others win envy.
    ("uth-ma", "manual"): ({"seats": 6, "rounds": 1, "seed": "55124"}, STUB),
    ("uth-ma", "device"): ({"seats": 6, "rounds": 1, "seed": "50284"}, STUB),
    ("uth-sd", "manual"): ({"seats": 6, "rounds": 1, "seed": "55124"},),
    ("uth-sd", "device"): ({"seats": 6, "rounds": 1, "seed": "35599"},),
    # A player with two pairs plays two hands; with the other seed, a hand wins envy.
    ("shootout-sd", "manual"): (
        {"seats": 2, "rounds": 1, "seed": "33"},
        {"seats": 6, "rounds": 1, "seed": "109"},
    ),
    ("uth-proc", "device"): (
        {"seats": 6, "rounds": 1, "seed": "1", "house": {"max_payout": "$50,000"}},
        VOID,
    ),
    ("uth-card", "manual"): (STUB, VOID),
    ("uth-card", "device"): (STUB, VOID),
}
"""Sessions that together have every step of a table's procedure that the first round lacks."""
