"""The tables of an exam: the rulebook's default table and, for an exam in both deal modes, a
second table."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from houseway.engine.terms import read_terms
from houseway.live.default_terms import card_backs, offering, usual_mode
from houseway.rules.rulebook import Rulebook
from houseway.training.exams.exam import DEVICE, Exam
from houseway.training.session import NextTable

COUNTS: Final = "device_counts"
"""The house setting of a device that counts the cards: only such a device can show a wrong number."""


class ExamTables(msgspec.Struct, frozen=True):
    """The tables of an exam."""

    terms: dict[str, Any]
    backs: tuple[str, ...]
    next_table: NextTable | None = None
    """The table for the second part; None if the exam has one part."""


def exam_tables(exam: Exam, book: Rulebook, mode: str = "") -> ExamTables:
    """Return the tables of an exam. `mode` is the first deal mode; empty for the default one."""
    first = mode or usual_mode(book)
    other = next((one for one in book.modes if one != first), "")
    if not (exam.both_modes and other and exam.rounds_in(DEVICE)):
        return ExamTables(*_table(book, first, {}))
    terms, backs = _table(book, other, _house(book, other))
    coming = NextTable(after=exam.rounds_in(first), terms=terms, backs=backs)
    return ExamTables(*_table(book, first, _house(book, first)), coming)


def _house(book: Rulebook, mode: str) -> dict[str, Any]:
    """Return the house settings of a table in a deal mode: a device counts, and at the other table the
    dealer counts."""
    return {COUNTS: True} if mode == DEVICE and COUNTS in book.house else {}


def _table(book: Rulebook, mode: str, house: dict[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    given = offering(book, mode, {}, {}, house) | ({"house": house} if house else {})
    return given, card_backs(read_terms(book, given)[0])
