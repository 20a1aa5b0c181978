"""The table of published figures: the example script fails if a figure disagrees."""

from __future__ import annotations

import runpy
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "examples" / "literature.py"


@pytest.mark.parametrize(
    ("ours", "theirs", "off"),
    [
        (Fraction(218_497, 100_000), "2.185", 0),
        (Fraction(218_497, 100_000), "2.184", 1),
        (Fraction(-218_497, 100_000), "-2.185", 0),
        (Fraction(218_497, 100_000), "-2.185", 4_370),
        (1_180_512, "1180512", 0),
        (1_180_513, "1180512", 1),
    ],
)
def test_a_figure_that_differs_is_reported(ours: Fraction | int, theirs: str, off: int) -> None:
    assert runpy.run_path(str(SCRIPT))["off_by"](ours, theirs) == off


def test_a_wrong_figure_ends_the_script_with_1(tmp_path: Path) -> None:
    text = SCRIPT.read_text(encoding="utf-8")
    assert '"53.0569"' in text
    planted = tmp_path / "planted.py"
    planted.write_text(
        text.replace("[main_game, side_bets,", "[side_bets,").replace('"53.0569"', '"53.0568"', 1)
    )
    done = subprocess.run([sys.executable, planted], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stdout.count("off by 1 in the last digit") == 1


@pytest.mark.exhaustive
def test_every_published_figure_agrees() -> None:
    done = subprocess.run([sys.executable, SCRIPT, "all"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "six decks, suited five of a kind" in done.stdout
