"""A kernel pays each wager of a round as `Window.settle` does."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from exact.games import solution, table, terms, terms_of, with_blind, with_qualifier, with_row, with_sizes
from houseway import exact
from houseway.cards import DECK, cards, codes
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.engine.terms import Terms
from houseway.exact.advice import prepare
from houseway.exact.kernels import deals
from houseway.exact.pay_arrays import read_pays
from houseway.exact.solution import DEALS
from houseway.money import MoneyError
from houseway.rules.loader import load
from houseway.rules.rulebook import Rulebook

ANTE = 10


def paid(window: Window, ref: str, dealt: list[int], play: int) -> dict[str, Fraction]:
    """Return the net of ante with blind and the net of the play wager in a settled round, in antes."""
    shown = [DECK[n] for n in dealt]
    seat = {"seat": 1, "hole": codes(shown[:2]), "ante": str(ANTE), "play": play}
    data = {"rulebook": ref, "board": codes(shown[2:7]), "dealer": codes(shown[7:9]), "seats": [seat]}
    settled = window.settle(data)
    assert isinstance(settled, Settlement)
    nets = {line.wager: Fraction(line.net) / ANTE for line in settled.lines}
    return {"standing": nets["ante"] + nets["blind"], "play": nets.get("play", Fraction(0))}


@pytest.mark.parametrize("ref", ["uth-card", "uth-ma", "uth-sd"])
def test_random_rounds_are_paid_by_the_kernel_as_they_are_settled(ref: str) -> None:
    rng, window, game = Random(f"rounds {ref}"), Window(), prepare(terms(ref))[1]
    unit = read_pays(terms(ref)).unit
    seen = set()
    for _ in range(1_500):
        # Few ranks make strong hands and ties common.
        dealt = rng.sample(range(rng.choice([0, 20, 32]), 52), 9)
        met = np.empty((2, 3), np.int64)
        left = np.array(sorted(dealt[7:9]))
        own = deals.showdown(np.array(dealt[2:7]), np.array(dealt[:2]), left, game.by, game.least, met)
        assert met.sum() == 1
        place = int(game.by.places[own])
        standing, play, folded = (Fraction(int((t[:, :, place] * met).sum()), unit) for t in game.tables)
        size = rng.choice([0, 1, 2, 3, 4])
        expected = paid(window, ref, dealt, size)
        assert expected == {"standing": standing if size else folded, "play": size * play}
        seen.add((place, int(met.argmax())))
    assert {place for place, _ in seen} >= set(range(2, 10))
    assert {contest for _, contest in seen} == {0, 1, 2, 3, 4, 5}


def test_a_kernel_does_not_keep_the_pay_tables_of_the_last_game() -> None:
    book = load("uth-ma")
    first = exact.solve(terms_of(book)).value
    better = exact.solve(terms_of(with_blind(book, {"straight": "2 to 1"}))).value
    worse = exact.solve(terms_of(with_row(book, "ante", {"dealer_qualifies": False}, "lose"))).value
    assert better > first > worse
    assert exact.solve(terms_of(book)).value == first


def test_without_choices_and_at_even_money_the_game_is_fair() -> None:
    # Every deal is played for one ante against a dealer who always qualifies, so neither side has an advantage.
    book = with_blind(load("uth-ma"), dict.fromkeys(load("uth-ma").ranking.order, "1 to 1"))
    book = with_row(with_qualifier(book, None), "blind", {"contest": "win"}, "1 to 1")
    book = with_sizes(book, (), (), (1,))
    *before, river = book.stages
    game = exact.solve(terms_of(replace(book, stages=(*before, replace(river, fold=None)))))
    assert game.value == 0
    counted = exact.outcomes(game)
    assert set(counted.actions) == {"1x"}
    assert counted.nets[Fraction(-3)] == counted.nets[Fraction(3)]
    assert exact.solve(terms_of(book)).value > 0  # If folding is allowed, the player has a choice again.


@pytest.mark.parametrize(
    ("book", "says"),
    [
        (load("shootout-sd"), "a Texas Shootout rulebook; this analysis handles only Ultimate"),
        (with_row(load("uth-ma"), "ante", {"contest": "win"}, "$5"), "the main game must pay odds, push or lose"),
        (with_sizes(load("uth-ma"), (4,), (2,), ()), "betting points must be before the flop, after it and after the river"),
        (with_blind(load("uth-ma"), {"flush": "99999999 to 999999937"}), "lower the odds or use simpler ones"),
    ],
)  # fmt: skip
def test_a_game_that_cannot_be_priced_is_refused(book: Rulebook, says: str) -> None:
    with pytest.raises(exact.UnsolvableError, match=says):
        exact.solve(terms_of(book))


MOST = (2**63 - 1) // (19_600 * 1_081 * 990 * 12)
"""The largest payment, in parts of an ante, whose sum over all deals of a starting hand fits in 63 bits."""


def with_royal(odds: int) -> Terms:
    return terms_of(with_blind(load("uth-ma"), {"royal flush": f"{odds} to 1"}))


@pytest.mark.parametrize("odds", [501, 12_000, 23_000, 10**6, MOST // 2 - 10])
def test_large_odds_change_the_value_by_exactly_what_royal_flushes_win(odds: int) -> None:
    # With the same choices, the value changes only by the payments of winning royal flushes.
    known = solution()
    royals = sum(int(t[:, 2, 0].sum()) for name, t in table().counts.items() if name != "fold")
    game = exact.solve(with_royal(odds), forced=known.result.choices)
    assert game.value == known.value + Fraction((odds - 500) * royals, DEALS)
    assert exact.solve(with_royal(odds)).value >= game.value


@pytest.mark.parametrize("odds", [MOST // 2 + 1, 10**8, 10**9, 2**31])
def test_odds_that_would_overflow_are_refused(odds: int) -> None:
    with pytest.raises(exact.UnsolvableError, match=r"may win \d+/2 (antes|times).*lower the odds"):
        exact.solve(with_royal(odds))


def test_odds_of_thirteen_digits_are_invalid() -> None:
    with pytest.raises(MoneyError, match="is not a payment"):
        with_royal(10**12)


@pytest.mark.parametrize("odds", [10**6, 10**9])
def test_one_hand_is_priced_correctly_under_odds_that_would_overflow_the_game(odds: int) -> None:
    hole, board, dead = cards("As Ks"), cards("Qs Js Ts 2c 3d"), cards("4d 4h")
    for shown in (board, board[:3]):
        rich, plain = (exact.odds(game, hole, shown, dead).values for game in (with_royal(odds), terms()))
        most = max(plain, key=lambda name: plain[name])
        assert rich[most] - plain[most] == odds - 500


def test_large_odds_are_counted_in_wider_numbers() -> None:
    # A royal flush at 500,000 to 1 would overflow 32 bits. The value changes by what winning royal flushes are paid.
    book = load("uth-ma")
    plain, rich = (
        exact.solve(terms_of(with_blind(book, {"royal flush": f"{odds} to 1"}))) for odds in (500, 500_000)
    )
    assert read_pays(terms_of(with_blind(book, {"royal flush": "500000 to 1"}))).largest > 2**31 // (
        2 * 990 * 48
    )
    least = Fraction(4_324 - 4 * 10, 133_784_560) * 499_500 * Fraction(9, 10)
    assert plain.value + least < rich.value
