"""The exact mean and variance of single wagers, to compare with the simulated ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from houseway.engine.terms import Terms
from houseway.exact import pay_arrays
from houseway.exact.wager_values import answer, net, own_cases
from houseway.money import Share
from houseway.rules.compile import Outcome

MAIN, EVERYTHING = "main game", "everything"
FIXED = "progressive, fixed"
"""The name of the figure for the progressive without payments from its meters."""


@dataclass(frozen=True, slots=True)
class Moments:
    """The mean, variance and fourth moment of a wager's result, in units of its stake."""

    value: Fraction
    variance: Fraction
    fourth: Fraction
    """The fourth central moment, which determines the standard error of a variance."""


def of_hand(terms: Terms, name: str) -> Moments:
    """Return the moments of a wager on the player's own hand. Meter shares count as zero."""

    def net_result(outcome: Outcome) -> Fraction:
        return Fraction(-outcome.keeps) if isinstance(outcome.pays, Share) else net(outcome)

    cases = own_cases(terms, "progressive" if name == FIXED else name, net_result)
    return _moments((case.net, case.ways) for case in cases)


def of_showdown(
    terms: Terms, counts: Mapping[str, NDArray[np.int64]], name: str, main: Sequence[str]
) -> Moments:
    """Return the moments of a wager that is settled at the showdown, or of the main game.

    `counts` has the number of deals with each choice and cell. A play wager is measured in antes.
    """
    wagers = main if name == MAIN else (name,)
    results: Counter[Fraction] = Counter()
    for choice, tally in counts.items():
        folded = choice == "fold"
        size = 0 if folded else int(choice.removesuffix("x"))
        for at, deals in enumerate(tally.ravel().tolist()):
            if deals:
                nets = (
                    pay_arrays.net(answer(terms, wager, folded * tally.size + at), wager)
                    * (size if wager == "play" else 1)
                    for wager in wagers
                    if not (folded and wager == "play")
                )
                results[sum(nets, Fraction())] += deals
    return _moments(results.items())


def _moments(cases: Iterable[tuple[Fraction, int]]) -> Moments:
    listed = list(cases)
    deals = sum(ways for _, ways in listed)
    value = sum((result * ways for result, ways in listed), Fraction()) / deals
    second, fourth = (
        sum(((result - value) ** power * ways for result, ways in listed), Fraction()) / deals
        for power in (2, 4)
    )
    return Moments(value, second, fourth)
