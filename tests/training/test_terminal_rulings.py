"""Rulings in the terminal: a report stops play, the trainee answers the page's questions, and the answers are
recorded and judged as on the page. An exam shows no judgement."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from houseway.client.training_messages import IrregularityReport
from houseway.play import chair_screen
from houseway.play.chair_screen import ChairScreen
from houseway.play.exam_screen import ExamScreen
from houseway.rules import loader
from houseway.rules.loader import added_rulebooks, document_of, load, sound_rulebooks
from houseway.training import acts as a
from houseway.training import hosted_session
from houseway.training.act_codec import encode_act
from houseway.training.exams.exam import Exam, read_exam
from houseway.training.exams.record import read_exam_record, result_of
from houseway.training.exams.run import ExamRun
from houseway.training.hosted_session import (
    ActInput,
    HostedSession,
    ReportInput,
    RulingInput,
    SessionStart,
)
from houseway.training.model_dealer import right_act
from houseway.training.ruling_review import RulingVerdict
from houseway.training.session import TrainingSession
from houseway.training.session_file import read_session, replay_session
from houseway.training.void_rounds import VoidRoundEnd
from training.exam_trainee import SALT, exam_setup
from training.test_train_command import session
from training.test_void_rounds import Dealer
from training.typed_acts import ruling_lines, typed

OWN = '[rulebook]\nid = "own"\ntitle = "Charles House"\nextends = "uth-ma"\n'
"""A house's own rulebook, without clauses and changes of its own."""
WRONG_HANDS = "3"
"""The number of the answer that voids all hands."""
LIMIT = 400
"""The number of acts after which a round counts as stuck."""
NO_ANSWERS = (
    "answers right",
    "Right:",
    "Wrong.",
    "not judged",
    "returns",
    "other rulebooks",
    "MA-",
    "slip",
)
"""Words of a judgement."""


class Screen:
    """A trainee at the screen of a session or an exam. Each line takes a second."""

    def __init__(self, of: TrainingSession | ExamRun) -> None:
        self.session = of if isinstance(of, TrainingSession) else of.session
        self.time = 0
        self.out, self.file = io.StringIO(), io.BytesIO()
        self.screen: ChairScreen
        if isinstance(of, TrainingSession):
            self.screen = ChairScreen(of, self.out, lambda: self.time, self.file)
        else:
            self.screen = ExamScreen(of, self.out, lambda: self.time, lambda: "2026-11-18", self.file)
        self.screen._begin()

    def type(self, line: str) -> list[str]:
        """Type a line and return what is printed."""
        self.time += 1000
        start = self.out.tell()
        self.screen._print(*self.screen._answer(line))
        return self.out.getvalue()[start:].splitlines()

    def right(self) -> a.ChairAct:
        """Return the act that is due."""
        act = right_act(self.session.table, self.session.chair)
        assert act is not None
        return act

    def to_the_first_question(self) -> Screen:
        """Deal by the document until a player is to be asked."""
        while not isinstance(act := self.right(), a.Ask):
            self.type(typed(act))
        return self

    def answers(self, report: a.ReportIrregularity) -> list[str]:
        """Return the right answers to the questions of a report."""
        return ruling_lines(self.session.table, self.session.chair, report, self.time)

    def finish(self) -> Screen:
        """Deal the round to its end by the document."""
        for _ in range(LIMIT):
            if self.session.judgements:
                return self
            self.type(typed(self.right()))
        raise AssertionError("the round did not end")


EXPOSED = a.ReportIrregularity(kind="exposed card", at="seat 2")


def exposed(of: TrainingSession | ExamRun) -> Screen:
    """A screen at which the dealer has exposed a card of seat 2."""
    at = Screen(of).to_the_first_question()
    at.type("turn 2")
    return at


def small_exam(**more: Any) -> Exam:
    text = '[exam]\nid = "small"\ntitle = "Small"\nrounds = 1\nplayers = 2\n'
    return read_exam(text + "".join(f"[{name}]\n{lines}\n" for name, lines in more.items()))


def exam_run(**more: Any) -> ExamRun:
    return ExamRun(exam_setup(small_exam(**more), "uth-ma", "manual", rulings=True), "7", SALT)


def test_a_report_asks_the_questions_of_the_page_one_by_one() -> None:
    at = exposed(session())
    printed = at.type("report exposed card seat 2")
    assert printed[-1] == "The hands: 1 play on, 2 void one, 3 void all."
    # Nothing has happened yet, and play stands still.
    assert len(at.session.chair.open) == 1
    assert at.type("deal 1")[0].startswith('"deal 1" is not an answer. The hands: 1 play on')
    assert at.type("")[0].startswith("The hands: 1 play on")
    asked = [at.type("play on")[0]]
    while at.screen._ruling is not None:
        asked += at.type("1")[:1]
    wagers = ["ante", "blind"]
    assert [line.partition(":")[0] for line in asked[:2]] == [f"The {wager}" for wager in wagers]
    assert "is returned" in asked[0]
    questions = [
        line for line in asked if line.partition(":")[0] in ("The board", "The card in question", "Call")
    ]
    assert len(questions) == 3
    assert questions[1].startswith("The card in question: 1 turn it back over, 2 use it")
    assert not at.session.chair.open


def test_a_ruling_is_recorded_and_judged_as_on_the_page() -> None:
    at = exposed(session())
    answers = at.answers(EXPOSED)
    # The same session on a server, with the same inputs and the same ruling.
    plan = at.session.plan
    hosted = HostedSession(
        SessionStart(session="a", at="", plan=plan, rulings=True), load("uth-ma"), "", sound_rulebooks()[0]
    )
    for one in at.session.inputs:
        if isinstance(one.input, a.ChairAct):
            hosted.apply(ActInput(time=one.time, act=msgspec.json.decode(encode_act(one.input))))
    assert hosted.session.chair == at.session.chair
    printed = at.type("report exposed card seat 2")
    for answer in [WRONG_HANDS, *answers[1:]]:
        printed += at.type(answer)
    report = IrregularityReport(kind="exposed card", at="seat 2")
    hosted.apply(ReportInput(time=at.time - 1000 * len(answers), report=report))
    assert hosted.form is not None
    names = [one.question for one in hosted.form.questions]
    given = dict(zip(names, ["void all", *answers[1:]], strict=True))
    ruled = hosted.apply(RulingInput(time=at.time, answers=given)).ruling
    assert hosted.session.chair == at.session.chair
    assert ruled is not None
    rows = [row for row in ruled.rows if row.judged]
    right = sum(row.is_right for row in rows)
    assert right == len(rows) - 1
    assert f"Your ruling: {right} of {len(rows)} answers right." in printed
    wrong = next(row for row in rows if not row.is_right)
    assert wrong.clause is not None
    line = f"  The hands: void all. Wrong. Right: {wrong.right}. [{wrong.clause.clause}]"
    assert any(one.startswith(line) and wrong.clause.says in one for one in printed)
    for other in ruled.others:
        assert any(other.words in one for one in printed)
    assert any(one.startswith("Your ruling returns $0.00 to the players.") for one in printed)
    # The file has the ruling, and replays to the same judgement with the wrong row.
    at.finish()
    assert at.session.score.kinds["wrong ruling"] == 1
    again = replay_session(*read_session(at.file.getvalue()))
    assert again.judgements == at.session.judgements


def own_session(folder: Path) -> TrainingSession:
    """A session under a rulebook that extends uth-ma and has no clauses."""
    file = folder / "own.toml"
    file.write_text(OWN)
    book = load(str(file))
    assert not book.clauses
    plan = replace(session().plan, rulebook="own", hash=book.hash, text=book.text)
    return TrainingSession(plan, book)


def test_a_rulebook_without_clauses_gets_the_rulings_of_the_one_it_extends(tmp_path: Path) -> None:
    printed = []
    for at in (exposed(own_session(tmp_path)), exposed(session())):
        lines = at.type("report exposed card seat 2")
        for answer in at.answers(EXPOSED):
            lines += at.type(answer)
        printed.append(lines[lines.index("The same irregularity in other rulebooks:") :])
        judged = next(line for line in lines if line.startswith("Your ruling: ")).split()
        assert judged[2] == judged[4] != "0"
    own, extended = printed
    assert any("This document does not cover it; " in line for line in extended)
    assert [line for line in own if not line.startswith("  Massachusetts: ")] == extended


def test_a_server_judges_rulings_under_a_rulebook_without_clauses(tmp_path: Path) -> None:
    training = own_session(tmp_path)
    book = training.table.book
    start = SessionStart(session="a", at="", plan=training.plan, rulings=True)
    hosted = HostedSession(start, book, "", sound_rulebooks()[0])
    hosted.apply(ReportInput(time=1000, report=IrregularityReport(kind="exposed card", at="seat 1")))
    ruled = hosted.apply(RulingInput(time=2000, answers={})).ruling
    assert hosted.form is None
    assert ruled is not None
    assert {one.rulebook for one in ruled.others} >= {"uth-ma", "uth-card", "uth-sd", "uth-proc"}


def test_the_document_of_a_clause_follows_the_added_rulebooks(tmp_path: Path) -> None:
    """Clause files are read once, and again if the list of rulebooks changes."""
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "rules.toml").write_text(OWN)
    (folder / "clauses.toml").write_text('[[clause]]\nid = "CH-1"\nkind = "procedure"\nsays = "Own."\n')
    assert document_of("CH-1") == ""
    with added_rulebooks([str(folder)]):
        assert document_of("CH-1") == "Charles House"
        assert document_of("MA-14.a-a") == "Massachusetts"
    assert document_of("CH-1") == ""


def test_the_document_of_a_clause_is_found_without_reading_files(monkeypatch: pytest.MonkeyPatch) -> None:
    assert document_of("SD-5-b") == "South Dakota"

    def read_again(folder: object) -> None:
        raise AssertionError("a clause file was read again")

    monkeypatch.setattr(loader, "clauses_of", read_again)
    assert document_of("SD-5-b") == "South Dakota"


def test_a_report_of_something_that_did_not_happen_is_asked_the_same_questions() -> None:
    """The questions do not say whether the report is right."""
    at = Screen(session()).to_the_first_question()
    printed = at.type("report exposed card seat 2")
    assert printed[-1] == "The hands: 1 play on, 2 void one, 3 void all."
    while at.screen._ruling is not None:
        printed = at.type("1")
    assert "Your ruling is not judged. Nothing had happened." in printed


def test_an_exam_gives_no_answer_away_and_counts_the_ruling() -> None:
    run = exam_run()
    at = exposed(run)
    answers = at.answers(EXPOSED)
    printed = at.type("report exposed card seat 2")
    printed += at.type("clause MA-9.h")
    for answer in [WRONG_HANDS, *answers[1:]]:
        printed += at.type(answer)
    assert "Your ruling is recorded." in printed
    for words in NO_ANSWERS:
        assert not any(words in line for line in printed), words
    assert "The rulebook is closed during an exam." in printed
    at.finish()
    result = at.screen.result()  # type: ignore[attr-defined]
    rulings = next(one for one in result.measures if one.name == "rulings")
    assert rulings.value < 100
    assert any("Ruling on exposed card, seat 2: hands, void all." in line.sentence for line in result.slips)
    assert result_of(read_exam_record(at.file.getvalue())) == result


def test_an_exam_does_not_judge_a_ruling_before_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def judged(*given: object) -> None:
        raise AssertionError("the ruling was judged")

    for module in (chair_screen, hosted_session):
        monkeypatch.setattr(module, "judge_answers", judged)
    monkeypatch.setattr(hosted_session, "void_round_end", judged)
    at = exposed(exam_run())
    at.type("report exposed card seat 2")
    while at.screen._ruling is not None:
        printed = at.type("1")
    assert "Your ruling is recorded." in printed
    run = exam_run()
    start = SessionStart(session="a", at="", plan=run.session.plan, exam=run.setup, rulings=True)
    hosted = HostedSession(start, load("uth-ma"), "", sound_rulebooks()[0])
    hosted.apply(ReportInput(time=1000, report=IrregularityReport(kind="exposed card", at="seat 2")))
    assert hosted.apply(RulingInput(time=2000, answers={})).ruling is None


def test_only_a_ruling_that_makes_the_round_void_shows_its_end() -> None:
    dealer = Dealer("uth-ma", "device", "7")
    start = SessionStart(session="a", at="", plan=dealer.session.plan, rulings=True)
    hosted = HostedSession(start, load("uth-ma"), "")
    dealer.expose_the_dealer()
    for one in dealer.session.inputs:
        if isinstance(one.input, a.ChairAct):
            hosted.apply(ActInput(time=one.time, act=msgspec.json.decode(encode_act(one.input))))

    def rule(kind: str, at: str) -> RulingVerdict:
        time = hosted.last + 1000
        hosted.apply(ReportInput(time=time, report=IrregularityReport(kind=kind, at=at)))
        ruled = hosted.apply(RulingInput(time=time, answers={})).ruling
        assert ruled is not None
        return ruled

    # A false report, before and after the round is void.
    assert rule("exposed card", "seat 1").end == VoidRoundEnd()
    void = rule("exposed card", "dealer")
    assert len(void.end.board) == 5
    assert void.end.wagers
    false = rule("exposed card", "seat 1")
    assert hosted.session.state.round.void
    assert false.happened
    assert false.end == VoidRoundEnd()


def test_the_time_of_an_exam_goes_on_while_play_is_stopped() -> None:
    run = exam_run(time="exam = 600")
    at = exposed(run)
    at.type("report exposed card seat 2")
    at.time = 601_000
    assert at.type("1") == []
    assert run.over
    assert run.state == "out of time"


@pytest.mark.parametrize("line", ["table", "acts", "help", "rules"])
def test_the_table_can_be_read_during_a_ruling(line: str) -> None:
    at = exposed(session())
    at.type("report exposed card seat 2")
    assert len(at.type(line)) >= 1
    assert at.type("play on")[0].startswith("The ante: ")
