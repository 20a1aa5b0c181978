"""The ruling on the only hand in a round: it is void, and with it all hands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from houseway.engine import commands as c
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.rules.loader import load
from houseway.rules.rulebook import Rulebook
from houseway.rules.toml_reader import Cited
from houseway.shoe.seeded_draws import SeedDraws
from houseway.training import acts as a
from houseway.training.chair import Happening
from houseway.training.drills.grade import grade
from houseway.training.drills.ruling_drill import ruling_question
from houseway.training.model_dealer import right_act
from houseway.training.perform import happen
from houseway.training.ruling_form import Ruling, judge_ruling, right_ruling
from training.sessions import Session
from training.test_happenings import plain_terms

EXTRA = Happening(kind="wrong number", at="seat 1", command=c.DealExtra(at="seat 1"))
ALL = {"ante": 1000, "blind": 1000, "trips": 500}


def ruling(book: str, seats: int, older: Rulebook | None = None) -> Ruling:
    """Return the ruling on a hand with too many cards, in a round with so many hands."""
    at = Session(book, "manual", 5, given={**plain_terms(book, "manual"), "house": {}}, seats=seats)
    if older is not None:
        terms, refused = read_terms(older, at.given)
        assert not refused
        at.table = Table(terms)
    at.bets = dict.fromkeys(range(1, seats + 1), ALL)
    at.play_to(lambda at: isinstance(right_act(at.table, at.chair), a.Ask))
    chair = happen(at.table, at.chair, EXTRA, at.time, at.shoe.next(["deck"]))
    assert chair is not None
    right = right_ruling(at.table, chair.state, chair.open[-1])
    assert right is not None
    return right


def judged(right: Ruling, hands: str) -> bool:
    """Return True if an answer about the hands is right."""
    return next(row for row in judge_ruling(right, {"hands": hands}) if row.question == "hands").is_right


@pytest.mark.clause("MA-14.d-a")
def test_the_only_hand_is_void_and_so_are_all_hands() -> None:
    """ "If a player is dealt an incorrect number of cards, that player's hand shall be void"."""
    right = ruling("uth-ma", 1)
    assert (right.answers["hands"].answer, right.answers["hands"].clause) == ("void one", "MA-14.d-a")
    assert [judged(right, one) for one in ("void one", "void all", "play on")] == [True, True, False]
    # The document does not say what happens to the board.
    assert right.answers["board"].clause is None


@pytest.mark.clause("MA-14.d-a")
def test_with_another_hand_in_the_round_only_one_hand_is_void() -> None:
    right = ruling("uth-ma", 2)
    assert [judged(right, one) for one in ("void one", "void all", "play on")] == [True, False, False]


@pytest.mark.clause("SD-5-a")
def test_in_south_dakota_the_round_is_void_for_one_player_too() -> None:
    right = ruling("uth-sd", 1)
    assert [judged(right, one) for one in ("void one", "void all")] == [False, True]


def test_under_an_older_rulebook_the_ruling_is_that_all_hands_are_void() -> None:
    """Recorded exams replay to the score that they had."""
    book = load("uth-ma")
    rows = tuple(
        replace(row, rules={**row.rules, "ends": Cited(True, row.rules["ends"].basis)})
        if "ends" in row.rules
        else row
        for row in book.procedure.irregularities
    )
    older = replace(book, procedure=replace(book.procedure, irregularities=rows))
    right = ruling("uth-ma", 1, older)
    assert [judged(right, one) for one in ("void one", "void all")] == [False, True]


@pytest.mark.clause("MA-14.d-a")
def test_the_drill_accepts_both_answers_about_the_only_hand() -> None:
    """At the first level the round has one player."""
    terms, refused = read_terms(load("uth-ma"), plain_terms("uth-ma", "manual"))
    assert not refused
    table, draws = Table(terms), SeedDraws(1, "the only hand")
    asked = (ruling_question(table, draws, 1) for _ in range(200))
    question = next(one for one in asked if one.kind.startswith("wrong number, seat"))
    part = question.facts.parts[0].name
    right = {"void one": True, "void all": True, "play on": False}
    graded = {one: grade(question, {part: one}).parts[0].is_right for one in right}
    assert graded == right
