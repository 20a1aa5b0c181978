"""Strategies (rules of thumb) for Ultimate Texas Hold'em, their exact values, and their cost at each
betting point."""

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
    """Facts about the 169 starting hands."""

    high: Ranks
    low: Ranks
    suited: Flags


class FlopFacts(NamedTuple):
    """Facts about the states after the flop."""

    two_pair: Flags
    """Two pair or better."""
    hidden_pair: Flags
    """A pair that uses at least one hole card."""
    pocket_deuces: Flags
    flush_draw: Flags
    """Four cards of one suit, including a hole card of ten or higher."""
    board_trips: Flags
    """Three of a kind on the flop."""
    high: Ranks
    low: Ranks
    suited: Flags


class RiverFacts(NamedTuple):
    """Facts about the hands after the river."""

    hidden: Flags
    """A hole card is part of a pair, or the hole cards make a better class than the board alone."""
    better: Flags
    """The hole cards make a better class than the board alone."""
    outs: NDArray[np.uint8]
    """The number of dealer outs: cards that, together with the board alone, would beat the hand."""
    high: Ranks
    low: Ranks


@dataclass(frozen=True, slots=True)
class Strategy:
    """Rules that say when to play at each betting point, always for the largest size.

    A rule of None means best play.
    """

    name: str
    start: Callable[[StartFacts], Flags] | None = None
    flop: Callable[[FlopFacts], Flags] | None = None
    river: Callable[[RiverFacts], Flags] | None = None
    says: str = ""
    """The strategy in one sentence."""


@dataclass(frozen=True, slots=True)
class Price:
    """The value of a strategy, and its cost before the flop, after the flop and after the river."""

    strategy: str
    value: Fraction
    costs: tuple[Fraction, Fraction, Fraction]
    mistakes: tuple[Mistake, ...]
    """The ten costliest mistakes on all streets, costliest first."""
    alike: tuple[Mistakes, ...]
    """All mistakes in groups of one kind, costliest group first."""


def _practical_start(at: StartFacts) -> Flags:
    """Play the hands of the published list.

    These are pairs from 33 up, all aces, kings from K2s and K5o up, queens from Q6s and Q8o up, and jacks
    from J8s and JTo up.
    """
    least = {ACE: (0, 0), KING: (0, 3), QUEEN: (4, 6), JACK: (6, 8)}
    plays = (at.high == at.low) & (at.low >= 1)
    for high, (suited, other) in least.items():
        plays |= (at.high == high) & (at.low < high) & (at.low >= np.where(at.suited, suited, other))
    return np.asarray(plays)


BEST = Strategy("best", says="makes the best choice every time")
PRACTICAL = Strategy(
    "practical",
    _practical_start,
    lambda at: at.two_pair | (at.hidden_pair & ~at.pocket_deuces) | at.flush_draw,
    lambda at: at.hidden | (at.outs < 21),
    "plays 4x on the published list of starting hands; plays after the flop with two pair or better, a "
    "pair that uses a hole card (except pocket deuces), or four cards of one suit, including a hole card "
    "of ten or higher; plays after the river with a pair or better that uses a hole card, or if fewer than "
    "21 of the unseen cards would give the dealer a better hand; otherwise checks or folds",
)
NEVER = Strategy("never-4x", lambda at: np.zeros_like(at.suited), says="never plays before the flop")
ALWAYS = Strategy("always-4x", lambda at: np.ones_like(at.suited), says="plays 4x on every starting hand")
BEGINNER = Strategy(
    "beginner",
    lambda at: (at.high == at.low) | (at.high == ACE) | (at.low >= TEN),
    lambda at: at.two_pair | at.hidden_pair,
    lambda at: at.hidden,
    "plays 4x on pairs, aces and two cards of ten or higher; plays after the flop with two pair or better, "
    "or a pair that uses a hole card; plays after the river with a pair or better that uses a hole card; "
    "otherwise checks or folds",
)
STRATEGIES = (BEST, PRACTICAL, NEVER, ALWAYS, BEGINNER)
NAMED = {**{strategy.name: strategy for strategy in STRATEGIES}, "never": NEVER, "always": ALWAYS}
"""Strategies by name."""
OTHER_NAMES = {
    **dict.fromkeys(("optimal", "optimum", "perfect", "exact", "solved", "basic"), BEST.name),
    **dict.fromkeys(("wizard", "simple", "published", "expert"), PRACTICAL.name),
    **dict.fromkeys(("never-raise", "check", "timid", "passive"), NEVER.name),
    **dict.fromkeys(("always-raise", "raise", "maniac", "aggressive"), ALWAYS.name),
    **dict.fromkeys(("novice", "tourist", "naive", "newcomer"), BEGINNER.name),
}
"""Other words for the strategies, used to suggest the right name."""


def suggest_strategy(name: str, names: Collection[str]) -> str:
    """Return advice about an unknown strategy: "did you mean 'best'?" or the list of names."""
    meant = OTHER_NAMES.get(name)
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
    """Apply a rule to every hand of a street. If the rule fails, raise an error that says why."""
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
    """Return the exact value of a strategy in a solved game, and its cost on each street.

    The cost of a street is what the player loses by following the strategy on that street. Earlier streets
    also follow the strategy, and later streets are played in the best way.
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
    """Return all facts that rules can use. They do not depend on pay tables."""
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
    """Return, for each board and each two hole ranks, True if a hole card is part of a pair."""
    pairs = multisets(2)
    shown = (ranks[:, :, None] == np.arange(atoms.RANKS)).any(axis=1)
    return np.asarray(shown[:, pairs].any(axis=2) | (pairs[:, 0] == pairs[:, 1]))
