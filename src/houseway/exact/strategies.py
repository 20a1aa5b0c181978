"""Exact prices of strategies: the cost of a rule of thumb, at each betting point."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.exact import backward_pass
from houseway.exact.backward_pass import COLUMN, ROW, StreetChoices
from houseway.exact.board_counts import board_places, cells, first_five, layout, rank_strengths, strengths
from houseway.exact.flop_states import states
from houseway.exact.kernels import atoms
from houseway.exact.kernels.boards import count_outs
from houseway.exact.mistakes import Mistake, Mistakes, group_mistakes, losses, mistakes
from houseway.exact.numbering import Integers, grown, multisets
from houseway.exact.pay_arrays import UnsolvableError
from houseway.exact.solution import DEALS, Solution
from houseway.ranking import HandClass, evaluator
from houseway.rules.problems import suggest

Flags = NDArray[np.bool_]
Ranks = Integers
TEN, JACK, QUEEN, KING, ACE = range(8, 13)
"""Ranks as numbers; a two is 0."""


class StartFacts(NamedTuple):
    """The 169 starting hands."""

    high: Ranks
    low: Ranks
    suited: Flags


class FlopFacts(NamedTuple):
    """The states after the flop."""

    two_pair: Flags
    """Two pair or better."""
    hidden_pair: Flags
    """A pair that uses at least one hole card."""
    pocket_deuces: Flags
    flush_draw: Flags
    """Four to a flush with a hole card of ten or higher in the suit."""
    board_trips: Flags
    """Three of a kind on the flop."""
    high: Ranks
    low: Ranks
    suited: Flags


class RiverFacts(NamedTuple):
    """Hands on boards."""

    hidden: Flags
    """A hole card pairs, or the hole cards make a better class than the board alone."""
    better: Flags
    """The hole cards make a better class than the board alone."""
    outs: NDArray[np.uint8]
    """The dealer's outs: cards that would each beat the hand if the dealer held just that one."""
    high: Ranks
    low: Ranks


@dataclass(frozen=True, slots=True)
class Strategy:
    """Rules for when to play at each betting point, always for the largest size. None means best play."""

    name: str
    start: Callable[[StartFacts], Flags] | None = None
    flop: Callable[[FlopFacts], Flags] | None = None
    river: Callable[[RiverFacts], Flags] | None = None
    says: str = ""
    """The strategy in one sentence."""


@dataclass(frozen=True, slots=True)
class Price:
    """The value of a strategy and its cost before the flop, after it and after the river."""

    strategy: str
    value: Fraction
    costs: tuple[Fraction, Fraction, Fraction]
    mistakes: tuple[Mistake, ...]
    """The ten costliest over all streets, costliest first."""
    alike: tuple[Mistakes, ...]
    """All mistakes, grouped by kind, costliest first."""


def _practical_start(at: StartFacts) -> Flags:
    """Play 33 or higher, any ace, K2s or K5o, Q6s or Q8o, J8s or JTo, and better: the published list."""
    least = {ACE: (0, 0), KING: (0, 3), QUEEN: (4, 6), JACK: (6, 8)}
    plays = (at.high == at.low) & (at.low >= 1)
    for high, (suited, other) in least.items():
        plays |= (at.high == high) & (at.low < high) & (at.low >= np.where(at.suited, suited, other))
    return np.asarray(plays)


BEST = Strategy("best", says="the best choice every time")
PRACTICAL = Strategy(
    "practical",
    _practical_start,
    lambda at: at.two_pair | (at.hidden_pair & ~at.pocket_deuces) | at.flush_draw,
    lambda at: at.hidden | (at.outs < 21),
    "the published list of starting hands; after the flop two pair, a hidden pair except pocket deuces, or "
    "a flush draw to a hidden ten; after the river a hidden pair or fewer than 21 dealer outs",
)
NEVER = Strategy("never-4x", lambda at: np.zeros_like(at.suited), says="never plays before the flop")
ALWAYS = Strategy("always-4x", lambda at: np.ones_like(at.suited), says="plays 4x on every starting hand")
BEGINNER = Strategy(
    "beginner",
    lambda at: (at.high == at.low) | (at.high == ACE) | (at.low >= TEN),
    lambda at: at.two_pair | at.hidden_pair,
    lambda at: at.hidden,
    "pairs, aces and two cards of ten or higher; after the flop two pair or a hidden pair; after the river "
    "a hidden pair or better",
)
STRATEGIES = (BEST, PRACTICAL, NEVER, ALWAYS, BEGINNER)
NAMED = {**{strategy.name: strategy for strategy in STRATEGIES}, "never": NEVER, "always": ALWAYS}
"""Strategies by name."""
MEANT = {
    **dict.fromkeys(("optimal", "optimum", "perfect", "exact", "solved", "basic"), BEST.name),
    **dict.fromkeys(("wizard", "simple", "published", "expert"), PRACTICAL.name),
    **dict.fromkeys(("never-raise", "check", "timid", "passive"), NEVER.name),
    **dict.fromkeys(("always-raise", "raise", "maniac", "aggressive"), ALWAYS.name),
    **dict.fromkeys(("novice", "tourist", "naive", "newcomer"), BEGINNER.name),
}
"""Other words for the strategies, used to suggest the right name."""


def suggest_strategy(name: str, names: Collection[str]) -> str:
    """Return advice about an unknown strategy: "did you mean 'best'?" or the list of names."""
    meant = MEANT.get(name)
    return f"did you mean {meant!r}?" if meant in names else suggest(name, names)


def choices_of(solution: Solution, strategy: Strategy) -> StreetChoices:
    """Return the choices of a strategy in every state of a solved game."""
    best = solution.result.choices
    by = _facts(solution.order, solution.pays.qualifier)
    before, after, last = (len(street.sizes) for street in solution.pays.streets)
    streets = (("start", before), ("flop", after), ("river", last), ("river", last))
    made = []
    for (street, size), facts, choices in zip(streets, by, best, strict=True):
        if getattr(strategy, street) is not None:
            choices = (_apply_rule(strategy, street, facts, choices.shape) * size).astype(np.int8)
        made.append(choices)
    return StreetChoices(*made)


def _apply_rule(strategy: Strategy, street: str, facts: Any, shape: tuple[int, ...]) -> Flags:
    """Apply a rule to every hand of a street; raise an error with a reason if it fails."""
    where = f"strategy {strategy.name}: the rule {street!r}"
    may = f"it can use {', '.join(facts._fields)}"
    try:
        flags = np.asarray(getattr(strategy, street)(facts))
    except Exception as error:  # A rule is user code and may fail in any way.
        raise UnsolvableError(f"{where} fails: {error}; {may}, combined with & | ~") from error
    if flags.dtype != np.bool_:
        raise UnsolvableError(f"{where} must return True or False for each hand (got {flags.dtype}); {may}")
    try:
        return np.broadcast_to(flags, shape)
    except ValueError as error:
        raise UnsolvableError(
            f"{where} must return an array of shape {shape} (got {flags.shape}); {may}"
        ) from error


def price(solution: Solution, strategy: Strategy) -> Price:
    """Price a strategy under a solved game, exactly.

    The cost of a street is the loss when the strategy decides it and all earlier streets, minus the loss
    from the earlier streets, with best play afterward.
    """
    best, made = solution.result.choices, choices_of(solution, strategy)
    totals = [solution.result.total]
    for choices in (
        best._replace(start=made.start),
        made._replace(river=best.river, river_by_rank=best.river_by_rank),
        made,
    ):
        totals.append(backward_pass.run(solution.pays, solution.order, 1, choices).total)
    values = [Fraction(total, solution.pays.unit * DEALS) for total in totals]
    first, second, third = (a - b for a, b in pairwise(values))
    lost = losses(solution, made)
    return Price(
        strategy.name, values[-1], (first, second, third), mistakes(lost), group_mistakes(solution, lost)
    )


class _Facts(NamedTuple):
    start: StartFacts
    flop: FlopFacts
    river: RiverFacts
    river_by_rank: RiverFacts


@lru_cache(maxsize=2)
def _facts(order: tuple[HandClass, ...], qualifier: int) -> _Facts:
    """All the facts that rules can use. Pay tables do not affect them."""
    starts = StartFacts(np.maximum(ROW, COLUMN), np.minimum(ROW, COLUMN), ROW > COLUMN)
    by = evaluator(order, 1)
    six = rank_strengths(by, 6)[grown(multisets(5))]
    low, high = multisets(2).T
    paired = _pairs_with(multisets(5))
    rivers = []
    for view, at in zip((layout().by_rank, layout().flush), cells(order, qualifier), strict=True):
        better = at.place < board_places(view, by)[:, None]
        outs = np.zeros(at.ways.shape, np.uint8)
        count_outs(view, strengths(by), six, at.ways, outs)
        hidden = paired[view.ranks[:, None], view.pair] | better
        rivers.append(RiverFacts(hidden, better, outs, high[view.pair][None], low[view.pair][None]))
    return _Facts(starts, _flop_facts(order, starts), *reversed(rivers))


def _flop_facts(order: tuple[HandClass, ...], starts: StartFacts) -> FlopFacts:
    plan, ranks = states(), multisets(3)
    on_flop, hole = plan.flop_ranks_by_suit[plan.cards[:, 0]], plan.cards[:, 1:].T
    draw = np.zeros(len(plan.base), np.bool_)
    for suit in range(3):
        inside = hole % atoms.SUITS == suit
        high = (inside & (hole // atoms.SUITS >= TEN)).any(axis=0)
        draw |= high & (np.bitwise_count(on_flop[:, suit]) + inside.sum(axis=0) == 4)
    lower = [place for place, name in enumerate(order) if name in ("pair", "high card")]
    return FlopFacts(
        ~np.isin(first_five(order), lower),
        _pairs_with(ranks).ravel()[plan.base],
        plan.start == 0,
        draw,
        (ranks[:, 0] == ranks[:, 2])[plan.base // atoms.PAIRS],
        starts.high[plan.start],
        starts.low[plan.start],
        starts.suited[plan.start],
    )


def _pairs_with(ranks: Integers) -> Flags:
    """True for each board and pair of hole ranks if a hole card makes a pair."""
    pairs = multisets(2)
    shown = (ranks[:, :, None] == np.arange(atoms.RANKS)).any(axis=1)
    return np.asarray(shown[:, pairs].any(axis=2) | (pairs[:, 0] == pairs[:, 1]))
