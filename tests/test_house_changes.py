"""A house that changes a value which the document fixes gets a warning; a value that no table can carry out is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from houseway.audit.memory_store import MemoryStore
from houseway.cards import cards
from houseway.cli.app import main
from houseway.engine import commands as c
from houseway.engine.deal_acts import device_plan
from houseway.engine.refusals import Refusal
from houseway.live import LiveTable
from houseway.rules.loader import RulebookError, load
from houseway.testing import soundness
from record.recorded import house
from table_driver import table

CHANGES = {
    "a minimum that the document does not list": (
        "uth-proc", "[options]\nminimum_bet = { value = \"house\" }\n[limits.ante.minima]\nvalue = [\"4\"]",
        "limits.ante.minima", "PROC-H.2-a",
    ),
    "a higher bet limit": ("uth-sd", "[bet_limit]\namount = \"5000\"", "bet_limit.amount", "SD-1-c"),
    "a higher bet limit, Shootout": (
        "shootout-sd", "[bet_limit]\namount = \"5000\"", "bet_limit.amount", "SD-1-c",
    ),
    "excluded provisions": ("uth-sd", "[options]\nexcluded = { value = [] }", "options.excluded", "SD-19"),
    "a payment": (
        "uth-ma", "[tables.blind.blind.rows]\nstraight = \"push\"", "tables.blind.blind.rows.straight.pays",
        "MA-10.c",
    ),
}  # fmt: skip


def variant(folder: Path, base: str, body: str, drop: str = "") -> str:
    """Write a house's own rulebook and return its path."""
    dropped = f'drop = ["{drop}"]\n' if drop else ""
    file = folder / "mine.toml"
    file.write_text(
        f'[rulebook]\nid = "mine"\ntitle = "Mine"\nextends = "{base}"\n{dropped}\n{body}\n',
        encoding="utf-8",
    )
    return str(file)


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_a_fixed_value_is_a_warning_with_the_clause(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base, body, path, clause = CHANGES[name]
    file = variant(tmp_path, base, body)
    warnings = [p for p in soundness.problems(file) if p.weight == "warning" and p.path == path]
    if base == "shootout-sd":
        assert [p.wrong for p in warnings] == [f"changes a value borrowed from {clause}"]
    else:
        assert [p.wrong for p in warnings] == [f"differs from {clause}"]
        assert warnings[0].right.startswith(f"this is no longer the game in {base}'s document")
    assert main(["show", file]) == 0
    assert "own.mine" in capsys.readouterr().out


def test_a_dropped_step_is_a_warning_with_the_clause(tmp_path: Path) -> None:
    file = variant(tmp_path, "uth-ma", "[options]\nshoe = { value = false }", "shuffling.load the shoe")
    warnings = {p.path: p.wrong for p in soundness.problems(file) if p.weight == "warning"}
    assert warnings['shuffling."load the shoe"'] == "removes a step that MA-7.a-b requires"
    assert warnings["options.shoe"] == "differs from MA-7.a-b"


def test_a_value_that_the_document_leaves_open_gives_no_warning(tmp_path: Path) -> None:
    file = variant(tmp_path, "uth-card", "[house.seats]\ndefault = 5")
    assert [p for p in soundness.problems(file) if "differs from" in p.wrong or "removes" in p.wrong] == []


@pytest.mark.parametrize(
    ("base", "body", "path"),
    [
        pytest.param("uth-ma", body, path, marks=pytest.mark.clause(clause), id=path)
        for clause, body, path in [
            ("MA-5.a-b", "[ranking]\nlow_ace = { value = false }", "ranking.low_ace.value"),
            ("MA-5.b.6-b", "[ranking]\nlow_ace = { value = false }", "ranking.low_ace.value"),
            ("MA-5.a-a", '[ranking]\ncard_order = { value = "23456789TJQKA" }', "ranking.card_order.value"),
            ("MA-1.suit", "[ranking]\nsuits_equal = { value = false }", "ranking.suits_equal.value"),
            ("MA-5.c-a", '[ranking]\nkickers = { value = "lowest card wins" }', "ranking.kickers.value"),
            ("MA-7.a-b", "[options]\nshoe = { value = false }", "options.shoe"),
            (
                "MA-9.h-c",
                "[options]\none_player_at_a_time = { value = false }",
                "options.one_player_at_a_time",
            ),
            ("PROC-H.6-a", "[options]\npaid_separately = { value = false }", "options.paid_separately"),
        ]
    ],
)
def test_a_value_that_no_table_carries_out_is_refused_at_load(
    base: str, body: str, path: str, tmp_path: Path
) -> None:
    with pytest.raises(RulebookError) as error:
        load(variant(tmp_path, base, body))
    assert path in [p.path for p in error.value.problems]


@pytest.mark.clause("MA-4.a-d")
@pytest.mark.parametrize("rulebook", ["uth-ma", "uth-proc", "uth-card"])
def test_a_deal_that_differs_from_the_devices_plan_is_refused(rulebook: str) -> None:
    t = table(rulebook, mode="device").sit(1, 2, 3, 4)
    for seat in (1, 2, 3, 4):
        t.bet(seat, ante=5)
    t.until("dispense the community cards")
    assert device_plan(t.table, t.state) == {
        "board": 5, "seat 1": 2, "seat 2": 2, "seat 3": 2, "seat 4": 2, "dealer": 2,
    }  # fmt: skip
    refused = t.refuses(c.Perform(step=t.next, cards=cards("Ah Kd 2c")))
    assert (refused.code, refused.clause) == ("cards-needed", "MA-4.a-d")
    assert "the device is set to deal cards as follows: 5 to the board, 2 to seat 1" in refused.message


def test_a_device_that_the_house_cannot_set_has_no_plan() -> None:
    t = table("uth-sd", mode="device").bet(1, ante=5).until("dispense the community cards")
    assert device_plan(t.table, t.state) == {}


@pytest.mark.clause("MA-2.b.2")
@pytest.mark.parametrize("backs", [("red", "red"), ("Red", "red"), ("red ", "red"), ("", "blue")])
def test_backs_of_one_colour_are_refused(backs: tuple[str, ...]) -> None:
    opening = c.OpenTable(designated=("ultimate",), backs=backs, examples=True)
    answer = LiveTable.open(
        house(MemoryStore()),
        "table:1",
        load("uth-ma"),
        {"house": {"decks": 2, "shuffler": "device"}},
        opening,
    )
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.clause) == ("backs-alike", "MA-2.b.2")


def test_a_dropped_step_is_forgotten_by_the_windows_of_other_steps(tmp_path: Path) -> None:
    """The cut may wait until the shoe is loaded; without that step it may still wait for the next one."""
    dropped = load(
        variant(tmp_path, "uth-ma", "[options]\nshoe = { value = false }", "shuffling.load the shoe")
    )
    (cut,) = (step for step in dropped.procedure.steps("shuffling") if step.name == "cut the cards")
    (before,) = (
        step for step in load("uth-ma").procedure.steps("shuffling") if step.name == "cut the cards"
    )
    assert "load the shoe" in before.free_until
    assert cut.free_until == tuple(name for name in before.free_until if name != "load the shoe") != ()
