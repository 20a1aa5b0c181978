"""Exams in both deal modes: the move to the second table, its rounds, its terms and its hash."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from houseway.engine import events as e
from houseway.report.score_sheet import score_text
from houseway.training.exams.exam import shipped_exam
from houseway.training.exams.run import ExamRun, terms_hash
from houseway.training.session import SessionError
from training.exam_trainee import SALT, exam_setup
from training.test_exams import TEST, followed

PRACTICE = "827a8aa3ba774ef18a15a7acca752e56c3fb99a7ff95d534e9c39c0c5e45cc01"
"""The hash of the practice exam as it was first shipped."""


def test_a_test_in_both_modes_moves_to_a_second_table() -> None:
    exam = replace(TEST, rounds=3, players=1, people={}, irregularities=0)
    for first, other, after in (("manual", "device", 2), ("device", "manual", 1)):
        run = followed(exam, "uth-ma", first, "5")
        session = run.session
        modes = [session.table_at(one.entries[-1].number).mode for one in session.judgements]
        assert modes == [first] * after + [other] * (3 - after)
        opened = [x.event for one in session.judgements for entry in one.entries for x in entry.changes]
        assert [one.number for one in opened if isinstance(one, e.RoundOpened)] == [1, 2, 3]
        result = run.result()
        assert (result.mode, result.slips, result.finished) == (f"{first} and {other}", (), 3)
        assert result.terms[0] == f"{first} deal"
        assert f"{other} deal" in result.terms
        assert result.terms_hash not in {terms_hash(run.setup.terms), terms_hash(coming_terms(run))}
        words = {"manual": "hand", "device": "machine"}
        assert f"dealt by {words[first]}, then by {words[other]}" in "\n".join(score_text(result))


def coming_terms(run: ExamRun) -> dict[str, Any]:
    """The terms of the second table."""
    assert run.setup.next_table is not None
    return run.setup.next_table.terms


def test_an_exam_in_one_mode_keeps_its_hash_and_its_table() -> None:
    one = replace(TEST, both_modes=False)
    assert "both_modes" not in one.text
    assert "both_modes" in TEST.text
    assert exam_setup(one, "uth-ma").next_table is None
    # A rulebook with one deal mode has one table.
    assert exam_setup(TEST, "uth-proc").next_table is None
    assert exam_setup(TEST, "shootout-sd").next_table is None
    # The shipped practice exam has the hash that it had before there was a choice.
    assert shipped_exam("practice").hash == PRACTICE


def test_an_impossible_move_is_refused() -> None:
    setup = exam_setup(TEST, "uth-ma")
    assert setup.next_table is not None
    for after in (0, 30):
        with pytest.raises(SessionError, match="must come after round 1 to 29"):
            ExamRun(replace(setup, next_table=replace(setup.next_table, after=after)), "1", SALT)
    with pytest.raises(SessionError, match="the table cannot open"):
        ExamRun(replace(setup, next_table=replace(setup.next_table, terms={"mode": "magic"})), "1", SALT)
