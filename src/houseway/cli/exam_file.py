"""Load an exam by its name or from a file, for `exam`, `check` and `audit certificate`."""

from __future__ import annotations

from pathlib import Path

from houseway.cli.output import file_problem
from houseway.rules.problems import Problem
from houseway.training.exams.exam import (
    MOST_BYTES,
    Exam,
    exam_with_problems,
    is_exam,
    read_exam,
    shipped_exam,
    shipped_exams,
)


def find_exam(ref: str) -> Exam:
    """Return the exam with this name, or in this file; raise ExamError with every problem."""
    if ref in shipped_exams() or not _is_file(ref):
        return shipped_exam(ref)
    return read_exam(_text(ref), ref)


def exam_problems(ref: str) -> list[Problem] | None:
    """Return every problem of an exam; None if `ref` is neither an exam's name nor its file."""
    if ref in shipped_exams():
        return []
    if not ref.endswith(".toml") or not _is_file(ref):
        return None
    text = _text(ref)
    return exam_with_problems(text, ref)[1] if is_exam(text) else None


def _is_file(ref: str) -> bool:
    try:
        return Path(ref).is_file()
    except (OSError, ValueError):
        # The name is too long for a file, or contains a null byte.
        return False


def _text(ref: str) -> str:
    """Return the beginning of a file as text, one byte more than an exam may have."""
    with file_problem("read", ref), Path(ref).open("rb") as file:
        return file.read(MOST_BYTES + 1).decode("utf-8", "replace")
