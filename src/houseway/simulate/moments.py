"""Exact mean and spread of single wagers: what simulated means and variances are held against."""

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
"""The progressive apart from what its meters pay."""


@dataclass(frozen=True, slots=True)
class Moments:
    """What a wager brings on average, and how far from that, in units of its stake."""

    value: Fraction
    variance: Fraction
    fourth: Fraction
    """The mean fourth power of the distance from the mean: how sure a variance is depends on it."""


def of_hand(terms: Terms, name: str) -> Moments:
    """A wager on the player's own hand; shares of meters count as nothing."""

    def brings(outcome: Outcome) -> Fraction:
        return Fraction(-outcome.keeps) if isinstance(outcome.pays, Share) else net(outcome)

    cases = own_cases(terms, "progressive" if name == FIXED else name, brings)
    return _moments((case.net, case.ways) for case in cases)


def of_showdown(
    terms: Terms, counts: Mapping[str, NDArray[np.int64]], name: str, main: Sequence[str]
) -> Moments:
    """A wager settled at the showdown, or the whole main game, from its deals counted by choice and cell.

    A play wager counts in antes.
    """
    wagers = main if name == MAIN else (name,)
    found: Counter[Fraction] = Counter()
    for choice, tally in counts.items():
        folded = choice == "fold"
        size = 0 if folded else int(choice.removesuffix("x"))
        for at, deals in enumerate(tally.ravel().tolist()):
            if deals:
                brings = (
                    pay_arrays.net(answer(terms, wager, folded * tally.size + at), wager)
                    * (size if wager == "play" else 1)
                    for wager in wagers
                    if not (folded and wager == "play")
                )
                found[sum(brings, Fraction())] += deals
    return _moments(found.items())


def _moments(cases: Iterable[tuple[Fraction, int]]) -> Moments:
    listed = list(cases)
    deals = sum(ways for _, ways in listed)
    value = sum((brings * ways for brings, ways in listed), Fraction()) / deals
    second, fourth = (
        sum(((brings - value) ** power * ways for brings, ways in listed), Fraction()) / deals
        for power in (2, 4)
    )
    return Moments(value, second, fourth)
