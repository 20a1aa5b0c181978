"""`houseway clause ID` names the code that acts on a clause, for all 477 clauses."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import houseway
from houseway.cli.app import main
from houseway.cli.clause_code import code_for, names_by_variable
from houseway.engine.legal import spots
from houseway.money import dollars
from houseway.rules.loader import all_clauses, load
from houseway.rules.rulebook import Rulebook
from houseway.second_settler import DOCUMENTS
from houseway.testing import mute
from table_driver import table

HOME = Path(houseway.__file__).parent

UNREAD = {
    "SD-0": "the name of the document",
    "TS-0-b": "the name of the document",
    "SD-19": "provisions of other rules that do not apply",
    "TS-20": "provisions of other rules that do not apply",
}
"""The clauses that no code acts on, and the reason."""


@cache
def uses() -> dict[str, list[tuple[Rulebook, str]]]:
    """The rulebook paths that cite each clause."""
    paths: dict[str, list[tuple[Rulebook, str]]] = {clause: [] for clause in all_clauses()}
    for book in map(load, DOCUMENTS):
        for path, basis in book.bases():
            for clause in basis.all:
                paths.setdefault(clause, []).append((book, path))
    return paths


@cache
def named_code(clause: str) -> tuple[str, ...]:
    """The places that the command names for a clause."""
    return tuple(dict.fromkeys(place for book, path in uses()[clause] for place in code_for(book, path)))


@cache
def source(file: str) -> list[str]:
    return (HOME / file).read_text(encoding="utf-8").splitlines()


def test_every_clause_names_code_except_those_that_no_code_can_act_on() -> None:
    clauses = all_clauses()
    assert len(clauses) == 477
    unread = {clause for clause in clauses if not named_code(clause)}
    assert unread == UNREAD.keys()
    assert all(clauses[clause].kind == "configured" for clause in unread)


def test_every_named_place_exists() -> None:
    places = {place for clause in all_clauses() for place in named_code(clause)}
    assert len(places) > 50
    for place in places:
        at, _, function = place.partition(" ")
        file, _, number = at.rpartition(":")
        line = source(file)[int(number) - 1]
        if function:
            name = function.rpartition(".")[2]
            assert f"def {name}(" in line or f"class {name}" in line, place
        else:
            assert '"' in line, place


def test_each_named_line_reads_the_value_of_the_clause_and_not_one_with_the_same_name() -> None:
    """Rules, options and settings may have the same name, and two acts have a rule named `waits`."""
    for clause, file, text in (
        ("SD-8-c", "engine/decide.py", '"waits"'),
        ("MA-9.g-a", "rules/rulebook.py", '"qualifier"'),
        ("PROC-H.3-a", "engine/seats_and_wagers.py", '"kept"'),
        ("MA-6.e-a", "engine/seats_and_wagers.py", '"seated'),
        ("MA-6.b-a", "engine/seats_and_wagers.py", '"no_wager"'),
        ("TS-7-a", "engine/seats_and_wagers.py", '"no_change" if changes else "no_wager"'),
        ("SD-6-c", "engine/deal_acts.py", '"stays_lit"'),
    ):
        lines = [place for place in named_code(clause) if " " not in place]
        assert any(place.startswith(f"{file}:") for place in lines), (clause, lines)
        texts = [source(place.rpartition(":")[0])[int(place.rpartition(":")[2]) - 1] for place in lines]
        assert all(text in line for line in texts), (clause, texts)
    collect = [place for place in named_code("SD-8-c") if "close_acts" in place]
    assert collect == []


@pytest.mark.parametrize(
    ("clause", "functions"),
    [
        (
            "TS-11-d",
            {
                "server/table_sheets.py posted_house_way",
                "play/wager_words.py house_way_text",
                "report/postings.py sheet",
            },
        ),
        ("TS-11-b", {"engine/showdown_acts.py set_dealer", "engine/close_acts.py collect"}),
    ],
)
def test_each_named_function_does_what_the_clause_says(clause: str, functions: set[str]) -> None:
    """The functions that show the house way do not set the dealer's hand."""
    named = [place.partition(" ") for place in named_code(clause)]
    assert {f"{at.rpartition(':')[0]} {function}" for at, _, function in named if function} == functions


@pytest.mark.parametrize(
    ("assigned", "lines"),
    [
        ('rule = "no_change" if changes else "no_wager"', [(2, "no_change"), (2, "no_wager")]),
        (
            """rule = (
        "no_change"
        if changes
        else "no_wager"
    )""",
            [(3, "no_change"), (5, "no_wager")],
        ),
        ("rule = 'no_wager'", [(2, "no_wager")]),
    ],
)
@pytest.mark.parametrize("read", ["if rule in step.rules:", "if self.step.rules[rule]:"])
def test_a_rule_in_a_variable_is_found_however_the_code_is_formatted(
    assigned: str, lines: list[tuple[int, str]], read: str
) -> None:
    code = (
        f'def check(step, changes):\n    {assigned}\n    act = "no rule"\n    {read}\n        return act\n'
    )
    assert list(names_by_variable(code)) == lines
    assert list(names_by_variable(code.replace("rules", "others"))) == []


@pytest.mark.clause("PROC-N.foot")
def test_a_setting_used_only_in_rulebook_data_names_the_code_that_reads_the_data(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["clause", "PROC-N.foot", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["used"] == [{"rulebook": "uth-proc", "at": "house.ante_return"}]
    assert [place.partition(" ")[2] for place in answer["code"]] == ["SettlementPlan._holds"]
    assert main(["clause", "PROC-N.foot"]) == 0
    assert "No code acts on this clause" not in capsys.readouterr().out


def events_of_two_rounds(book: str, mode: str) -> list[Any]:
    """The types of the events of two rounds with every wager, and the chips at their end."""
    t = table(book, mode=mode, seed=7)
    t.sit(1, 2)
    wagers = {spot.wager: dollars(spot.least) for spot in spots(t.table, t.state, 1)}
    for _ in range(2):
        t.bet(1, **wagers).bet(2, **wagers).deal()
        t.finish()
    return [type(event).__name__ for event in t.events] + [t.chips_of(1), t.chips_of(2)]


@pytest.mark.parametrize("clause", UNREAD)
def test_a_clause_without_code_changes_no_round(clause: str) -> None:
    """Without the clause, the same rounds give the same events."""
    document = next(book for book in DOCUMENTS if clause in load(book).clauses)
    for mode in load(document).modes:
        before = events_of_two_rounds(document, mode)
        with mute(clause):
            assert events_of_two_rounds(document, mode) == before


def test_the_cover_card_after_the_cut_is_a_line_of_the_script() -> None:
    """MA-4.c.1.iv is printed for the dealer; the function of the cut has no cover card."""
    (place,) = named_code("MA-4.c.1.iv")
    assert place.startswith("engine/script.py:")
    assert place.endswith(" script")
