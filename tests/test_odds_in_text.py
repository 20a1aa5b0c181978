"""The odds that people read follow the wording of the document: Massachusetts forbids "for" (MA-10.a)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from houseway.audit.dispute import Dispute, DisputedWager
from houseway.cli.app import main
from houseway.cli.dispute_output import show_dispute
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.rules.loader import load
from houseway.shoe.seeded_draws import SeedDraws
from houseway.training.drills.payout_drill import payout_question
from training.test_happenings import plain_terms

BOARD, DEALER = "7s 7h 2d 9c Jd", "Ac 3s"
"""A pair on the board, so that a pair of sevens in the hand is four of a kind with the flop."""


def settled_text(rulebook: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the text of `houseway settle` for four of a kind with a progressive bet."""
    seat = {
        "seat": 1,
        "hole": "7c 7d",
        "ante": "10",
        "blind": "10",
        "play": 4,
        "progressive": {"uth-ma": "5"}.get(rulebook, "1"),
    }
    data: dict[str, Any] = {"rulebook": rulebook, "board": BOARD, "dealer": DEALER, "seats": [seat]}
    if rulebook == "uth-sd":
        data["tables"] = {"progressive": "PMG-01"}
    file = tmp_path / "round.json"
    file.write_text(json.dumps(data))
    assert main(["settle", str(file)]) == 0
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.clause("MA-10.a")
@pytest.mark.parametrize(("rulebook", "words"), [("uth-ma", "300 times the"), ("uth-sd", "300 for 1")])
def test_the_text_of_settle(
    rulebook: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert words in settled_text(rulebook, tmp_path, capsys)


@pytest.mark.clause("MA-10.a")
@pytest.mark.parametrize(("wording", "words"), [("to or win", "300 times the"), ("", "300 for 1")])
def test_the_text_of_a_dispute(wording: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    line = DisputedWager(1, 1, "progressive", 500, "win", 150000, 150000, 0, odds="300 for 1")
    show_dispute(
        Dispute("table/1", 1, "today", "Rules", "uth-ma", (), (line,), (), 0, odds_wording=wording)
    )
    assert words in " ".join(capsys.readouterr().out.split())


@pytest.mark.clause("MA-10.a")
def test_the_reasons_in_the_payout_drill() -> None:
    terms, refused = read_terms(load("uth-ma"), plain_terms("uth-ma", "manual"))
    assert not refused
    table, draws = Table(terms), SeedDraws(1, "odds")
    reasons = [one.reason for _ in range(60) for one in payout_question(table, draws, 1).key]
    assert any("times the wager" in one for one in reasons)
    assert not any(" for 1" in one for one in reasons)
