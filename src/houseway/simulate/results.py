"""What a run came to: means with their standard errors, beside the exact figures where there are any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from houseway.money import Share
from houseway.simulate.meters import Awarded, replay
from houseway.simulate.moments import EVERYTHING, FIXED, MAIN, Moments
from houseway.simulate.run_plan import Plan
from houseway.simulate.tally import Tally

DIGITS = 10**15
"""Standard errors are cut here."""
FAR = 4
"""So many standard errors from an exact value is too far to be chance: once in sixteen thousand figures."""


@dataclass(frozen=True, slots=True)
class Variance:
    """The variance of a wager, in squares of its unit, and what it is exactly."""

    found: Fraction
    error: Fraction
    """Its standard error, by the exact fourth moment."""
    exact: Fraction

    @property
    def off(self) -> Fraction:
        """How many standard errors lie between the two."""
        return abs(self.found - self.exact) / self.error


@dataclass(frozen=True, slots=True)
class Figure:
    """One wager, or several together, over all hands of a run."""

    name: str
    unit: int
    """The cents its value counts as one: its stake, or an ante."""
    staked: int
    net: int
    value: Fraction
    """What a hand brings on average, in units."""
    error: Fraction | None
    """The standard error of the value; None for a single round."""
    exact: Fraction | None
    """The exact value, where one is known that no limit on winnings or half cent changes."""
    outcomes: Mapping[str, int]
    """Hands by what the wager came to: "lose", "push", the odds of a win."""
    variance: Variance | None
    """How a single seat's rounds spread, where that is known exactly."""

    @property
    def off(self) -> Fraction | None:
        """How many standard errors lie between the mean and the exact value."""
        if self.exact is None or not self.error:
            return None
        return abs(self.value - self.exact) / self.error


@dataclass(frozen=True, slots=True)
class Figures:
    """What a run came to."""

    plan: Plan
    hands: int
    actions: Mapping[str, int]
    """Hands by what was done in the end."""
    figures: tuple[Figure, ...]
    awarded: Awarded

    @property
    def far(self) -> tuple[str, ...]:
        """The figures whose mean or variance lies too far from the exact one to be chance."""
        return tuple(
            each.name
            for each in self.figures
            if (each.off or 0) > FAR or (each.variance is not None and each.variance.off > FAR)
        )

    def __getitem__(self, name: str) -> Figure:
        return next(figure for figure in self.figures if figure.name == name)


def figures(plan: Plan, tally: Tally) -> Figures:
    """Read the figures off the counts of a whole run.

    Hands at one table share cards, so the standard error is taken over rounds, not over hands.
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
    found = []
    for name, (net, square) in totals.items():
        unit = bets.unit("progressive" if name == FIXED else name)
        error = variance = None
        if rounds > 1:
            spread = Fraction(square * rounds - net * net, rounds * (rounds - 1) * unit * unit)
            error = _root(spread / (rounds * plan.seats**2))
            variance = _variance(game.moments(name), spread, rounds)
        value, outcomes = Fraction(net, hands * unit), _outcomes(plan, tally, name)
        exact = game.exact(name)
        found.append(Figure(name, unit, staked[name], net, value, error, exact, outcomes, variance))
    return Figures(plan, hands, game.actions(tally), tuple(found), awarded)


def _root(square: Fraction) -> Fraction:
    return Fraction(isqrt(square.numerator * DIGITS**2 // square.denominator), DIGITS)


def _variance(exact: Moments | None, found: Fraction, rounds: int) -> Variance | None:
    if exact is None:
        return None
    error = _root((exact.fourth - exact.variance**2) / rounds)
    return Variance(found, error, exact.variance) if error else None


def _outcomes(plan: Plan, tally: Tally, name: str) -> dict[str, int]:
    if name not in plan.bets.stakes:
        return {}
    found: Counter[str] = Counter()
    for outcome, hands in zip(plan.terms.outcomes[name], plan.game.counted(tally, name), strict=False):
        if hands:
            assert outcome is not None
            pays = outcome.pays
            found[f"{pays} of {pays.meter}" if isinstance(pays, Share) else str(pays)] += hands
    return dict(found)
