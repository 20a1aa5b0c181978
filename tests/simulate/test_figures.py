"""Simulated means agree with exact mathematics within four standard errors."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from houseway import exact
from houseway.cards import cards
from houseway.cli.app import main
from houseway.engine.read_ultimate import read_round
from houseway.engine.settle import settle
from houseway.exact.kernels import ultimate_rounds as kernels
from houseway.rules.changes import apply_changes
from houseway.simulate import (
    Figure,
    SimulationError,
    figures,
    highest_hand,
    highest_hand_plans,
    plan,
    run,
)
from houseway.simulate.ultimate import Ultimate
from simulate.first_rounds import first_rounds
from simulate.plans import SIDES, figures_of, made, played

FAR = 4
ROUNDS = 1_000_000
STRATEGIES = ("best", "practical", "never-4x", "always-4x", "beginner")


def near(figure: Figure, value: Fraction) -> bool:
    assert figure.error
    return abs(figure.value - value) <= FAR * figure.error


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_main_game_agrees_with_the_exact_value(strategy: str) -> None:
    table = made(rounds=ROUNDS, strategy=strategy)
    priced = exact.price(exact.solve(table.terms), exact.find_strategy(strategy)).value
    played_out = figures_of(table)["main game"]
    assert played_out.exact == priced
    assert near(played_out, priced)


def test_the_strategies_have_different_means() -> None:
    always, best = (figures_of(made(rounds=ROUNDS, strategy=each)) for each in ("always", "best"))
    assert best["main game"].exact is not None
    assert not near(always["main game"], best["main game"].exact)


def test_the_standard_error_matches_the_published_variance() -> None:
    game = figures_of(made(rounds=ROUNDS))["main game"]
    assert game.error
    assert float(game.error**2 * ROUNDS) == pytest.approx(24.3967, rel=0.05)


def test_the_standard_error_of_a_short_run_comes_from_the_exact_variance() -> None:
    # The rounds of a short run have too few large payments on the blind, so their variance is too small.
    blind = figures_of(made(rounds=2000))["blind"]
    assert blind.error
    assert blind.variance
    assert float(blind.error**2 * 2000) == pytest.approx(float(blind.variance.exact))
    assert blind.variance.value < blind.variance.exact / 2


def test_actions_occur_as_often_as_published() -> None:
    actions = figures_of(made(rounds=ROUNDS)).actions
    for action, share in {"4x": 0.377074, "2x": 0.212846, "1x": 0.218221, "fold": 0.191858}.items():
        assert abs(actions[action] / ROUNDS - share) < FAR * (share * (1 - share) / ROUNDS) ** 0.5
    assert actions["3x"] == 0


def test_side_bets_of_several_seats_have_the_published_values() -> None:
    table = made(rounds=400_000, seats=6, side=SIDES)
    figured = figures_of(table)
    exact_trips = figured["trips"].exact
    assert exact_trips is not None
    assert abs(exact_trips - Fraction("-0.01904049")) < Fraction(1, 10**8)
    assert near(figured["trips"], Fraction("-0.01904049"))
    # The published return of the table without meter shares, minus the wager.
    fixed = figures(table, replace(played(table), awards=()))["progressive"]
    assert near(fixed, Fraction("0.530569") - 1)
    assert not near(fixed, Fraction("0.479669") - 1)  # the figure of another pay table
    assert near(figured["envy"], 5 * Fraction("0.005695"))
    # For Cover All, folded hands in the rack do not count. Here every seat bets trips, so every folded hand
    # is held and counts.
    assert near(figured["cover_all"], Fraction("-0.1056"))
    assert set(figured["cover_all"].outcomes) == {"70 to 1", "30 to 1", "20 to 1", "4 to 1", "lose"}


def test_the_outcomes_count_every_hand_once() -> None:
    table = made(rounds=400_000, seats=6, side=SIDES)
    figured = figures_of(table)
    for name in table.bets.wagers:
        hands = figured.hands - (figured.actions["fold"] if name == "play" else 0)
        assert sum(figured[name].outcomes.values()) == hands
    trips = figured["trips"].outcomes
    net = sum(
        hands * (-1 if outcome == "lose" else Fraction(outcome.partition(" to ")[0]))
        for outcome, hands in trips.items()
    )
    assert net == figured["trips"].value * figured.hands


def test_a_single_round_has_no_standard_error() -> None:
    one = plan("uth-ma", rounds=1)
    figured = figures(one, run(one))
    assert figured.hands == 1
    assert figured["main game"].error is None
    assert figured["main game"].off is None


PUBLISHED = {
    "main game": ("-0.021849713762753", "24.396673537660"),
    # Counts of 133,784,560 seven-card hands and 2,598,960 five-card hands, computed separately.
    "trips": ("-0.019040493327", "7.226172882"),
    "progressive, fixed": ("-0.469431", None),
}


def test_means_and_variances_of_every_wager_are_near_exact_ones() -> None:
    figured = figures_of(made(rounds=ROUNDS, side=("trips", "progressive")))
    assert figured.far == ()
    for name, (value, variance) in PUBLISHED.items():
        each = figured[name]
        assert each.exact is not None
        assert each.variance is not None
        assert abs(each.exact - Fraction(value)) < Fraction(1, 10**6)
        if variance is not None:
            assert abs(each.variance.exact - Fraction(variance)) < Fraction(1, 10**6)
    parts = [figured[name].exact for name in ("ante", "blind", "play")]
    assert sum(part for part in parts if part is not None) == figured["main game"].exact
    spread = [figured[name].variance for name in ("ante", "blind", "play")]
    assert all(part is not None for part in spread)
    # The ante wins or loses one unit or pushes, so its variance follows from the frequency of pushes.
    ante, pushed = figured["ante"], figured["ante"].outcomes["push"]
    assert ante.variance is not None
    assert float(ante.variance.value) == pytest.approx(
        1 - pushed / ROUNDS - float(ante.value) ** 2, rel=1e-5
    )


def test_value_and_variance_of_trips_follow_from_published_counts() -> None:
    counts = {50: 4_324, 40: 37_260, 30: 224_848, 8: 3_473_184, 6: 4_047_644, 5: 6_180_020, 3: 6_461_620}
    all_hands = 133_784_560
    counts[-1] = all_hands - sum(counts.values())
    value = Fraction(sum(pays * n for pays, n in counts.items()), all_hands)
    variance = sum((pays - value) ** 2 * n for pays, n in counts.items()) / all_hands
    trips = figures_of(made(rounds=ROUNDS, side=("trips", "progressive")))["trips"]
    assert trips.exact == value
    assert trips.variance is not None
    assert trips.variance.exact == variance


def test_a_wrong_cell_of_a_pay_table_is_noticed() -> None:
    wrong = plan("uth-ma", rounds=ROUNDS, side=("trips",), seed="planted")
    assert isinstance(wrong.game, Ultimate)
    paying = wrong.game.arrays
    flush = wrong.terms.order.index("flush") * kernels.MADE
    paying.nets[paying.rows[1, wrong.bets.wagers.index("trips")], flush] += 1 * 10_00
    assert figures(wrong, run(wrong)).far == ("trips",)


def test_a_changed_rulebook_is_simulated_and_compared_with_its_own_exact_value() -> None:
    changes = ("blind.flush=4 to 1", "play.preflop=3", "qualifier=none")
    table = plan("uth-ma", rounds=ROUNDS, changes=changes, strategy="best")
    figured = figures(table, run(table))
    assert table.told["changes"] == list(changes)
    assert figured["main game"].exact == exact.solve(apply_changes("uth-ma", changes)).value
    assert figured.far == ()
    assert figured["blind"].outcomes["4 to 1"] > 0
    assert figured.actions == {"fold": figured.actions["fold"], "3x": figured.actions["3x"],
                               "2x": figured.actions["2x"], "1x": figured.actions["1x"]}  # fmt: skip
    for dealt, nets in first_rounds(table, 300):
        read, refused = read_round(dealt, table.terms)
        assert not refused
        settled = settle(table.terms, read)
        assert [int(Fraction(line.net) * 100) for line in settled.seats] == [
            sum(row.values()) for row in nets
        ]


def test_under_best_play_folds_do_not_change_what_the_highest_hand_pays() -> None:
    table = made(seats=6, side=("cover_all",))
    order, by = table.terms.order, table.terms.evaluator
    full = order.index("full house")
    folded = 0
    for dealt, _ in first_rounds(table, 4_000):
        board = cards(dealt["board"])
        held = [
            (cards(dealt["dealer"]), 1),
            *((cards(seat["hole"]), seat["play"]) for seat in dealt["seats"]),
        ]
        every = by.places[max(by.strength((*board, *hole)) for hole, _ in held)]
        left = by.places[max(by.strength((*board, *hole)) for hole, play in held if play)]
        folded += sum(not play for _, play in held)
        assert min(left, full + 1) == min(every, full + 1)
    assert folded > 4_000
    assert figures_of(table)["cover_all"].exact is not None


def test_cover_all_is_reported_for_every_number_of_hands() -> None:
    known = {2: "9.978747", 3: "9.995997", 4: "9.202790", 5: "8.608487", 6: "9.945878", 7: "10.563276"}
    plans = highest_hand_plans("uth-ma", rounds=100_000, strategy="best", seed="1")
    assert [table.seats + 1 for table in plans] == list(known)
    for table in plans[::5]:
        each = highest_hand(table)
        assert abs(-100 * each.nobody_folds - Fraction(known[each.hands])) < Fraction(1, 10**6)
        assert each.figure.exact == each.nobody_folds
        assert near(each.figure, each.nobody_folds)
        assert each.folds > 15_000
    with pytest.raises(SimulationError, match="no wager on the highest hand at the table"):
        highest_hand_plans("uth-sd", rounds=1, strategy="best", seed="1")


def test_check_exits_with_one_if_a_figure_is_far_off(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["simulate", "uth-ma", "--rounds", "70000", "--side", "trips", "--check"]
    assert main(arguments) == 0
    capsys.readouterr()
    monkeypatch.setattr("houseway.simulate.results.FAR", Fraction(1, 1_000))
    assert main(arguments) == 1
    assert "main game is more than four standard errors from the exact value" in capsys.readouterr().err
    assert main([*arguments, "--shard", "1/2"]) == 2


@pytest.mark.exhaustive
@pytest.mark.timeout(7_200)
def test_a_billion_rounds_agree() -> None:
    figured = figures_of(made(rounds=10**9, side=("trips", "progressive")))
    assert near(figured["main game"], Fraction(-50_643_648_973, 2_317_817_502_000))
    assert near(figured["trips"], Fraction("-0.01904049"))
    assert figured.far == ()
