"""The strategy of the seats as lookup tables. A hand needs at most three lookups."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from houseway.engine.terms import Terms
from houseway.exact import flop_states
from houseway.exact.backward_pass import StreetChoices
from houseway.exact.board_counts import cells
from houseway.exact.kernels import ultimate_rounds
from houseway.exact.outcome_table import outcomes
from houseway.exact.solution import Solution, solve
from houseway.exact.strategies import NAMED, STRATEGIES, choices_of, suggest_strategy
from houseway.rules.rulebook import Rulebook
from houseway.simulate.errors import SimulationError

T = TypeVar("T", np.int8, np.int16)

PAIRS = 1_326


@dataclass(frozen=True, slots=True, eq=False)
class StrategyArrays:
    """A strategy prepared for one main game."""

    solution: Solution
    """The main game solved under the strategy's choices."""
    moves: ultimate_rounds.Moves
    fingerprint: str
    """A hash of all choices. Strategies with the same choices have the same hash."""


@lru_cache(maxsize=8)
def prepare(book: Rulebook, mode: str, tables: tuple[tuple[str, str], ...], name: str) -> StrategyArrays:
    """Solve a rulebook's main game and build a strategy's lookup tables."""
    if name not in NAMED:
        names = [strategy.name for strategy in STRATEGIES]
        raise SimulationError(f"there is no strategy named {name!r}; {suggest_strategy(name, names)}")
    terms = Terms(book, mode, dict(tables), {}, {})
    best = solve(terms)
    choices = choices_of(best, NAMED[name])
    digest = hashlib.sha256()
    for part in (choices.start, choices.flop, choices.river, choices.river_by_rank):
        digest.update(part.tobytes())
    return StrategyArrays(solve(terms, forced=choices), moves(choices), digest.hexdigest()[:24])


@lru_cache(maxsize=8)
def counts_of(strategy: StrategyArrays) -> Mapping[str, NDArray[np.int64]]:
    """Return the number of deals of the main game with each final action and showdown cell."""
    return outcomes(strategy.solution).counts


@lru_cache(maxsize=8)
def best_folded_class(strategy: StrategyArrays) -> int:
    """Return the best class that a player folds on a board on which the dealer may have a lower class.

    The class is returned as its place in the ranking, or as the place after the last if there is none. On
    each board, the dealer's lowest class is the class that the worst two cards make.
    """
    solution = strategy.solution
    plain, flush = cells(solution.order, solution.pays.qualifier)
    choices = solution.result.choices
    place = len(solution.order)
    for at, chosen in ((plain, choices.river_by_rank), (flush, choices.river)):
        possible = at.ways > 0
        worst = np.where(possible, at.place, 0).max(axis=1, keepdims=True)
        hidden = at.place[possible & (chosen == 0) & (at.place < worst)]
        place = min(place, *hidden.tolist()) if hidden.size else place
    return place


def moves(choices: StreetChoices) -> ultimate_rounds.Moves:
    """Return the choices as arrays for the kernels."""
    return ultimate_rounds.Moves(
        *flop_states.suit_maps(), choices.start, by_pair(choices.flop), choices.river, choices.river_by_rank
    )


def by_pair(states: NDArray[T]) -> NDArray[T]:
    """Convert values for states after the flop into an array indexed by suit-distinct flop and two
    cards."""
    return states[flop_states.states().by_pair]
