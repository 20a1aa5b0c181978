"""Leaks: the kinds of position that cost a player more than ordinary error explains, costliest first.

`leak_statistics` has the test and the interval. Here the decisions of reviewed rounds become its trials,
and its estimates become costs for 100 rounds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from houseway.school.decision_values import CLOSE, ValuedDecision
from houseway.school.leak_statistics import KindEstimate, Trial, estimate_kinds
from houseway.school.position_kinds import KINDS, Kind
from houseway.school.round_review import ReviewedDecision, ReviewedRound


@dataclass(frozen=True, slots=True)
class KindCost:
    """The cost of one kind of position to a player."""

    kind: Kind
    seen: int
    """The number of the player's decisions of this kind, close calls included."""
    errors: int
    """The number of choices that lost 0.01 antes or more."""
    lost: Fraction
    """The whole loss of these choices, exact, in antes."""
    cost: float
    """Antes per 100 rounds above what the player's ordinary error explains."""
    low: float
    high: float
    """The 95 % confidence interval of `cost`."""
    leak: bool
    """True if the kind is a leak."""
    does: str
    should: str
    """The costliest choice, and the best choice instead; empty without an error."""


def kind_costs(reviews: Sequence[ReviewedRound]) -> tuple[KindCost, ...]:
    """Return the cost of every kind that was seen, costliest first.

    A decision that a deadline made is not the player's, and does not count.
    """
    decisions: dict[str, list[ReviewedDecision]] = defaultdict(list)
    for review in reviews:
        for each in review.decisions:
            if not each.valued.decision.by:
                decisions[each.kind.name].append(each)
    trials = [
        trial
        for name, members in decisions.items()
        for each in members
        if (trial := trial_of(name, each.valued)) is not None
    ]
    rounds = sum(1 for review in reviews if review.decisions)
    return tuple(
        _cost(KINDS[estimate.kind], estimate, decisions[estimate.kind], rounds)
        for estimate in estimate_kinds(trials)
    )


def find_leaks(reviews: Sequence[ReviewedRound]) -> tuple[KindCost, ...]:
    """Return the leaks, costliest first.

    For a player without a leak, the chance of any leak in the list is below 5 %.
    """
    return tuple(cost for cost in kind_costs(reviews) if cost.leak)


def trial_of(kind: str, valued: ValuedDecision) -> Trial | None:
    """Return a decision as a trial; None if every choice is within a close call of the best."""
    best = valued.values[valued.best]
    gaps = tuple(sorted(float(best - value) for value in valued.values.values() if best - value >= CLOSE))
    if not gaps:
        return None
    return Trial(kind, gaps, float(valued.loss) if valued.loss >= CLOSE else 0.0)


def _cost(kind: Kind, estimate: KindEstimate, members: Iterable[ReviewedDecision], rounds: int) -> KindCost:
    listed = list(members)
    by_choice: Counter[tuple[str, str]] = Counter()
    lost: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for each in listed:
        if each.valued.counted_loss:
            pair = each.valued.decision.choice, each.valued.best
            by_choice[pair] += 1
            lost[pair] += each.valued.counted_loss
    does, should = max(lost, key=lambda pair: (lost[pair], pair), default=("", ""))
    scale = 100 / rounds
    return KindCost(
        kind,
        len(listed),
        sum(by_choice.values()),
        sum(lost.values(), Fraction(0)),
        estimate.cost * scale,
        estimate.low * scale,
        estimate.high * scale,
        estimate.leak,
        does,
        should,
    )
