"""What every seat does, laid out so that a round needs three look-ups."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from houseway.engine.terms import Terms
from houseway.exact import backward
from houseway.exact.backward import Choices
from houseway.exact.counts import FLOPS, layout
from houseway.exact.kernels import rounds
from houseway.exact.pays import Pays
from houseway.exact.solution import DEALS, solve
from houseway.exact.strategies import NAMED, choices_of
from houseway.rules.problems import meant
from houseway.rules.rulebook import Rulebook
from houseway.simulate.problems import SimulationError

PAIRS = 1_326
THREES = 22_100


@dataclass(frozen=True, slots=True, eq=False)
class Ready:
    """A strategy made ready for one main game."""

    pays: Pays
    value: Fraction
    """What the main game is worth under it, in antes."""
    moves: rounds.Moves
    fingerprint: str
    """What it chooses as one name: two strategies alike in every state share it."""


@lru_cache(maxsize=8)
def ready(book: Rulebook, mode: str, tables: tuple[tuple[str, str], ...], name: str) -> Ready:
    """Solve a rulebook's main game and lay a strategy's choices out."""
    if name not in NAMED:
        raise SimulationError(f"{name!r} is no strategy; {meant(name, NAMED)}")
    solution = solve(Terms(book, mode, dict(tables), {}, {}))
    made = choices_of(solution, NAMED[name])
    total = backward.run(solution.pays, solution.order, os.cpu_count() or 1, made).total
    value = Fraction(total, solution.pays.unit * DEALS)
    digest = hashlib.sha256()
    for part in (made.start, made.flop, made.river, made.river_by_rank):
        digest.update(part.tobytes())
    return Ready(solution.pays, value, moves(made), digest.hexdigest()[:24])


def moves(made: Choices) -> rounds.Moves:
    """Choices made ready for playing."""
    plan = layout()
    flop = np.zeros((FLOPS, PAIRS), np.int8)
    rounds.spread_states(plan.cards, plan.by_suit, made.flop, flop)
    return rounds.Moves(*_turned(), made.start, flop, made.river, made.river_by_rank)


@cache
def _turned() -> tuple[NDArray[np.int16], NDArray[np.int8]]:
    flop_of, turned = np.empty(THREES, np.int16), np.empty((THREES, 4), np.int8)
    rounds.turn_flops(layout().by_suit, flop_of, turned)
    return flop_of, turned
