"""A session of one drill: the next question, the answers so far, and a summary.

A session is a value. Seeds and times come from the caller.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final

import msgspec
from msgspec.structs import replace

from houseway.engine.table import Table
from houseway.training.drills.all_drills import NEED_PROCEDURE, make_question
from houseway.training.drills.grade import Grade
from houseway.training.drills.payout_drill import scope_of
from houseway.training.drills.question import Question
from houseway.training.drills.repetition import (
    Progress,
    after_answer,
    due_kinds,
    kind_key,
    level_of,
    weak_kinds,
)

FRESH: Final = 30
"""To repeat a kind, this many new questions are tried before the earlier question is asked again."""
FRESH_ROUNDS: Final = 8
"""The same for drills that play a round for each question, so that the trainee does not wait."""


class DrillQuestion(msgspec.Struct, frozen=True):
    """A question of a session, with the seed that it comes from."""

    question: Question
    seed: str
    repeats: bool = False
    """True if its kind was due again."""


class DrillResult(msgspec.Struct, frozen=True):
    """An answered question."""

    kind: str
    is_right: bool
    amount: int
    """The net error in cents: plus is to the player."""
    gross: int
    """All errors in cents, without their signs."""
    time: int
    """Milliseconds until the answer."""


class DrillSession(msgspec.Struct, frozen=True):
    """The state of a session."""

    drill: str
    rulebook: str
    seed: str
    progress: Progress = Progress()
    results: tuple[DrillResult, ...] = ()
    scope: str = ""
    """What payout questions are about; empty for any."""


class DrillSummary(msgspec.Struct, frozen=True):
    """The figures of a session."""

    asked: int
    right: int
    time: int
    """Milliseconds for all answers."""
    median: int
    """The median milliseconds for one answer."""
    over: int
    """Cents paid beyond what was due."""
    short: int
    """Cents paid too little."""
    weak: tuple[str, ...]
    """The kinds whose last answer was wrong."""
    level: int


def next_question(
    session: DrillSession, tables: Sequence[Table], now: str, unanswered: DrillQuestion | None = None
) -> DrillQuestion:
    """Return the next question: of a kind that is due again, or a new one at the drill's level.

    `unanswered` is the question that the trainee still answers, if the next one is prepared ahead.
    """
    number = len(session.results) + 1 + (unanswered is not None)
    seed = f"{session.seed}/{number}"
    last = session.results[-1].kind if session.results else ""
    if unanswered is not None:
        last = unanswered.question.kind
    due = [one for one in due_kinds(session.progress, session.rulebook, session.drill, now) if one != last]
    if session.scope:
        due = [one for one in due if scope_of(one) == session.scope]
    if due:
        return _again(session, tables, due[0], seed)
    level = level_of(session.progress, session.rulebook, session.drill)
    return DrillQuestion(make_question(session.drill, tables, seed, level, session.scope), seed)


def _again(session: DrillSession, tables: Sequence[Table], kind: str, seed: str) -> DrillQuestion:
    """Return another question of a kind; if none is found, the one that was asked before."""
    card = session.progress.kinds[kind_key(session.rulebook, session.drill, kind)]
    for attempt in range(FRESH_ROUNDS if session.drill in NEED_PROCEDURE else FRESH):
        fresh = f"{seed}/{attempt}"
        question = make_question(session.drill, tables, fresh, card.level, session.scope)
        if question.kind == kind:
            return DrillQuestion(question, fresh, repeats=True)
    question = make_question(session.drill, tables, card.seed, card.level, session.scope)
    return DrillQuestion(question, card.seed, repeats=True)


def record_answer(
    session: DrillSession, asked: DrillQuestion, grade: Grade, time: int, now: str
) -> DrillSession:
    """Return the session after an answer that took `time` milliseconds."""
    question = asked.question
    progress = after_answer(
        session.progress, session.rulebook, session.drill, question.kind, right=grade.is_right,
        seed=asked.seed, level=question.difficulty, now=now,
    )  # fmt: skip
    gross = sum(abs(part.amount) for part in grade.parts)
    result = DrillResult(question.kind, grade.is_right, grade.amount, gross, time)
    return replace(session, progress=progress, results=(*session.results, result))


def summary(session: DrillSession) -> DrillSummary:
    """Return the figures of a session."""
    results = session.results
    times = [one.time for one in results]
    keys = {kind_key(session.rulebook, session.drill, one.kind): one.kind for one in results}
    return DrillSummary(
        asked=len(results),
        right=sum(one.is_right for one in results),
        time=sum(times),
        median=int(median(times)) if times else 0,
        over=sum((one.gross + one.amount) // 2 for one in results),
        short=sum((one.gross - one.amount) // 2 for one in results),
        weak=tuple(keys[key] for key in weak_kinds(session.progress, keys)),
        level=level_of(session.progress, session.rulebook, session.drill),
    )
