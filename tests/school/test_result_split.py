"""A round's result splits exactly into house edge, luck and choices; luck is fair; side bets are apart."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from discovered import ULTIMATE
from houseway import Settlement, settle
from houseway.cards import DECK, Card, cards, codes
from houseway.engine.terms import read_terms
from houseway.money import cents
from houseway.rules.loader import load
from houseway.school.decision_values import value_decisions
from houseway.school.game_values import GameValues, game_values
from houseway.school.played_rounds import PlayedRound, RoundOutcome, WagerResult
from houseway.school.player_decisions import BEFORE, FLOP, RIVER, Decision
from houseway.school.result_split import ResultSplit, split_result
from school.rounds import random_table, rounds_of

PAIR = cards("Jd 3c")
BOARD = cards("Jh 9c 8h 5s 2d")


def split_of(game: GameValues, played: PlayedRound) -> ResultSplit | None:
    return split_result(game, played, value_decisions(game, played.decisions))


@pytest.mark.parametrize("rulebook", ULTIMATE)
def test_the_parts_of_every_round_add_up_exactly(rulebook: str) -> None:
    driver = random_table(rulebook, 40, seed=11)
    game = game_values(driver.table.terms)
    for played in rounds_of(driver):
        split, outcome = split_of(game, played), played.outcome
        assert split is not None
        assert outcome is not None
        assert sum((step.amount for step in split.steps), Fraction(0)) == split.result
        assert split.house_edge + split.luck + split.choices + split.limits == split.result
        assert split.house_edge == game.value
        valued = value_decisions(game, played.decisions)
        assert split.choices == -sum(each.loss for each in valued) <= 0
        side = sum(bet.net for bet in split.side_bets)
        assert split.result * played.stake + side + split.other == outcome.net
        assert [bet.wager for bet in split.side_bets] == ["trips"]
        trips = split.side_bets[0]
        assert trips.expected == game.side_bets["trips"] * trips.stake < 0
        assert trips.luck == trips.net - trips.expected


def finished(
    hole: tuple[Card, ...], board: tuple[Card, ...], dealer: tuple[Card, ...], last: str
) -> PlayedRound:
    """A round with two checks that the settlement engine settled."""
    seat: dict[str, Any] = {"seat": 1, "hole": codes(hole), "ante": "10", "blind": "10"}
    seat |= {"play": 0 if last == "fold" else 1}
    data = {"rulebook": "uth-ma", "board": codes(board), "dealer": codes(dealer), "seats": [seat]}
    settled = settle(data)
    assert isinstance(settled, Settlement), settled
    lines = tuple(
        WagerResult(line.wager, 1, cents(line.stake), to_cents(line.net)) for line in settled.lines
    )
    outcome = RoundOutcome(board, dealer, lines, sum(line.net for line in lines))
    decisions = (
        Decision(BEFORE, hole, (), "check", ("check", "3x", "4x")),
        Decision(FLOP, hole, board[:3], "check", ("check", "2x")),
        Decision(RIVER, hole, board, last, ("fold", "1x")),
    )
    return PlayedRound(1, 1, 1000, decisions, outcome)


def to_cents(text: str) -> int:
    return -cents(text[1:]) if text.startswith("-") else cents(text)


@pytest.mark.parametrize("last", ["1x", "fold"])
def test_the_luck_of_the_dealers_cards_is_zero_over_all_990_hands(last: str) -> None:
    """The settlement engine pays each hand, so this compares it with the solver."""
    game = game_values(read_terms(load("uth-ma"), {})[0])
    left = [card for card in DECK if card not in {*PAIR, *BOARD}]
    splits = [split_of(game, finished(PAIR, BOARD, dealer, last)) for dealer in combinations(left, 2)]
    assert len(splits) == 990
    assert sum(split.steps[-1].amount for split in splits if split) == 0
    assert len({split.luck for split in splits if split}) > (1 if last == "1x" else 0)


def test_the_round_of_the_design_has_its_figures() -> None:
    """The round in the picture of the review: three decisions, one of which cost 0.3410 antes."""
    game = game_values(read_terms(load("uth-ma"), {})[0])
    split = split_of(game, finished(PAIR, BOARD, cards("Qd Ts"), "1x"))
    assert split is not None
    assert [(step.cause, f"{float(step.amount):+.4f}") for step in split.steps] == [
        ("house edge", "-0.0218"),
        ("your cards", "-0.4949"),
        ("choice", "+0.0000"),
        ("flop", "+1.1323"),
        ("choice", "-0.3410"),
        ("turn and river", "+0.2860"),
        ("choice", "+0.0000"),
        ("dealer", "-3.5606"),
    ]
    assert split.result == -3


def test_what_a_payout_limit_cut_is_not_luck() -> None:
    """The same rounds at two tables: at one, a hand may win only $30."""
    limited, free = (
        random_table("uth-proc", 40, seed=12, **given) for given in ({"house": {"max_payout": "30"}}, {})
    )
    game, cut = game_values(free.table.terms), 0
    for less, more in zip(rounds_of(limited), rounds_of(free), strict=True):
        one, other = split_of(game, less), split_of(game, more)
        assert one is not None
        assert other is not None
        assert one.luck == other.luck
        assert one.result - one.limits == other.result
        assert other.limits == 0 >= one.limits
        cut += one.limits < 0
    assert cut > 5


def test_rounds_without_a_result_have_no_split() -> None:
    game = game_values(read_terms(load("uth-ma"), {})[0])
    played = finished(PAIR, BOARD, cards("Qd Ts"), "1x")
    assert played.outcome is not None
    void = RoundOutcome(BOARD, (), (), 0, void=True)
    for changed in (
        PlayedRound(1, 1, 1000, played.decisions),
        PlayedRound(1, 1, 1000, played.decisions, void),
        PlayedRound(1, 1, 0, played.decisions, played.outcome),
        PlayedRound(1, 1, 1000, (), played.outcome),
    ):
        assert split_of(game, changed) is None


def test_the_variance_is_that_of_best_play() -> None:
    game = game_values(read_terms(load("uth-ma"), {})[0])
    assert game.variance is not None
    assert 4.9 < float(game.variance) ** 0.5 < 5.0
    assert game.main == {"ante", "blind", "play"}
    assert set(game.by_hands) == {"cover_all"}
    assert game.side_bet("cover_all", 3) == game.by_hands["cover_all"][3]
    assert game.side_bet("progressive", 1) is None
