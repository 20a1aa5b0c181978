"""The runner: the engine passes, planted faults are named, and bad programs do not crash it."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from houseway.cli.app import main as houseway
from houseway.conformance import Case, cases, compare
from houseway.conformance.__main__ import main

IMPOSTOR = Path(__file__).with_name("impostor.py")


def impostor(way: str) -> str:
    """The command of a program that settles wrongly in this way."""
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(IMPOSTOR))} {way}"


def run_suite(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Run the suite; return the exit code and the output."""
    code = main(arguments)
    return code, capsys.readouterr().out


def test_the_engine_passes_the_strict_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run_suite(capsys, "--strict")
    assert code == 0, out
    assert f"All {len(list(cases()))} rounds agree." in out


def test_houseway_settle_passes_as_an_external_program(capsys: pytest.CaptureFixture[str]) -> None:
    command = f"{shlex.quote(sys.executable)} -m houseway settle -"
    code, out = run_suite(capsys, "--strict", "--cmd", command)
    assert code == 0, out


def test_a_straight_that_pushes_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run_suite(capsys, "--rulebook", "uth-ma", "--cmd", impostor("straight-push"))
    assert code == 1
    assert "uth-ma blind (MA-10.c): " in out
    assert "the result is push, but should be win; pays 10.00 too little" in out
    assert "trips" not in out
    assert "seats" not in out


def test_trips_forgotten_on_a_fold_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run_suite(capsys, "--rulebook", "uth-card", "--cmd", impostor("no-trips-on-fold"))
    assert code == 1
    assert "uth-card trips (CARD-24): " in out
    assert "the line is missing; the wager must win 15.00" in out
    assert "uth-card trips (CARD-23): " in out
    assert "the line is missing; the wager must lose 5.00" in out


def test_ties_that_lose_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run_suite(capsys, "--rulebook", "uth-proc", "uth-sd", "--cmd", impostor("ties-lose"))
    assert code == 1
    assert "uth-proc play (PROC-Q.4): " in out
    assert "uth-sd play (SD-14-a): " in out
    assert "the result is lose, but should be push; pays " in out


def test_a_program_that_never_refuses_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run_suite(capsys, "--rulebook", "shootout-sd", "--cmd", impostor("never-refuses"))
    assert code == 1
    assert "shootout-sd round (TS-9-a): " in out
    assert "settled, but it must be refused" in out


def test_a_program_that_stops_early_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run_suite(capsys, "--rulebook", "uth-sd", "--cmd", impostor("stops"))
    assert code == 1
    assert "the program printed 10 answers for" in out
    assert "its last line of errors is: the settler fell asleep" in out
    assert "the program exited with code 1" in out


def test_a_program_that_prints_garbage_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run_suite(capsys, "--rulebook", "uth-card", "--cmd", impostor("garbage"))
    assert code == 1
    assert "the answer is not JSON" in out
    assert "seat 1 wins a lot" in out


def test_a_program_that_prints_too_much_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run_suite(capsys, "--rulebook", "uth-card", "--cmd", impostor("chatters"))
    assert code == 1
    assert "the program printed more than" in out


def test_a_program_that_sleeps_is_stopped_and_reported(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run_suite(capsys, "--seconds", "1", "--cmd", impostor("sleeps"))
    assert code == 1
    assert "still running after 1 seconds and was stopped" in out
    assert "the program printed 0 answers for" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--rulebook", "uth-nv"], "--rulebook: there are no rounds for uth-nv; use shootout-sd"),
        (["--cmd", "no-such-program-anywhere"], "cannot start 'no-such-program-anywhere'"),
        (["--cmd", "'"], "cannot read the command"),
        (["--cmd", ""], "--cmd is empty; name a program"),
        (["--limit", "0"], "--limit must be at least 1 (got 0)"),
        (["--seconds", "0"], "--seconds must be more than 0 (got 0)"),
        (["--show", "uth-ma-0"], "--show: there is no round 'uth-ma-0'; --list prints the ids"),
    ],
)
def test_bad_options_get_a_sentence_and_exit_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert main(arguments) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("refused", [False, True])
def test_a_round_printed_with_show_can_be_settled(
    refused: bool, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    case = [case for case in cases("uth-ma") if case.refused == refused][-1]
    code, out = run_suite(capsys, "--show", case.id)
    assert (code, json.loads(out)) == (0, case.round)
    (tmp_path / "round.json").write_text(out, encoding="utf-8")
    assert houseway(["settle", str(tmp_path / "round.json"), "--json"]) == (2 if refused else 0)
    assert compare(case, json.loads(capsys.readouterr().out), strict=True) == []


def test_the_old_name_came_is_still_an_alias_of_answered(capsys: pytest.CaptureFixture[str]) -> None:
    case = next(cases("uth-ma"))
    wrong = compare(case, {"refused": [{"code": "no"}]})[0]
    assert wrong.came == wrong.answered
    _, out = run_suite(capsys, "--json", "--limit", "200", "--cmd", impostor("ties-lose"))
    first = json.loads(out)["wrong"][0]["first"]
    assert first["came"] == first["answered"] != first["expected"]


def test_the_json_report_counts_rounds_and_names_differences(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run_suite(capsys, "--json", "--clauses", "--limit", "200", "--cmd", impostor("ties-lose"))
    report = json.loads(out)
    assert code == 1
    assert report["agrees"] is False
    assert report["rounds"] == 200
    assert report["agreeing"] < 200
    assert set(report["rulebooks"]) == {"shootout-sd", "uth-card", "uth-ma", "uth-proc", "uth-sd"}
    first = report["wrong"][0]
    assert first["wager"] == "play"
    assert first["first"]["says"].startswith("the result is lose, but should be push")
    assert report["clauses"][first["clause"]]["agree"] < report["clauses"][first["clause"]]["rounds"]


def test_list_prints_the_ids_of_rounds(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run_suite(capsys, "--list", "--rulebook", "uth-ma", "--limit", "5")
    assert code == 0
    assert len(out.splitlines()) == 5
    assert out.startswith("uth-ma-0001")
    code, out = run_suite(capsys, "--list", "--json", "--limit", "7")
    assert len(json.loads(out)) == 7
    code, out = run_suite(capsys, "--clauses", "--rulebook", "uth-card")
    assert code == 0
    assert "CARD-25" in out


CASE = Case(
    "x-0001", "x", "a test", (), {},
    {
        "lines": [
            {"seat": 1, "hand": 1, "wager": "ante", "stake": "10.00", "result": "win", "net": "10.00", "clause": "X"},
            {"seat": 1, "hand": 1, "wager": "envy", "stake": "0.00", "result": "win", "net": "5.00", "clause": "Y",
             "from": {"seat": 2, "hand": 1}},
        ],
        "seats": [{"seat": 1, "staked": "10.00", "returned": "25.00", "net": "15.00"}],
        "meters": {"main": "7.50"}, "dealer_tips": "0.00", "approvals": [], "caps": [],
    },
)  # fmt: skip


def right() -> dict[str, Any]:
    """A correct answer, written as loosely as is allowed."""
    return {
        "lines": [
            {"seat": 1, "wager": "envy", "stake": 0, "result": "win", "net": "5", "from": {"seat": 2}},
            {"seat": 1, "wager": "ante", "stake": "10", "result": "win", "net": "10.0"},
        ],
        "seats": [{"seat": 1, "staked": 10, "returned": "25", "net": "+15.00"}],
        "meters": {"main": "7.5"},
    }


def test_a_loosely_written_answer_agrees_unless_the_comparison_is_strict() -> None:
    assert compare(CASE, right()) == []
    assert {d.says for d in compare(CASE, right(), strict=True)} == {
        "clause is None instead of X",
        "clause is None instead of Y",
        "settled in a different order",
    }


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"meters": {"main": "8.00"}}, "the meter main shows 0.50 too much"),
        ({"meters": {}}, "the meter main is missing"),
        ({"meters": {"main": "7.50", "mega": "1"}}, "an unexpected meter mega"),
        ({"dealer_tips": "1.00"}, "the dealer gets 1.00 too much"),
        ({"seats": []}, "no totals for the seat"),
        (
            {"seats": [{"seat": 1, "staked": "10", "returned": "24", "net": "14"}]},
            "returned is 1.00 too little",
        ),
        ({"lines": right()["lines"][:1]}, "the line is missing; the wager must win 10.00"),
        ({"lines": [*right()["lines"], right()["lines"][1]]}, "an unexpected line: win 10.0 on 10"),
        (
            {"lines": [right()["lines"][0], {**right()["lines"][1], "stake": "5"}]},
            "has a stake of 5.00 instead of 10.00",
        ),
        (
            {"lines": [right()["lines"][0], {**right()["lines"][1], "cut": "5"}]},
            "is cut by 5.00 instead of 0.00",
        ),
        (
            {"lines": [right()["lines"][0], {**right()["lines"][1], "result": "push"}]},
            "the result is push, but should be win",
        ),
        ({"refused": [{"code": "no"}]}, "refused, but it must be settled"),
        ({"lines": 7}, "the answer has no list `lines`"),
        ({"lines": [{"seat": [1], "wager": "ante"}]}, "`seat` is [1]"),
        (
            {"lines": [{"seat": 1, "wager": "ante", "stake": "ten"}]},
            '`stake` must be dollars such as "7.50", not ten',
        ),
        ({"seats": None}, "the answer has no list `seats`"),
        ({"meters": 5}, "`meters` is not a JSON object"),
    ],
)
def test_each_kind_of_difference_has_its_sentence(change: dict[str, Any], says: str) -> None:
    differences = compare(CASE, right() | change)
    assert any(d.says.startswith(says) for d in differences), differences


@pytest.mark.parametrize("answer", [None, 7, "win", [], {}])
def test_an_answer_of_the_wrong_type_is_reported(answer: Any) -> None:
    assert [d.wager for d in compare(CASE, answer)] == ["answer"]
