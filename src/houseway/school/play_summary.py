"""Your play: a player's totals over many rounds, split into luck and choices, and a series for a chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Final

from houseway.school.leak_statistics import Z95
from houseway.school.leaks import KindCost, kind_costs
from houseway.school.player_decisions import EVERY_STREET, Street
from houseway.school.round_review import ReviewedRound

POINTS: Final = 100
"""The most points of a series."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A loss per 100 rounds in antes, with its 95 % interval."""

    per_100: Fraction
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class StreetLoss:
    """The decisions of one street."""

    street: Street
    decisions: int
    errors: int
    close: int
    lost: Fraction
    """The whole loss in antes, close calls excluded."""
    per_100: Fraction
    """The loss per 100 rounds."""


@dataclass(frozen=True, slots=True)
class Luck:
    """Results split into luck and choices, over the rounds that can be split. Main game only, in antes.

    `result` is the sum of the other parts.
    """

    rounds: int
    result: Fraction
    house_edge: Fraction
    choices: Fraction
    limits: Fraction
    luck: Fraction
    spread: float | None
    """The standard deviation of luck, from the exact variance of best play; None if it is not known."""

    @property
    def expected(self) -> Fraction:
        """The expectation of the choices made: house edge and losses."""
        return self.house_edge + self.choices

    @property
    def deviations(self) -> float | None:
        """Luck in standard deviations."""
        return float(self.luck) / self.spread if self.spread else None


@dataclass(frozen=True, slots=True)
class SeriesPoint:
    """The totals after a number of rounds, in antes."""

    rounds: int
    loss: Rate
    """The loss per 100 rounds, over all rounds so far."""
    result: Fraction
    expected: Fraction
    """The result so far, and the expectation of the choices so far. Their difference is luck."""


@dataclass(frozen=True, slots=True)
class PlaySummary:
    """A player's play over many rounds of one game."""

    rounds: int
    decisions: int
    errors: int
    close: int
    """The number of close calls. They count as neither right nor wrong."""
    close_lost: Fraction
    """The losses of close calls in antes, which are in no other figure."""
    lost: Fraction
    """The whole loss in antes."""
    lost_cents: Fraction
    """The same in cents, each round at its own stake."""
    loss: Rate
    streets: tuple[StreetLoss, ...]
    luck: Luck
    side_bets: Mapping[str, tuple[int, int, Fraction | None]]
    """For each side bet: cents wagered, cents won or lost, and the exact expectation in cents."""
    kinds: tuple[KindCost, ...]
    """The cost of every kind of position, costliest first."""
    series: tuple[SeriesPoint, ...]

    @property
    def leaks(self) -> tuple[KindCost, ...]:
        """The leaks, costliest first."""
        return tuple(cost for cost in self.kinds if cost.leak)


def summarize(reviews: Sequence[ReviewedRound], variance: Fraction | None = None) -> PlaySummary:
    """Return the totals of reviewed rounds of one game, in the order they were played.

    `variance` is the variance of a round under best play (`GameValues.variance`). Rounds without a
    decision do not count. A deadline's decisions count in the results but not as the player's losses.
    """
    played = [review for review in reviews if review.decisions]
    own = [[each for each in review.decisions if not each.valued.decision.by] for review in played]
    losses = [sum((each.valued.counted_loss for each in made), Fraction(0)) for made in own]
    every = [each.valued for made in own for each in made]
    streets = []
    for street in EVERY_STREET:
        on = [valued for valued in every if valued.decision.street == street]
        if on:
            lost = sum((valued.counted_loss for valued in on), Fraction(0))
            errors = sum(bool(valued.counted_loss) for valued in on)
            close = sum(valued.close for valued in on)
            streets.append(StreetLoss(street, len(on), errors, close, lost, lost * 100 / len(played)))
    return PlaySummary(
        rounds=len(played),
        decisions=len(every),
        errors=sum(bool(valued.counted_loss) for valued in every),
        close=sum(valued.close for valued in every),
        close_lost=sum((valued.loss for valued in every if valued.close), Fraction(0)),
        lost=sum(losses, Fraction(0)),
        lost_cents=sum(
            (loss * review.played.stake for loss, review in zip(losses, played, strict=True)), Fraction(0)
        ),
        loss=_rate(len(losses), sum(losses, Fraction(0)), sum(float(loss) ** 2 for loss in losses)),
        streets=tuple(streets),
        luck=_luck(played, variance),
        side_bets=_side_bets(reviews),
        kinds=kind_costs(played),
        series=_series(played, losses),
    )


def _rate(rounds: int, lost: Fraction, squares: float) -> Rate:
    """Return the loss per 100 rounds with the normal 95 % interval, cut off at zero."""
    if not rounds:
        return Rate(Fraction(0), 0.0, 0.0)
    mean = float(lost) / rounds
    spread = sqrt(max(0.0, squares / rounds - mean**2) / rounds)
    return Rate(lost * 100 / rounds, 100 * max(0.0, mean - Z95 * spread), 100 * (mean + Z95 * spread))


def _luck(reviews: Sequence[ReviewedRound], variance: Fraction | None) -> Luck:
    splits = [review.split for review in reviews if review.split is not None]
    spread = None if variance is None else sqrt(float(variance * len(splits)))
    result, edge, choices, limits, luck = (
        sum((getattr(split, part) for split in splits), Fraction(0))
        for part in ("result", "house_edge", "choices", "limits", "luck")
    )
    return Luck(len(splits), result, edge, choices, limits, luck, spread)


def _side_bets(reviews: Sequence[ReviewedRound]) -> dict[str, tuple[int, int, Fraction | None]]:
    totals: dict[str, tuple[int, int, Fraction | None]] = {}
    for review in reviews:
        for bet in review.split.side_bets if review.split is not None else ():
            staked, net, expected = totals.get(bet.wager, (0, 0, Fraction(0)))
            known = None if expected is None or bet.expected is None else expected + bet.expected
            totals[bet.wager] = staked + bet.stake, net + bet.net, known
    return totals


def _series(reviews: Sequence[ReviewedRound], losses: Sequence[Fraction]) -> tuple[SeriesPoint, ...]:
    """Return at most `POINTS` points, the last one after the last round."""
    points = []
    lost = result = expected = Fraction(0)
    squares = 0.0
    marks = {len(reviews) * n // POINTS for n in range(1, POINTS + 1)}
    for number, (review, loss) in enumerate(zip(reviews, losses, strict=True), 1):
        lost, squares = lost + loss, squares + float(loss) ** 2
        if review.split is not None:
            result += review.split.result
            expected += review.split.house_edge + review.split.choices
        if number in marks:
            points.append(SeriesPoint(number, _rate(number, lost, squares), result, expected))
    return tuple(points)
