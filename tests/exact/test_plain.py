"""The kernels give exactly the same integers as a second, simple algorithm, for each flop and hand."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from random import Random

import numpy as np
import pytest

from exact import plain
from exact.games import changed, solution, terms, terms_of
from houseway import exact
from houseway.engine.terms import Terms
from houseway.exact.advice import flop_sums
from houseway.exact.flop_states import states
from houseway.exact.solution import Solution
from samples import LONG

FLOPS = {
    "one suit": (2, 26, 38),
    "two suits, straight draw": (20, 24, 29),
    "a pair, two suits": (48, 49, 16),
    "three suits": (9, 30, 43),
}
QUALIFIERS = {"pair": 8, "two pair": 7, None: 9}
CHANGED = 10 if LONG else 3
"""The number of changed rulebooks for each qualifier. A wrong payment changes the value of every hand."""


@cache
def holes(name: str) -> list[tuple[int, int]]:
    """Return hands of every kind and some random ones, none with a card of the flop."""
    rng = Random(f"holes {name}")
    hands = [(0, 1), (0, 4), (8, 12), (25, 50), (50, 51), (44, 48), (5, 6), (3, 47)]
    hands += [(min(pair), max(pair)) for pair in (rng.sample(range(52), 2) for _ in range(40))]
    return [pair for pair in dict.fromkeys(hands) if not set(pair) & set(FLOPS[name])]


@cache
def counted(name: str, qualifier: int) -> list[tuple[plain.Array, plain.Array, plain.Array]]:
    return plain.flop_counts(FLOPS[name], holes(name), qualifier)


def differences(game: Terms, solved: Solution, name: str) -> list[str]:
    """Return the hands for which the two algorithms disagree about the value after the flop."""
    pays = plain.PlainPays(game)
    expected = plain.flop_worths(counted(name, pays.qualifier), pays)
    assert len(expected) == len(holes(name)) > 30
    wrong = []
    for hole, sums in expected.items():
        ours = flop_sums(solved, np.array(hole), np.array(FLOPS[name]))
        if [Fraction(n, solved.pays.unit) for n in ours] != [Fraction(n, pays.unit) for n in sums]:
            wrong.append(f"{hole}: {ours} of {solved.pays.unit}, {sums} of {pays.unit}")
    return wrong


@pytest.mark.parametrize("name", FLOPS)
def test_both_algorithms_give_a_flop_the_same_value(name: str) -> None:
    assert differences(terms(), solution(), name) == []


@pytest.mark.parametrize("qualifier", QUALIFIERS)
def test_both_algorithms_agree_under_changed_pay_tables(qualifier: str | None) -> None:
    # All payments and play sizes of these rulebooks are random.
    values = set()
    for n in range(CHANGED):
        game = terms_of(changed(f"{qualifier} {n}", qualifier))
        solved = exact.solve(game)
        values.add(solved.value)
        assert differences(game, solved, "a pair, two suits") == []
        assert differences(game, solved, "three suits") == []
    assert len(values) == CHANGED


def test_a_wrong_payment_is_noticed() -> None:
    other = exact.solve(terms_of(changed("planted", "pair")))
    assert len(differences(terms(), other, "three suits")) == len(holes("three suits"))


def test_the_best_choice_has_the_larger_value_and_a_tie_is_a_check() -> None:
    plan, results = states(), solution().result
    check, play = (
        by_rank[plan.base] + by_suit[plan.suits].sum(axis=1)
        for by_rank, by_suit in zip(results.by_rank, results.by_suit, strict=True)
    )
    assert (results.choices.flop == (play > check)).all()
    assert int((play == check).sum()) == 1


@pytest.mark.exhaustive
@pytest.mark.timeout(7200)
def test_both_algorithms_give_the_whole_game_the_same_value() -> None:
    # Compare each pair of hands on every suit-distinct board, then sum over the flops that lead to it.
    pays = plain.PlainPays(terms())
    flops = {flop: n for n, (flop, _) in enumerate(plain.distinct(3))}
    check, play = (np.zeros((len(flops), 52, 52), np.int64) for _ in range(2))
    for board, _ in plain.distinct(5):
        hands, place, met = plain.showdowns(board, None, pays.qualifier)
        best, standing, played = pays.rivers(place, met)
        raised = standing + 2 * played
        images = {tuple(sorted(c & ~3 | n[c & 3] for c in board)): n for n in permutations(range(4))}
        for image, names in images.items():
            led_from = [flops[three] for three in combinations(image, 3) if three in flops]
            if led_from:
                low, high = np.sort(hands & ~3 | np.array(names)[hands & 3], axis=1).T
                for at in led_from:
                    check[at, low, high] += best
                    play[at, low, high] += raised
    solved = solution()
    for flop, at in flops.items():
        for hole in combinations([c for c in range(52) if c not in flop], 2):
            ours = flop_sums(solved, np.array(hole), np.array(flop))
            mine = [int(check[at][hole]), int(play[at][hole])]
            assert [n * pays.unit for n in ours] == [n * solved.pays.unit for n in mine], (flop, hole)
