"""Every row of every rulebook's table of irregularities, in one table test each: it happens, is reported, is
ruled on rightly and wrongly, and is reported as something else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import pytest
from msgspec.structs import replace

from houseway.engine import events as e
from houseway.rules.loader import load, rulebook_ids
from houseway.rules.procedure import Irregularity
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.chair import WRONG_COUNT
from houseway.training.exams.exam import shipped_exam
from houseway.training.exams.run import ExamRun
from houseway.training.judge import RIGHT, Verdict
from houseway.training.model_dealer import right_act
from houseway.training.ruling_form import ANSWERS, WAGER_ANSWERS, reported_irregularity, right_ruling
from houseway.training.ruling_verdicts import RowVerdict
from training.exam_trainee import SALT, exam_setup
from training.test_exams import unreachable

TEST = replace(shipped_exam("table-test"), players=2, people={})
SEED = "4"


class Ruler:
    """A dealer who follows the document, except in reports, rulings and counts.

    `wrongly` gives a wrong report before each right one, a wrong answer to every question of a ruling, and a
    wrong count of the stub.
    """

    def __init__(self, rulebook: str, *, wrongly: bool) -> None:
        self.run = ExamRun(exam_setup(TEST, rulebook, rulings=True), SEED, SALT)
        self.session = self.run.session
        self.wrongly = wrongly
        self.rows: dict[int, int] = {}
        """The row that each report or count is about, by the number of the input."""
        time = 0
        while not self.run.over:
            time += 1000
            self.run.tick(time)
            act = right_act(self.session.table, self.session.chair)
            for one in self.acts(act) if act is not None else ():
                row = self.session.rows[-1:]
                entries = self.run.act(one, time)
                # A report that waited for the deal takes effect with the last card of the deal.
                waited = (x for x in entries[1:] if isinstance(x.input, a.ReportIrregularity))
                self.rows |= {entry.number: row[0] for entry in waited}

    def acts(self, act: a.ChairAct) -> Iterator[a.ChairAct]:
        """Yield what the dealer does instead of the right act."""
        chair = self.session.chair
        if isinstance(act, a.ReportIrregularity):
            other = "premature flop" if act.kind != "premature flop" else "exposed card"
            if self.wrongly and not any(one.noticed for one in chair.open):
                yield self.note(a.ReportIrregularity(kind=other, at="" if act.at else "dealer"))
            yield self.note(replace(act, ruling=self.ruling(act)))
        elif isinstance(act, a.CountStub) and self.hidden():
            yield self.note(replace(act, count=act.count + 1) if self.wrongly else act)
        else:
            yield act

    def note(self, act: a.ChairAct) -> a.ChairAct:
        """Remember which row an act is about."""
        self.rows[self.session.chair.inputs + 1] = self.session.rows[-1]
        return act

    def hidden(self) -> bool:
        """True if something has gone wrong in this round that only a count shows."""
        given = [entry.input for entry in self.session.chair.entries]
        return any(isinstance(one, ch.Happening) and one.kind == WRONG_COUNT for one in given)

    def ruling(self, act: a.ReportIrregularity) -> dict[str, str]:
        """The document's ruling, or another answer to every question."""
        chair = self.session.chair
        found = reported_irregularity(chair, act.kind, act.at, 0)
        right = right_ruling(self.session.table, chair.state, found) if found is not None else None
        answers = {} if right is None else {name: one.answer for name, one in right.answers.items()}
        same = {} if right is None else {name: one.also for name, one in right.answers.items()}
        if not self.wrongly:
            return answers
        listed = ((name, answer, ANSWERS.get(name, WAGER_ANSWERS)) for name, answer in answers.items())
        return {
            name: next(one for one in choice if one not in (answer, *same[name]))
            for name, answer, choice in listed
        }

    def verdicts(self) -> dict[int, list[Verdict]]:
        """The verdicts on the reports, rulings and counts of each row."""
        found: dict[int, list[Verdict]] = {}
        for one in (verdict for each in self.session.judgements for verdict in each.verdicts):
            if one.entry in self.rows:
                found.setdefault(self.rows[one.entry], []).append(one)
        return found

    def clauses(self) -> dict[int, set[str | None]]:
        """The clauses that the events after the report or count of each row cite."""
        found: dict[int, set[str | None]] = {}
        for entry in self.entries():
            if entry.number in self.rows:
                cited = {x.event.clause for x in entry.changes if not isinstance(x.event, e.StubCounted)}
                found.setdefault(self.rows[entry.number], set()).update(cited)
        return found

    def ruled_by_house(self) -> set[int]:
        """The reports after which the round is void although no clause says so."""
        voided = (
            (entry.number, x.event)
            for entry in self.entries()
            for x in entry.changes
            if isinstance(x.event, e.RoundVoided)
        )
        return {number for number, event in voided if event.clause is None}

    def rulings(self, row: int) -> set[int]:
        """The reports of a row that took effect. A report that waits for the deal has no ruling yet."""
        handled = (entry.number for entry in self.entries() if entry.handled is not None)
        return {number for number in handled if self.rows.get(number) == row}

    def entries(self) -> Iterator[ch.ChairEntry]:
        """Every input of the test."""
        return (entry for each in self.session.judgements for entry in each.entries)


@cache
def ruled(rulebook: str, *, wrongly: bool) -> Ruler:
    """A table test, ruled rightly or wrongly."""
    return Ruler(rulebook, wrongly=wrongly)


def rows_of(rulebook: str) -> dict[int, Irregularity]:
    """The rows of a rulebook that its document makes possible."""
    rows = dict(enumerate(load(rulebook).procedure.irregularities))
    return {number: row for number, row in rows.items() if number not in unreachable(rulebook)}


def own_clauses(rulebook: str, row: Irregularity) -> set[str | None]:
    """The clauses of a row and of its rules, in both deal modes."""
    modes = load(rulebook).modes
    rules = {rule.clause(mode) for rule in row.rules.values() for mode in modes}
    return rules | {row.basis.clause(mode) for mode in modes}


def reading(row: Irregularity) -> bool:
    """True if the document does not say that the row voids a round in play; that is our reading (MA-7.h)."""
    voids = row.rules.get("voids")
    return not row.basis.deciding or (voids is not None and not voids.basis.deciding)


def questions_of(verdicts: Iterable[Verdict], reports: set[int]) -> dict[int, set[str]]:
    """The judged questions of each of some reports."""
    questions: dict[int, set[str]] = {number: set() for number in reports}
    for one in verdicts:
        if isinstance(one, RowVerdict) and one.entry in reports:
            questions[one.entry].add(one.question)
    return questions


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_row_is_reported_and_ruled_rightly(rulebook: str) -> None:
    at = ruled(rulebook, wrongly=False)
    verdicts, cited, by_house = at.verdicts(), at.clauses(), at.ruled_by_house()
    assert set(verdicts) == set(rows_of(rulebook))
    for number, row in rows_of(rulebook).items():
        assert {one.kind for one in verdicts[number]} == {RIGHT}, row
        # Another row of the same kind cites other clauses, so this shows that this row decided.
        assert cited[number] & own_clauses(rulebook, row), row
        reports = at.rulings(number)
        assert reports or row.kind == WRONG_COUNT, row
        assert reading(row) or not reports & by_house, row
        # What no clause says is our reading, and is not judged. A count is announced, not ruled on.
        unjudged = row.kind == WRONG_COUNT or not row.basis.deciding
        for entry, questions in questions_of(verdicts[number], reports).items():
            assert ("hands" in questions) != (unjudged or entry in by_house), row
            assert "card" in questions or unjudged or row.then != "deck off", row
    assert at.run.result().score == 100


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_row_that_is_ruled_wrongly_is_a_slip_with_its_clause(rulebook: str) -> None:
    at = ruled(rulebook, wrongly=True)
    verdicts, by_house = at.verdicts(), at.ruled_by_house()
    rows = rows_of(rulebook)
    assert set(verdicts) == set(rows)
    for number, row in rows.items():
        kinds = {one.kind for one in verdicts[number]}
        if row.kind == WRONG_COUNT:
            assert kinds == {ch.MISCOUNT}, row
            assert all(one.clause in ("MA-7.g", "MA-8.d") for one in verdicts[number])
            continue
        wrong = [one for one in verdicts[number] if isinstance(one, RowVerdict)]
        reports = [one for one in verdicts[number] if one.kind == ch.WRONG_REPORT]
        assert {one.kind for one in wrong} <= {ch.WRONG_RULING}, row
        assert all(one.clause and one.given and one.given != one.answer for one in wrong)
        assert reports, row
        if not row.basis.deciding:
            assert not any(one.question == "hands" for one in wrong), row
            continue
        ruled_on = at.rulings(number)
        assert ruled_on, row
        assert reading(row) or not ruled_on & by_house, row
        for entry, questions in questions_of(wrong, ruled_on).items():
            assert ("hands" in questions) != (entry in by_house), row
            assert "card" in questions or row.then != "deck off", row
        hands = {one.clause for one in wrong if one.question == "hands"}
        assert hands <= own_clauses(rulebook, row), row
        assert {one.clause for one in reports} <= own_clauses(rulebook, row) | {None}, row
    assert not at.run.result().passed


@pytest.mark.parametrize("rulebook", ["uth-ma", "uth-sd"])
def test_a_row_that_is_never_reported_is_a_slip_with_its_clause(rulebook: str) -> None:
    """The trainee never looks up: every irregularity that stays open is an unseen one, and has its clause."""
    run = ExamRun(exam_setup(replace(TEST, rounds=12), rulebook), SEED, SALT)
    session, time = run.session, 0
    while not run.over:
        time += 1000
        run.tick(time)
        act = right_act(session.table, replace(session.chair, open=()))
        run.act(act if act is not None else a.CallFloor(), time)
    unseen = [one for each in session.judgements for one in each.slips if one.kind == ch.UNSEEN]
    assert len({one.irregularity for one in unseen}) >= 3
    for one in unseen:
        rows = (row for row in rows_of(rulebook).values() if row.kind == one.irregularity)
        assert one.clause in set().union(*(own_clauses(rulebook, row) for row in rows))
