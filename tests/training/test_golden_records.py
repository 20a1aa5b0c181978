"""Records of earlier versions replay to the score that they had."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from houseway.training.exams.record import is_exam_record, read_exam_record, result_of
from houseway.training.session_file import read_session, replay_session

RECORDS = Path(__file__).parent / "records"
SCORES: dict[str, dict[str, Any]] = json.loads((RECORDS / "scores.json").read_text(encoding="utf-8"))
WITHOUT_TEXT = "exam-format-1"
"""A record without the text of its rulebook, which `test_exams.py` reads."""


def test_every_record_has_a_score() -> None:
    assert {file.stem for file in RECORDS.glob("*.jsonl")} == {*SCORES, WITHOUT_TEXT}


@pytest.mark.parametrize("name", SCORES)
def test_a_record_replays_to_its_score(name: str) -> None:
    data = (RECORDS / f"{name}.jsonl").read_bytes()
    if is_exam_record(data):
        record = read_exam_record(data)
        result = result_of(record)
        found = {"score": result.score, "passed": result.passed, "slips": len(result.slips)}
    else:
        found = msgspec.to_builtins(replay_session(*read_session(data)).score)
    assert found == SCORES[name]
