"""The results of a class as a CSV file for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Final

from houseway.client.class_messages import AttemptResult, ClassSheet, TraineeResults

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet treats a cell that starts with one of these characters as a formula."""
COLUMNS: Final = (
    "trainee", "attempt", "exam", "rulebook", "status", "started", "ended", "passed", "certificate",
    "erased attempts", "erased at",
)  # fmt: skip


def safe_cell(text: str) -> str:
    """Return a text that a spreadsheet shows as it is, and never calculates.

    >>> safe_cell("=1+1"), safe_cell("Ann")
    ("'=1+1", 'Ann')
    """
    return f"'{text}" if text.startswith(FORMULA) else text


def results_csv(sheet: ClassSheet) -> str:
    """Return one row for each attempt, and one for each trainee without an attempt."""
    measures = list(
        dict.fromkeys(
            measure.name
            for trainee in sheet.trainees
            for attempt in trainee.attempts
            for measure in attempt.measures
        )
    )
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow([*COLUMNS, *map(safe_cell, measures)])
    for trainee in sheet.trainees:
        for row in _rows(trainee, measures):
            writer.writerow(map(safe_cell, row))
    return file.getvalue()


def _rows(trainee: TraineeResults, measures: list[str]) -> Iterator[list[str]]:
    erased = [str(trainee.erased_attempts) if trainee.erased_at else "", trainee.erased_at]
    if not trainee.attempts:
        status = "erased" if trainee.erased_at else "no attempt"
        yield [trainee.handle, "", "", "", status, "", "", "", "", *erased, *("" for _ in measures)]
    for attempt in trainee.attempts:
        yield [trainee.handle, *_cells(attempt), *erased, *_measure_cells(attempt, measures)]


def _measure_cells(attempt: AttemptResult, measures: list[str]) -> list[str]:
    shown = {measure.name: measure.shown for measure in attempt.measures}
    return [shown.get(name, "") for name in measures]


def _cells(attempt: AttemptResult) -> list[str]:
    passed = {None: "", True: "yes", False: "no"}[attempt.passed]
    return [
        str(attempt.attempt),
        attempt.exam,
        attempt.rulebook,
        attempt.status,
        attempt.started_at,
        attempt.ended_at,
        passed,
        "yes" if attempt.certificate else "no" if attempt.passed is not None else "",
    ]
