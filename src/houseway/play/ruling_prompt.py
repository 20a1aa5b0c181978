"""The ruling on a report, in the terminal: one question after another, then the judgement.

The questions, their answers and the judgement are those of the page. While an exam runs, no judgement is
printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from houseway.client.training_messages import IrregularityReport, JudgedRow, OtherRulebook, RulingQuestion
from houseway.engine.state import State
from houseway.money import exactly
from houseway.rules.problems import shortened
from houseway.training import acts as a
from houseway.training.ruling_form import BOARD, CALL, CARD, HANDS, shown_answer
from houseway.training.ruling_review import RulingVerdict, report_act, ruling_form
from houseway.wording import capital, printable, the_wager

QUESTIONS: Final = {HANDS: "the hands", BOARD: "the board", CARD: "the card in question", CALL: "call"}
"""The questions in words. Any other question is the name of a wager."""
MANY_CHARACTERS: Final = 40


class RulingPrompt:
    """The form of a report while play is stopped, and the answers so far."""

    def __init__(self, state: State, act: a.ReportIrregularity, time: int) -> None:
        report = IrregularityReport(
            kind=act.kind, at=act.at, which=act.which, count=act.count, device=act.device
        )
        self.form = ruling_form(state, report, time)
        self.answers: dict[str, str] = {}

    @property
    def question(self) -> RulingQuestion | None:
        """The question that is open; None if every question is answered."""
        return next((one for one in self.form.questions if one.question not in self.answers), None)

    @property
    def act(self) -> a.ReportIrregularity:
        """The report with the ruling on it."""
        return report_act(self.form.report, self.answers)

    def begin(self) -> str:
        """Return the line that stops play, with what the dealer sees before the ruling."""
        count = len(self.form.questions)
        stops = f"Play stops for your ruling. Answer {count} questions: type the number or the words."
        return " ".join(filter(None, (self.form.hands, stops)))

    def ask(self) -> str:
        """Return the open question with its answers; empty if none is open."""
        one = self.question
        if one is None:
            return ""
        answers = ", ".join(f"{n} {shown_answer(answer)}" for n, answer in enumerate(one.answers, 1))
        return f"{capital(_title(one.question))}: {answers}."

    def read(self, line: str) -> str:
        """Store a typed answer to the open question. Return what is wrong with it; empty if nothing is."""
        one = self.question
        assert one is not None
        typed = " ".join(line.lower().split()).removesuffix(".")
        known = {name: answer for answer in one.answers for name in (answer, shown_answer(answer))}
        known |= {str(n): answer for n, answer in enumerate(one.answers, 1)}
        if typed not in known:
            wrong = f'"{printable(shortened(line, MANY_CHARACTERS))}" is not an answer.' if line else ""
            return f"{wrong} {self.ask()}".strip()
        self.answers[one.question] = known[typed]
        return ""


def _title(question: str) -> str:
    return QUESTIONS.get(question) or the_wager(question)


def verdict_lines(ruling: RulingVerdict) -> Iterator[str]:
    """Yield a judged ruling: each answer with its clause, the money, and the other rulebooks."""
    counted = [row for row in ruling.rows if row.judged]
    if ruling.happened:
        yield f"Your ruling is not judged. {ruling.happened}"
    else:
        yield f"You noticed it in {ruling.noticed / 1000:.1f} seconds."
        right = f"{sum(row.is_right for row in counted)} of {len(counted)} answers right"
        silent = "no answer is judged, because the document is silent"
        yield f"Your ruling: {right if counted else silent}."
        yield from map(_row, ruling.rows)
        yield f"Your ruling returns {exactly(ruling.returned_yours)} to the players.{_difference(ruling)}"
    if ruling.others:
        yield "The same irregularity in other rulebooks:"
        yield from (f"  {_other(one)}" for one in ruling.others)


def _row(row: JudgedRow) -> str:
    """Return a row: the trainee's answer, the right one and the clause."""
    given = f"{capital(_title(row.question))}: {shown_answer(row.given)}."
    answers = " or ".join(map(shown_answer, (row.right, *row.also)))
    if not row.judged:
        return f"  {given} Not judged.{f' In this house: {answers}.' if row.right else ''}"
    right = "Right." if row.is_right else f"Wrong. Right: {answers}."
    if row.clause is None:
        return f"  {given} {right}"
    borrowed = " (from another document)" if row.clause.borrowed else ""
    says = f" {row.clause.says}" if not row.is_right and row.clause.says else ""
    return f"  {given} {right} [{row.clause.clause}]{borrowed}{says}"


def _difference(ruling: RulingVerdict) -> str:
    more = ruling.returned_yours - ruling.returned
    if not more:
        return " The rulebook returns the same."
    words = f"{exactly(abs(more))} too {'much' if more > 0 else 'little'}"
    return f" The rulebook returns {exactly(ruling.returned)}, so that is {words}."


def _other(one: OtherRulebook) -> str:
    clause = f" [{one.clause}]" if one.clause else ""
    return f"{one.title.partition(',')[0]}: {one.words}.{clause}"
