"""The auditor notices cards that come up too often, and reports nothing about fair cards."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from houseway.auditor.frequencies import Frequencies, is_look
from houseway.cards import DECK, RANKS
from houseway.exact.hand_class_counts import class_counts
from houseway.ranking import evaluator
from houseway.rules.loader import load

ROUNDS = 200_000
DEALT = 19
"""Cards dealt in a round: two to each of six seats and the dealer, and five to the board."""
ORDER = load("uth-ma").ranking.order
CLASSES = dict(zip(ORDER, class_counts(ORDER, 7), strict=True))
ACE = RANKS.index("A")


def rounds(seed: int, *, extra_aces: float = 0.0) -> list[list[int]]:
    """Deal rounds of nineteen cards. In each round, with probability `extra_aces`, the house replaces a card
    with an undealt ace."""
    rng = np.random.default_rng(seed)
    deals = rng.permuted(np.tile(np.arange(52), (ROUNDS, 1)), axis=1)
    aces = [n for n, card in enumerate(DECK) if card.rank == ACE]
    dealt = [list(row) for row in deals[:, :DEALT].tolist()]
    for at in np.flatnonzero(rng.random(ROUNDS) < extra_aces).tolist():
        left = [ace for ace in aces if ace not in dealt[at]]
        others = [n for n, card in enumerate(dealt[at]) if card not in aces]
        if left:
            dealt[at][others[0]] = left[0]
    return dealt


def reports(dealt: list[list[int]]) -> dict[int, list[str]]:
    """Return the auditor's reports, by the number of rounds at which it examined the counts."""
    counts = Frequencies(1, CLASSES)
    fast = evaluator(ORDER, 1)
    reported = {}
    for n, numbers in enumerate(dealt, 1):
        cards = [DECK[number] for number in numbers]
        # Ranking a hand is slow, so the class of the hand is counted only in every tenth round.
        hand_class = fast.name(fast.strength(cards[:2] + cards[-5:])) if n % 10 == 0 else None
        counts.add(cards, hand_class)
        if is_look(n):
            reported[n] = list(counts.strange())
    return reported


def test_the_counts_are_examined_at_fixed_numbers_of_rounds() -> None:
    looks = [n for n in range(0, 1_000_001, 1000) if is_look(n)]
    assert looks == [10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000]


def test_the_expected_counts_are_exact() -> None:
    # One round of two cards. Of all 1,326 pairs, 6 have two cards of a given rank and 192 have one. The mean
    # and the variance of the count follow from this.
    counts = Frequencies(1)
    counts.add(DECK[:2])
    mean = Fraction(2 * 6 + 192, comb(52, 2))
    square = Fraction(4 * 6 + 192, comb(52, 2))
    tally = counts._drawn(0, 13)
    assert (tally.mean, tally.variance) == (mean, square - mean**2)


def test_fair_cards_raise_no_alarm() -> None:
    assert reports(rounds(1)) == {n: [] for n in (10_000, 20_000, 50_000, 100_000, 200_000)}


@pytest.mark.planted
def test_one_per_cent_more_aces_are_noticed_within_200_000_rounds() -> None:
    reported = reports(rounds(2, extra_aces=DEALT / 13 / 100))
    assert any("cards of rank ace" in sentence for sentences in reported.values() for sentence in sentences)
    assert not any("rank king" in sentence for sentences in reported.values() for sentence in sentences)


@pytest.mark.planted
def test_a_side_bet_that_returns_too_much_is_noticed() -> None:
    # A side bet that pays 1 to 1 should win with probability 0.45, but wins with probability 0.46.
    rng = np.random.default_rng(3)
    chance = Fraction(45, 100)
    mean, variance = 2 * chance - 1, 4 * chance * (1 - chance)
    fair, generous = Frequencies(1), Frequencies(1)
    for draw in rng.random(ROUNDS // 2).tolist():
        fair.add_return("trips", Fraction(1 if draw < 0.45 else -1), mean, variance)
        generous.add_return("trips", Fraction(1 if draw < 0.46 else -1), mean, variance)
    assert not list(fair.strange())
    assert any(sentence.startswith("trips returned more") for sentence in generous.strange())
