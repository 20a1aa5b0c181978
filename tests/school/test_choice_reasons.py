"""Reasons are exact counts, right under every pay table, and explain the better choice."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random

import pytest

from houseway import exact
from houseway.cards import DECK, RANKS, Card, cards
from houseway.engine.terms import Terms, read_terms
from houseway.ranking import read
from houseway.rules.changes import apply_changes
from houseway.school.choice_reasons import hand_name, reason_for
from houseway.school.decision_values import ValuedDecision, value_decision
from houseway.school.game_values import GameValues, game_values
from houseway.school.player_decisions import BEFORE, FLOP, FOUR_CARDS, RIVER, STREETS, Decision, Street
from houseway.school.position_facts import ahead_on_flop, flop_facts, river_facts
from houseway.school.reason_words import choice_words, doing, reason_words, units, verdict_words

CHANGES = (
    (),
    ("blind.straight=push",),
    ("blind.flush=1 to 1", "blind.straight=4 to 1"),
    ("qualifier=none",),
    ("play.win=2 to 1",),
)
CHOICES: dict[Street, tuple[str, ...]] = {
    BEFORE: ("check", "3x", "4x"),
    FLOP: ("check", "2x"),
    RIVER: ("fold", "1x"),
}


@cache
def game(*changes: str) -> GameValues:
    return game_values(read_terms(apply_changes("uth-ma", list(changes)), {})[0])


def valued(hole: str, board: str, choice: str = "") -> ValuedDecision:
    street = STREETS[len(cards(board))]
    names = CHOICES[street]
    return value_decision(game(), Decision(street, cards(hole), cards(board), choice or names[0], names))


def because(hole: str, board: str = "", choice: str = "") -> str:
    return reason_words(reason_for(game(), valued(hole, board, choice)))


@pytest.mark.parametrize(
    ("hole", "board", "choice", "sentence"),
    [
        (
            "Jc 6d", "Qs Ts 7d 4h 2c", "1x",
            (
                "23 of the 45 unseen cards beat you. With 23 or more, folding is better. Queen high loses to 813 of the "
                "dealer’s 990 hands. Folding is worth 0.0758 more than playing 1×."
            ),
        ),
        (
            "Jd 3c", "Jh 9c 8h", "check",
            (
                "Your pair of jacks is ahead of 933 of the dealer’s 1,081 hands and ties 6. Playing 2× is worth 0.3410 more "
                "than checking."
            ),
        ),
        (
            "Jd 3c", "Jh 9c 8h 5s 2d", "1x",
            (
                "Your pair of jacks beats 771 of the dealer’s 990 hands and ties 14. Playing 1× is worth 2.5606 more than "
                "folding."
            ),
        ),
        (
            "Jd 3c", "", "check",
            (
                "Jack three offsuit is below the 4× line. Jack ten is the lowest offsuit jack that plays 4×. Checking is "
                "worth 0.4541 more than playing 4×."
            ),
        ),
        (
            "Kd 4c", "", "4x",
            (
                "King four offsuit is just below the 4× line. King five is the lowest offsuit king that plays 4×. Checking "
                "is worth 0.0228 more than playing 4×."
            ),
        ),
        (
            "3d 3c", "", "4x",
            "Pair of threes is the lowest pair that plays 4×. Playing 4× is worth 0.0810 more than checking.",
        ),
        (
            "Ad 2c", "", "check",
            "Every offsuit ace plays 4×. Playing 4× is worth 0.1241 more than checking.",
        ),
        ("9d 2c", "", "check", "No offsuit nine plays 4×. Checking is worth 0.8802 more than playing 4×."),
        (
            "Ks 2s", "9s 8s 4d", "2x",
            "You have four to a flush with a king: 9 of the 47 unseen cards complete it. Your king high is ahead",
        ),
        (
            "Kd 5c", "9s 9h 4d", "check",
            "The pair of nines is on the board, so the dealer has it too. Your hand is ahead of",
        ),
    ],
)  # fmt: skip
def test_the_sentences(hole: str, board: str, choice: str, sentence: str) -> None:
    assert because(hole, board, choice).startswith(sentence)


def test_verdicts_and_choices_in_words() -> None:
    assert verdict_words(valued("Jd 3c", "Jh 9c 8h"), 1000) == "Cost you 0.3410 antes, $3.41."
    assert verdict_words(valued("Jd 3c", ""), 1000) == "You chose the best play."
    assert [choice_words(name) for name in ("check", "4x", "keep As Ad")] == [
        "Check",
        "Play 4×",
        "Keep As Ad",
    ]
    assert [doing(name) for name in ("fold", "1x", "split As Ad / Kh Kd")] == [
        "folding", "playing 1×", "splitting As Ad / Kh Kd",
    ]  # fmt: skip
    assert units(Fraction(1, 10**6)) == "less than 0.0001 antes"
    assert units(Fraction(-1, 2), "wager") == "−0.5000 wagers"


def test_a_close_call_says_so() -> None:
    rng = Random(1)
    for _ in range(3_000):
        dealt = rng.sample(DECK, 5)
        decision = Decision(FLOP, tuple(dealt[:2]), tuple(dealt[2:]), "check", ("check", "2x"))
        one = value_decision(game(), decision)
        if one.close and one.loss:
            assert verdict_words(one, 1000).startswith("Close call: 0.00")
            assert verdict_words(one, 1000).endswith("It counts as neither right nor wrong.")
            return
    raise AssertionError("no close call was dealt")


# Counts, by naive loops over readable hands.


def river_position(rng: Random) -> tuple[tuple[Card, ...], tuple[Card, ...], list[Card]]:
    dealt = rng.sample(DECK, 7)
    return tuple(dealt[:2]), tuple(dealt[2:]), [card for card in DECK if card not in dealt]


def test_cards_against_are_counted_one_by_one() -> None:
    terms, rng = game().terms, Random(2)
    for _ in range(25):
        hole, board, left = river_position(rng)
        own = read((*hole, *board), terms.order).key
        facts = river_facts(terms, hole, board)
        assert facts.against == sum(read((*board, card), terms.order).key > own for card in left)
        assert facts.unseen == len(left) == 45


def test_dealer_hands_are_counted_one_by_one() -> None:
    terms, rng = game().terms, Random(3)
    by = terms.evaluator
    for _ in range(15):
        hole, board, left = river_position(rng)
        own = by.strength((*hole, *board))
        dealers = [by.strength((*two, *board)) for two in combinations(left, 2)]
        facts = river_facts(terms, hole, board)
        assert (facts.wins, facts.ties, facts.loses) == (
            sum(other < own for other in dealers),
            sum(other == own for other in dealers),
            sum(other > own for other in dealers),
        )


def test_hands_behind_on_the_flop_are_counted_one_by_one() -> None:
    terms, rng = game().terms, Random(4)
    flops = [rng.sample(DECK, 5) for _ in range(15)]
    suited = [card for card in DECK if card.suit == 1]
    flops += [[*rng.sample(suited, 5)], [DECK[0], DECK[5], *suited[3:6]]]
    for dealt in flops:
        hole, flop = dealt[:2], dealt[2:]
        left = [card for card in DECK if card not in dealt]
        own = read(dealt, terms.order).key
        dealers = [read((*two, *flop), terms.order).key for two in combinations(left, 2)]
        assert ahead_on_flop(terms, hole, flop) == (
            sum(other < own for other in dealers),
            sum(other == own for other in dealers),
            sum(other > own for other in dealers),
        )


@pytest.mark.parametrize("changes", CHANGES)
def test_the_line_agrees_with_the_values_under_every_pay_table(changes: tuple[str, ...]) -> None:
    """Below the line, playing is better; from the line on, folding is at least as good."""
    terms = game(*changes).terms
    rng, lines, sides = Random(5), set(), set()
    for _ in range(400):
        hole, board, _ = river_position(rng)
        facts = river_facts(terms, hole, board)
        values = exact.odds(terms, hole, board).values
        plays = values["1x"] > values["fold"]
        if facts.line is not None:
            assert plays == (facts.against < facts.line)
            lines.add(facts.line)
            sides.add(plays)
        if facts.most_losses is not None:
            assert plays == (facts.loses <= facts.most_losses)
    assert sides == {True, False}
    assert len(lines) > 3


def test_the_starting_line_agrees_with_the_best_choice() -> None:
    terms = game().terms
    for start in exact.solve(terms).starting_hands:
        name = start.hand
        hole = cards(f"{name[0]}s {name[1]}{'s' if name.endswith('s') else 'd'}")
        assert hand_name(hole) == name
        one = value_decision(game(), Decision(BEFORE, hole, (), "check", CHOICES[BEFORE]))
        reason = reason_for(game(), one)
        line = reason.words["line"]
        above = line != "none" and RANKS.index(name[1]) >= RANKS.index(line[1])
        assert above == (start.best != "check") == bool(reason.figures["plays"])
        assert reason.gap == start.values[reason.better] - start.values[reason.worse] >= 0


def test_draws_are_counted() -> None:
    terms = game().terms
    facts = flop_facts(terms, cards("Ks 2s"), cards("9s 8s 4d"))
    assert (facts.flush_card, facts.outs["flush"], facts.hand) == (RANKS.index("K"), 9, "high card")
    facts = flop_facts(terms, cards("Jd Tc"), cards("9s 8s 2d"))
    assert (facts.flush_card, facts.outs["straight"]) == (-1, 8)
    facts = flop_facts(terms, cards("Jd 7c"), cards("9s 8s 2d"))
    assert facts.outs["straight"] == 4
    facts = flop_facts(terms, cards("9d 9c"), cards("9s 8s 8d"))
    assert (facts.hand, facts.pocket, facts.board_pair) == ("full house", True, True)


def test_every_reason_has_figures_and_a_sentence() -> None:
    rng = Random(6)
    for _ in range(300):
        shown = rng.choice((0, 3, 5))
        dealt = rng.sample(DECK, 2 + shown)
        street = STREETS[shown]
        names = CHOICES[street]
        one = value_decision(
            game(), Decision(street, tuple(dealt[:2]), tuple(dealt[2:]), rng.choice(names), names)
        )
        reason = reason_for(game(), one)
        said = reason_words(reason)
        assert reason.better == one.best
        assert reason.worse == one.decision.choice or not one.loss
        assert said[0].isupper() or said[0].isdigit()
        assert said.endswith(".")
        assert "_" not in said
        assert max(len(sentence.split()) for sentence in said.split(". ")) <= 20


def test_four_cards_are_compared_by_their_hands() -> None:
    terms: Terms = read_terms(apply_changes("shootout-sd", []), {})[0]
    shootout = game_values(terms)
    values = {
        "keep As Ad": Fraction(14, 25),
        "keep Kh Kd": Fraction(12, 25),
        "split As Ad / Kh Kd": Fraction(26, 25),
    }
    decision = Decision(FOUR_CARDS, cards("As Ad Kh Kd"), (), "keep As Ad", tuple(values))
    one = ValuedDecision(decision, values, "split As Ad / Kh Kd", Fraction(12, 25), Fraction(12, 25))
    assert reason_words(reason_for(shootout, one)) == (
        "Pair of aces and pair of kings together are worth 1.0400 wagers. Pair of aces is worth 0.5600. "
        "Splitting As Ad / Kh Kd is worth 0.4800 more than keeping As Ad."
    )
    assert verdict_words(one, 500, shootout.unit) == "Cost you 0.4800 wagers, $2.40."
