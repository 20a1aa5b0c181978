"""The rating finds the skill of players whose skill is known, whatever the practice mode; the exam's score sheet adds up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from math import comb, exp, inf, sqrt
from random import Random

import pytest

from houseway.rules.loader import load
from houseway.school.game_values import GameValues, game_values
from houseway.school.practice_positions import Origin, Practice, practice_position
from houseway.school.rating import (
    LADDERS,
    RatedAnswer,
    answer_of,
    counts,
    exam_positions,
    rate,
    score_sheet,
)
from houseway.school.skill_estimate import Item, SkillEstimate, estimate_skill
from samples import LONG

PLAYERS = 2_000 if LONG else 32
"""Players in each mode, one in four of each temperature."""
POOL = 500 if LONG else 60
"""Positions in each mode, from which every player is shown some."""
SHOWN = 150
TEMPERATURES = (0.03, 0.05, 0.1, 0.25)
MODES = {
    "mixed": Practice("rating", "mixed"),
    "before the flop": Practice("rating", "street", street="before the flop"),
    "after the flop": Practice("rating", "street", street="after the flop"),
    "after the river": Practice("rating", "street", street="after the river"),
    "leaks": Practice("rating", "leaks", weak={"queen-low-kicker": 2.0, "river-18-20": 1.0}),
    "endless kind": Practice("rating", "endless", kind="flop-hidden-pair"),
    "endless theme": Practice("rating", "endless", theme="kicker-fight"),
    "timed": Practice("rating", "timed"),
}
Gaps = tuple[float, ...]
Choose = Callable[[Random, Gaps], int]


def game() -> GameValues:
    return game_values(load("uth-ma"))


def logit(temperature: float) -> Choose:
    """A player who takes a choice with a chance in proportion to exp(value / temperature)."""

    def choose(rng: Random, gaps: Gaps) -> int:
        return rng.choices(range(len(gaps)), [exp(-gap / temperature) for gap in gaps])[0]

    return choose


@cache
def pool(mode: str) -> tuple[Gaps, ...]:
    """The gaps of the positions that a mode shows, the best choice first."""
    shown = (practice_position(game(), MODES[mode], number).position for number in range(POOL))
    return tuple((0.0, *map(float, one.gaps)) for one in shown if not one.close)


def information(items: Sequence[Gaps], temperature: float) -> float:
    """The Fisher information about 0.05 / temperature: the variance of the loss, in units of 0.05."""
    total = 0.0
    for gaps in items:
        weights = [exp(-gap / temperature) for gap in gaps]
        mean = sum(w * g for w, g in zip(weights, gaps, strict=True)) / sum(weights)
        total += (
            sum(w * (g - mean) ** 2 for w, g in zip(weights, gaps, strict=True)) / sum(weights) / 0.05**2
        )
    return total


def check(runs: Sequence[tuple[SkillEstimate, float, float]]) -> None:
    """Compare estimates with the true skills and the bounds of Cramér and Rao."""
    errors = [estimate.skill - true for estimate, true, _ in runs]
    if not LONG:
        # In a small sample, one strong player who happened to make only a few errors would decide alone.
        errors = [
            max(-4 / sqrt(info), min(4 / sqrt(info), error))
            for error, (_, _, info) in zip(errors, runs, strict=True)
        ]
    bias, bound = sum(errors) / len(runs), sum(1 / info for _, _, info in runs) / len(runs)
    rms = sqrt(sum(error**2 for error in errors) / len(runs))
    covered = sum(estimate.low <= true <= estimate.high for estimate, true, _ in runs) / len(runs)
    noise = 0.0 if LONG else 3.5
    assert abs(bias) < 0.05 + noise * sqrt(bound / len(runs))
    assert rms <= 1.2 * sqrt(bound) * (1 + noise / sqrt(2 * len(runs)))
    assert 0.93 - noise * 0.04 <= covered
    assert covered <= 0.97 or not LONG


@pytest.mark.parametrize("mode", MODES)
def test_the_skill_of_known_players_is_found_in_every_mode(mode: str) -> None:
    rng, runs = Random(f"rating {mode}"), []
    for number in range(PLAYERS):
        temperature = TEMPERATURES[number % len(TEMPERATURES)]
        items = rng.choices(pool(mode), k=SHOWN)
        choose = logit(temperature)
        answers = [Item(gaps[1:], gaps[choose(rng, gaps)]) for gaps in items]
        runs.append((estimate_skill(answers), 0.05 / temperature, information(items, temperature)))
    check(runs)


def test_positions_chosen_by_earlier_answers_do_not_bias_the_estimate() -> None:
    """The next position is as hard as the last one after a miss, and the hardest of three after a right answer."""
    rng, runs = Random("adaptive"), []
    for number in range(PLAYERS):
        temperature = TEMPERATURES[number % len(TEMPERATURES)]
        choose, answers, items = logit(temperature), [], []
        gaps = rng.choice(pool("mixed"))
        for _ in range(SHOWN):
            picked = choose(rng, gaps)
            answers.append(Item(gaps[1:], gaps[picked]))
            items.append(gaps)
            if not picked or rng.random() < 0.5:
                gaps = min(rng.choices(pool("mixed"), k=3), key=lambda one: abs(one[1] - 0.06))
        runs.append((estimate_skill(answers), 0.05 / temperature, information(items, temperature)))
    check(runs)


def test_the_interval_is_that_of_exact_counts() -> None:
    """With equal gaps, the errors are binomial: the limits are those of the mid-p interval."""

    def tail(errors: int, total: int, skill: float) -> float:
        p = 1 / (1 + exp(skill))
        chances = [comb(total, k) * p**k * (1 - p) ** (total - k) for k in range(errors + 1)]
        return sum(chances[:errors]) + chances[errors] / 2

    for total, errors in ((100, 3), (100, 20), (150, 75), (40, 1), (60, 0)):
        answers = [Item((0.05,), 0.05 if n < errors else 0.0) for n in range(total)]
        found = estimate_skill(answers)
        near = 0.006 if errors > 2 else 0.02  # the saddlepoint formula is coarse for one or two errors
        # A low skill makes many errors likely, so few errors limit it from below.
        assert tail(errors, total, found.low) == pytest.approx(0.025, abs=near)
        if errors:
            assert tail(errors, total, found.high) == pytest.approx(0.975, abs=near)
        else:
            assert found.high == inf
        assert found.low < found.skill < found.high


def test_the_unit_is_one_logit_at_five_hundredths() -> None:
    answers = [Item((0.05,), 0.05 if n < 269 else 0.0) for n in range(1_000)]
    assert estimate_skill(answers).skill == pytest.approx(1.0, abs=0.01)
    guesses = [Item((0.05,), 0.05 * (n % 2)) for n in range(1_000)]
    assert estimate_skill(guesses).skill == pytest.approx(0.0, abs=0.01)


def test_extreme_answers_have_finite_estimates() -> None:
    perfect = estimate_skill([Item((0.3, 0.6), 0.0)] * 200)
    assert perfect.skill > 0
    assert perfect.high == inf
    wrong = estimate_skill([Item((0.3,), 0.3)] * 200)
    assert wrong.skill < 0
    assert wrong.low == -inf
    assert estimate_skill([Item((4.0,), 0.0)] * 200).skill > 0
    with pytest.raises(ValueError, match="needs answers"):
        estimate_skill([])


def answer(gap: float, origin: Origin, *, right: bool = True) -> RatedAnswer:
    return RatedAnswer(Item((gap,), 0.0 if right else gap), origin)


def test_there_is_no_number_under_100_decisions() -> None:
    answers = [answer(0.05, "dealt", right=bool(n % 4)) for n in range(100)]
    few = rate("recall", answers[:38])
    assert (few.estimate, few.words) == (None, "Not enough decisions yet: 38 of 100")
    full = rate("recall", answers)
    assert full.estimate is not None
    assert full.words.endswith("from 100 decisions")


def test_each_ladder_has_its_positions() -> None:
    for ladder in LADDERS:
        for origin in ("weak kind", "endless", "repeated", "street", "timed"):
            assert not counts(ladder, answer(0.05, origin))
        assert counts(ladder, answer(0.05, "dealt"))
        assert counts(ladder, answer(0.05, "mixed")) == (ladder != "whole game")
    assert counts("whole game", answer(2.0, "dealt"))
    assert not counts("recall", answer(0.06, "dealt"))
    assert not counts("money", answer(0.012, "dealt"))
    assert not counts("money", answer(0.3, "dealt"))


def test_practising_a_leak_changes_no_rating() -> None:
    """A player who always errs in a weak kind has the same ratings after practising it."""
    dealt = [answer(0.05, "dealt", right=bool(n % 5)) for n in range(120)]
    practised = [answer(0.05, "weak kind", right=False) for _ in range(500)]
    for ladder in LADDERS:
        assert rate(ladder, dealt) == rate(ladder, dealt + practised)


# The exam.


def test_an_exam_has_50_dealt_decisions_of_every_street() -> None:
    first = exam_positions(game(), "exam 1")
    assert first == exam_positions(game(), "exam 1")
    assert first != exam_positions(game(), "exam 2")
    assert len(first) == 50
    assert {shown.origin for shown in first} == {"dealt"}
    assert {shown.position.street for shown in first} == {
        "before the flop",
        "after the flop",
        "after the river",
    }


def test_the_score_sheet_adds_up() -> None:
    shown = exam_positions(game(), "sheet")
    best = score_sheet(shown, [one.position.best for one in shown])
    assert best.right == best.graded == len(best.answers)
    assert best.lost == 0
    assert not best.mistakes
    worst = score_sheet(
        shown, [min(one.position.values, key=one.position.values.__getitem__) for one in shown]
    )
    assert worst.right == 0
    assert len(worst.mistakes) == worst.graded == best.graded
    assert worst.lost == sum((one.valued.loss for one in worst.mistakes), Fraction(0))
    assert worst.lost == sum((street.lost for street in worst.streets.values()), Fraction(0))
    assert sum(street.graded for street in worst.streets.values()) == worst.graded
    losses = [one.valued.loss for one in worst.mistakes]
    assert losses == sorted(losses, reverse=True)
    assert 0 < worst.reference < worst.lost
    with pytest.raises(ValueError, match="needs as many answers"):
        score_sheet(shown, [])
    with pytest.raises(ValueError, match="is not a choice here"):
        score_sheet(shown, ["9x"] * 50)


def test_close_calls_and_decisions_of_a_deadline_are_not_rated() -> None:
    for shown in exam_positions(game(), "close"):
        rated = answer_of(shown.position.answer(shown.position.best), "dealt")
        assert (rated is None) == shown.position.close
