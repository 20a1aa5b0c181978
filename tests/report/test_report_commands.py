"""`show` and `diff` from the command line, as text, as files and as data."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from houseway.cli.app import main
from houseway.rules.loader import rulebook_ids

GOLDEN = Path(__file__).parent / "golden"
DOLLARS = re.compile(r"\d+\.\d\d")


def run(capsys: pytest.CaptureFixture[str], *tokens: str) -> str:
    assert main(tokens) == 0
    return capsys.readouterr().out


def data(capsys: pytest.CaptureFixture[str], *tokens: str) -> Any:
    return json.loads(run(capsys, *tokens, "--json"))


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    below = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, item in below:
        yield from leaves(item, f"{path}.{key}")
    if not isinstance(value, (dict, list)):
        yield path, value


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("uth-card.md", ["show", "uth-card", "--format", "markdown"]),
        ("uth-sd-layout.txt", ["show", "uth-sd", "--as", "layout", "--table", "trips=UTH-03"]),
    ],
)
def test_sheets_match_the_golden_files(
    capsys: pytest.CaptureFixture[str], name: str, tokens: list[str]
) -> None:
    """To rewrite them after an intended change: HOUSEWAY_GOLDEN=1 pytest tests/report."""
    # The hash in the small print changes with every edit of the rulebook, so it is not compared.
    text = re.sub(r"\b[0-9a-f]{64}\b", "…", run(capsys, *tokens))
    file = GOLDEN / name
    if os.environ.get("HOUSEWAY_GOLDEN"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("ref", rulebook_ids())
def test_a_rules_card_as_json_has_the_parts_of_the_rulebook(
    capsys: pytest.CaptureFixture[str], ref: str
) -> None:
    card = data(capsys, "show", ref)
    keys = {
        "title",
        "hash",
        "options",
        "stages",
        "wagers",
        "tables",
        "limits",
        "caps",
        "passes",
        "postings",
        "house",
    }
    assert keys <= set(card)
    for path, value in leaves(card):
        assert not isinstance(value, float), path
        if path.rsplit(".", 1)[-1] in ("limit", "above", "amount") and value is not None:
            assert DOLLARS.fullmatch(value), path
    for wager in card["wagers"].values():
        assert wager["rows"]
        assert all("table" in row or "pays" in row for row in wager["rows"])


def test_amounts_in_json_are_dollars(capsys: pytest.CaptureFixture[str]) -> None:
    card = data(capsys, "show", "uth-ma", "--table", "progressive=PTMGL04")
    assert card["caps"][0]["limit"] == "50000.00"
    assert card["wagers"]["progressive"]["amount"]["value"] == "5.00"
    assert list(card["tables"]["progressive"]) == ["PTMGL04"]
    assert list(card["tables"]["envy"]) == ["PTMGL04"]
    assert card["tables"]["progressive"]["PTMGL04"]["seeds"]["main"]["value"] == "1000.00"
    quads = card["tables"]["progressive"]["PTMGL04"]["rows"][1]
    assert quads["odds"] == {"units": 300, "per": 1, "stake_returned": False}
    assert quads["pays"] == "win 300 times the wager; the wager is not returned"


@pytest.mark.parametrize("sheet", ["layout", "signs", "placard"])
@pytest.mark.parametrize("ref", rulebook_ids())
def test_posted_sheets_are_printed_as_json(
    capsys: pytest.CaptureFixture[str], ref: str, sheet: str
) -> None:
    output = data(capsys, "show", ref, "--as", sheet)
    assert (output["rulebook"], output["sheet"]) == (ref, sheet)
    assert output["content"]


def test_a_comparison_as_json_lists_only_differences_with_clauses(
    capsys: pytest.CaptureFixture[str],
) -> None:
    output = data(capsys, "diff", "uth-sd", "uth-ma")
    burns = next(p for p in output["parameters"] if p["name"] == "burns")
    assert burns["a"]["clauses"] == ["SD-8-a"]
    assert burns["b"]["clauses"] == ["MA-7.f.2-a", "MA-9.b"]
    assert all(p["differs"] for p in output["parameters"])
    everything = data(capsys, "diff", "uth-sd", "uth-ma", "--all")
    assert len(everything["parameters"]) > len(output["parameters"])
    assert data(capsys, "diff", "uth-sd", "uth-sd")["parameters"] == []
    games = data(capsys, "diff", "shootout-sd", "uth-sd")
    assert "split" in {p["name"] for p in games["only_a"]}
    assert "qualifier" in {p["name"] for p in games["only_b"]}


@pytest.mark.parametrize(
    ("name", "start"), [("card.html", "<!DOCTYPE html>"), ("card.md", "# "), ("card.txt", "South")]
)
def test_the_ending_of_a_file_chooses_the_format(tmp_path: Path, name: str, start: str) -> None:
    file = tmp_path / name
    assert main(["show", "uth-sd", "-o", str(file)]) == 0
    assert file.read_text(encoding="utf-8").startswith(start)


@pytest.mark.parametrize(
    ("tokens", "sentence"),
    [
        (["--table", "trips"], "--table trips: give NAME=VALUE, such as --table trips=B"),
        (["--table", "trips=UTH-3"], "choose from UTH-01, UTH-02, UTH-03, UTH-04"),
        (["--house", "rounding=sideways"], "house.rounding"),
        (["--limit", "ante=five-ten"], "limits.ante.min"),
        (["--limit", "ante=5-165", "--limit", "trips=5-35"], "(SD-1-c)"),
        (["-o", "no/such/folder/card.html"], "cannot write"),
    ],
)
def test_bad_input_is_reported(
    capsys: pytest.CaptureFixture[str], tokens: list[str], sentence: str
) -> None:
    assert main(["show", "uth-sd", *tokens]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert sentence in output.err


def test_house_settings_typed_as_options_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    typed = ["--house", "seed=main:2500", "--house", "seats=5", "--house", "more_positions=yes"]
    house = data(capsys, "show", "uth-sd", *typed)["house"]
    assert house["seed"]["set"] == {"main": "2500.00"}
    assert house["seats"]["set"] == 5
    assert house["more_positions"]["set"] is True


@pytest.mark.parametrize(
    ("book", "lines"),
    [
        ("uth-ma", ["| always | is settled by the progressive table | MA-13.e-a |"]),
        ("uth-sd", [
            "| always | is settled by the progressive table | SD-18-a |",
            "| always | is settled by the envy table | SD-18.b.i-b |",
        ]),
        ("uth-proc", ["| three of a kind or better | pays by the trips table | PROC-Q.7 |"]),
    ],
)  # fmt: skip
def test_a_table_that_also_says_what_loses_settles_the_wager(
    capsys: pytest.CaptureFixture[str], book: str, lines: list[str]
) -> None:
    text = run(capsys, "show", book, "--format", "markdown")
    assert [line for line in lines if line not in text] == []
    assert "every hand | pays" not in text


@pytest.mark.parametrize(
    ("book", "when"),
    [
        ("uth-sd", "trips is settled when the dealer collects the folded cards. [SD-12-d]"),
        ("uth-ma", "the cards stay on the table, and trips is settled at the end of the round."),
        ("uth-proc", "trips is settled when the dealer reaches that hand, if its cards stay on the table;"),
    ],
)
def test_the_rules_of_a_round_say_what_happens_to_trips_on_a_fold(
    capsys: pytest.CaptureFixture[str], book: str, when: str
) -> None:
    text = run(capsys, "show", book, "--format", "markdown")
    assert f"If a player with a trips bet folds, {when}" in text
