"""A missing card and a stuck card are hidden: only the count of the stub shows them. Until then, the terminal
and the table answer as if nothing had happened."""

from __future__ import annotations

import pytest

from houseway.play.chair_felt import seen_felt
from houseway.play.chair_screen import NO_STUB
from houseway.training import acts as a
from houseway.training.act_list import done_text
from houseway.training.exams.run import ExamRun
from houseway.training.happenings import hides_stuck_card
from houseway.training.impossible_acts import impossible
from houseway.training.scenarios.deck import QUIET, ScenarioCard, ScenarioDeck
from training.exam_trainee import SALT, exam_setup
from training.people import Trainee
from training.test_exams import small
from training.test_terminal_rulings import Screen
from training.test_train_command import session
from training.typed_acts import typed

MISSING = ScenarioDeck(cards=(ScenarioCard(kind="wrong count", rounds=(5,)),))
STUCK = ScenarioDeck(cards=(ScenarioCard(kind="wrong count", at="dealer", rounds=(5,)),))
COUNTED = 5
"""The first round in which the stub is counted (MA-7.g)."""


def screen(scenario: ScenarioDeck, seed: str = "7") -> Screen:
    """A screen in the round with a count, at which the dealer is about to get the second card."""
    at = Screen(session(scenario=scenario, seats=2, rounds=COUNTED, seed=seed))
    while not (len(at.session.judgements) == COUNTED - 1 and len(at.session.state.round.dealer) == 1):
        at.type(typed(at.right()))
    while at.right() != a.DealCards(place="dealer"):
        at.type(typed(at.right()))
    return at


@pytest.mark.parametrize("scenario", [MISSING, STUCK, QUIET])
def test_the_terminal_counts_the_stub_only_while_the_felt_shows_it(scenario: ScenarioDeck) -> None:
    at = screen(scenario)
    answers = set()
    while not isinstance(act := at.right(), a.CountStub):
        shown = [deck.left for deck in seen_felt(at.session).decks if deck.left is not None]
        (line,) = at.type("count")
        assert (line == NO_STUB) == (not shown)
        answers.add(line)
        at.type(typed(act))
    assert bool(at.session.unseen) == (scenario != QUIET)
    assert answers == {NO_STUB}
    number = at.session.stub
    assert at.type("count") == [
        f'You count {number} cards in the stub. Type "count {number}" to announce it.'
    ]


def test_an_exam_in_the_terminal_counts_no_stub_in_the_shoe() -> None:
    at = Screen(ExamRun(exam_setup(small(), "uth-ma", "manual"), "7", SALT))
    assert at.type("count") == [NO_STUB]


def test_a_stuck_card_does_not_stop_a_typed_line() -> None:
    """A line with two acts prints the same with and without the stuck card."""
    # With this seed, the card sticks after the first act of the line.
    stuck, quiet = screen(STUCK, "3"), screen(QUIET, "3")
    lines = stuck.type("deal dealer 1")
    assert [type(one.input).__name__ for one in stuck.session.inputs[-3:]] == [
        "DealCards",
        "Happening",
        "DealCards",
    ]
    assert lines == quiet.type("deal dealer 1")
    assert len(lines) == 2


def test_no_refusal_depends_on_a_stuck_card() -> None:
    stuck, quiet = (Trainee("uth-ma", "manual", deck, rounds=COUNTED) for deck in (STUCK, QUIET))
    while not hides_stuck_card(stuck.session.chair):
        stuck.deal_one()
        quiet.deal_one()
    table = stuck.session.table
    assert len(stuck.session.state.round.dealer) == len(quiet.session.state.round.dealer) + 1
    acts: list[a.ChairAct] = []
    for count in range(1, 53):
        acts += [a.DealCards(place=place, count=count) for place in ("dealer", "board", "seat 1")]
        acts += [a.Burn(count=count), a.TurnUp(place="dealer", count=count)]
    refused = [impossible(table, stuck.session.chair, act) for act in acts]
    assert refused == [impossible(table, quiet.session.chair, act) for act in acts]
    assert any(refused)
    # The trainee burns all cards that seem to be left. The shoe has one card less.
    most = max(
        act.count for act, no in zip(acts, refused, strict=True) if isinstance(act, a.Burn) and not no
    )
    assert most == stuck.session.stub + 1
    burn = a.Burn(count=most)
    (here, *_), (there, *_) = (at.session.act(burn, at.time + 1000) for at in (stuck, quiet))
    assert here.slips
    assert there.slips
    assert done_text(table, burn, here) == done_text(table, burn, there)
