"""The list of attempts that an examiner keeps: one line for the start of each exam, and one for its end.

An exam without a second line was never finished. The file contains the names that trainees chose; to erase
a person, delete the lines with that name.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import msgspec

from houseway.errors import InputError
from houseway.report.exam_result import ABORTED, FINISHED, EarlierAttempt, ExamResult
from houseway.training.exams.run import ExamSetup

MOST_BYTES: Final = 1 << 24
PRIVATE: Final = 0o600
UNFINISHED: Final = "not finished"


class AttemptsError(InputError, ValueError):
    """The list of attempts cannot be read or written."""


class AttemptLine(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """The start or the end of an attempt."""

    trainee: str
    exam: str
    """The hash of the exam."""
    rulebook: str
    """The hash of the rulebook."""
    started: str
    commitment: str
    """The commitment to the seed, which is different for each attempt."""
    outcome: str = ""
    """Empty for the start."""
    record: str = ""


def earlier_attempts(path: Path, trainee: str, exam: str, rulebook: str) -> tuple[EarlierAttempt, ...]:
    """Return the attempts of a person at an exam with a rulebook, the oldest first."""
    starts: dict[str, AttemptLine] = {}
    ends: dict[str, AttemptLine] = {}
    for line in _lines(path):
        same = line.trainee.casefold() == trainee.casefold()
        if same and (line.exam, line.rulebook) == (exam, rulebook):
            (ends if line.outcome else starts)[line.commitment] = line
    return tuple(_attempt(one, ends.get(key)) for key, one in starts.items())


def _attempt(start: AttemptLine, end: AttemptLine | None) -> EarlierAttempt:
    if end is None:
        return EarlierAttempt(started=start.started, outcome=UNFINISHED)
    return EarlierAttempt(started=start.started, outcome=end.outcome, record=end.record)


def note_start(path: Path, setup: ExamSetup, commitment: str) -> None:
    """Write that an exam starts."""
    line = AttemptLine(
        trainee=setup.trainee, exam=setup.exam.hash, rulebook=setup.rulebook_hash, started=setup.started,
        commitment=commitment,
    )  # fmt: skip
    _append(path, line)


def note_end(path: Path, result: ExamResult) -> None:
    """Write how an exam ended."""
    ended = {FINISHED: "passed" if result.passed else "not passed", ABORTED: ABORTED}
    line = AttemptLine(
        trainee=result.trainee, exam=result.exam_hash, rulebook=result.rulebook_hash,
        started=result.started, commitment=result.commitment,
        outcome=ended.get(result.outcome, result.outcome), record=result.record,
    )  # fmt: skip
    _append(path, line)


def _lines(path: Path) -> list[AttemptLine]:
    if not path.exists():
        return []
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise AttemptsError(f"cannot read {path}: {error.strerror}") from error
    if len(data) > MOST_BYTES:
        raise AttemptsError(f"{path} is larger than {MOST_BYTES >> 20} MB; start a new list of attempts")
    lines = []
    for number, line in enumerate(data.splitlines(), 1):
        try:
            lines.append(msgspec.json.decode(line, type=AttemptLine))
        except (ValueError, RecursionError) as error:
            wrong = f"line {number} of {path} is not an attempt: {error}"
            raise AttemptsError(f"{wrong}; restore the file from a copy") from error
    return lines


def _append(path: Path, line: AttemptLine) -> None:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, PRIVATE)
        with os.fdopen(handle, "ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise AttemptsError(f"cannot write {path}: {error.strerror}") from error
