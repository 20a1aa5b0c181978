"""Spaced repetition of drills: weak kinds return, levels follow accuracy, and progress files are checked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import fsrs
import msgspec
import pytest

from houseway.training.drills.drill_session import (
    DrillSession,
    next_question,
    record_answer,
    summary,
)
from houseway.training.drills.grade import grade
from houseway.training.drills.repetition import (
    LARGEST_FILE,
    MOST_KINDS,
    KindCard,
    Progress,
    ProgressError,
    after_answer,
    due_kinds,
    level_of,
    read_progress,
    write_progress,
)
from training.test_drills import right_answers, tables_of

START = datetime(2026, 11, 17, 20, tzinfo=UTC)


def at(**passed: float) -> str:
    return (START + timedelta(**passed)).isoformat()


def answer(progress: Progress, kind: str, right: bool, now: str, level: int = 1) -> Progress:
    return after_answer(progress, "uth-ma", "payouts", kind, right=right, seed="s", level=level, now=now)


def test_a_wrong_kind_is_due_in_a_minute_and_a_right_one_in_ten() -> None:
    """FSRS learning steps: one minute after "again", ten minutes after "good"."""
    progress = answer(Progress(), "blind, flush", right=False, now=at())
    progress = answer(progress, "ante, take", right=True, now=at())
    assert due_kinds(progress, "uth-ma", "payouts", at(seconds=59)) == []
    assert due_kinds(progress, "uth-ma", "payouts", at(seconds=61)) == ["blind, flush"]
    assert due_kinds(progress, "uth-ma", "payouts", at(minutes=11)) == ["blind, flush", "ante, take"]
    assert due_kinds(progress, "uth-sd", "payouts", at(minutes=11)) == []


def test_intervals_grow_with_right_answers_and_shrink_after_a_wrong_one() -> None:
    progress, now, waits = Progress(), START, []
    for _ in range(5):
        progress = answer(progress, "k", right=True, now=now.isoformat())
        due = datetime.fromisoformat(progress.kinds["uth-ma/payouts/k"].due)
        waits.append(due - now)
        now = due
    assert waits == sorted(waits)
    assert waits[-1] > timedelta(days=20)
    progress = answer(progress, "k", right=False, now=now.isoformat())
    assert datetime.fromisoformat(progress.kinds["uth-ma/payouts/k"].due) - now == timedelta(minutes=10)


def test_the_schedule_is_that_of_the_package() -> None:
    """The same reviews, made with the package directly, give the same card."""
    scheduler = fsrs.Scheduler(enable_fuzzing=False)
    card, progress = fsrs.Card(card_id=1, due=START), Progress()
    for minutes, right in ((0, False), (2, True), (15, True), (5000, True), (50_000, False)):
        now = START + timedelta(minutes=minutes)
        card, _ = scheduler.review_card(card, fsrs.Rating.Good if right else fsrs.Rating.Again, now)
        progress = answer(progress, "k", right, now.isoformat())
    kept = progress.kinds["uth-ma/payouts/k"]
    assert (kept.due, kept.stability, kept.difficulty, kept.state) == (
        card.due.isoformat(), card.stability, card.difficulty, card.state,
    )  # fmt: skip
    assert (kept.asked, kept.right, kept.failed) == (5, 3, True)


def test_the_level_follows_accuracy() -> None:
    progress = Progress()
    for n in range(8):
        assert level_of(progress, "uth-ma", "payouts") == 1
        progress = answer(progress, "k", right=n != 0, now=at())
    assert level_of(progress, "uth-ma", "payouts") == 2
    for n in range(8):
        progress = answer(progress, "k", right=n < 3, now=at(), level=2)
    assert level_of(progress, "uth-ma", "payouts") == 1
    for _ in range(8):
        # A repeated question of another level does not count.
        progress = answer(progress, "k", right=True, now=at(), level=3)
    assert level_of(progress, "uth-ma", "payouts") == 1


@pytest.mark.parametrize("drill", ["payouts", "next", "chips"])
def test_a_session_brings_a_weak_kind_back(drill: str) -> None:
    tables = tables_of("uth-sd")
    session = DrillSession(drill, "uth-sd", "seed")
    asked = next_question(session, tables, at())
    weak = asked.question.kind
    session = record_answer(session, asked, grade(asked.question, {}), 2000, at())
    for n in range(1, 5):
        asked = next_question(session, tables, at(seconds=n))
        assert not asked.repeats
        right = grade(asked.question, right_answers(asked.question))
        session = record_answer(session, asked, right, 1000, at(seconds=n))
    again = next_question(session, tables, at(minutes=2))
    assert (again.repeats, again.question.kind) == (True, weak)
    figures = summary(session)
    assert (figures.asked, figures.right, figures.time, figures.median) == (5, 4, 6000, 1000)
    assert figures.weak == (weak,)


def test_the_same_kind_is_not_asked_twice_in_a_row() -> None:
    tables = tables_of("uth-ma")
    session = DrillSession("payouts", "uth-ma", "seed")
    asked = next_question(session, tables, at())
    session = record_answer(session, asked, grade(asked.question, {}), 0, at())
    assert not next_question(session, tables, at(hours=1)).repeats


def test_progress_survives_a_file() -> None:
    progress = Progress()
    for n in range(40):
        progress = answer(progress, f"kind {n % 7}, ½", right=n % 3 > 0, now=at(minutes=n))
    assert read_progress(write_progress(progress)) == progress


def damaged(**changes: Any) -> bytes:
    """A progress file with one kind, changed."""
    progress = msgspec.to_builtins(answer(Progress(), "k", right=True, now=at()))
    progress["kinds"]["uth-ma/payouts/k"].update(changes)
    return msgspec.json.encode(progress)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[1, 2]",
        b"\xff\xfe",
        b'{"format": 1, "kinds": 3}',
        b'{"format": 0}',
        b'{"format": 1, "surprise": 1}',
        b"[" * 100_000,
        write_progress(Progress())[:-4],
        damaged(due="tomorrow"),
        damaged(due="2026-11-17T20:00:00+05:00"),
        damaged(state=2),
        damaged(state=9),
        damaged(step=None),
        damaged(stability=None),
        damaged(stability=-1.0),
        damaged(last=None),
        damaged(asked=0),
        damaged(level=4),
        damaged(seed="x" * 5000),
    ],
)  # fmt: skip
def test_a_damaged_file_is_refused_with_a_sentence(data: bytes) -> None:
    with pytest.raises(ProgressError, match="name another file"):
        read_progress(data)


def test_a_newer_file_and_a_huge_file_are_refused() -> None:
    with pytest.raises(ProgressError, match=r"format 2.*upgrade houseway"):
        read_progress(b'{"format": 2, "new": true}')
    with pytest.raises(ProgressError, match="the limit is"):
        read_progress(b" " * (LARGEST_FILE + 1))


def test_progress_is_bounded_and_forgets_what_is_known_best() -> None:
    far = KindCard(seed="s", level=1, due=at(days=300))
    near = KindCard(seed="s", level=1, due=at(days=1))
    kinds = {f"b/d/{n}": near for n in range(MOST_KINDS - 1)} | {"b/d/known": far}
    progress = answer(Progress(kinds=kinds), "new", right=False, now=at())
    assert len(progress.kinds) == MOST_KINDS
    assert "b/d/known" not in progress.kinds
    assert len(write_progress(progress)) < LARGEST_FILE
