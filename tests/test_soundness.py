"""The checker on whole folders: it reports problems in the files beside the rules, with their place."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import houseway
from houseway.cli.app import main
from houseway.engine.commands import Bet
from houseway.engine.refusals import Refusal
from houseway.rules import loader
from houseway.testing import soundness
from houseway.testing.driver import CommandRefusedError
from houseway.testing.soundness import problems

BUNDLED = Path(houseway.__file__).parent / "rulebooks"
GONE = ""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of a casino's rules card as a separate document: every clause has another prefix."""
    copy = tmp_path / "uth-pa"
    shutil.copytree(BUNDLED / "uth-card", copy)
    for file in copy.iterdir():
        text = file.read_text("utf-8").replace("CARD-", "PA-").replace('"uth-card"', '"uth-pa"')
        file.write_text(text, "utf-8")
    return copy


def messages(folder: Path) -> list[str]:
    return list(map(str, problems(str(folder))))


def replace_in(folder: Path, name: str, old: str, new: str) -> None:
    file = folder / name
    text = file.read_text("utf-8")
    assert re.search(old, text)
    file.write_text(re.sub(old, new, text, count=1), "utf-8")


def test_a_copied_document_is_sound(folder: Path) -> None:
    assert messages(folder) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        (
            "rounds.toml", r'1 = \{ ante = "10\.00"', '1 = { ante = "77.00"',
            r'rounds\.toml\[0\]\.expect\.\d\.ante: expected 77.00, but the net is 10.00; correct the round',
        ),
        ("rounds.toml", r"shows = \[", 'shows = ["PA-99", ', r"rounds\.toml\[0\]\.shows: 'PA-99' is not a clause"),
        ("rounds.toml", r'board = "\w\w', 'board = "Zz', r"rounds\.toml\[0\]\.round\.board: .*Zz"),
        ("rounds.toml", r"tells = ", "told = ", r"rounds\.toml\[0\]\.tells: is missing"),
        ("clauses.toml", r'kind = "\w+"', 'kind = "configurd"', r"\[0\]\.kind: 'configurd' is not allowed; did you mean"),
        ("clauses.toml", r"says = ", "sayz = ", r"\[0\]\.says: is missing"),
        ("clauses.toml", r'id = "PA-2"', 'id = "PA-1"', r"\.id: 'PA-1' is used twice"),
        (
            "clauses.toml", r'id = "PA-1"', 'id = "XX-1"',
            "'XX-1' does not start with PA- like the other ids; start every id with PA-",
        ),
        (
            "clauses.toml", r"\Z", '\n[[clause]]\nid = "PA-90"\nkind = "enforced"\nsays = "x"\ncheck = "y"\n',
            'PA-90 has kind = "enforced", but no part of the rulebook cites it; cite it',
        ),
        (
            "clauses.toml", r"\Z", '\n[[clause]]\nid = "MA-10.b"\nkind = "configured"\nsays = "x"\ncheck = "y"\n',
            "'MA-10.b' is a clause of another rulebook, uth-ma; start your ids with another prefix",
        ),
        ("NOTES.md", r"\A# ", "", 'NOTES.md: has no title; start with a "# " title'),
        ("rules.toml", r'title = "', 'title = "' + 15 * "long ", "rulebook.title: "),
    ],
)  # fmt: skip
def test_a_problem_beside_the_rules_is_reported(
    name: str, old: str, new: str, expected: str, folder: Path
) -> None:
    replace_in(folder, name, old, new)
    listed = messages(folder)
    assert any(re.search(expected, problem) for problem in listed), listed


@pytest.mark.parametrize("name", ["uth-pa", "a-copy"])
def test_copied_clauses_are_reported_once_and_only_for_the_copy(name: str, tmp_path: Path) -> None:
    shutil.copytree(BUNDLED / "uth-card", tmp_path / name)
    replace_in(tmp_path / name, "rules.toml", '"uth-card"', f'"{name}"')
    with loader.added_rulebooks([str(tmp_path)]):
        [problem] = map(str, problems(name))
        assert problem == (
            "clauses.toml: 'CARD-1' and 32 more are clauses of another rulebook, uth-card; "
            "start your ids with another prefix"
        )
        assert problems("uth-card") == []


def test_one_copied_clause_is_reported_only_for_the_copy(folder: Path) -> None:
    replace_in(
        folder, "clauses.toml", r"\Z", '\n[[clause]]\nid = "MA-10.b"\nkind = "configured"\nsays = "x"\n'
    )
    with loader.added_rulebooks([str(folder)]):
        assert problems("uth-ma") == []
        assert any("clause of another rulebook, uth-ma" in str(p) for p in problems("uth-pa"))


def test_a_missing_clauses_file_is_reported_first(folder: Path) -> None:
    (folder / "clauses.toml").unlink()
    first, *others = messages(folder)
    assert first == "clauses.toml: is missing; write one [[clause]] for each statement of the document"
    assert any("is not a clause of any document" in problem for problem in others)
    assert not any(problem.startswith("clauses.toml") for problem in others)


def test_a_folder_without_worked_rounds_gets_a_warning(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "rounds.toml").unlink()
    assert messages(folder) == [
        ("rounds.toml: is missing; write at least 8 rounds with the result of each wager")
    ]
    assert main(["check", str(folder)]) == 0
    assert "warning: is missing" in capsys.readouterr().out


def test_a_round_that_gets_stuck_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stuck(*_: object) -> None:
        raise AssertionError("nobody may act")

    monkeypatch.setattr(soundness, "deal_rounds", stuck)
    assert messages(folder) == [
        f"round: a round dealt in {mode} mode cannot be finished: nobody may act; "
        "change the order of the steps"
        for mode in loader.load(str(folder)).modes
    ]


REFUSED_BET = CommandRefusedError(Bet(seat=1, wagers={}), Refusal("too_little", None, "", "bet more"))


@pytest.mark.parametrize("error", [KeyError("no such rank"), REFUSED_BET])
def test_the_order_of_steps_is_not_blamed_for_other_errors(
    error: Exception, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise error

    monkeypatch.setattr(soundness, "deal_rounds", failing)
    reason = repr(error) if isinstance(error, KeyError) else str(error)
    assert messages(folder) == [
        f"round: a round dealt in {mode} mode cannot be finished: {reason}; correct the cause"
        for mode in loader.load(str(folder)).modes
    ]


def test_no_test_round_is_dealt_if_a_rulebook_has_errors(folder: Path) -> None:
    replace_in(folder, "rules.toml", r"\[wager\.ante\]", "[wager.antee]")
    assert all("rounds.toml" not in problem for problem in messages(folder))
