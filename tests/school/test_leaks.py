"""Leaks: a planted leak is found first, ordinary error is not a leak, and the figures are those of the losses."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, islice
from math import comb
from random import Random

import numpy as np
import pytest

from houseway.school.leak_statistics import (
    Trial,
    difficulty,
    estimate_kinds,
    gamma_interval,
    hypergeometric,
    strata,
    tail,
)
from houseway.school.leaks import find_leaks, kind_costs
from houseway.school.position_kinds import KINDS
from houseway.school.round_review import ReviewedRound
from samples import LONG
from school.players import EVEN, PLANTED, PlantedLeak, hesitant, loss_of, played, with_leak

EVEN_RUNS = 500 if LONG else 16
"""Runs of each even player at each number of rounds."""
LEAK_RUNS = 200 if LONG else 12
"""Runs of each planted leak."""
OCCURRED = 20


@pytest.mark.timeout(3600 if LONG else 600)
def test_a_player_with_ordinary_error_has_a_leak_in_at_most_one_run_in_twenty() -> None:
    false, runs = Counter[str](), 0
    for name, player in EVEN.items():
        for rounds in (100, 400):
            for seed in range(EVEN_RUNS):
                reviews = list(islice(played(player, Random(f"{name} {rounds} {seed}")), rounds))
                false[name] += bool(find_leaks(reviews))
                runs += 1
    assert false.total() <= 0.05 * runs
    if LONG:
        assert max(false.values()) <= 0.05 * runs / len(EVEN), false


@pytest.mark.parametrize("leak", PLANTED, ids=lambda leak: leak.kind)
def test_a_planted_leak_is_found_first(leak: PlantedLeak) -> None:
    """Once its kind has occurred 20 times, in 95 % of runs."""
    first = 0
    for seed in range(LEAK_RUNS):
        leaks = find_leaks(until_seen(leak, Random(f"{leak.kind} {seed}")))
        first += bool(leaks) and leaks[0].kind.name == leak.kind
        assert leaks == () or leaks[0].does == leak.does or leaks[0].kind.name != leak.kind
    assert first >= 0.95 * LEAK_RUNS


def until_seen(leak: PlantedLeak, rng: Random) -> list[ReviewedRound]:
    reviews: list[ReviewedRound] = []
    seen = 0
    for review in played(with_leak(hesitant(0.05), leak), rng):
        reviews.append(review)
        seen += sum(each.kind.name == leak.kind for each in review.decisions)
        if seen >= OCCURRED:
            break
    return reviews


def test_the_costs_of_all_kinds_add_up_to_the_whole_loss() -> None:
    reviews = list(islice(played(hesitant(0.1), Random(4)), 300))
    costs = kind_costs(reviews)
    assert sum((cost.lost for cost in costs), Fraction(0)) == loss_of(reviews) > 0
    assert sum(cost.seen for cost in costs) == sum(len(review.decisions) for review in reviews)
    assert [cost.cost for cost in costs] == sorted((cost.cost for cost in costs), reverse=True)
    for cost in costs:
        assert cost.kind is KINDS[cost.kind.name]
        assert cost.low <= cost.cost <= cost.high
        assert cost.errors <= cost.seen
        assert not cost.leak or cost.low > 0


def test_leaks_are_sorted_by_money_and_say_what_to_do_instead() -> None:
    leak = next(leak for leak in PLANTED if leak.kind == "ace-high")
    other = next(leak for leak in PLANTED if leak.kind == "flop-hidden-pair")
    player = with_leak(with_leak(hesitant(0.05), other), leak)
    leaks = find_leaks(list(islice(played(player, Random(5)), 600)))
    found = {each.kind.name: each for each in leaks}
    assert {"ace-high", "flop-hidden-pair"} <= set(found)
    assert (found["ace-high"].does, found["ace-high"].should) == ("check", "4x")
    assert (found["flop-hidden-pair"].does, found["flop-hidden-pair"].should) == ("check", "2x")
    assert [each.cost for each in leaks] == sorted((each.cost for each in leaks), reverse=True)


def test_a_perfect_player_has_no_cost_and_no_leak() -> None:
    reviews = list(islice(played(hesitant(1e-6), Random(6)), 200))
    assert find_leaks(reviews) == ()
    assert all(cost.lost == cost.errors == 0 and cost.does == "" for cost in kind_costs(reviews))
    assert kind_costs([]) == ()


# The statistics.


def test_the_hypergeometric_chances_are_the_counts() -> None:
    for size, members, drawn in ((10, 4, 3), (7, 7, 2), (12, 1, 12), (9, 5, 6)):
        counts = Counter(
            sum(thing < members for thing in picked) for picked in combinations(range(size), drawn)
        )
        chances = hypergeometric(size, members, drawn)
        for number in range(len(chances)):
            assert chances[number] == pytest.approx(counts[number] / comb(size, drawn), abs=1e-12)


def test_the_tail_adds_up_over_strata() -> None:
    sizes, errors, own = (np.array(row) for row in ((6, 5, 4), (2, 3, 0), (3, 2, 4)))
    first, second = hypergeometric(6, 3, 2), hypergeometric(5, 2, 3)
    for count in range(6):
        expected = sum(a * b for n, a in enumerate(first) for m, b in enumerate(second) if n + m >= count)
        assert tail(sizes, errors, own, count) == pytest.approx(expected)


def test_strata_hold_every_trial_once_with_equal_numbers_of_choices() -> None:
    rng = Random(7)
    trials = [
        Trial("ace-high", tuple(sorted(rng.random() for _ in range(rng.choice((1, 2))))), 0.0)
        for _ in range(500)
    ]
    parts = strata(trials)
    assert sorted(n for part in parts for n in part) == list(range(500))
    assert all(len({len(trials[n].gaps) for n in part}) == 1 for part in parts)
    by_choices = [part for part in parts if len(trials[part[0]].gaps) == 1]
    hardest = [max(trials[n].gaps[0] for n in part) for part in by_choices]
    easiest = [min(trials[n].gaps[0] for n in part) for part in by_choices]
    assert all(before <= after for before, after in zip(hardest, easiest[1:], strict=False))
    assert difficulty((0.3,)) == pytest.approx(0.3)
    assert difficulty((0.3, 0.3)) < 0.3


def test_the_interval_covers_the_expected_loss() -> None:
    """Errors at random: in at least 93 % of runs, the 95 % interval has the expected sum of losses."""
    rng, inside, runs = np.random.default_rng(8), 0, 400
    for _ in range(runs):
        rate = rng.uniform(1, 30)
        losses = rng.exponential(0.3, rng.poisson(rate))
        low, high = gamma_interval(losses, 0.6)
        inside += low <= rate * 0.3 <= high
        assert low <= losses.sum() <= high
    assert inside >= 0.93 * runs
    assert gamma_interval(np.zeros(0), 1.0)[0] == 0


def test_the_order_of_the_rounds_does_not_matter() -> None:
    reviews = list(islice(played(hesitant(0.1), Random(9)), 200))
    shuffled = list(reviews)
    Random(1).shuffle(shuffled)
    one, other = ({c.kind.name: c.errors for c in kind_costs(rows)} for rows in (reviews, shuffled))
    assert one == other


def test_estimates_of_no_trials_are_empty() -> None:
    assert estimate_kinds([]) == ()
