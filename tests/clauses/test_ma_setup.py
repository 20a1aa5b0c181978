"""Massachusetts: the table before play. Decks, approvals, cut, count, modes, and a house's pay tables."""

from pathlib import Path
from typing import Any

import pytest

from houseway.engine import events as e
from houseway.engine.refusals import Refusal
from houseway.rules import loader
from houseway.testing import refused, settled
from table_driver import table

ROUND: dict[str, Any] = {
    "board": "Qd 9s 7h 4c 2d",
    "dealer": "Qc 3s",
    "hole": "As Ah",
    "ante": "10",
    "play": 4,
}


def net_of_aces(**setup: Any) -> str:
    """Seat 1's net at a table with this setup; aces win $10 on the ante and $40 on the play."""
    return settled("uth-ma", **ROUND, **setup).seat_net()


def refusals(**setup: Any) -> list[Refusal]:
    """The refusals of a table with this setup."""
    return refused("uth-ma", **ROUND, **setup)


@pytest.mark.parametrize(
    ("option", "value", "clause", "mode"),
    [
        pytest.param(name, value, clause, mode, marks=pytest.mark.clause(clause), id=clause)
        for name, value, clause, mode in [
            ("device_program", True, "MA-4.a-d", "device"),
            ("qualifier", "pair", "MA-9.g-a", "manual"),
            ("match_play", "where applicable", "MA-6.a-b", "manual"),
            ("cut", "if required", "MA-4.c", "manual"),
        ]
    ],
)
def test_the_tables_options_are_those_of_the_document(
    option: str, value: Any, clause: str, mode: str
) -> None:
    rule = loader.load("uth-ma").options.get(option)
    assert rule is not None
    assert (rule.value, rule.clause(mode)) == (value, clause)


@pytest.mark.clause("MA-2.a-a")
def test_two_decks_need_a_shuffling_device() -> None:
    for setup in ({"decks": 2}, {"decks": 2, "shuffler": "hand"}):
        (reason,) = refusals(house=setup)
        assert (reason.code, reason.clause) == ("setting-needs", "MA-2.a-a")
    assert net_of_aces(house={"decks": 1, "shuffler": "hand"}) == "50.00"
    assert net_of_aces(house={"decks": 2, "shuffler": "device"}) == "50.00"


@pytest.mark.clause("MA-2.b")
def test_two_decks_are_allowed_but_not_three() -> None:
    (reason,) = refusals(house={"decks": 3, "shuffler": "device"})
    assert (reason.code, reason.clause) == ("bad-setting", "MA-2.b")
    assert net_of_aces(house={"decks": 2, "shuffler": "device"}) == "50.00"


@pytest.mark.clause("MA-2.a-a", "MA-2.b")
def test_a_table_has_one_deck_or_two() -> None:
    rule = loader.load("uth-ma").options.get("decks")
    assert rule is not None
    assert (rule.value, rule.basis.all) == ([1, 2], ("MA-2.a-a", "MA-2.b"))


@pytest.mark.clause("MA-4.c")
def test_the_house_decides_whether_a_cut_is_required() -> None:
    setting = loader.load("uth-ma").house["cut_required"]
    assert setting.assumed == "hand shuffle"
    # "If a cut of the cards is required": nothing in the text requires one.
    for choice in ("never", "hand shuffle", "always"):
        assert net_of_aces(house={"cut_required": choice}) == "50.00"
    (reason,) = refusals(house={"cut_required": "sometimes"})
    assert (reason.code, reason.clause) == ("bad-setting", "MA-4.c")


@pytest.mark.clause("MA-7.h-a")
def test_a_device_that_counts_the_cards_makes_the_stub_count_unnecessary() -> None:
    book = loader.load("uth-ma")
    assert book.option("stub_count") == "every five rounds unless the device counts"
    assert book.house["device_counts"].assumed is False
    for counts, stubs in ((False, 1), (True, 0)):
        t = table("uth-ma", house={"device_counts": counts, "shuffler": "device"})
        for _ in range(5):
            t.bet(1, ante=5).deal().play(1, 4).deal()
        assert len(t.seen(e.StubCounted)) == stubs
    (reason,) = refusals(house={"device_counts": "yes"})
    assert (reason.code, reason.clause) == ("bad-setting", "MA-7.h-a")


@pytest.mark.clause("MA-4.b")
def test_cards_are_dealt_by_hand_or_by_machine_and_no_other_way() -> None:
    assert net_of_aces(mode="manual") == "50.00"
    assert net_of_aces(mode="device") == "50.00"
    (reason,) = refusals(mode="pitch")
    assert reason.code == "unknown-mode"


@pytest.mark.clause("MA-12.k")
def test_a_table_has_at_most_six_seats() -> None:
    rule = loader.load("uth-ma").options.get("seats")
    assert rule is not None
    assert rule.value == 6
    assert "MA-12.k" in rule.basis.also
    assert [r.code for r in refusals(house={"seats": 7})] == ["bad-setting"]
    assert net_of_aces(house={"seats": 6}) == "50.00"


def house_file(folder: Path, table: str, rows: dict[str, str]) -> str:
    """A house's own file: Massachusetts with some changed lines of a pay table."""
    lines = [f'"{hand}" = "{pays}"' for hand, pays in rows.items()]
    text = ["[rulebook]", 'id = "house"', 'title = "House"', 'extends = "uth-ma"', f"[{table}]", *lines]
    path = folder / "house.toml"
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    return str(path)


def faults(ref: str) -> list[tuple[str, str]]:
    """The path of each problem and how to fix it."""
    return [(p.path, p.right) for p in loader.load_with_problems(ref)[1]]


@pytest.mark.clause("MA-10.d")
def test_trips_may_not_pay_less_than_the_selected_table(tmp_path: Path) -> None:
    lower = house_file(tmp_path, "tables.trips.B.rows", {"full house": "7 to 1"})
    ((where, right),) = faults(lower)
    assert where == 'tables.trips.B.rows."full house"'
    assert right == "pay at least 8 to 1 (MA-10.d)"


@pytest.mark.clause("MA-10.d")
def test_trips_may_pay_more_than_the_selected_table(tmp_path: Path) -> None:
    higher = house_file(tmp_path, "tables.trips.B.rows", {"full house": "9 to 1"})
    assert faults(higher) == []
    for book, won in ((higher, "90.00"), ("uth-ma", "80.00")):
        kings_full = {"hole": "Kh 3d", "ante": "10", "trips": "10", "play": 1}
        paid = settled(book, "Ks Kd 7c 7h 2s", "4c 5d", kings_full, tables={"trips": "B"})
        assert paid.net("trips") == won
    (reason,) = refusals(tables={"trips": "E"})
    assert (reason.code, reason.clause) == ("unknown-table", "MA-10.d")


@pytest.mark.clause("MA-10.d")
@pytest.mark.parametrize("pays", ["push", "lose", "4 to 1"])
def test_no_line_of_trips_may_be_lowered(pays: str, tmp_path: Path) -> None:
    ref = house_file(tmp_path, "tables.trips.B.rows", {"straight": pays})
    assert faults(ref) == [("tables.trips.B.rows.straight", "pay at least 5 to 1 (MA-10.d)")]


@pytest.mark.clause("MA-13.e-a")
@pytest.mark.parametrize("name", ["PTMGL03", "HOUSE"])
def test_only_the_listed_progressive_tables_may_be_used(name: str, tmp_path: Path) -> None:
    (reason,) = refusals(tables={"progressive": name})
    assert (reason.code, reason.clause) == ("unknown-table", "MA-13.e-a")
    ref = house_file(tmp_path, f"tables.progressive.{name}.rows", {"three of a kind or better": "9 for 1"})
    listed = "PTMGL01, PTMGL02, PTMGL04, PTMGLML01, PTMGLML02, PTMGLML03"
    assert (f"tables.progressive.{name}", f"use a printed table: {listed} (MA-13.e-a)") in faults(ref)


@pytest.mark.clause("MA-13.e-a")
@pytest.mark.parametrize("name", ["PTMGL01", "PTMGL02", "PTMGL04", "PTMGLML01", "PTMGLML02", "PTMGLML03"])
def test_each_listed_progressive_table_may_be_used(name: str) -> None:
    # A pair of aces with the flop wins no progressive: $50 won, $5 lost.
    assert net_of_aces(tables={"progressive": name}, progressive="5") == "45.00"
