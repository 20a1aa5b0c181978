"""What an exam does not tell: what the trainee left out, and the rulings on what has not come up."""

from __future__ import annotations

from io import StringIO

from msgspec.structs import replace

from houseway.client.training_messages import JudgedRow
from houseway.play.chair_screen import PROGRAM_ACTS
from houseway.play.exam_screen import ExamScreen
from houseway.play.ruling_prompt import verdict_lines
from houseway.rules.loader import load
from houseway.training import acts as a
from houseway.training.chair import UNSEEN
from houseway.training.exams.exam import shipped_exam
from houseway.training.exams.run import ExamRun
from houseway.training.exams.slips import _right
from houseway.training.judge import Verdict
from houseway.training.ruling_review import RulingVerdict
from houseway.training.scenarios.deck import ScenarioCard, ScenarioDeck
from training.exam_trainee import SALT, exam_setup
from training.test_terminal_rulings import Screen
from training.test_train_command import Typist, session
from training.typed_acts import typed


def _exam() -> ExamRun:
    exam = replace(shipped_exam("table-test"), players=2, people={})
    return ExamRun(exam_setup(exam, "uth-sd"), "4", SALT)


def test_an_exam_that_is_left_names_irregularities_without_their_rulings() -> None:
    run = _exam()
    run.abort(1000)
    absent = run.result().absent
    assert len(absent) == len(load("uth-sd").procedure.irregularities)
    assert not any(":" in one or "(" in one for one in absent)


def test_an_exam_does_not_say_which_step_was_left_out() -> None:
    out = StringIO()
    screen = ExamScreen(_exam(), out, lambda: 1000, lambda: "2026-11-16T14:02:00Z")
    screen.run(StringIO("open\nquit\n"))
    assert "You opened the round." in out.getvalue()
    # The first line about an act of the program has the reason.
    assert PROGRAM_ACTS not in out.getvalue()
    assert "The program shuffled" not in out.getvalue()


def test_outside_an_exam_the_program_says_what_it_does_for_the_dealer_and_why() -> None:
    at = Typist(session("uth-sd"))
    printed = at.type("open", "deal 1", "close betting", "quit")
    lines = [line for line in printed.splitlines() if line.startswith("The program ")]
    assert lines[0].startswith("The program shuffled the cards. It does so only if play cannot continue")
    assert lines[0].endswith(PROGRAM_ACTS)
    assert len(lines) > 1
    assert not any(PROGRAM_ACTS in line for line in lines[1:])


def test_an_act_that_changes_nothing_is_a_slip_and_only_an_exam_does_not_say_so() -> None:
    out = StringIO()
    acts = ("shuffle", "cut 20", "open", "shuffle", "quit")
    screen = ExamScreen(_exam(), out, lambda: 1000, lambda: "2026-11-16T14:02:00Z")
    screen.run(StringIO("\n".join(acts)))
    training = Typist(session("uth-sd")).type(*acts)
    for printed in (out.getvalue(), training):
        assert "You tried to shuffle, but nothing changed." in printed
    assert "It was not due, so it counts as a slip." in training
    assert "counts as a slip" not in out.getvalue()


def test_a_report_that_waits_for_the_deal_says_that_all_hands_are_void() -> None:
    """No hand can be read against the board once the trainee has dealt it one card too many."""
    scenario = ScenarioDeck(cards=(ScenarioCard(kind="wrong number", at="board", rounds=(1,)),))
    at = Screen(session("uth-sd", "device", scenario=scenario, seats=2))
    while not at.session.chair.open:
        at.type(typed(at.right()))
    report = a.ReportIrregularity(kind="wrong number", at="board")
    answers = at.answers(report)
    at.type(typed(report))
    said = [line for answer in answers for line in at.type(answer)]
    assert "Your report takes effect when the hands are dealt." in said
    dealt, effect, void, *_ = at.type("deal board x2")
    assert dealt == "You dealt 2 cards to the board."
    assert effect == "Your report takes effect: wrong number, the board."
    assert void == "All hands are void."


def test_a_ruling_on_which_the_document_is_silent_is_not_counted() -> None:
    row = JudgedRow(question="hands", given="play on", right="play on", judged=False, is_right=True)
    lines = list(verdict_lines(RulingVerdict(rows=(row,))))
    assert "Your ruling: no answer is judged, because the document is silent." in lines
    assert "  The hands: play on. Not judged. In this house: play on." in lines


def test_the_right_act_for_an_unseen_irregularity_is_to_report_it() -> None:
    unseen = Verdict(kind=UNSEEN, entry=1, time=0, irregularity="exposed card", at="seat 2")
    assert _right(_exam().session.table, unseen) == "report: exposed card, seat 2"
