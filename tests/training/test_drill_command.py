"""`houseway drill`: a whole drill by keyboard alone, its summary, and its progress file."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from houseway.cli.app import main
from houseway.training.drills.all_drills import DRILLS, make_question
from houseway.training.drills.repetition import read_progress
from training.test_drills import tables_of


def run(monkeypatch: pytest.MonkeyPatch, lines: list[str], *tokens: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return main(["drill", *tokens])


def test_sixty_payments_in_a_row_are_graded_in_order(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every answer is "take": the grades are those of the questions, in their order."""
    assert run(monkeypatch, ["t"] * 900, "payouts", "uth-ma", "--seed", "x", "--count", "60") == 0
    out = capsys.readouterr().out
    asked = re.findall(r"Question (\d+) of 60\.", out)
    assert asked == [str(n) for n in range(1, 61)]
    verdicts = re.findall(r"^> (Right|Wrong)\.", out, re.M)
    tables = tables_of("uth-ma")
    # The level cannot change before the ninth question.
    first = [make_question("payouts", tables, f"x/{n}", 1) for n in range(1, 9)]
    assert verdicts[:8] == ["Right" if one.key[0].answer == "take" else "Wrong" for one in first]
    assert len(set(verdicts[:8])) == 2
    assert re.search(r"^\d+ of 60 right\.$", out, re.M)


def test_help_keys_clauses_and_the_summary(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    question = make_question("payouts", tables_of("uth-sd"), "k/1", 1)
    lines = ["?", "h", "banana", "", "push" if question.key[0].answer != "push" else "take", "?", "s", "q"]
    assert run(monkeypatch, lines, "payouts", "uth-sd", "--seed", "k") == 0
    out = capsys.readouterr().out
    assert "Answer first. Then ? shows the clause." in out
    assert "'banana' is not a payment; type t (take), p (push), or the amount to pay" in out
    clause = question.key[0].clause
    assert re.search(rf"^> {re.escape(str(clause))}: \w", out, re.M)
    assert out.count("Question 2 of 20.") == 2
    assert "0 of 1 right." in out
    weak = question.kind.removesuffix(", plain")
    assert f'Practise more questions of these kinds: "{weak}".' in out


@pytest.mark.parametrize("drill", list(DRILLS))
def test_cards_and_wagers_are_words_and_codes_and_the_end_of_input_ends_the_drill(
    drill: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, [], drill, "uth-ma", "--seed", "w") == 0
    out = capsys.readouterr().out
    assert "No question was answered." in out
    assert out.replace("“", "").replace("”", "").isascii() or drill == "chips"
    assert drill in ("chips", "next", "rulings") or re.search(r"Board: \w\w .*\(\w+ of \w+, ", out)


def test_progress_is_kept_between_drills(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "progress.json"
    options = ("chips", "uth-ma", "--seed", "p", "--progress", str(file))
    assert run(monkeypatch, ["1x1", "1", "1x1", "1"], *options, "--count", "2") == 0
    first = read_progress(file.read_bytes())
    assert sum(card.asked for card in first.kinds.values()) == 2
    assert run(monkeypatch, ["1x1", "1"], *options, "--count", "1") == 0
    assert sum(card.asked for card in read_progress(file.read_bytes()).kinds.values()) == 3


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["payouts", "--count", "0"], "--count must be from 1 to 1000 (got 0)"),
        (
            ["payouts", "uth-ma", "--mode", "robot"],
            "--mode must be manual or device in uth-ma (got 'robot')",
        ),
        (["payouts", "--tables", "trips=Z"], "trips"),
        (["payouts", "--progress", "no/such/folder/p.json"], "there is no folder"),
    ],
)
def test_bad_options_are_refused(
    options: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, [], *options) == 2
    assert says in capsys.readouterr().err


def test_a_damaged_progress_file_is_refused_and_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "progress.json"
    file.write_text('{"format": 1, "kinds": [')
    assert run(monkeypatch, ["t"], "payouts", "--progress", str(file)) == 2
    error = capsys.readouterr().err
    assert f"--progress {file}: it is not a progress file" in error
    assert "move this one away to start again" in error
    assert file.read_text() == '{"format": 1, "kinds": ['
