"""The tutorial in docs/side-bets.md: Pocket Pairs is added to a copy of the package and used everywhere.

The copy gets the page's one module and one rulebook file. Nothing else in it is edited.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from houseway.cards import DECK
from houseway.rules.fact_groups import GROUPS
from once import made_once
from package_copy import FENCES, PackageCopy
from test_docs import matches

BOARD, DEALER = "Qd 9s 7h 4c 2d", "Kd 3s"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> PackageCopy:
    return PackageCopy(tmp_path_factory.mktemp("walk"))


def test_the_group_exists_only_in_the_copy(copy: PackageCopy) -> None:
    assert "pocket pair" not in GROUPS
    script = "import json; from houseway.rules.fact_groups import GROUPS; print(json.dumps(sorted(GROUPS)))"
    assert copy.python(script) == sorted([*GROUPS, "pocket pair"])


def test_the_page_shows_what_the_commands_print(copy: PackageCopy) -> None:
    (example,) = [text for language, _, text in FENCES if language == "text"]
    commands = re.split(r"^\$ ", example, flags=re.MULTILINE)[1:]
    assert len(commands) >= 3
    for block in commands:
        command, _, expected = block.partition("\n")
        printed = copy.run(command)
        assert matches(expected.rstrip("\n").splitlines(), printed.rstrip("\n").splitlines()), printed


def test_a_pay_table_of_the_group_pays_the_same_as_its_rows(copy: PackageCopy) -> None:
    files = {info: text for _, info, text in FENCES}
    (table,) = [text for info, text in files.items() if "pair_table.toml" in info]
    rows = re.compile(r"^pays = \[.*?^\]$", re.MULTILINE | re.DOTALL)
    text = (copy.folder / "pairs.toml").read_text()
    (copy.folder / "tables.toml").write_text(rows.sub('pays = [{ table = "pairs" }]', text) + table)
    assert copy.run("houseway check tables.toml") == "tables.toml: sound\n"
    shown = copy.run('houseway show tables.toml | grep -A 8 "^Pocket pairs"')
    assert re.search(r"aces +30 to 1.*another pair +5 to 1", shown, re.DOTALL), shown


def test_a_module_without_a_group_is_named_by_every_command(copy: PackageCopy) -> None:
    module = copy.folder / "site/houseway/rules/fact_groups/unfinished.py"
    module.write_text('"""Not finished."""\n')
    try:
        printed = copy.run("houseway rulebooks; echo $?")
    finally:
        module.unlink()
    assert printed == (
        "2\nhouseway: rules/fact_groups/unfinished.py defines no GROUP; "
        "it must define GROUP = YourGroup(), a CardGroup with name, about, values and index\n"
    )


def test_the_values_of_all_pairs_of_cards_have_the_counts_computed_by_hand(copy: PackageCopy) -> None:
    """Six pairs of aces and 72 other pairs among 1,326."""
    script = """
import json
from collections import Counter
from fractions import Fraction
from itertools import combinations
from houseway.rules.fact_groups import GROUPS
group = GROUPS["pocket pair"]
counts = Counter(group.values[group.index(*two)] for two in combinations(range(52), 2))
print(json.dumps(counts))
"""
    assert copy.python(script) == {"aces": 6, "another pair": 72, "no pair": 1_248}
    by_rank = [first.rank == second.rank for first, second in combinations(DECK, 2)]
    assert sum(by_rank) == 6 + 72


@pytest.mark.parametrize(
    ("hole", "play", "net"),
    [
        ("As Ah", 4, "150.00"),
        ("As Ah", 0, "150.00"),
        ("Jc Js", 1, "25.00"),
        ("2c 2h", 0, "25.00"),
        ("As Kh", 4, "-5.00"),
        ("Qs 9h", 1, "-5.00"),
    ],
)
def test_the_side_bet_is_settled(copy: PackageCopy, hole: str, play: int, net: str) -> None:
    seat = {"seat": 1, "hole": hole, "ante": "10", "pocket_pairs": "5", "play": play}
    data = {"rulebook": "pairs.toml", "board": BOARD, "dealer": DEALER, "seats": [seat]}
    settled = json.loads(copy.run(f"echo '{json.dumps(data)}' | houseway settle - --json"))
    lines = {line["wager"]: line["net"] for line in settled["lines"]}
    assert lines["pocket_pairs"] == net
    assert lines["ante"] == ("-10.00" if play == 0 else lines["ante"])


def test_the_side_bet_is_bet_at_a_table(copy: PackageCopy) -> None:
    script = f"""
import json
from houseway.testing.driver import stacked, table
from houseway.engine.round_history import RoundHistory, remember
from houseway.narrate.reasons import Reasons

t = table("pairs.toml", mode="device", deck=stacked("device", "{BOARD}", "{DEALER}", "Jc Js", "As Ah", "Ks 4h"))
for seat in (1, 2, 3):
    t.bet(seat, ante=10, pocket_pairs=5)
t.deal().play(1, 4).check(2).play(3, 4).deal().check(2).deal().fold(2).finish()
t.check_books()
history, reasons = RoundHistory(), Reasons(t.table)
for event in t.events:
    history = remember(history, event, reasons)
settled = {{s.seat: [s.net, s.reason] for s in history.settled.values() if s.wager == "pocket_pairs"}}
print(json.dumps(settled))
"""
    assert copy.python(script) == {
        "1": [2_500, "Pair of jacks in the two hole cards pays 5 to 1"],
        "2": [15_000, "Pair of aces in the two hole cards pays 30 to 1"],
        "3": [-500, "No pair in the two hole cards is not paid"],
    }


def test_the_side_bet_is_bet_at_the_terminal(copy: PackageCopy) -> None:
    """Ten rounds typed at the terminal; the two hole cards decide each round."""
    typed = "bet ante 10 pocket_pairs 5\\ndeal\\n4x\\n" * 10
    command = "houseway play pairs.toml --plain --no-record --seed 2 --bots 0"
    printed = copy.run(f"printf '{typed}quit\\n' | {command}")
    pattern = r"^Your cards: .*\((\w)\w (\w)\w\)|^Your pocket pairs of \$5 (.*)\. \[own\.pairs\]$"
    cards, results = [], []
    for line in re.finditer(pattern, printed, re.MULTILINE):
        cards += [line.group(1, 2)] if line[1] else []
        results += [line[3]] if line[3] else []
    assert len(results) == 10, printed
    for (first, second), result in zip(cards, results, strict=True):
        other = "wins 5 to 1: $25.00" if first == second else "loses"
        assert result == ("wins 30 to 1: $150.00" if first == second == "A" else other)
    assert any(first == second for first, second in cards)


def test_the_side_bet_does_not_apply_to_texas_shootout(copy: PackageCopy) -> None:
    text = (
        'rulebook = { id = "x", title = "X", extends = "shootout-sd" }\nwager.bonus.looks = "pocket pair"\n'
    )
    (copy.folder / "shootout.toml").write_text(text)
    output = " ".join(copy.run("houseway check shootout.toml").split())
    assert "wager.bonus.looks 'pocket pair' is not for this game, only for ultimate" in output


def test_an_unknown_group_is_a_load_error_that_names_the_known_groups(copy: PackageCopy) -> None:
    text = (copy.folder / "pairs.toml").read_text().replace('"pocket pair"', '"seventh street"')
    (copy.folder / "unknown.toml").write_text(text)
    output = " ".join(copy.run("houseway check unknown.toml").split())
    assert "wager.pocket_pairs.looks 'seventh street' is not a fact group" in output
    assert "use one of 'hand', 'others', 'pocket pair', 'showdown', 'table'" in output


def test_the_comparison_of_rulebooks_has_the_side_bet(copy: PackageCopy) -> None:
    output = json.loads(copy.run("houseway diff uth-card pairs.toml --json"))
    names = [row["name"] for row in output["parameters"] if row["a"] is None]
    assert names == ["pocket_pairs.alone", "pocket_pairs.beside"]


def test_the_table_of_a_server_has_the_side_bet(copy: PackageCopy) -> None:
    """The data the page draws a position from: the circle, its shape and its pay lines."""
    script = """
import json
from houseway.engine.terms import read_terms
from houseway.rules.loader import load
from houseway.server.table_sheets import _pays
from houseway.client.layout_spots import spot_shape
terms, _ = read_terms(load("pairs.toml"), {})
wager = terms.rulebook.wagers["pocket_pairs"]
lines, _ = _pays(terms, wager)
print(json.dumps([spot_shape(terms, wager), [[line.hand, line.pays] for line in lines]]))
"""
    assert copy.python(script) == [
        "diamond",
        [["aces", "30 to 1"], ["another pair", "5 to 1"], ["otherwise", "loses"]],
    ]


def test_a_payment_of_the_side_bet_can_be_changed(copy: PackageCopy) -> None:
    """The lab and the command line change a payment by the value's name."""
    script = """
import json
from houseway.rules.changes import apply_changes
rows = apply_changes("pairs.toml", ["pocket_pairs.aces=25 to 1"]).wagers["pocket_pairs"].pays
print(json.dumps([[dict(row.when), str(row.pays)] for row in rows]))
"""
    assert copy.python(script) == [
        [{"hand": "aces"}, "25 to 1"],
        [{"hand": "another pair"}, "5 to 1"],
        [{}, "lose"],
    ]


EXACT = Fraction(6 * 30 + 72 * 5 - 1_248, 1_326)
"""The mean return of a stake of one: 6 pairs of aces, 72 other pairs, 1,326 pairs of cards."""


ANALYSIS = f"""
import json, sys
from contextlib import redirect_stdout
from io import StringIO
from houseway.cli.app import main
from houseway.server.solver import Solver

def run(*tokens):
    out = StringIO()
    with redirect_stdout(out):
        code = main([*tokens, "--json"])
    return {{"code": code, **json.loads(out.getvalue())}}

sys.path.append({str(Path(__file__).parent)!r})
from server.test_solver import TEN, decision_view, table_of
solver = Solver()
solver.ready = True  # The coach solves this rulebook when it is asked; the others need not be.
table = table_of("pairs.toml")
view = decision_view(table, "As Ad", "", ["check", "play 3x", "play 4x"], {{**TEN, "pocket_pairs": "5.00"}})
bets = "ante=10,trips=5,pocket_pairs=5"
rounds = ("--rounds", "200000", "--side", "pocket_pairs", "--seed", "walk", "--check")
print(json.dumps({{
    "solve": run("solve", "pairs.toml", "--bets", bets),
    "simulate": run("simulate", "pairs.toml", *rounds),
    "sheet": run("sheet", "pairs.toml"),
    "coach": solver.coach(table, view, 1),
}}))
"""


@pytest.fixture(scope="module")
def analysis(copy: PackageCopy, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The answers of the copy's commands and its coach, all from one process."""
    return dict(made_once(tmp_path_factory, "analysis", lambda: copy.python(ANALYSIS)))


def value(figure: dict[str, Any]) -> Fraction:
    return Fraction(int(figure["num"]), int(figure["den"]))


def test_the_side_bet_is_solved(analysis: dict[str, Any]) -> None:
    priced = analysis["solve"]["wagers"]["pocket_pairs"]["pocket_pairs"]
    assert value(priced["ev"]) == EXACT
    assert (priced["hits"], priced["deals"]) == ("78", "1326")
    assert [(line["hand"], line["count"], line["net"]) for line in priced["lines"]] == [
        ("aces", "6", "30"),
        ("another pair", "72", "5"),
        ("no pair", "1248", "-1"),
    ]


def test_the_side_bet_is_solved_together_with_all_other_wagers(analysis: dict[str, Any]) -> None:
    output = analysis["solve"]["whole_bet"]
    assert output["stakes"]["pocket_pairs"] == "5.00"
    assert value(output["wagers"]["pocket_pairs"]) == 5 * EXACT
    # The main game is that of the card: 2.1849713762753 % of the ante.
    main = sum(value(output["wagers"][name]) for name in ("ante", "blind", "play"))
    assert main == 10 * Fraction(-50_643_648_973, 2_317_817_502_000)
    assert (
        sum(int(row["count"]) for row in output["outcomes"]) == int(output["deals"]) == 27_813_810_024_000
    )


def test_the_side_bet_is_simulated(analysis: dict[str, Any]) -> None:
    output = analysis["simulate"]
    assert output["code"] == 0
    (played,) = [wager for wager in output["wagers"] if wager["wager"] == "pocket_pairs"]
    assert value(played["exact"]) == EXACT
    assert abs(value(played["value"]) - EXACT) < 4 * Fraction(played["se"])
    assert played["outcomes"].keys() == {"30 to 1", "5 to 1", "lose"}
    assert sum(played["outcomes"].values()) == 200_000


def test_the_side_bet_is_on_the_par_sheet(analysis: dict[str, Any]) -> None:
    (entry,) = [entry for entry in analysis["sheet"]["wagers"] if entry["wager"] == "pocket_pairs"]
    assert [(line["when"], line["ways"]) for line in entry["lines"]] == [
        ("aces", "6"),
        ("another pair", "72"),
        ("no pair", "1248"),
    ]


def test_the_coach_advises_a_seat_that_bets_the_side_bet(analysis: dict[str, Any]) -> None:
    advice = analysis["coach"]
    assert advice["ready"] is True
    assert advice["hand"] == "Pair of aces"
    assert [choice["action"] for choice in advice["choices"] if choice["best"]] == ["4x"]
