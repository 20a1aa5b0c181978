"""`houseway puzzles`: every exported value is that of `houseway odds`, and the same seed gives the same bytes everywhere."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from discovered import ULTIMATE
from houseway.cards import DECK, cards
from houseway.cli.app import main
from houseway.cli.puzzles import puzzle_lines
from houseway.engine.terms import read_terms
from houseway.exact import advice, shootout
from houseway.rules.loader import load
from houseway.school.decision_values import CLOSE
from houseway.school.game_values import game_values
from houseway.school.puzzle_set import MOST_PUZZLES, decimal_text, puzzle_data, puzzles
from samples import LONG
from school.rounds import SHOOTOUT
from school.test_practice_positions import counted

__all__ = ["counted"]
SOLVED = 1_000 if LONG else 24
"""Positions of each rulebook that are solved again."""


def exported(rulebook: str, file: Path, *options: str) -> list[dict[str, Any]]:
    """The rows of an exported set, read as a CSV file with a comment, or as JSON lines."""
    assert main(["puzzles", rulebook, "-o", str(file), *options]) == 0
    lines = file.read_text(encoding="utf-8").splitlines()
    if file.suffix == ".jsonl":
        return list(map(json.loads, lines))
    assert lines[0].startswith("# ")
    return list(csv.DictReader(lines[1:]))


@pytest.mark.parametrize("rulebook", ULTIMATE)
def test_every_value_is_that_of_the_command_odds(
    rulebook: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = exported(rulebook, tmp_path / "puzzles.csv", "--count", str(SOLVED), "--seed", "solve")
    assert len(rows) == SOLVED
    for row in rows:
        capsys.readouterr()
        main(["odds", rulebook, row["cards"], *([row["board"]] if row["board"] else []), "--json"])
        printed = json.loads(capsys.readouterr().out)
        solved = {
            move["action"]: Fraction(int(move["ev"]["num"]), int(move["ev"]["den"]))
            for move in printed["actions"]
        }
        values = dict(zip(row["choices"].split(";"), map(Fraction, row["values"].split(";")), strict=True))
        assert values == solved
        assert row["best"] == printed["best"]
        assert row["hash"] == load(rulebook).hash


def test_flops_have_the_values_of_a_full_count() -> None:
    """Another algorithm: every turn, river and dealer hand is counted, without the stored solution."""
    terms = read_terms(load("uth-ma"), {})[0]
    game = game_values(terms)
    flops = (one for one in puzzles(game, "count", 60) if len(one.position.decision.board) == 3)
    for shown in islice(flops, 50 if LONG else 12):
        held, board = shown.position.decision.hole, shown.position.decision.board
        hole, flop, left = (
            np.array([card.number for card in part], np.int64)
            for part in (held, board, [card for card in DECK if card not in {*held, *board}])
        )
        assert dict(advice._flop(terms, hole, flop, left).values) == dict(shown.position.values)


@pytest.mark.usefixtures("counted")
def test_four_cards_have_the_values_of_the_solver() -> None:
    game = game_values(read_terms(load(SHOOTOUT), {})[0])
    rows = [puzzle_data(game, shown) for shown in puzzles(game, "four", SOLVED)]
    assert len(rows) == SOLVED
    for row in rows:
        solved = {move.action: str(move.value) for move in shootout.odds(game.terms, cards(row["cards"]))}
        assert dict(zip(row["choices"], row["values"], strict=True)) == solved
        assert row["game"] == "shootout"


def test_the_same_seed_gives_the_same_bytes_in_two_processes(tmp_path: Path) -> None:
    """With other hash seeds, so that no order of a set or dictionary shows."""
    files = [tmp_path / f"{number}.csv" for number in range(3)]
    for number, file in enumerate(files[:2]):
        subprocess.run(
            [sys.executable, "-m", "houseway", "puzzles", "uth-ma", "-n", "40", "--seed", "x", "-o", file],
            check=True,
            env={**os.environ, "PYTHONHASHSEED": str(number + 1)},
        )
    exported("uth-ma", files[2], "-n", "40", "--seed", "x")
    assert files[0].read_bytes() == files[1].read_bytes() == files[2].read_bytes()
    assert b"\r" not in files[0].read_bytes()
    longer = tmp_path / "longer.csv"
    exported("uth-ma", longer, "-n", "60", "--seed", "x")
    assert longer.read_bytes().startswith(files[0].read_bytes()), "a longer set starts with the shorter one"
    assert exported("uth-ma", tmp_path / "other.csv", "-n", "5", "--seed", "y") != exported(
        "uth-ma", tmp_path / "same.csv", "-n", "5", "--seed", "x"
    )


def test_both_formats_have_the_same_content_and_the_licence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head, *lines = exported("uth-ma", tmp_path / "a.jsonl", "-n", "9")
    rows = exported("uth-ma", tmp_path / "a.csv", "-n", "9")
    first = (tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()[0]
    assert head["license"] == "CC0-1.0"
    assert "license CC0-1.0; license_url https://creativecommons.org/publicdomain/zero/1.0/" in first
    assert head["hash"] == load("uth-ma").hash
    for row, line in zip(rows, lines, strict=True):
        assert row == {name: ";".join(v) if isinstance(v, list) else v for name, v in line.items()}
    capsys.readouterr()
    assert main(["puzzles", "uth-ma", "-n", "9"]) == 0
    assert capsys.readouterr().out == (tmp_path / "a.csv").read_text(encoding="utf-8")
    assert main(["puzzles", "uth-ma", "-n", "9", "--format", "jsonl"]) == 0
    assert capsys.readouterr().out == (tmp_path / "a.jsonl").read_text(encoding="utf-8")


def test_puzzles_are_different_and_never_close_calls() -> None:
    game = game_values(load("uth-ma"))
    keys = set()
    for shown in puzzles(game, "different", 400):
        assert shown.position.lead >= CLOSE
        hole, board = shown.position.decision.hole, shown.position.decision.board
        # Two positions are the same if an exchange of suits makes them equal.
        suits = {
            suit: (
                *sorted(card.rank for card in hole if card.suit == suit),
                -1,
                *sorted(card.rank for card in board if card.suit == suit),
            )
            for suit in range(4)
        }
        keys.add((len(board), *sorted(suits.values())))
    assert len(keys) == 400


def test_a_street_without_more_positions_ends() -> None:
    game = game_values(load("uth-ma"))
    before = [one for one in puzzles(game, "ends", 600) if not one.position.decision.board]
    assert 60 < len(before) < 169


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(-2), "-2.0000000000"),
        (Fraction(1, 3), "0.3333333333"),
        (Fraction(-1, 10**11), "0.0000000000"),
        (Fraction(5, 10**11), "0.0000000000"),
        (Fraction(15, 10**11), "0.0000000002"),
        (Fraction(-641, 330), "-1.9424242424"),
    ],
)
def test_decimals_are_rounded_from_the_fraction(value: Fraction, text: str) -> None:
    assert decimal_text(value) == text
    assert abs(Fraction(Decimal(text)) - value) <= Fraction(1, 2 * 10**10)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--count", "0"], f"--count must be from 1 to {MOST_PUZZLES} (got 0)"),
        (["--count", "1000001"], "(got 1000001)"),
        (["--seed", ""], "--seed must have 1 to 200 printable characters"),
        (["--seed", "a\nb"], "--seed must have 1 to 200 printable characters"),
        (["-o", "nowhere/x.csv"], "cannot write nowhere/x.csv"),
    ],
)
def test_bad_options_are_refused(options: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["puzzles", "uth-ma", *options]) == 2
    assert says in capsys.readouterr().err


def test_an_unfinished_file_is_not_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.csv"
    file.write_text("older")

    def broken(*_: object) -> Any:
        yield from islice(puzzle_lines(game_values(load("uth-ma")), "1", 5, "csv"), 3)
        raise KeyboardInterrupt

    monkeypatch.setattr("houseway.cli.puzzles.puzzle_lines", broken)
    with pytest.raises(SystemExit, match="130"):
        main(["puzzles", "uth-ma", "-o", str(file)])
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]
    assert file.read_text() == "older"
