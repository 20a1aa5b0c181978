"""The judgement of rulings: one verdict for each question that the document answers."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from houseway.engine.table import Table
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.judge import RIGHT, Judgement, Verdict
from houseway.training.ruling_form import (
    RuledRow,
    judge_ruling,
    reported_irregularity,
    right_ruling,
    shown_answer,
)


class RowVerdict(Verdict, frozen=True, kw_only=True):
    """The judgement of one row of a ruling."""

    question: str
    given: str
    """The trainee's answer; empty if there is none."""
    answer: str
    """The right answer."""

    @property
    def place(self) -> str:
        """The irregularity and its place, in words."""
        return f"{self.irregularity}, {self.at}" if self.at else self.irregularity

    @property
    def given_words(self) -> str:
        """The trainee's answer with its question; empty if there is none."""
        return f"{self.question}: {shown_answer(self.given)}" if self.given else ""

    @property
    def right_words(self) -> str:
        """The right answer with its question."""
        return f"{self.question}: {shown_answer(self.answer)}"

    @property
    def words(self) -> str:
        """The verdict as a sentence."""
        ruled = f"Ruling on {self.place}: {self.question}, {shown_answer(self.given) or 'no answer'}."
        return ruled if self.kind == RIGHT else f"{ruled} Right: {shown_answer(self.answer)}."


class RuledReport(msgspec.Struct, frozen=True, kw_only=True):
    """A report of an irregularity, with the ruling on it. The report named what had happened."""

    entry: int
    """The number of the input."""
    time: int
    irregularity: str
    at: str
    given: bool
    """False if the trainee reported without a ruling."""
    rows: tuple[RuledRow, ...]

    def verdicts(self) -> tuple[RowVerdict, ...]:
        """Return the verdict on each row that the document answers."""
        return tuple(
            RowVerdict(
                kind=RIGHT if row.is_right else ch.WRONG_RULING,
                entry=self.entry,
                time=self.time,
                clause=row.clause,
                irregularity=self.irregularity,
                at=self.at,
                question=row.question,
                given=row.given,
                answer=row.right,
            )
            for row in self.rows
            if row.judged
        )


def ruled_report(table: Table, chair: ch.Chair, entry: ch.ChairEntry) -> RuledReport | None:
    """Return the ruling on a report, judged in the chair before it; None if the report raises no question.

    A report that is wrong, or that comes too early or too late for a ruling, raises none.
    """
    act = entry.input
    if not isinstance(act, a.ReportIrregularity) or any(s.kind == ch.WRONG_REPORT for s in entry.slips):
        return None
    found = reported_irregularity(chair, act.kind, act.at, entry.time)
    right = None if found is None else right_ruling(table, chair.state, found)
    waits = found in chair.open and entry.handled is None
    if found is None or right is None or waits:
        return None
    rows = judge_ruling(right, act.ruling or {})
    return RuledReport(
        entry=entry.number,
        time=entry.time,
        irregularity=found.kind,
        at=found.at,
        given=act.ruling is not None,
        rows=rows,
    )


def with_rulings(judgement: Judgement, reports: Iterable[RuledReport]) -> Judgement:
    """Return the judgement of a round with the verdicts on its rulings, each after its report."""
    by_entry = {one.entry: one.verdicts() for one in reports}
    verdicts: list[Verdict] = []
    for verdict in judgement.verdicts:
        verdicts.append(verdict)
        if isinstance(verdict.act, a.ReportIrregularity):
            verdicts += by_entry.pop(verdict.entry, ())
    rest = (verdict for rows in by_entry.values() for verdict in rows)
    return msgspec.structs.replace(judgement, verdicts=(*verdicts, *rest))


def ruling_verdicts(judgements: Iterable[Judgement]) -> list[RowVerdict]:
    """Return the verdicts on all rows of all rulings."""
    return [one for each in judgements for one in each.verdicts if isinstance(one, RowVerdict)]
