"""What a run came to: means with their standard errors, beside the exact figures where there are any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from houseway.exact.kernels import rounds as kernels
from houseway.exact.wager_values import WagerValue, hand_cases
from houseway.money import Share
from houseway.simulate.meters import Awarded, replay
from houseway.simulate.planning import Plan
from houseway.simulate.running import Tally

DIGITS = 10**15
"""Standard errors are cut here."""
MAIN, EVERYTHING = "main game", "everything"


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

    def __getitem__(self, name: str) -> Figure:
        return next(figure for figure in self.figures if figure.name == name)


def figures(plan: Plan, tally: Tally) -> Figures:
    """Read the figures off the counts of a whole run.

    Hands at one table share cards, so the standard error is taken over rounds, not over hands.
    """
    awarded = replay(plan, tally)
    bets = plan.bets
    names = (*bets.wagers, "envy", MAIN, EVERYTHING)
    sums, squares = list(tally.sums), list(tally.squares)
    for name, added in zip(("progressive", EVERYTHING), awarded.squares, strict=True):
        if awarded.total:
            sums[names.index(name)] += awarded.total
            squares[names.index(name)] += added
    hands = tally.rounds * plan.seats
    actions: Counter[str] = Counter()
    for action, row in zip(bets.actions, tally.showdown, strict=True):
        actions[action] += sum(row)
    staked = {name: stake * hands for name, stake in bets.stakes.items()}
    sizes = zip(bets.sizes, tally.showdown, strict=True)
    staked["play"] = sum(size * sum(row) for size, row in sizes) * bets.stakes["ante"]
    staked["envy"] = 0
    main = [name for name, flag in zip(bets.wagers, bets.arrays.main, strict=True) if flag]
    staked[MAIN] = sum(staked[name] for name in main)
    staked[EVERYTHING] = sum(staked[name] for name in bets.wagers)
    found = []
    for name, net, square in zip(names, sums, squares, strict=True):
        if name == "envy" and not bets.arrays.envy.any():
            continue
        unit = bets.stakes.get("progressive" if name == "envy" else name, bets.stakes["ante"])
        value = Fraction(net, hands * unit)
        error = _error(tally.rounds, net, square, plan.seats * unit)
        exact, outcomes = _exact(plan, name), _outcomes(plan, tally, name)
        found.append(Figure(name, unit, staked[name], net, value, error, exact, outcomes))
    return Figures(plan, hands, dict(actions), tuple(found), awarded)


def _error(rounds: int, total: int, squares: int, unit: int) -> Fraction | None:
    if rounds < 2:
        return None
    square = Fraction(squares * rounds - total * total, rounds * rounds * (rounds - 1) * unit * unit)
    return Fraction(isqrt(square.numerator * DIGITS**2 // square.denominator), DIGITS)


def _exact(plan: Plan, name: str) -> Fraction | None:
    terms, bets = plan.terms, plan.bets
    if len(bets.arrays.limits):
        return None
    if name == MAIN:
        return plan.exact
    if name not in bets.stakes or terms.looks[name] != "hand":
        return None
    if name == "progressive" and bets.shares:
        return None
    return WagerValue(terms.hash, name, hand_cases(terms, name)).value


def _outcomes(plan: Plan, tally: Tally, name: str) -> dict[str, int]:
    if name not in plan.bets.stakes:
        return {}
    found: Counter[str] = Counter()
    looks = plan.bets.looks[name]
    if looks == kernels.SHOWDOWN:
        # A fold leaves no play wager to settle.
        rows = tally.showdown[1 if name == "play" else 0 :]
        counted: list[int] = [sum(column) for column in zip(*rows, strict=True)]
    elif looks == kernels.HIGHEST:
        counted = [rounds * plan.seats for rounds in tally.highest]
    else:
        counted = list(tally.five if looks == kernels.FIVE else tally.seven)
    for outcome, hands in zip(plan.terms.outcomes[name], counted, strict=False):
        if hands:
            assert outcome is not None
            pays = outcome.pays
            found[f"{pays} of {pays.meter}" if isinstance(pays, Share) else str(pays)] += hands
    return dict(found)
