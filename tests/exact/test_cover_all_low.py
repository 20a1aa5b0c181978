"""The return of Cover All, and the warnings about it, if three of a kind, a straight and a flush push."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from houseway.cli.app import main
from houseway.engine.terms import read_terms
from houseway.exact.wager_prices import by_table
from houseway.rules.loader import load
from houseway.testing import settled

WARNING = "Cover All returns 110.48 % to 134.19 % of the stake: the house loses on it"
HOUSE = """
[rulebook]
id = "grand"
extends = "uth-ma"
title = "The Grand, Ultimate Texas Hold 'Em"
"""


def returns(low: str) -> list[float]:
    """Return Cover All's return for each number of hands, from two to seven, in percent."""
    terms, refused = read_terms(load("uth-ma"), {"mode": "device", "house": {"cover_all_low": low}})
    assert not refused
    return [round(100 * float(value.returned), 2) for value in by_table(terms, "cover_all").values()]


def test_if_low_hands_push_cover_all_returns_more_than_the_stake() -> None:
    assert returns("lose") == [90.02, 90.00, 90.80, 91.39, 90.05, 89.44]
    assert returns("push") == [110.48, 117.08, 123.42, 128.71, 131.38, 134.19]


def test_a_push_raises_the_return_by_the_probability_of_the_three_classes() -> None:
    """With two hands, the return rises by the probability that the highest hand is one of the three classes."""
    kinds = {}
    for low in ("lose", "push"):
        terms, _ = read_terms(load("uth-ma"), {"mode": "device", "house": {"cover_all_low": low}})
        kinds[low] = by_table(terms, "cover_all")["2"]
    pushes = [case for case in kinds["push"].cases if case.outcome.result == "push"]
    chance = Fraction(sum(case.ways for case in pushes), kinds["push"].deals)
    assert [case.hand for case in pushes] == ["flush to three of a kind"]
    assert kinds["push"].returned - kinds["lose"].returned == chance


def test_solve_warns_about_a_return_above_100_percent(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "uth-ma", "--house", "cover_all_low=push", "--only", "sides"]) == 0
    assert f"warning: {WARNING}\n" in capsys.readouterr().out
    assert main(["solve", "uth-ma", "--house", "cover_all_low=push", "--only", "sides", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["warnings"] == [WARNING]
    assert main(["solve", "uth-ma", "--only", "sides"]) == 0
    assert "warning" not in capsys.readouterr().out


def test_the_sheet_warns_about_a_return_above_100_percent(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet", "uth-ma", "--house", "cover_all_low=push", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["warnings"] == [WARNING]
    assert f"warning: {WARNING}\n" in err
    assert main(["sheet", "uth-ma", "--house", "cover_all_low=push"]) == 0
    assert f"<strong>Warning:</strong> {WARNING}." in capsys.readouterr().out


def test_check_warns_about_a_rulebook_in_which_low_hands_push(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "grand.toml"
    file.write_text(f'{HOUSE}\n[house.cover_all_low]\ndefault = "push"\n', encoding="utf-8")
    assert main(["check", str(file)]) == 0
    assert f"warning: {WARNING}" in capsys.readouterr().out


def test_a_rulebook_may_pay_other_classes_than_the_printed_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """This rulebook pays 1 to 1 for three of a kind, a straight and a flush, and leaves the printed rows unchanged."""
    file = tmp_path / "grand.toml"
    rows = [
        f'{{ when = {{ hands_dealt = {n}, hand = "full house or better" }}, table = "cover_all.{n}" }},'
        for n in range(2, 8)
    ]
    rows.append('{ when = { hand = ["flush", "straight", "three of a kind"] }, pays = "1 to 1" },')
    rows.append('{ when = { hand = "below full house" }, pays = "lose" },')
    text = "\n".join(rows)
    file.write_text(f"{HOUSE}\n[wager.cover_all]\npays = [\n{text}\n]\n", encoding="utf-8")
    assert main(["check", str(file)]) == 0
    assert "warning: Cover All returns 130" in capsys.readouterr().out
    seat = {"hole": "7c 7d", "ante": "10", "cover_all": "5", "play": 1}
    paid = settled(str(file), "7s Kh 9d 4c 2s", "Kc Qd", seat, mode="device")
    assert (paid.net("cover_all"), paid.clause("cover_all")) == ("5.00", "own.grand")
    full = {"hole": "Kh 3d", "ante": "10", "cover_all": "5", "play": 1}
    assert settled(str(file), "Ks Kd 7c 7h 2s", "Qd Jc", full, mode="device").net("cover_all") == "60.00"
