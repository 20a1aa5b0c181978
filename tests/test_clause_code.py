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

ENVY = {
    "engine/settle.py Settler._envy",
    "engine/side_bets.py SideBets.triggers",
    "engine/side_bets.py SideBets.envy",
}
SEEDS = {"engine/meters.py seed", "engine/decide.py _opened", "engine/meters.py Meters"}
RANKING = {
    "rules/rulebook.py Ranking.evaluator",
    "ranking/fast_evaluator.py Evaluator.strength",
    "ranking/lookup_tables.py build",
    "ranking/classes.py classify",
}
ONE_POSITION = {
    "engine/terms.py Terms.one_position",
    "engine/stake_checks.py StakeChecks.positions",
    "server/permissions.py _sit",
}


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
        ("TS-7-a", "engine/seats_and_wagers.py", '"no_change" if added is None else "no_wager"'),
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
        # Envy is not staked: it is paid in a pass of its own.
        ("TS-17-b", ENVY),
        ("SD-18.b.i-b", ENVY),
        ("SD-18-PMG-c", ENVY),
        # The seeds of the meters are read when a table opens and when an award resets a meter.
        ("MA-13.e-PTMGL01-b", ENVY | SEEDS),
        ("MA-13.e-PTMGLML01-b", ENVY | SEEDS),
        ("MA-13.e-b", ENVY | SEEDS),
        (
            "SD-18.a.i",
            {
                "engine/settle.py Settler.wager",
                "engine/side_bets.py SideBets.award",
                "engine/meters.py Meters.award",
            },
        ),
        (
            "PROC-H.4-a",
            {
                "engine/settle.py Settler.capped",
                "engine/settlement_plan.py CappedWinnings.pay",
                "engine/settlement_plan.py SettlementPlan.caps_at",
            },
        ),
        ("TS-14-a", RANKING),
        ("MA-5.b.1", RANKING),
        # No evaluator reads `low_ace`: a rulebook with any other value is rejected.
        ("MA-5.a-b", {"rules/checks.py _ranking", "ranking/classes.py straight"}),
        (
            "PROC-D.8-b",
            {
                "rules/rulebook.py Rulebook.qualifier",
                "engine/hand_facts.py TableFacts.__init__",
                "engine/showdown_acts.py reveal",
            },
        ),
        ("MA-11", ONE_POSITION),
        ("CARD-29", ONE_POSITION),
        ("MA-12.k-5", {"engine/settle.py Settler.wager", "engine/showdown_acts.py show_payouts"}),
        ("MA-2.a-a", {"engine/terms.py Terms.refusals"}),
        (
            "MA-12.a",
            {
                "engine/settle.py Settler.wager",
                "engine/stake_checks.py StakeChecks.stakes",
                "engine/seats_and_wagers.py _check_open",
                "engine/seats_and_wagers.py _closing_clause",
            },
        ),
        (
            "PROC-N.2",
            {
                "engine/table.py Table.unqualified",
                "engine/table.py Table.direction",
                "engine/table.py Table.clause_now",
            },
        ),
    ],
)
def test_each_named_function_does_what_the_clause_says(clause: str, functions: set[str]) -> None:
    """The functions that show the house way do not set the dealer's hand."""
    named = [place.partition(" ") for place in named_code(clause)]
    assert {f"{at.rpartition(':')[0]} {function}" for at, _, function in named if function} == functions


def test_a_setting_for_the_bet_limit_is_not_named_for_the_number_of_positions() -> None:
    """`_findings` reads the option of CARD-29 only to multiply the worst case by the positions."""
    lines = [place for place in named_code("CARD-29") if " " not in place]
    assert len(lines) == 1
    file, _, number = lines[0].rpartition(":")
    assert source(file)[int(number) - 1].strip() == 'rule = self.rulebook.options.get("more_positions")'


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
