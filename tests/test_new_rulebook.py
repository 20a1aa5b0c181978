"""A new folder dropped into the package is a rulebook like the others, with no edit anywhere else.

The package and its tests are copied and a folder `uth-pa` is added to the copy. In the copy it is listed,
checked, settled, played and solved, and the tests that discover rulebooks run on it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
STRAIGHT = {
    "rulebook": "uth-pa", "board": "9s 8h 7d Kc 2c", "dealer": "Kd Ks",
    "seats": [{"seat": 1, "hole": "Jc Td", "ante": "10", "trips": "5", "play": 4}],
}  # fmt: skip
BLIND = {
    "royal flush": "500 to 1", "straight flush": "50 to 1", "four of a kind": "10 to 1", "full house": "3 to 1",
    "flush": "3 to 2", "straight": "2 to 1",
}  # fmt: skip
"""The blind's payments on the printed card, except for the straight."""
DISCOVERED = (
    "test_worked_rounds.py", "test_procedure.py", "test_settle.py", "test_table.py", "test_twins.py",
    "test_engine_conformance.py", "server/test_library.py", "report/test_report_wording.py",
    "report/test_report_compare.py", "record/test_explain.py", "record/test_golden.py", "play/test_game.py",
)  # fmt: skip


DISCOVERS = re.compile(r"\brulebook_ids\(|from discovered import|from school\.rounds import")
"""What a test file has that discovers rulebooks."""
BROWSER = "page"
"""The folder of tests that need a browser."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with its own rules card: one payment and every clause id differ."""
    root = tmp_path_factory.mktemp("copy")
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, root / name, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", root)
    rulebooks = root / "src" / "houseway" / "rulebooks"
    shutil.copytree(rulebooks / "uth-card", rulebooks / "uth-pa")
    for file in (rulebooks / "uth-pa").iterdir():
        text = file.read_text("utf-8").replace("CARD-", "PA-").replace('"uth-card"', '"uth-pa"')
        file.write_text(text, "utf-8")
    rules, rounds = rulebooks / "uth-pa" / "rules.toml", rulebooks / "uth-pa" / "rounds.toml"
    own = ['"{}" = "{}"'.format(*line) for line in BLIND.items()]
    replace(
        rules,
        '[tables.blind.blind]\nrows = "blind"',
        f"[tables.blind.blind]\nrows = {{ {', '.join(own)} }}",
    )
    replace(rounds, 'blind = "10.00", play = "40.00", trips = "25.00", net = "85.00"',
            'blind = "20.00", play = "40.00", trips = "25.00", net = "95.00"')  # fmt: skip
    return root


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def run(copy: Path, *tokens: str, text: str = "") -> str:
    """The output of a program that imports only the copy of houseway."""
    paths = f"{copy / 'src'}{os.pathsep}{copy / 'tests'}"
    env = {**os.environ, "PYTHONPATH": paths, "COLUMNS": "120", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", *tokens], cwd=copy, env=env, input=text, text=True, capture_output=True,
        timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_new_rulebook_is_listed_and_sound(copy: Path) -> None:
    listed = {entry["id"]: entry for entry in json.loads(run(copy, "houseway", "rulebooks", "--json"))}
    assert (listed["uth-pa"]["game"], len(listed)) == ("ultimate", 6)
    assert listed["uth-pa"]["hash"] != listed["uth-card"]["hash"]
    assert run(copy, "houseway", "check", "uth-pa") == "uth-pa: sound\n"
    assert json.loads(run(copy, "houseway", "clause", "PA-18", "--json"))["used"][0]["rulebook"] == "uth-pa"


def test_the_new_rulebook_settles_by_its_own_rows(copy: Path) -> None:
    answer = json.loads(run(copy, "houseway", "settle", "-", "--json", text=json.dumps(STRAIGHT)))
    blind = next(line for line in answer["lines"] if line["wager"] == "blind")
    assert (blind["odds"], blind["net"], blind["clause"]) == ("2 to 1", "20.00", "PA-18")


def test_the_new_rulebook_is_played_at_the_terminal(copy: Path) -> None:
    lines = "bet ante 10 trips 5\ndeal\ncheck\ncheck\n1x\nhistory\nquit\n"
    played = run(copy, "houseway", "play", "uth-pa", "--plain", "--no-record", "--seed", "7", text=lines)
    assert "PA-" in played
    assert "CARD-" not in played


def test_the_new_rulebook_is_solved(copy: Path) -> None:
    # Uses the kernels already compiled, which the copy shares.
    folder = copy / "src" / "houseway" / "rulebooks" / "uth-pa"
    assert_worth_more(run(ROOT, "houseway", "solve", str(folder), "--only", "edge", "--json"))


@pytest.mark.exhaustive
def test_the_new_rulebook_is_solved_in_the_copy(copy: Path) -> None:
    assert_worth_more(run(copy, "houseway", "solve", "uth-pa", "--only", "edge", "--json"))


def assert_worth_more(output: str) -> None:
    # With a straight on the blind at 1 to 1 the game is worth -0.0218 antes; 2 to 1 is worth more.
    assert -0.0218 + 0.01 < json.loads(output)["game"]["ev"]["value"] < 0.1


def test_tests_that_discover_rulebooks_run_on_the_new_rulebook(copy: Path) -> None:
    files = [f"tests/{name}" for name in DISCOVERED]
    output = run(
        copy, "pytest", "-q", "-p", "no:cacheprovider", "-k", "uth-pa", "-rs", "--no-header", *files
    )
    count = re.search(r"(\d+) passed", output)
    assert count is not None
    assert int(count[1]) > 35, output
    assert "has no rounds in the corpus yet: make corpus writes them" in output
    assert "is not known to houseway.second_settler yet" in output


@pytest.mark.slow
def test_every_other_test_that_discovers_rulebooks_runs_on_the_new_rulebook(copy: Path) -> None:
    """Training, school, server, record and the rest: the first case of each test."""
    tests = copy / "tests"
    discovering = {
        file.relative_to(tests).as_posix(): file.read_text("utf-8")
        for file in sorted(tests.rglob("test_*.py"))
        if BROWSER not in file.relative_to(tests).parts and file.name != Path(__file__).name
    }
    files = [
        name for name, text in discovering.items() if DISCOVERS.search(text) and name not in DISCOVERED
    ]
    assert {"training", "school", "server", "record", "live"} <= {name.partition("/")[0] for name in files}
    output = run(
        copy, "pytest", "-q", "-p", "no:cacheprovider", "-p", "one_of_each", "-m", "not exhaustive",
        "-k", "uth-pa and not many_rounds", "-rf", "--no-header", *(f"tests/{name}" for name in files),
    )  # fmt: skip
    count = re.search(r"(\d+) passed", output)
    assert count is not None
    assert int(count[1]) > 70, output
