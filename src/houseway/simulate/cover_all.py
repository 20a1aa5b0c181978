"""Simulate the wager on the highest hand at the table (Cover All).

A folded hand whose cards are in the rack cannot be the highest hand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from houseway.rules.loader import load
from houseway.simulate.chunk_runner import run
from houseway.simulate.errors import SimulationError
from houseway.simulate.results import Figure, figures
from houseway.simulate.run_plan import Plan, plan
from houseway.simulate.ultimate import Ultimate


@dataclass(frozen=True, slots=True)
class HighestHand:
    """The results of the wager for one number of hands dealt."""

    hands: int
    """The number of hands dealt, including the dealer's."""
    folds: int
    """The number of hands in the run that folded and were racked."""
    figure: Figure
    """The simulated figure. It has an exact value if folds cannot change a payment."""
    nobody_folds: Fraction
    """The exact value if no hand folds."""


def highest_hand_plans(rulebook: str, *, rounds: int, strategy: str, seed: str) -> list[Plan]:
    """Return a plan for each number of hands in the wager's pay table."""
    book = load(rulebook)
    wager = next((wager for wager in book.wagers.values() if wager.group.on_whole_table), None)
    if wager is None:
        raise SimulationError(
            f"{rulebook} has no wager on the highest hand at the table; use another rulebook"
        )
    return [
        plan(rulebook, rounds=rounds, seats=hands - 1, strategy=strategy, side=(wager.name,), seed=seed)
        for hands in book.domain(wager.group).facts[0].domain
    ]


def highest_hand(
    plan: Plan, *, threads: int | None = None, progress: Callable[[int], object] | None = None
) -> HighestHand:
    """Play one of these plans, and return its results."""
    assert isinstance(plan.game, Ultimate)
    result = figures(plan, run(plan, threads=threads, progress=progress))
    name = next(name for name in plan.bets.wagers if plan.terms.groups[name].on_whole_table)
    exact = plan.game.nobody_folds(name)
    return HighestHand(plan.seats + 1, result.actions["fold"], result[name], exact)
