"""The figures of a run: means with standard errors, and the exact values if they are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from houseway.money import Share
from houseway.simulate.meters import Awards, replay
from houseway.simulate.moments import EVERYTHING, FIXED, MAIN, Moments
from houseway.simulate.run_plan import Plan
from houseway.simulate.tally import Tally

DIGITS = 10**15
"""Standard errors are truncated to multiples of 1 divided by this number."""
FAR = 4
"""A deviation of more standard errors than this is too large for chance (1 in 16,000)."""


@dataclass(frozen=True, slots=True)
class Variance:
    """The simulated variance of a wager, in squared units, and its exact value."""

    value: Fraction
    error: Fraction
    """The standard error of the variance, from the exact fourth moment."""
    exact: Fraction

    @property
    def off(self) -> Fraction:
        """The distance from the exact variance, in standard errors."""
        return abs(self.value - self.exact) / self.error


@dataclass(frozen=True, slots=True)
class Figure:
    """The figures of one wager, or of several wagers together, over all hands of a run."""

    name: str
    unit: int
    """The unit of the value in cents: the stake, or an ante."""
    staked: int
    net: int
    value: Fraction
    """The average net result of a hand, in units."""
    error: Fraction | None
    """The standard error of the value; None for a single round.

    It comes from the exact variance if that is known, otherwise from the simulated rounds. The simulated
    variance is too small as long as a run has not seen the rare, large payments.
    """
    exact: Fraction | None
    """The exact value, or None if it is not known or if limits on winnings or half cents change it."""
    outcomes: Mapping[str, int]
    """The number of hands with each outcome of the wager: "lose", "push", or the odds of a win."""
    variance: Variance | None
    """The variance of a round's result, if there is one seat and the exact variance is known."""

    @property
    def off(self) -> Fraction | None:
        """The distance of the mean from the exact value, in standard errors."""
        if self.exact is None or not self.error:
            return None
        return abs(self.value - self.exact) / self.error


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a run."""

    plan: Plan
    hands: int
    actions: Mapping[str, int]
    """The number of hands with each final action."""
    figures: tuple[Figure, ...]
    awarded: Awards

    @property
    def far(self) -> tuple[str, ...]:
        """The names of the figures whose mean or variance is too far from the exact value to be chance."""
        return tuple(
            each.name
            for each in self.figures
            if (each.off or 0) > FAR or (each.variance is not None and each.variance.off > FAR)
        )

    def __getitem__(self, name: str) -> Figure:
        return next(figure for figure in self.figures if figure.name == name)


def figures(plan: Plan, tally: Tally) -> Figures:
    """Compute the figures of a whole run from its counts.

    Hands at one table share cards, so standard errors are computed over rounds, not over hands.
    """
    awarded = replay(plan, tally)
    game, bets = plan.game, plan.bets
    names = (*bets.wagers, "envy", MAIN, EVERYTHING)
    totals = dict(zip(names, zip(tally.sums, tally.squares, strict=True), strict=True))
    if bets.shares:
        totals[FIXED] = totals["progressive"]
        for name, added in zip(("progressive", EVERYTHING), awarded.squares, strict=True):
            net, square = totals[name]
            totals[name] = net + awarded.total, square + added
    if bets.envious is None:
        del totals["envy"]
    rounds = tally.rounds
    hands = rounds * plan.seats
    staked = {**game.staked(tally), "envy": 0}
    staked[FIXED] = staked.get("progressive", 0)
    staked[MAIN] = sum(staked[name] for name in bets.main)
    staked[EVERYTHING] = sum(staked[name] for name in bets.wagers)
    listed = []
    for name, (net, square) in totals.items():
        unit = bets.unit("progressive" if name == FIXED else name)
        error = variance = None
        if rounds > 1:
            moments = game.moments(name)
            simulated = Fraction(square * rounds - net * net, rounds * (rounds - 1) * unit * unit)
            spread = simulated if moments is None else moments.variance
            error = _root(spread / (rounds * plan.seats**2))
            variance = _variance(moments, simulated, rounds)
        value, outcomes = Fraction(net, hands * unit), _outcomes(plan, tally, name)
        exact = game.exact(name)
        listed.append(Figure(name, unit, staked[name], net, value, error, exact, outcomes, variance))
    return Figures(plan, hands, game.actions(tally), tuple(listed), awarded)


def _root(square: Fraction) -> Fraction:
    return Fraction(isqrt(square.numerator * DIGITS**2 // square.denominator), DIGITS)


def _variance(exact: Moments | None, simulated: Fraction, rounds: int) -> Variance | None:
    if exact is None:
        return None
    error = _root((exact.fourth - exact.variance**2) / rounds)
    return Variance(simulated, error, exact.variance) if error else None


def _outcomes(plan: Plan, tally: Tally, name: str) -> dict[str, int]:
    if name not in plan.bets.stakes:
        return {}
    counts: Counter[str] = Counter()
    for outcome, hands in zip(plan.terms.outcomes[name], plan.game.counted(tally, name), strict=False):
        if hands:
            assert outcome is not None
            pays = outcome.pays
            counts[f"{pays} of {pays.meter}" if isinstance(pays, Share) else str(pays)] += hands
    return dict(counts)
