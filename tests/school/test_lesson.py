"""The lesson: every way through it ends, amounts follow from the document, and its statements are true."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

from houseway.cards import DECK, cards
from houseway.engine.round_history import SettledWager
from houseway.engine.table_view import Follower, TableView
from houseway.engine.terms import read_terms
from houseway.narrate.reasons import Reasons
from houseway.ranking import read
from houseway.rules.loader import load, sound_rulebooks
from houseway.school.decision_values import value_decision
from houseway.school.game_values import GameValues, game_values
from houseway.school.lesson import LessonError, bundled_lesson, lesson_names, read_lesson
from houseway.school.lesson_round import (
    LessonChoiceError,
    PlayedLesson,
    every_path,
    play_lesson,
    play_round,
)
from houseway.school.player_decisions import BEFORE, RIVER, Decision
from houseway.school.table_words import hand_examples, table_words

LESSON = "first-round"
# Every way through a round: the play wager at one of three betting points, in its sizes, or a fold at the last.
PATHS = {
    ("bet", "4x"),
    ("bet", "3x"),
    ("bet", "check", "2x"),
    ("bet", "check", "check", "1x"),
    ("bet", "check", "check", "fold"),
}
# The cents that a round wins with a play wager of some antes of $10, worked out from the document: round 1, the ante
# wins, the blind pushes (MA-9.h.2-b), the play wager wins; round 2, the ante is returned (MA-9.g-b), the blind wins
# 1 to 1 for a straight (MA-10.c), the play wager wins; round 3, all three lose (MA-9.h.1).
NETS = {
    1: lambda antes: 1000 + 0 + 1000 * antes,
    2: lambda antes: 0 + 1000 + 1000 * antes,
    3: lambda antes: -1000 - 1000 - 1000 * antes,
}


@dataclass
class Ended:
    """A round that was played to its end, with its last view."""

    played: PlayedLesson
    view: TableView

    def settled(self, wager: str) -> SettledWager:
        return next(line for line in self.view.settled.values() if line.wager == wager)


def ended(number: int, *choices: str) -> Ended:
    played = play_lesson(LESSON, number, choices)
    follower = Follower(played.table, played.before, Reasons(played.table))
    view = follower.view
    for page in played.pages:
        for step in page.steps:
            view = follower.follow(step.event, step.after)
    return Ended(played, view)


@pytest.fixture(scope="module")
def game() -> GameValues:
    return game_values(load("uth-ma"))


@pytest.mark.parametrize("name", lesson_names())
def test_every_way_through_a_lesson_ends_and_shows_each_page_at_its_moment(name: str) -> None:
    lesson = bundled_lesson(name)
    for number in range(1, len(lesson.round) + 1):
        shown = set()
        paths = set(every_path(lesson, number))
        assert paths == PATHS
        for path in paths:
            played = play_round(lesson, number, path)
            assert played.over
            assert [page.chosen for page in played.pages if page.choices] == [*path]
            shown |= {page.page for page in played.pages}
            # The pages have all events of the round, each once and in order.
            steps = [step for page in played.pages for step in page.steps]
            assert steps[0].before == played.before
            assert all(one.after == other.before for one, other in pairwise(steps))
        assert shown == {*lesson.round[number - 1].page}, "a page is never shown"


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("path", sorted(PATHS))
def test_the_amounts_are_those_of_the_document(number: int, path: tuple[str, ...]) -> None:
    antes = 0 if path[-1] == "fold" else int(path[-1][0])
    expected = NETS[number](antes) if antes else -2000
    assert ended(number, *path).view.net == {3: expected}


@pytest.mark.clause("MA-9.h.2-b")
@pytest.mark.parametrize("path", [path for path in sorted(PATHS) if path[-1] != "fold"])
def test_the_first_round_explains_why_the_blind_pushes(path: tuple[str, ...]) -> None:
    round_ = ended(1, *path)
    blind = round_.settled("blind")
    assert (blind.result, blind.net, blind.clause) == ("push", 0, "MA-9.h.2-b")
    assert "pair" in blind.reason
    page = next(page for page in round_.played.pages if page.page.at == "blind")
    assert "straight or better" in page.page.says
    assert "MA-9.h.2-b" in page.page.clauses


@pytest.mark.clause("MA-9.g-b")
@pytest.mark.parametrize("path", [path for path in sorted(PATHS) if path[-1] != "fold"])
def test_the_second_round_explains_why_the_ante_pushes(path: tuple[str, ...]) -> None:
    round_ = ended(2, *path)
    ante, blind = round_.settled("ante"), round_.settled("blind")
    assert (ante.result, ante.net, ante.clause) == ("push", 0, "MA-9.g-b")
    assert "does not qualify" in ante.reason
    assert (blind.result, blind.net, blind.clause) == ("win", 1000, "MA-10.c")
    page = next(page for page in round_.played.pages if page.page.at == "ante")
    assert "MA-9.g-b" in page.page.clauses


def test_a_choice_says_what_it_bets_or_gives_up() -> None:
    before = play_lesson(LESSON, 3, ["bet"]).pages[-1].choices
    assert [(one.title, one.effect, one.costs) for one in before] == [
        ("Check", "no bet", 0),
        ("Play 3×", "bet $30.00", 3000),
        ("Play 4×", "bet $40.00", 4000),
    ]
    river = play_lesson(LESSON, 3, ["bet", "check", "check"]).pages[-1].choices
    assert [(one.title, one.effect, one.key) for one in river] == [
        ("Fold", "lose $20.00", "F"),
        ("Play 1×", "bet $10.00", "1"),
    ]


def test_the_statements_about_good_choices_are_those_of_the_solver(game: GameValues) -> None:
    # Round 1: "4× is worth most". Round 3: the fold "costs least on average".
    first = Decision(BEFORE, cards("As 8h"), (), "4x", ("check", "3x", "4x"))
    assert value_decision(game, first).best == "4x"
    board = cards("Ks Qh 9d Jc 4s")
    third = value_decision(game, Decision(RIVER, cards("7c 2d"), board, "fold", ("fold", "1x")))
    assert third.best == "fold"
    assert third.values["fold"] == -2
    # "Most hands of the dealer beat yours".
    order, own = game.terms.order, cards("7c 2d")
    unseen = [card for card in DECK if card not in (*board, *own)]
    mine = read((*own, *board), order).key
    better = [read((*pair, *board), order).key > mine for pair in combinations(unseen, 2)]
    assert len(better) == 990
    assert sum(better) > 990 / 2
    # In round 1, a pair of aces "is worth a bet" on the river.
    aces = Decision(RIVER, cards("As 8h"), cards("Ad 9c 4h 7s 2d"), "1x", ("fold", "1x"))
    assert value_decision(game, aces).best == "1x"


@pytest.mark.parametrize(
    ("number", "choices"),
    [
        (1, ["4x"]),
        (1, ["bet", "fold"]),
        (1, ["bet", "4x", "check"]),
        (1, ["bet", "check", "4x"]),
        (1, ["bet"] * 9),
        (2, ["keep As Ad"]),
    ],
)
def test_an_illegal_choice_is_refused(number: int, choices: list[str]) -> None:
    with pytest.raises(LessonChoiceError):
        play_lesson(LESSON, number, choices)


@pytest.mark.parametrize("number", [0, 4, -1])
def test_a_round_that_does_not_exist_is_refused(number: int) -> None:
    with pytest.raises(LessonError, match="rounds 1 to 3"):
        play_lesson(LESSON, number, [])


GOOD = """
[lesson]
title = "T"
about = "A"
rulebook = "uth-ma"
mode = "manual"
[[round]]
name = "R"
hole = "As 8h"
board = "Ad 9c 4h 7s 2d"
dealer = "Qh 9s"
[[round.page]]
at = "bets"
title = "P"
says = "S"
"""


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('hole = "As 8h"', 'hole = "As Ad"', "dealt twice"),
        ('hole = "As 8h"', 'hole = "As 8x"', "8x"),
        ('dealer = "Qh 9s"', 'dealer = "Qh 9s 2h"', "2 cards are needed"),
        ('at = "bets"', 'at = "turn"', "at:"),
        ('says = "S"', 'says = "S"\nclauses = ["MA-99"]', "no clause 'MA-99'"),
        ('says = "S"', f'says = "{"x" * 301}"', "length"),
        ('says = "S"', 'says = "S"\nwhen = "later"', "when"),
        ('says = "S"', 'says = "S"\ncolour = "red"', "colour"),
        ('mode = "manual"', 'mode = "shuffled"', "mode"),
        ('rulebook = "uth-ma"', 'rulebook = "shootout-sd"', "Ultimate Texas Hold'em"),
        ("[lesson]", "[lesson", "line"),
        ('name = "R"', 'name = "R"\n' + "#" * 100_001, "longer than"),
    ],
)
def test_a_bad_lesson_is_refused_when_it_is_read(old: str, new: str, problem: str) -> None:
    assert read_lesson(GOOD, "good").round
    with pytest.raises(LessonError, match=problem):
        read_lesson(GOOD.replace(old, new), "bad")


def test_an_unknown_lesson_is_refused() -> None:
    with pytest.raises(LessonError, match="there is no lesson"):
        bundled_lesson("../first-round")


def test_every_hand_class_has_an_example_of_that_class() -> None:
    for book in sound_rulebooks()[0]:
        examples = hand_examples(book)
        assert [one.name for one in examples] == [one.name for one in book.ranking.classes]
        order = _order(book)
        for one in examples:
            assert order(one.cards) == one.name


def _order(book: Any) -> Any:
    """Return a function that names the class of five cards under a rulebook."""
    terms, _ = read_terms(book, {})
    return lambda held: read(held, terms.order).name


def test_texas_shootout_has_its_own_words() -> None:
    shootout, ultimate = table_words(load("shootout-sd")), table_words(load("uth-ma"))
    assert "house way" in shootout
    assert "qualify" not in shootout
    assert "qualify" in ultimate
    assert "house way" not in ultimate


def test_the_words_of_the_sheet_are_those_of_the_glossary() -> None:
    rows = (Path(__file__).parents[2] / "docs" / "glossary.md").read_text().splitlines()
    for book in sound_rulebooks()[0]:
        for word, meaning in table_words(book).items():
            assert f"| {word} | {meaning} |" in rows
