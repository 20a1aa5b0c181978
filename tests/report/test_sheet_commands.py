"""`houseway sheet` from the command line, and two par sheets compared."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from houseway.cli.app import main
from houseway.report.sheet import compare_sheets, sheet_data
from report.sheets import page, parsed, rows, sheet, words

CHANGE = "blind.straight=push"


def run(capsys: pytest.CaptureFixture[str], *tokens: str) -> str:
    assert main(["sheet", *tokens]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("ending", ["html", "json"])
def test_the_ending_of_a_file_chooses_the_output_format(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"sheet.{ending}"
    assert main(["sheet", "uth-ma", "-o", str(file)]) == 0
    text = file.read_text("utf-8")
    if ending == "html":
        assert text == page()
    else:
        assert json.loads(text) == sheet_data.document(sheet())


def test_the_file_name_is_printed_on_stderr_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "sheet.csv"
    assert main(["sheet", "uth-card", "-o", str(file)]) == 0
    output = capsys.readouterr()
    assert (output.out, output.err) == ("", f"houseway: wrote the par sheet of uth-card to {file}\n")


def test_a_terminal_gets_a_file_instead_of_a_page_of_html(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    def at_a_terminal(*tokens: str) -> tuple[str, str]:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        assert main(["sheet", *tokens]) == 0
        output = capsys.readouterr()
        return output.out, output.err

    named = "houseway: wrote the par sheet of uth-card to par-sheet-uth-card"
    for file in ("", "-2"):
        # The same sheet overwrites its file; another sheet gets a file beside it.
        changed = ("--set", CHANGE) if file else ()
        assert at_a_terminal("uth-card", *changed) == ("", f"{named}{file}.html\n")
        assert at_a_terminal("uth-card", *changed) == ("", f"{named}{file}.html\n")
    assert Path("par-sheet-uth-card.html").read_text("utf-8") == page("uth-card")
    out, errors = at_a_terminal("--compare", "uth-card", "uth-proc")
    both = "houseway: wrote the par sheet of uth-card and uth-proc to par-sheet-uth-card-uth-proc.html"
    assert (out, errors) == ("", f"{both}\n")
    assert Path("par-sheet-uth-card-uth-proc.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    # A terminal shows the formats it can.
    assert at_a_terminal("uth-card", "--csv") == (sheet_data.csv_text(sheet("uth-card")), "")
    assert len(list(tmp_path.iterdir())) == 3


def test_options_choose_the_output_format(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        json.loads(run(capsys, "uth-card", "--json"))["measures"]["value"] == "-50643648973/2317817502000"
    )
    assert run(capsys, "uth-card", "--csv") == sheet_data.csv_text(sheet("uth-card"))
    assert run(capsys, "uth-card", "--date", "2026-11-16").startswith("<!DOCTYPE html>")


def test_a_changed_value_and_a_house_setting_change_the_figures(capsys: pytest.CaptureFixture[str]) -> None:
    output = json.loads(run(capsys, "uth-sd", "--set", CHANGE, "--house", "seed=main:2500", "--json"))
    assert "with blind.straight=push" in output["title"]
    assert float(Fraction(output["measures"]["edge"])) == pytest.approx(0.059128, abs=5e-7)
    pmg = next(w for w in output["wagers"] if w["table"] == "PMG-01")
    # Of 2,598,960 hands, 4 win the whole meter of $2,500 and 36 win a tenth of it, besides the fixed awards.
    fixed = Fraction(pmg["progressive"]["fixed"])
    assert Fraction(pmg["return"]) == fixed + Fraction(4 * 2_500 + 36 * 250, 2_598_960)
    seed = next(s for s in output["settings"] if s["name"] == "seed")
    assert (seed["value"], seed["by"]) == ("main $2,500", "set")


@pytest.mark.parametrize(
    ("tokens", "sentence"),
    [
        ([], "name one rulebook, such as houseway sheet uth-ma, or two after --compare"),
        (["uth-ma", "--compare", "uth-ma", "uth-sd"], "name one rulebook"),
        (["uth-xx"], "there is no rulebook or file 'uth-xx'"),
        (["uth-ma", "--set", "blind.strait=push"], "did you mean 'straight'?"),
        (["uth-ma", "--house", "seats=many"], "house.seats"),
        (["uth-ma", "--date", "tomorrow"], "give year, month and day, such as 2026-11-16"),
        (["uth-ma", "--json", "--csv"], "--json and --csv cannot be used together; give only one of them"),
        (
            ["uth-ma", "-o", "sheet.pdf"],
            "--output sheet.pdf: the file must end in .html, .json or .csv",
        ),
        (["uth-card", "-o", "no/such/folder/sheet.html"], "cannot write"),
    ],
)
def test_bad_input_is_reported(
    capsys: pytest.CaptureFixture[str], tokens: list[str], sentence: str
) -> None:
    assert main(["sheet", *tokens]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert sentence in " ".join(output.err.split())


# --- comparisons ---


def marked_rows(text: str) -> set[tuple[str, str]]:
    """The part and figure of every row marked as different."""
    rows_, part = set(), ""
    for row in rows(text):
        if len(row) == 6:
            part = row[0] or part
            if row[-1] == compare_sheets.MARK:
                rows_.add((part, row[1]))
    return rows_


def test_nothing_is_marked_without_a_difference() -> None:
    text = compare_sheets.text(compare_sheets.compare(sheet(), sheet()))
    assert marked_rows(text) == set()
    assert re.search(r"None of \d+ figures differs\.", words(parsed(text)))
    assert "differs" not in {row.get("class") for row in parsed(text).iter("tr")}


def test_only_differences_are_marked() -> None:
    one, other = sheet(), sheet("uth-ma", CHANGE)
    text = compare_sheets.text(compare_sheets.compare(one, other))
    a, b = sheet_data.document(one), sheet_data.document(other)
    measures = {m.name: m.title for m in one.measures}
    differ = {
        ("Main game", measures[name])
        for name in a["measures"]
        if a["measures"][name] != b["measures"][name]
    }
    differ |= {
        ("Main game", f"Rounds that end with {name}")
        for name in a["actions"]
        if a["actions"][name] != b["actions"][name]
    }
    titles = {"ante": "Ante", "blind": "Blind", "play": "Play"}
    for left, right in zip(a["wagers"], b["wagers"], strict=True):
        name = titles.get(left["wager"], left["wager"])
        differ |= {
            (name, figure)
            for figure in ("made", "staked", "hits", "return", "edge", "variance")
            if left[figure] != right[figure]
        }
    assert marked_rows(text) == differ
    # No straight is paid and no choice changes: only the blind differs.
    assert {part for part, _ in differ} == {"Main game", "Blind"}
    bold = [words(row) for row in parsed(text).iter("tr") if "differs" in (row.get("class") or "").split()]
    assert len(bold) == len(differ)


def test_the_smallest_difference_is_marked() -> None:
    """A planted difference: a figure off by less than any printed digit."""
    one = sheet()
    entries = tuple(
        replace(e, value=e.value + Fraction(1, 10**30)) if (e.wager, e.table) == ("trips", "C") else e
        for e in one.entries
    )
    text = compare_sheets.text(compare_sheets.compare(one, replace(one, entries=entries)))
    assert marked_rows(text) == {("Trips C", "return"), ("Trips C", "edge")}


def test_pay_tables_with_the_same_payments_share_a_row() -> None:
    comparison = compare_sheets.compare(sheet(), sheet("uth-sd"))
    parts = {pair.part for pair in comparison.pairs}
    assert {"Trips A / UTH-01", "Trips D / UTH-04", "Progressive PTMGL01 / PMG-01"} <= parts
    assert {(e.wager, e.table) for e in comparison.only_b} == {
        ("progressive", "UTHP-01"),
        ("progressive", "UTHP-02"),
    }
    assert {e.wager for e in comparison.only_a} == {"progressive", "envy", "cover_all"}
    text = words(parsed(compare_sheets.text(comparison)))
    assert "Only in uth-ma" in text
    assert "Only in uth-sd" in text


def test_a_comparison_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    tokens = ("--compare", "uth-ma", "uth-ma", "--set", CHANGE)
    output: dict[str, Any] = json.loads(run(capsys, *tokens, "--json"))
    assert output["a"]["hash"] != output["b"]["hash"]
    edge = next(f for f in output["figures"] if f["figure"] == "House edge (per ante)")
    assert edge["a"] == "50643648973/2317817502000"
    assert edge["differs"]
    assert [r["name"] for r in output["rules"]] == ["tables.blind", "blind.low"]
    lines = run(capsys, *tokens, "--csv").splitlines()
    assert lines[0] == "part,figure,uth-ma A,uth-ma B,differs"
    assert sum(line.endswith(",yes") for line in lines) == sum(f["differs"] for f in output["figures"])
    text = run(capsys, *tokens)
    assert "Blind pay tables" in words(parsed(text))
