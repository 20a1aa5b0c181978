"""`drill`: short exercises for dealers, line by line in the terminal."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from houseway.cli.line_session import EndError, next_line, read_progress_file, write_progress_file
from houseway.cli.output import BadInputError, pairs, write
from houseway.engine.table import Table
from houseway.live.default_terms import offering
from houseway.rules.loader import load, own_clause, readable_clauses
from houseway.training.drills.all_drills import NEED_PROCEDURE, drill_tables
from houseway.training.drills.drill_session import (
    DrillQuestion,
    DrillSession,
    next_question,
    record_answer,
    summary,
)
from houseway.training.drills.drill_words import (
    HOW_TO_ANSWER,
    grade_lines,
    part_lines,
    question_lines,
    summary_lines,
)
from houseway.training.drills.grade import Grade, UnreadableAnswerError, grade, read_answer
from houseway.training.drills.question import QuestionPart
from houseway.training.drills.repetition import (
    LARGEST_FILE,
    Progress,
    ProgressError,
    read_progress,
    write_progress,
)

BOOK = "uth-ma"
COUNT = 20
MOST_QUESTIONS = 1000
KEYS = "Type ? for the clause of your last answer, s to repeat the question, q to end the drill."
DrillName = Literal["payouts", "hands", "order", "next", "rulings", "chips"]


def drill(
    kind: DrillName,
    rulebook: str = BOOK,
    /,
    *,
    count: Annotated[int, Parameter(name=["--count", "-n"])] = COUNT,
    seed: str = "",
    progress: Path | None = None,
    mode: str = "",
    tables: str = "",
) -> int:
    """Practise payouts, hand reading, order, the next act, rulings and chips.

    The next question follows each answer at once. Type "?" for the clause of your last answer, "s" to
    repeat the question and "q" to end the drill. Questions become harder as you get more of them right.

    payouts: settle one wager, a whole hand or a whole table. For each wager, type "t" (take), "p" (push)
    or the amount to pay, such as 22.50.

    hands: read seven cards, and compare two hands. Type a letter.

    order: put the acts of a settlement in order. Type the letters in order, such as "bdac".

    next: what does the dealer do next? Type a letter.

    rulings: rule on an irregularity. You are asked about the hands, each wager, the board, the card or the
    deck, and whom to call, one after another. Answer each question with a letter.

    chips: make an amount (type chips, such as "4x5 1x0.50"), or read a stack (type its amount, such as
    "20.50").

    Parameters
    ----------
    kind
        The drill: payouts, hands, order, next, rulings or chips.
    rulebook
        A rulebook's id such as uth-sd, or a TOML file.
    count
        The number of questions, up to 1000.
    seed
        Any text. With the same seed, you get the same questions, except for repetitions: which questions
        are repeated depends on how long ago you answered them.
    progress
        A file that keeps your level and the kinds of question that you have answered. They come back in
        later drills: soon if you were wrong, later if you were right. The file is created if it does
        not exist.
    mode
        The deal mode: manual or device; default: every mode of the rulebook.
    tables
        The pay tables, such as trips=B; default: the ones that the rulebook assumes.
    """
    if not 1 <= count <= MOST_QUESTIONS:
        raise BadInputError(f"--count must be from 1 to {MOST_QUESTIONS} (got {count})")
    book = load(rulebook)
    if mode and mode not in book.modes:
        raise BadInputError(f"--mode must be {' or '.join(book.modes)} in {book.id} (got {mode!r})")
    if kind in NEED_PROCEDURE and not book.procedure.round:
        raise BadInputError(f"{book.id} has no procedure; try houseway drill payouts {rulebook}")
    chosen = pairs(tables, "--tables", "trips=B")
    offers = [offering(book, one, chosen, {}) for one in ([mode] if mode else book.modes)]
    session = DrillSession(kind, book.id, seed or secrets.token_hex(8), _read(progress))
    terminal = DrillTerminal(session, count, progress)
    terminal.run(drill_tables(book, offers))
    return 0


def _read(file: Path | None) -> Progress:
    """Return the progress in a file; none if the file does not exist."""
    data = read_progress_file(file, LARGEST_FILE)
    if data is None:
        return Progress()
    try:
        return read_progress(data)
    except ProgressError as error:
        raise BadInputError(f"--progress {file}: {error}") from error


class DrillTerminal:
    """A drill on standard input and output, one line at a time."""

    def __init__(self, session: DrillSession, count: int, file: Path | None) -> None:
        self.session, self.count, self.file = session, count, file
        self._last: Grade | None = None
        self._shown: list[str] = []
        self._borrowed: Collection[str] = ()
        self._explained: set[str] = set()

    def run(self, tables: Sequence[Table]) -> None:
        """Ask every question, then print the summary."""
        self._borrowed = tables[0].book.borrowed()
        write(f"{self.session.drill}, {self.session.rulebook}. {KEYS}")
        try:
            while len(self.session.results) < self.count:
                self._ask(next_question(self.session, tables, _now()))
        except (EndError, KeyboardInterrupt):
            write("")
        for line in summary_lines(summary(self.session)):
            write(line)

    def _ask(self, asked: DrillQuestion) -> None:
        facts = asked.question.facts
        number = len(self.session.results) + 1
        head = (
            f"Question {number} of {self.count}. {facts.mode.capitalize()} deal, level {facts.difficulty}."
        )
        self._shown = ["", head, *question_lines(facts)]
        self._show()
        started = time.monotonic()
        several = len(facts.parts) > 1
        answers = {part.name: self._answer(part, several=several) for part in facts.parts}
        taken = int((time.monotonic() - started) * 1000)
        self._last = grade(asked.question, answers)
        self.session = record_answer(self.session, asked, self._last, taken, _now())
        self._save()
        for line in grade_lines(self._last, self._borrowed):
            write(line)

    def _show(self) -> None:
        for line in self._shown:
            write(line)

    def _answer(self, part: QuestionPart, *, several: bool) -> str:
        """Ask for one part until the answer can be read. The first of its form explains how to answer."""
        if part.form not in self._explained:
            self._explained.add(part.form)
            write(HOW_TO_ANSWER[part.form])
        if several:
            write(f"{part.name[0].upper()}{part.name[1:]}")
        for line in part_lines(part):
            write(line)
        while True:
            text = self._line()
            try:
                read_answer(part, text)
            except UnreadableAnswerError as error:
                write(str(error))
            else:
                return text

    def _line(self) -> str:
        """Return the next line that is an answer."""
        return next_line({"?": self._clause, "s": self._show, "h": lambda: write(KEYS)})

    def _clause(self) -> None:
        """Print the clause of the last answer."""
        cited = self._last.clause if self._last is not None else None
        if self._last is None:
            write("Answer first. Then ? shows the clause.")
        elif cited is None:
            write("No clause is cited for this.")
        else:
            found = readable_clauses().get(cited) or own_clause(cited)
            mark = ", borrowed" if cited in self._borrowed else ""
            text = found.says if found is not None else "a setting of the house."
            write(f"{cited}{mark}: {text}")

    def _save(self) -> None:
        write_progress_file(self.file, write_progress(self.session.progress))


def _now() -> str:
    return datetime.now(UTC).isoformat()
