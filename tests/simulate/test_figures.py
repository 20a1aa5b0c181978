"""Simulated means lie where exact mathematics says, within four standard errors."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from houseway import exact
from houseway.simulate import Figure, figures, plan, run
from simulate.plans import SIDES, found, made, played

FAR = 4
ROUNDS = 1_000_000
STRATEGIES = ("best", "practical", "never", "always", "beginner")


def near(figure: Figure, value: Fraction) -> bool:
    assert figure.error
    return abs(figure.value - value) <= FAR * figure.error


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_main_game_is_worth_what_exact_says(strategy: str) -> None:
    table = made(rounds=ROUNDS, strategy=strategy)
    known = {each.name.split()[0]: each for each in exact.STRATEGIES}
    priced = exact.price(exact.solve(table.terms), known[strategy]).value
    main = found(table)["main game"]
    assert main.exact == priced
    assert near(main, priced)


def test_a_strategy_is_told_from_another() -> None:
    always, best = (found(made(rounds=ROUNDS, strategy=each)) for each in ("always", "best"))
    assert best["main game"].exact is not None
    assert not near(always["main game"], best["main game"].exact)


def test_the_standard_error_is_that_of_the_published_variance() -> None:
    main = found(made(rounds=ROUNDS))["main game"]
    assert main.error
    assert float(main.error**2 * ROUNDS) == pytest.approx(24.3967, rel=0.05)


def test_actions_come_as_often_as_published() -> None:
    actions = found(made(rounds=ROUNDS)).actions
    for action, share in {"4x": 0.377074, "2x": 0.212846, "1x": 0.218221, "fold": 0.191858}.items():
        assert abs(actions[action] / ROUNDS - share) < FAR * (share * (1 - share) / ROUNDS) ** 0.5
    assert actions["3x"] == 0


def test_side_bets_of_several_seats_are_worth_what_is_published() -> None:
    table = made(rounds=400_000, seats=6, side=SIDES)
    figured = found(table)
    exact_trips = figured["trips"].exact
    assert exact_trips is not None
    assert abs(exact_trips - Fraction("-0.01904049")) < Fraction(1, 10**8)
    assert near(figured["trips"], Fraction("-0.01904049"))
    # Shares of the meter apart: the fixed part of the published table, less the wager.
    fixed = figures(table, replace(played(table), awards=()))["progressive"]
    assert near(fixed, Fraction("0.530569") - 1)
    assert not near(fixed, Fraction("0.479669") - 1)  # The fixed part of another table.
    assert near(figured["envy"], 5 * Fraction("0.005695"))
    # Racked folds do not count for Cover All; with trips beside it every hand is held.
    assert near(figured["cover_all"], Fraction("-0.1056"))
    assert set(figured["cover_all"].outcomes) == {"70 to 1", "30 to 1", "20 to 1", "4 to 1", "lose"}


def test_outcomes_are_every_hand_once() -> None:
    table = made(rounds=400_000, seats=6, side=SIDES)
    figured = found(table)
    for name in table.bets.wagers:
        hands = figured.hands - (figured.actions["fold"] if name == "play" else 0)
        assert sum(figured[name].outcomes.values()) == hands
    trips = figured["trips"].outcomes
    net = sum(
        hands * (-1 if told == "lose" else Fraction(told.partition(" to ")[0]))
        for told, hands in trips.items()
    )
    assert net == figured["trips"].value * figured.hands


def test_a_single_round_has_no_standard_error() -> None:
    one = plan("uth-ma", rounds=1)
    figured = figures(one, run(one))
    assert figured.hands == 1
    assert figured["main game"].error is None
    assert figured["main game"].off is None


@pytest.mark.exhaustive
@pytest.mark.timeout(7_200)
def test_a_thousand_million_rounds_agree() -> None:
    table = made(rounds=10**9, side=("trips",))
    figured = found(table)
    assert near(figured["main game"], Fraction(-50_643_648_973, 2_317_817_502_000))
    assert near(figured["trips"], Fraction("-0.01904049"))
