"""The marks of a drill, one for each answer in order, and the figures computed from them."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final

import msgspec

from houseway.training.drills.question import AMOUNT, CHOICE, PAYMENT, SEQUENCE, STACK, QuestionPart

RIGHT: Final = "right"
LATE: Final = "late"
"""Right, but slow."""
WRONG: Final = "wrong"
SLOW: Final = {PAYMENT: 10_000, CHOICE: 12_000, AMOUNT: 12_000, STACK: 12_000, SEQUENCE: 5_000}
"""Milliseconds after which a right answer is slow, by its form. A sequence has this time for each act."""
MINUTE: Final = 60_000


class Mark(msgspec.Struct, frozen=True):
    """The judgement of one answer."""

    judgement: str
    """`RIGHT`, `LATE` or `WRONG`."""
    group: str
    """The row of the figures that the answer counts in."""
    time: int
    """Milliseconds until the first answer."""

    @property
    def is_right(self) -> bool:
        """True if the first answer was right, slow or not."""
        return self.judgement != WRONG


class GroupFigures(msgspec.Struct, frozen=True):
    """The answers of one group."""

    group: str
    right: int
    answered: int
    median: int
    """Milliseconds."""


class MarkFigures(msgspec.Struct, frozen=True):
    """The figures of some marks."""

    answered: int
    right: int
    late: int
    median: int
    """The median milliseconds of an answer."""
    per_minute: float
    groups: tuple[GroupFigures, ...]
    """The groups, the most often asked first."""


def allowed_time(parts: Sequence[QuestionPart]) -> int:
    """Return the milliseconds after which the answer to some parts is slow.

    >>> allowed_time([QuestionPart("order", SEQUENCE, ("a", "b", "c"))])
    15000
    """
    return sum(SLOW[one.form] * (len(one.choices) if one.form == SEQUENCE else 1) for one in parts)


def mark_of(parts: Sequence[QuestionPart], group: str, time: int, *, is_right: bool) -> Mark:
    """Return the mark of an answer that took `time` milliseconds."""
    slow = LATE if time > allowed_time(parts) else RIGHT
    return Mark(slow if is_right else WRONG, group, time)


def figures(marks: Sequence[Mark]) -> MarkFigures:
    """Return the figures of some marks."""
    groups: dict[str, list[Mark]] = {}
    for mark in marks:
        groups.setdefault(mark.group, []).append(mark)
    rows = [
        GroupFigures(name, sum(one.is_right for one in listed), len(listed), _median(listed))
        for name, listed in groups.items()
    ]
    total = sum(mark.time for mark in marks)
    return MarkFigures(
        answered=len(marks),
        right=sum(mark.is_right for mark in marks),
        late=sum(mark.judgement == LATE for mark in marks),
        median=_median(marks),
        per_minute=len(marks) * MINUTE / total if total else 0.0,
        groups=tuple(sorted(rows, key=lambda row: (-row.answered, row.group))),
    )


def _median(marks: Sequence[Mark]) -> int:
    return int(median(mark.time for mark in marks)) if marks else 0
