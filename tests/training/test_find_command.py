"""`houseway find`: rounds line by line, typed reports and their judgements."""

from __future__ import annotations

import io
import json

import pytest

from houseway.cli.app import main
from houseway.client.find_messages import MistakeReport
from houseway.training.mistakes.find_round import PlantedAnswer, find_round
from houseway.training.mistakes.report_judge import judge_report
from houseway.training.mistakes.report_text import ReportError, missing_parts, read_report
from training.test_find_rounds import tables_of


def run(monkeypatch: pytest.MonkeyPatch, lines: list[str], *tokens: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return main(["find", *tokens])


def test_a_session_is_watched_reported_and_judged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = find_round(tables_of("uth-proc"), "e/1", 1)
    named = "paid wrong 5 blind 25 over"
    lines = ["", "table", "help", "what is this", "all", named, "all", "none"]
    assert run(monkeypatch, lines, "uth-proc", "--seed", "e", "--rounds", "2") == 0
    out = capsys.readouterr().out
    assert out.count("\n1. 0:01 ") == 2
    last = len(first.replay.steps)
    assert f"\n{last}. " in out
    assert "You named the mistake." in out
    assert ": losing blind pushed.\nPushed seat 5's blind; it should be taken." in out
    assert "$25.00 overpaid.\nPROC-Q.3: " in out
    assert "The mistake was not reported." in out
    assert "1 of 2 rounds right, 1 missed, 0 false calls." in out


def test_an_unfinished_report_is_asked_for_the_rest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["all", "paid wrong", "5", "table", "blind", "25 over"]
    assert run(monkeypatch, lines, "uth-proc", "--seed", "e", "--rounds", "1") == 0
    out = capsys.readouterr().out
    assert "Your report needs the seat, the wager and the amount." in out
    assert "Your report needs the wager and the amount." in out
    assert "Your report needs the amount." in out
    assert "You named the mistake." in out
    assert "1 of 1 round right" in out


@pytest.mark.parametrize(
    ("first", "missing"),
    [
        ("hand", ("the place (a seat, the dealer, the board or the deck)",)),
        ("hand dealer", ()),
        ("hand 5", ()),
        ("cards deck", ()),
        ("irregularity", ("the place (a seat, the dealer, the board or the deck)",)),
        ("irregularity the board", ()),
        ("late bet 5", ("the wager", "the amount")),
        ("burn", ()),
        ("none", ()),
    ],
)
def test_a_report_needs_its_place(first: str, missing: tuple[str, ...]) -> None:
    watched = find_round(tables_of("uth-proc"), "e/1", 1).replay
    assert missing_parts(read_report(first, watched)) == missing


def test_a_place_is_judged() -> None:
    answer = PlantedAnswer(name="dealer misread", families=("reading",), places=("dealer",), step=2)
    right = MistakeReport(family="reading", place="dealer", step=2)
    assert judge_report(answer, right).outcome == "right"
    wrong = judge_report(answer, MistakeReport(family="reading", place="board", step=2))
    assert wrong.outcome == "false call"
    assert ("place", "the board", "the dealer") in [(p.name, p.yours, p.right) for p in wrong.parts]
    # A seat is wrong if the mistake is at the dealer, and so is a place if the mistake is at a seat.
    wrong = judge_report(answer, MistakeReport(family="reading", seat=3, step=2))
    assert wrong.outcome == "false call"
    assert ("place", "seat 3", "the dealer") in [(p.name, p.yours, p.right) for p in wrong.parts]
    seated = PlantedAnswer(name="hand misread", families=("reading", "order"), seats=(3,), step=2)
    assert judge_report(seated, MistakeReport(family="reading", seat=3, step=2)).outcome == "right"
    for place, yours in (("dealer", "the dealer"), ("", "no place")):
        wrong = judge_report(seated, MistakeReport(family="reading", place=place, step=2))
        assert wrong.outcome == "false call"
        assert ("place", yours, "seat 3") in [(p.name, p.yours, p.right) for p in wrong.parts]
    # A mistake may concern a seat and a place; then both are right.
    both = PlantedAnswer(name="hand misread", families=("reading",), seats=(3,), places=("dealer",), step=2)
    for seat, place, outcome in ((3, "", "right"), (0, "dealer", "right"), (4, "", "false call")):
        report = MistakeReport(family="reading", seat=seat, place=place, step=2)
        assert judge_report(both, report).outcome == outcome


def test_a_seat_is_judged_if_the_family_does_not_need_one() -> None:
    answer = PlantedAnswer(name="dealer read late", families=("order",), places=("dealer",), step=2)
    assert judge_report(answer, MistakeReport(family="order", step=2)).outcome == "right"
    assert judge_report(answer, MistakeReport(family="order", seat=3, step=2)).outcome == "false call"


def test_a_report_with_a_seat_and_a_place_is_refused() -> None:
    answer = PlantedAnswer(name="dealer misread", families=("reading",), places=("dealer",), step=2)
    with pytest.raises(ValueError, match="name a seat or a place, not both"):
        judge_report(answer, MistakeReport(family="reading", seat=3, place="dealer", step=2))
    watched = find_round(tables_of("uth-proc"), "e/1", 1).replay
    with pytest.raises(ReportError, match="Name a seat or a place, not both"):
        read_report("hand 5 dealer", watched)


def test_an_unfinished_report_is_not_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["all", "paid wrong", "", "paid wrong 5", "paid wrong 5 blind 25 over"]
    assert run(monkeypatch, lines, "uth-proc", "--seed", "e", "--rounds", "1") == 0
    out = capsys.readouterr().out
    assert "Report cancelled." in out
    assert "1 of 1 round right" in out


def test_a_part_that_the_watcher_does_not_know_may_be_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["all", "paid wrong 5 blind", "?"]
    assert run(monkeypatch, lines, "uth-proc", "--seed", "e", "--rounds", "1") == 0
    assert "no amount" in capsys.readouterr().out


def test_an_unknown_place_is_judged_as_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tokens = ("uth-proc", "--seed", "e", "--rounds", "1", "--json")
    assert run(monkeypatch, ["all", "hand", "?"], *tokens) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    [judged] = [line["judgement"] for line in lines if "judgement" in line]
    assert {"name": "place", "yours": "no place", "right": "seat 5", "is_right": False} in judged["parts"]


def test_a_part_is_missing_unless_the_report_names_it_or_lists_it_as_unknown() -> None:
    report = MistakeReport(family="amount", seat=5, unknown=("amount",))
    assert missing_parts(report) == ("the wager",)
    assert missing_parts(MistakeReport(family="reading", unknown=("place",))) == ()


def test_every_line_of_json_is_an_object(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tokens = ("uth-proc", "--seed", "e", "--rounds", "1", "--json")
    assert run(monkeypatch, ["all", "floor"], *tokens) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [next(iter(line)) for line in lines[-2:]] == ["judgement", "tally"]
    assert {next(iter(line)) for line in lines[:-2]} == {"step"}
    assert lines[-2]["judgement"]["outcome"] == "false call"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("banana", "does not say what is wrong"),
        ("paid wrong 9 blind 5 over", "No player sits in seat 9"),
        ("paid wrong blind 7.50", "Type a direction"),
        ("paid wrong blind five over", "is not a wager or an amount"),
        ("none 3", "takes nothing else"),
    ],
)
def test_a_report_that_cannot_be_read_says_what_to_type(text: str, message: str) -> None:
    watched = find_round(tables_of("uth-proc"), "cli/1", 1).replay
    with pytest.raises(ReportError, match=message):
        read_report(text, watched)


def test_reports_are_read() -> None:
    watched = find_round(tables_of("uth-proc"), "cli/1", 1).replay
    seat = watched.players[0].seat
    report = read_report(f"Paid wrong, seat {seat} the blind $7.50 short", watched, 12)
    assert (report.family, report.seat, report.wager) == ("amount", seat, "blind")
    assert (report.amount, report.step) == (-750, 12)
    late = read_report(f"late bet {seat} trips 5", watched)
    assert (late.family, late.wager, late.amount) == ("late bet", "trips", 500)
    assert read_report("out of order", watched).family == "order"
    assert read_report("none", watched).family == ""


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (["--rounds", "0"], "--rounds must be from 1 to 200 (got 0)"),
        (["--level", "4"], "--level must be 1, 2 or 3 (got 4)"),
        (["--mode", "x"], "--mode must be manual or device in uth-ma (got 'x')"),
    ],
)
def test_bad_options_are_refused(
    tokens: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, [], "uth-ma", *tokens) == 2
    assert message in capsys.readouterr().err
