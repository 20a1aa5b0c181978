"""The figures of Ultimate Texas Hold'em, compared with published figures or with a second computation, to the last digit."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from exact.games import solution, table, terms
from exact.plain import distinct
from houseway import exact
from houseway.cards import cards
from houseway.exact.flop_states import states

DEALS = 1_326 * 19_600 * 1_081 * 990
FOUR_TIMES = """
AA KK QQ JJ TT 99 88 77 66 55 44 33
AKs AQs AJs ATs A9s A8s A7s A6s A5s A4s A3s A2s AKo AQo AJo ATo A9o A8o A7o A6o A5o A4o A3o A2o
KQs KJs KTs K9s K8s K7s K6s K5s K4s K3s K2s KQo KJo KTo K9o K8o K7o K6o K5o
QJs QTs Q9s Q8s Q7s Q6s QJo QTo Q9o Q8o JTs J9s J8s JTo
"""


@pytest.mark.parametrize("ref", ["uth-card", "uth-ma", "uth-proc", "uth-sd"])
def test_the_game_has_the_published_value(ref: str) -> None:
    game = solution(ref)
    assert game.value == Fraction(-50_643_648_973, 2_317_817_502_000)
    assert game.edge == -game.value
    assert (game.rulebook, game.hash) == (ref, terms(ref).rulebook.hash)


def test_the_published_starting_hands_are_played_before_the_flop() -> None:
    hands = solution().starting_hands
    assert len({h.hand for h in hands}) == 169
    assert sum(h.combos for h in hands) == 1_326
    assert {h.hand for h in hands if h.best == "4x"} == set(FOUR_TIMES.split())
    assert sum(h.combos for h in hands if h.best == "4x") == 500
    assert {h.best for h in hands} == {"4x", "check"}


@pytest.mark.parametrize(
    ("hand", "margin"),
    [("K2s", "0.005413"), ("J8s", "0.011068"), ("Q6s", "0.022046"), ("T9s", "-0.020316"), ("Q5s", "-0.021212"),
     ("K4o", "-0.022797")],
)  # fmt: skip
def test_the_closest_starting_hands_have_the_published_margins(hand: str, margin: str) -> None:
    margins = {h.hand: h.values["4x"] - h.values["check"] for h in solution().starting_hands}
    assert f"{float(margins[hand]):.6f}" == margin
    closest = sorted(margins, key=lambda h: abs(margins[h]))[:6]
    assert hand in closest


def test_each_choice_is_made_as_often_as_published() -> None:
    outcomes = table()
    assert sum(outcomes.actions.values()) == DEALS
    assert outcomes.actions["4x"] * 1_326 == DEALS * 500
    shares = {name: f"{100 * count / DEALS:.4f}" for name, count in outcomes.actions.items()}
    assert shares == {"4x": "37.7074", "2x": "21.2846", "1x": "21.8221", "fold": "19.1858"}


def test_average_bet_element_of_risk_and_variance_are_as_published() -> None:
    outcomes = table()
    assert sum(outcomes.nets.values()) == DEALS
    assert outcomes.value == solution().value
    assert f"{float(outcomes.average_bet):.12f}" == "4.152209545741"
    assert f"{100 * float(outcomes.element_of_risk):.5f}" == "0.52622"
    assert f"{float(outcomes.variance):.12f}" == "24.396673537660"
    assert f"{float(outcomes.variance) ** 0.5:.9f}" == "4.939298891"


def test_the_states_after_the_flop_have_the_known_number() -> None:
    plan = states()
    assert len(plan.base) == 1_286_792
    assert int(plan.weight.sum(dtype=np.int64)) == 22_100 * 1_176
    assert table().states_reached == 794_240


def test_suit_distinct_boards_and_flops_have_the_known_number() -> None:
    boards = list(distinct(5))
    assert len(boards) == 134_459
    assert sum(alike for _, alike in boards) == 2_598_960
    assert len(list(distinct(3))) == 1_755


def test_the_number_of_ties_between_choices_is_known() -> None:
    assert table().tied_states == 1
    assert table().tied_rivers == 1_180_512


def test_best_play_sometimes_folds_three_of_a_kind_or_better() -> None:
    folded = table().folded
    held = sum(n for name, n in folded.items() if name not in ("high card", "pair", "two pair"))
    assert held == 118_907_264_520
    assert sum(folded.values()) == table().actions["fold"]


@pytest.mark.parametrize(
    ("hole", "play", "best"),
    [("Kd Qh", Fraction(-2_151, 990), "fold"), ("Ad Jh", Fraction(-1_959, 990), "1x")],
)
def test_two_hands_after_the_river_have_the_published_values(hole: str, play: Fraction, best: str) -> None:
    # -2.172727… and -1.978788… in the published decimals.
    advice = exact.odds(terms(), cards(hole), cards("4s 5h 6d 8c 9d"))
    assert advice.values == {"fold": -2, "1x": play}
    assert advice.best == best


@pytest.mark.parametrize("threads", [1, 3])
def test_the_number_of_threads_does_not_change_the_solution(threads: int) -> None:
    solved, known = exact.solve(terms(), threads=threads).result, solution().result
    assert (solved.starts == known.starts).all()
    assert (solved.by_suit == known.by_suit).all()
    assert (solved.choices.river == known.choices.river).all()
    assert (solved.choices.flop == known.choices.flop).all()
