"""Values are those of `houseway odds`, for every rulebook; losses, best choices and close calls follow from them."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from discovered import ULTIMATE
from houseway import exact
from houseway.cards import DECK, UNSEEN, Card, cards
from houseway.cli.app import main
from houseway.engine.terms import Terms, read_terms
from houseway.exact import shootout
from houseway.exact.shootout_game import PAIRS
from houseway.exact.shootout_hands import STARTS, Hands
from houseway.rules.changes import apply_changes
from houseway.rules.loader import load
from houseway.school.decision_values import CLOSE, value_decision, value_decisions
from houseway.school.game_values import game_values
from houseway.school.leaks import kind_costs
from houseway.school.played_rounds import PlayedRound
from houseway.school.player_decisions import (
    BEFORE,
    FLOP,
    FOUR_CARDS,
    RIVER,
    STREETS,
    Decision,
    keep_names,
    split_names,
)
from houseway.school.positions import position
from houseway.school.round_review import review_round
from samples import LONG, MARGIN, sample
from school.rounds import SHOOTOUT

DECISIONS = sample("decisions")
SHOE = [card for card in DECK for _ in range(6)]


def default_terms(rulebook: str) -> Terms:
    return read_terms(load(rulebook), {})[0]


def random_decision(rng: Random, terms: Terms) -> Decision:
    """A decision in Ultimate Texas Hold'em with random cards and a random choice."""
    shown = rng.choice((0, 3, 5))
    dealt = rng.sample(DECK, 2 + shown)
    stage = next(stage for stage in terms.rulebook.stages if stage.board == shown)
    names = [name for name, has in (("check", stage.check), ("fold", stage.fold)) if has is not None]
    names += [f"{size}x" for size in sorted(stage.sizes.value)] if stage.sizes else []
    return Decision(STREETS[shown], tuple(dealt[:2]), tuple(dealt[2:]), rng.choice(names), tuple(names))


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made-up counts for Texas Shootout, because counting the real ones takes minutes."""
    rng = np.random.default_rng(3)
    totals = rng.integers(-(10**15), 10**15, (len(STARTS), len(PAIRS))).astype(object)
    hands = Hands(totals[:, 0], totals)
    monkeypatch.setattr(shootout, "cached_hands", lambda book: hands)


@pytest.mark.parametrize("rulebook", ULTIMATE)
def test_values_are_those_of_the_solver_to_the_last_digit(rulebook: str) -> None:
    terms, rng = default_terms(rulebook), Random(rulebook)
    game = game_values(terms)
    for _ in range(DECISIONS):
        decision = random_decision(rng, terms)
        valued, advice = value_decision(game, decision), exact.odds(terms, decision.hole, decision.board)
        assert dict(valued.values) == dict(advice.values)
        assert valued.best == advice.best
        assert valued.loss == advice.values[advice.best] - advice.values[decision.choice]


@pytest.mark.parametrize("rulebook", ULTIMATE)
def test_practice_and_leaks_have_the_values_of_the_solver(rulebook: str) -> None:
    """A position in practice, and a decision as the leak finder groups it, before and after the answer."""
    terms, rng = default_terms(rulebook), Random(f"practice {rulebook}")
    game = game_values(terms)
    for _ in range(DECISIONS // 4):
        decision = random_decision(rng, terms)
        advice = exact.odds(terms, decision.hole, decision.board)
        spot = position(game, decision.hole, decision.board)
        assert dict(spot.values) == dict(advice.values)
        answered = spot.answer(decision.choice)
        assert answered.loss == advice.values[advice.best] - advice.values[decision.choice]
        played = PlayedRound(1, 1, 1000, (decision,))
        review = review_round(game, played)
        costs = kind_costs([review])
        assert review.decisions[0].valued.loss == answered.loss
        assert sum((cost.lost for cost in costs), Fraction(0)) == answered.counted_loss


def test_a_wrong_value_in_a_pay_table_is_noticed() -> None:
    """Planted: a flush on the blind pays 2 to 1 instead of 3 to 2 in the school's game only."""
    terms, rng = default_terms("uth-ma"), Random("planted")
    wrong = game_values(read_terms(apply_changes("uth-ma", ["blind.flush=2 to 1"]), {})[0])
    noticed = 0
    for _ in range(400):
        decision = random_decision(rng, terms)
        values = value_decision(wrong, decision).values
        noticed += dict(values) != dict(exact.odds(terms, decision.hole, decision.board).values)
    assert noticed >= MARGIN


def test_values_follow_a_changed_pay_table() -> None:
    terms = read_terms(apply_changes("uth-ma", ["blind.straight=push"]), {})[0]
    rng, game, plain = Random(2), game_values(terms), game_values(default_terms("uth-ma"))
    differ = 0
    for _ in range(100):
        decision = random_decision(rng, terms)
        values = value_decision(game, decision).values
        assert dict(values) == dict(exact.odds(terms, decision.hole, decision.board).values)
        differ += values != value_decision(plain, decision).values
    assert differ > 50
    assert game.value is not None
    assert plain.value is not None
    assert game.value < plain.value


@pytest.mark.usefixtures("counted")
def test_values_of_four_cards_are_those_of_the_solver() -> None:
    terms, rng = default_terms(SHOOTOUT), Random(4)
    game = game_values(terms)
    split = 0
    for _ in range(DECISIONS if LONG else DECISIONS // 4):
        four = tuple(rng.sample(SHOE, 4)) if rng.random() < 0.7 else two_pair(rng)
        values = {move.action: move.value for move in shootout.odds(terms, four)}
        names = tuple(n for n in (*keep_names(four).values(), *split_names(four).values()) if n in values)
        assert set(names) == set(values)
        valued = value_decision(game, Decision(FOUR_CARDS, four, (), rng.choice(names), names))
        assert dict(valued.values) == values
        assert valued.values[valued.best] == max(values.values())
        split += any(name.startswith("split") for name in names)
    assert split > 10


def two_pair(rng: Random) -> tuple[Card, ...]:
    one, other = rng.sample(range(13), 2)
    return tuple(DECK[4 * rank + rng.randrange(4)] for rank in (one, one, other, other))


@pytest.mark.parametrize(
    ("street", "hole", "board"),
    [(BEFORE, "Kd 4c", ""), (FLOP, "Jd 3c", "Jh 9c 8h"), (RIVER, "Jc 6d", "Qs Ts 7d 4h 2c")],
)
def test_values_are_those_that_the_command_prints(
    street: str, hole: str, board: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["odds", "uth-ma", hole, *([board] if board else []), "--json"])
    printed = json.loads(capsys.readouterr().out)
    names = tuple(row["action"] for row in printed["actions"])
    decision = Decision(STREETS[len(cards(board))], cards(hole), cards(board), names[0], names)
    valued = value_decision(game_values(default_terms("uth-ma")), decision)
    assert decision.street == street
    assert valued.best == printed["best"]
    for row in printed["actions"]:
        value = valued.values[row["action"]]
        assert (row["ev"]["num"], row["ev"]["den"]) == (str(value.numerator), str(value.denominator))


def test_only_legal_choices_are_compared() -> None:
    game = game_values(default_terms("uth-ma"))
    decision = Decision(BEFORE, cards("As Ah"), (), "check", ("check", "3x"))
    valued = value_decision(game, decision)
    assert valued.best == "3x"
    assert valued.loss == valued.values["3x"] - valued.values["check"] > 0
    assert value_decision(game, replace(decision, choices=("check",))).loss == 0
    assert not value_decision(game, replace(decision, choices=("check",))).close


def test_close_calls_are_below_a_hundredth_of_an_ante() -> None:
    game, rng = game_values(default_terms("uth-ma")), Random(8)
    seen = {True: 0, False: 0}
    for _ in range(2_000):
        valued = value_decision(game, random_decision(rng, game.terms))
        first, second = sorted(valued.values.values(), reverse=True)[:2]
        apart = first - second if valued.value == first else first - valued.value
        expected = apart < Fraction(1, 100)
        assert valued.close == expected
        assert valued.counted_loss == (0 if valued.close else valued.loss)
        seen[valued.close] += 1
    assert Fraction(1, 100) == CLOSE
    assert seen[True] >= 5


def test_decisions_in_a_batch_have_the_values_of_single_ones() -> None:
    game, rng = game_values(default_terms("uth-ma")), Random(9)
    decisions = [random_decision(rng, game.terms) for _ in range(50)]
    decisions += [replace(decision, by="deadline") for decision in decisions]
    batch = value_decisions(game, decisions)
    assert batch == tuple(value_decision(game, decision) for decision in decisions)


def test_unknown_cards_and_illegal_choices_are_refused() -> None:
    game = game_values(default_terms("uth-ma"))
    with pytest.raises(ValueError, match="unknown"):
        value_decision(game, Decision(BEFORE, (UNSEEN, UNSEEN), (), "check", ("check", "4x")))
    with pytest.raises(
        ValueError, match="the rulebook has no choice '7x' here; its choices: check, 3x, 4x"
    ):
        value_decision(game, Decision(BEFORE, cards("As Kd"), (), "7x", ("check", "7x")))
    with pytest.raises(ValueError, match="'2x' is not a legal choice here: check, 4x"):
        value_decision(game, Decision(BEFORE, cards("As Kd"), (), "2x", ("check", "4x")))


def test_tables_of_one_game_share_a_solution() -> None:
    one, other = (default_terms("uth-card") for _ in range(2))
    limited = read_terms(load("uth-card"), {"limits": {"ante": {"min": "5", "max": "50"}}})[0]
    changed = read_terms(apply_changes("uth-card", ["blind.flush=2 to 1"]), {})[0]
    assert game_values(one) is game_values(other) is game_values(limited)
    assert game_values(changed) is not game_values(one)
