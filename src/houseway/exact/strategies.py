"""Strategies priced exactly: what a rule of thumb costs, street by street."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.exact import backward
from houseway.exact.backward import COLUMN, ROW, Choices
from houseway.exact.counts import cells, layout, strengths
from houseway.exact.kernels import atoms, facts
from houseway.exact.kernels.boards import Met
from houseway.exact.solution import DEALS, Solution, hand_name
from houseway.ranking import HandClass, evaluator

Flags = NDArray[np.bool_]
TEN, JACK, QUEEN, KING, ACE = range(8, 13)
"""Ranks as numbers, twos being 0."""


class StartFacts(NamedTuple):
    """The 169 starting hands."""

    high: NDArray[np.int64]
    low: NDArray[np.int64]
    suited: Flags


class FlopFacts(NamedTuple):
    """The states after the flop."""

    two_pair: Flags
    """Two pair or better."""
    hidden_pair: Flags
    """A pair with at least one hole card."""
    pocket_deuces: Flags
    flush_draw: Flags
    """Four to a flush with a hidden ten or better."""


class RiverFacts(NamedTuple):
    """Hands on boards."""

    hidden: Flags
    """A hole card pairs, or makes a better class than the board alone."""
    outs: NDArray[np.uint8]
    """Cards of which one alone makes the dealer's hand the better."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """When to play, at each betting point for the most that is offered; None plays as is best."""

    name: str
    start: Callable[[StartFacts], Flags] | None
    flop: Callable[[FlopFacts], Flags] | None
    river: Callable[[RiverFacts], Flags] | None


@dataclass(frozen=True, slots=True)
class Mistake:
    """A starting hand a strategy plays wrongly and what that costs of each ante, all hands counted."""

    hand: str
    plays: bool
    cost: Fraction


@dataclass(frozen=True, slots=True)
class Priced:
    """What a strategy is worth, and what it costs before the flop, after it and after the river."""

    strategy: str
    value: Fraction
    costs: tuple[Fraction, Fraction, Fraction]
    mistakes: tuple[Mistake, ...]
    """The ten costliest before the flop, costliest first."""


def _practical_start(at: StartFacts) -> Flags:
    """33 or higher, any ace, K2s K5o, Q6s Q8o, J8s JTo: the published list."""
    least = {ACE: (0, 0), KING: (0, 3), QUEEN: (4, 6), JACK: (6, 8)}
    plays = (at.high == at.low) & (at.low >= 1)
    for high, (suited, other) in least.items():
        plays |= (at.high == high) & (at.low < high) & (at.low >= np.where(at.suited, suited, other))
    return np.asarray(plays)


def _beginner_start(at: StartFacts) -> Flags:
    return np.asarray((at.high == at.low) | (at.high == ACE) | (at.low >= TEN))


BEST = Strategy("best", None, None, None)
PRACTICAL = Strategy(
    "practical",
    _practical_start,
    lambda at: at.two_pair | (at.hidden_pair & ~at.pocket_deuces) | at.flush_draw,
    lambda at: at.hidden | (at.outs < 21),
)
NEVER = Strategy("never before the flop", lambda at: np.zeros_like(at.suited), None, None)
ALWAYS = Strategy("always before the flop", lambda at: np.ones_like(at.suited), None, None)
BEGINNER = Strategy(
    "beginner", _beginner_start, lambda at: at.two_pair | at.hidden_pair, lambda at: at.hidden
)
STRATEGIES = (BEST, PRACTICAL, NEVER, ALWAYS, BEGINNER)


def choices_of(solution: Solution, strategy: Strategy) -> Choices:
    """What a strategy chooses in every state of a solved game."""
    best = solution.found.choices
    by = _facts(solution.order, solution.pays.qualifier)
    most = [len(street.sizes) for street in solution.pays.streets]

    def made(rule: Flags | None, otherwise: NDArray[np.int8], street: int) -> NDArray[np.int8]:
        return otherwise if rule is None else (rule * most[street]).astype(np.int8)

    return Choices(
        made(strategy.start and strategy.start(by.start), best.start, 0),
        made(strategy.flop and strategy.flop(by.flop), best.flop, 1),
        made(strategy.river and strategy.river(by.river), best.river, 2),
        made(strategy.river and strategy.river(by.river_by_rank), best.river_by_rank, 2),
    )


def price(solution: Solution, strategy: Strategy) -> Priced:
    """Price a strategy under a solved game, exactly.

    The cost of a street is what is lost when the strategy decides it and all before it, and the rest
    is played best.
    """
    best, made = solution.found.choices, choices_of(solution, strategy)
    totals = [solution.found.total]
    for choices in (
        Choices(made.start, best.flop, best.river, best.river_by_rank),
        Choices(made.start, made.flop, best.river, best.river_by_rank),
        made,
    ):
        found = backward.run(solution.pays, solution.order, 1, choices)
        totals.append(found.total)
    values = [Fraction(total, solution.pays.unit * DEALS) for total in totals]
    first, second, third = (a - b for a, b in pairwise(values))
    return Priced(strategy.name, values[-1], (first, second, third), _mistakes(solution, made.start))


def _mistakes(solution: Solution, start: NDArray[np.int8]) -> tuple[Mistake, ...]:
    worth = solution.found.starts
    at = np.arange(backward.STARTS)
    lost = (worth[at, solution.found.choices.start] - worth[at, start]) * backward.COMBOS
    costliest = sorted(np.flatnonzero(lost).tolist(), key=lambda n: -int(lost[n]))[:10]
    unit = solution.pays.unit * DEALS
    return tuple(Mistake(hand_name(n), bool(start[n]), Fraction(int(lost[n]), unit)) for n in costliest)


class _Facts(NamedTuple):
    start: StartFacts
    flop: FlopFacts
    river: RiverFacts
    river_by_rank: RiverFacts


@lru_cache(maxsize=2)
def _facts(order: tuple[HandClass, ...], qualifier: int) -> _Facts:
    """Everything the rules look at; no pay table changes it."""
    plan = layout()
    flags = np.zeros(len(plan.base), np.uint8)
    facts.flop_facts(plan.cards, plan.by_suit, TEN, flags)
    two_pair, hidden, draw = (
        flags & bit != 0 for bit in (facts.TWO_PAIR, facts.HIDDEN_PAIR, facts.FLUSH_DRAW)
    )
    by = evaluator(order, 1)
    ranked, suited, places = strengths(by)
    counters = np.int64(1) << 3 * np.arange(atoms.RANKS)
    sums = counters[plan.rank_boards].sum(axis=1)
    real = plan.rank_boards.min(axis=1) < plan.rank_boards.max(axis=1)
    alone = np.array([by.of_sum(total, ()) for total in np.where(real, sums, sums[1]).tolist()])
    six = np.zeros((len(sums), atoms.RANKS), np.int64)
    for board in np.flatnonzero(real):
        for rank in range(atoms.RANKS):
            if (plan.rank_boards[board] == rank).sum() < atoms.COPIES:
                six[board, rank] = by.of_sum(int(sums[board] + counters[rank]), ())
    plain, flush = cells(order, qualifier)
    river, by_rank = _room(flush), _room(plain)
    facts.flush_facts(plan.boards, ranked, six, suited, places, alone, flush.ways, *river)
    facts.rank_facts(plan.rank_boards, ranked, six, places, alone, plain.ways, *by_rank)
    starts = StartFacts(np.maximum(ROW, COLUMN), np.minimum(ROW, COLUMN), ROW > COLUMN)
    return _Facts(starts, FlopFacts(two_pair, hidden, plan.start == 0, draw), river, by_rank)


def _room(at: Met) -> RiverFacts:
    return RiverFacts(np.zeros(at.ways.shape, np.bool_), np.zeros(at.ways.shape, np.uint8))
