"""The drills in progress: their questions, grades and summaries."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, Final, Protocol

import msgspec

from houseway.client import drill_messages as d
from houseway.engine.table import Table
from houseway.live.default_terms import offering
from houseway.rules.loader import sound_rulebooks
from houseway.rules.rulebook import Rulebook
from houseway.server.drill_views import (
    TITLES,
    circles_of,
    ended_sentence,
    miss_number,
    part_grade,
    progress_message,
    question_message,
    summary_message,
    tray_of,
)
from houseway.server.rulebook_library import bundled, refused
from houseway.server.session_desk import HOURS, PersonSession, SessionDesk
from houseway.training.drills.all_drills import NEED_PROCEDURE, drill_tables
from houseway.training.drills.drill_session import DrillQuestion, DrillSession, next_question, record_answer
from houseway.training.drills.drill_words import kind_words, miss_sentence, miss_title
from houseway.training.drills.grade import Grade, PartGrade, UnreadableAnswerError, grade, read_answer
from houseway.training.drills.marks import Mark, mark_of
from houseway.training.drills.question import PAYMENT, QuestionPart, RightAnswer
from houseway.training.drills.repetition import (
    Progress,
    after_answer,
    due_kinds,
    kind_key,
    level_of,
    weak_kinds,
)

COUNTS: Final[dict[d.DrillName, int]] = {
    "payouts": 60, "hands": 30, "order": 10, "next": 20, "rulings": 10, "chips": 20,
}  # fmt: skip
"""The number of answers of one drill."""
ATTEMPTS: Final = 2
"""How often one wager can be answered. After that, the right amount and its clause are shown."""
WEAK_SHOWN: Final = 6
PROGRESS_KIND: Final = "drill"
"""The kind of progress entry that drills keep under a person."""
KEEP_EVERY: Final = 20
"""Answered questions are stored in groups of this many, and at the end of a drill."""


class StoredProgress(Protocol):
    """An entry of a person's progress."""

    @property
    def body(self) -> Any: ...


class StoredAnswer(msgspec.Struct, frozen=True):
    """An answered question, as progress keeps it. Levels and schedules follow from these entries."""

    rulebook: str
    drill: str
    kind: str
    right: bool
    seed: str
    level: int
    at: str


class DrillEntry(msgspec.Struct, frozen=True):
    """The body of a progress entry: some answered questions, in order."""

    answers: tuple[StoredAnswer, ...]


def progress_of(entries: Iterable[StoredProgress]) -> Progress:
    """Return the progress that follows from entries. An entry that cannot be read is skipped."""
    progress = Progress()
    for entry in entries:
        with suppress(msgspec.MsgspecError, ValueError):
            for one in msgspec.convert(entry.body, DrillEntry).answers:
                progress = after_answer(
                    progress, one.rulebook, one.drill, one.kind, right=one.right, seed=one.seed,
                    level=one.level, now=one.at,
                )  # fmt: skip
    return progress


@lru_cache(maxsize=64)
def _tables(book: Rulebook, mode: str) -> tuple[Table, ...]:
    modes = [mode] if mode else book.modes
    return drill_tables(book, [offering(book, one, {}, {}) for one in modes])


Grades = tuple[list[Mark], d.DrillMiss | None, dict[str, d.DrillPartGrade], dict[str, PartGrade], int]
"""The marks, the last miss, the settled parts, the first answers and the time of a drill."""


class RunningDrill(PersonSession[DrillQuestion, StoredAnswer, d.DrillReply]):
    """A drill of one person."""

    def __init__(self, handle: str, order: d.StartDrill, book: Rulebook, progress: Progress) -> None:
        super().__init__(handle)
        self.order, self.book = order, book
        self.tables = _tables(book, order.mode)
        seed = order.seed or secrets.token_hex(8)
        self.session = DrillSession(order.drill, book.id, seed, progress, scope=order.scope)
        self.count = COUNTS[order.drill]
        self.marks: list[Mark] = []
        self.miss: d.DrillMiss | None = None
        self.number = 0
        """The number of the first answer of the current question."""
        self.settled: dict[str, d.DrillPartGrade] = {}
        """The grades of the parts of the current question that are done."""
        self._first: dict[str, PartGrade] = {}
        """The first answer to each part of the current question; it counts."""
        self._time = 0

    def ask(self, question: DrillQuestion | None) -> None:
        """Make a question the current one."""
        self.asked, self.number = question, len(self.marks) + 1
        self.settled, self._first, self._time = {}, {}, 0

    def table(self) -> Table:
        """Return the table of the current question."""
        mode = self.asked.question.facts.mode if self.asked else self.tables[0].mode
        return next(one for one in self.tables if one.mode == mode)

    def shown(self) -> d.DrillQuestion | None:
        """Return the current question without its answer."""
        return question_message(self.table(), self.asked, self.number) if self.asked else None

    def progress(self) -> d.DrillProgress:
        """Return the marks and figures so far."""
        return progress_message(self.session, self.marks, self.miss)

    # --- answers ---

    def grades(self) -> Grades:
        """Return everything that grading an answer changes."""
        return list(self.marks), self.miss, dict(self.settled), dict(self._first), self._time

    def take_back(self, before: Grades) -> None:
        """Return to the grades before an answer."""
        self.marks, self.miss, self.settled, self._first, self._time = before

    def grade(self, asked: DrillQuestion, answer: d.AnswerDrill) -> list[d.DrillPartGrade]:
        """Grade an answer; raise RefusedError if it cannot be read or is not about the question."""
        parts = {part.name: part for part in asked.question.facts.parts}
        unknown = next((name for name in answer.answers if name not in parts), None)
        if unknown is not None:
            raise refused(400, "unknown-part", "answers", f"the question has no part {unknown!r}")
        payment = all(part.form == PAYMENT for part in parts.values())
        if payment and len(answer.answers) != 1:
            sentence = f"answer one wager at a time (got {len(answer.answers)})"
            raise refused(400, "one-wager", "answers", sentence)
        done = next((name for name in answer.answers if name in self.settled), None)
        if done is not None:
            raise refused(409, "answered", "answers", f"{done} is already settled")
        try:
            for name, text in answer.answers.items():
                read_answer(parts[name], text)
            graded = grade(asked.question, answer.answers)
        except UnreadableAnswerError as error:
            raise refused(400, "unreadable", "answers", str(error)) from error
        rows = {row.part: row for row in graded.parts}
        key = {right.part: right for right in asked.question.key}
        self._time += answer.time
        if payment:
            (name,) = answer.answers
            return [self._payment(parts[name], key[name], rows[name], answer.time)]
        return self._whole(asked, parts, key, graded, answer.time)

    def _payment(
        self, part: QuestionPart, right: RightAnswer, row: PartGrade, time: int
    ) -> d.DrillPartGrade:
        """Grade one wager. A first wrong answer can be given again, but its mark stays wrong."""
        first = part.name not in self._first
        mark = mark_of([part], right.group, time, is_right=row.is_right)
        if first:
            self._first[part.name] = row
            self.marks.append(mark)
        again = first and not row.is_right
        graded = part_grade(part, right, row, mark, again=again, time=time)
        if not row.is_right and not again:
            self._missed(part, right, row)
        elif not again:
            self._note_first(part, right)
        if not again:
            self.settled[part.name] = graded
        return graded

    def _note_first(self, part: QuestionPart, right: RightAnswer) -> None:
        """Note the first answer as the last miss, if it was wrong."""
        row = self._first[part.name]
        if not row.is_right:
            self._missed(part, right, row)

    def _missed(self, part: QuestionPart, right: RightAnswer, row: PartGrade) -> None:
        assert self.asked is not None
        self.miss = d.DrillMiss(
            number=miss_number(self.marks),
            title=miss_title(part, right, self.asked.question.kind),
            sentence=miss_sentence(part, row),
            clause=row.clause,
        )

    def _whole(
        self,
        asked: DrillQuestion,
        parts: dict[str, QuestionPart],
        key: dict[str, RightAnswer],
        graded: Grade,
        time: int,
    ) -> list[d.DrillPartGrade]:
        """Grade all parts of a question; together they get one mark."""
        mark = mark_of(list(parts.values()), asked.question.kind, time, is_right=graded.is_right)
        self.marks.append(mark)
        listed = []
        for row in graded.parts:
            self._first[row.part] = row
            one = part_grade(parts[row.part], key[row.part], row, mark, again=False, time=time)
            self.settled[row.part] = one
            listed.append(one)
        wrong = next((row for row in graded.parts if not row.is_right), None)
        if wrong is not None:
            self._missed(parts[wrong.part], key[wrong.part], wrong)
        return listed

    def complete(self, asked: DrillQuestion) -> bool:
        """True if every part of the question is done, or the drill has no answers left."""
        open_parts = len(self._first) > len(self.settled)
        spent = len(self.marks) >= self.count and not open_parts
        return spent or len(self.settled) == len(asked.question.facts.parts)

    def record(self, asked: DrillQuestion, now: str) -> StoredAnswer:
        """Add the current question to the session and return it as a progress entry."""
        counted = Grade(tuple(self._first.values()))
        self.session = record_answer(self.session, asked, counted, self._time, now)
        return StoredAnswer(
            rulebook=self.book.id, drill=self.session.drill, kind=asked.question.kind,
            right=counted.is_right, seed=asked.seed, level=asked.question.difficulty, at=now,
        )  # fmt: skip


class DrillDesk(SessionDesk[RunningDrill]):
    """All running drills."""

    noun = "drill"
    missing = "no-drill"
    progress_kind = PROGRESS_KIND

    @property
    def drills(self) -> dict[str, RunningDrill]:
        """The running drills, by their ids."""
        return self.sessions

    def _next_question(self, session: RunningDrill) -> Callable[[], DrillQuestion]:
        return partial(next_question, session.session, session.tables, self._now(), session.asked)

    def _entry(self, answers: tuple[StoredAnswer, ...]) -> dict[str, Any]:
        entry: dict[str, Any] = msgspec.to_builtins(DrillEntry(answers))
        return entry

    def _ended(self) -> str:
        return ended_sentence(HOURS)

    async def menu(self, handle: str, rulebook: str) -> d.DrillMenu:
        """Return the drills of a rulebook, with a person's progress in them.

        An empty name means the rulebook with the most clauses.
        """
        book = (
            bundled(rulebook) if rulebook else max(sound_rulebooks()[0], key=lambda one: len(one.clauses))
        )
        read = await self._stored_entries(handle)
        progress = await self._queue.do(handle, progress_of, read.entries)
        choices = tuple(
            self._choice(progress, book, name)
            for name in COUNTS
            if name not in NEED_PROCEDURE or book.procedure.round
        )
        cards = [card for key, card in progress.kinds.items() if key.startswith(f"{book.id}/")]
        waiting = not any(choice.due for choice in choices)
        return d.DrillMenu(
            rulebook=book.id,
            title=book.title,
            modes=book.modes,
            drills=choices,
            next_due=min((card.due for card in cards), default="") if waiting else "",
        )

    def _choice(self, progress: Progress, book: Rulebook, name: d.DrillName) -> d.DrillChoice:
        title, about = TITLES[name]
        prefix = kind_key(book.id, name, "")
        keys = [key for key in progress.kinds if key.startswith(prefix)]
        weak = [kind_words(key.removeprefix(prefix)) for key in weak_kinds(progress, keys)]
        return d.DrillChoice(
            drill=name,
            title=title,
            about=about,
            count=COUNTS[name],
            level=level_of(progress, book.id, name),
            known=len(keys),
            due=len(due_kinds(progress, book.id, name, self._now())),
            weak=tuple(weak[:WEAK_SHOWN]),
        )

    async def start(self, handle: str, order: d.StartDrill) -> d.DrillState:
        """Start a drill and return its first question."""
        book = bundled(order.rulebook)
        if order.mode and order.mode not in book.modes:
            sentence = f"the mode must be {' or '.join(book.modes)} in {book.id} (got {order.mode!r})"
            raise refused(400, "unknown-mode", "mode", sentence)
        if order.drill in NEED_PROCEDURE and not book.procedure.round:
            sentence = f"{book.id} has no procedure; choose payouts, hands or chips"
            raise refused(400, "no-procedure", "drill", sentence)
        if order.scope and order.drill != "payouts":
            raise refused(400, "no-scope", "scope", "only payouts have a scope; leave it out")
        read = await self._stored_entries(handle)
        progress = await self._queue.do(handle, progress_of, read.entries)
        drill = await self._queue.do(handle, RunningDrill, handle, order, book, progress)
        drill.ask(await self._question(drill))
        await self._add(drill, read)
        self._prepare(drill)
        return self._state(drill)

    def state(self, handle: str, session: str) -> d.DrillState:
        """Return a drill of a person with its current question."""
        return self._state(self._find(handle, session))

    async def answer(self, handle: str, session: str, answer: d.AnswerDrill) -> d.DrillReply:
        """Grade an answer and return the next question, which is usually prepared already."""
        drill = self._find(handle, session)
        async with drill.lock:
            if (sent_again := drill.repeated_reply(answer.step)) is not None:
                return sent_again
            asked = self._expected(drill, answer.step)
            before = drill.grades()
            parts = drill.grade(asked, answer)
            complete = drill.complete(asked)
            following = None
            if complete and len(drill.marks) < drill.count:
                try:
                    following = await self._question(drill)
                except BaseException:
                    # Without a next question, the answer does not count, so that it can be sent again.
                    drill.take_back(before)
                    raise
            drill.step += 1
            if complete:
                self._continue(drill, asked, following)
            reply = d.DrillReply(
                step=drill.step,
                parts=tuple(parts),
                progress=drill.progress(),
                complete=complete,
                next=drill.shown() if complete else None,
                summary=summary_message(drill.session) if drill.finished else None,
            )
            drill.last_reply = reply
        return reply

    def _continue(self, drill: RunningDrill, asked: DrillQuestion, following: DrillQuestion | None) -> None:
        """Record a complete question, ask the next one if there is one, and prepare the one after it."""
        drill.unstored.append(drill.record(asked, self._now()))
        if following is None or len(drill.unstored) >= KEEP_EVERY:
            self._keep_later(drill)
        drill.ask(following)
        if following is not None:
            self._prepare(drill)

    def _state(self, drill: RunningDrill) -> d.DrillState:
        title, _ = TITLES[drill.order.drill]
        return d.DrillState(
            session=drill.id,
            rulebook=drill.book.id,
            title=title,
            drill=drill.order.drill,
            scope=drill.order.scope,
            mode=drill.order.mode,
            count=drill.count,
            step=drill.step,
            tray=tray_of(drill.table()),
            circles=circles_of(_widest(drill.tables)),
            progress=drill.progress(),
            question=drill.shown(),
            settled=tuple(drill.settled.values()),
            summary=summary_message(drill.session) if drill.finished else None,
        )


def _widest(tables: Sequence[Table]) -> Table:
    """Return the table with the most places on its layout."""
    return max(tables, key=lambda table: len(circles_of(table)))
