"""Payout limits at live tables: the limit's clause, tables without some wagers, and the warning to the house."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.audit.entries import read_entry
from houseway.audit.explain import explain, story_lines
from houseway.audit.verify import verify
from houseway.client.messages import Answered, OpenTable
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.play.open_game import notes
from houseway.server.table_sheets import table_card
from houseway.testing.driver import stacked
from record.recorded import SIGNER
from server.hosted_rounds import Room
from table_driver import table

BOARD, DEALER, ROYAL = "Qh Jh Th 2c 2d", "9s 9d", "Ah Kh"


def deck() -> list[str]:
    return stacked("device", BOARD, DEALER, ROYAL).split()


def room_with_a_royal_flush(rulebook: str, ante: int, **given: Any) -> Room:
    """A table whose only player has bet an ante in cents, played 4x and made a royal flush."""
    order = OpenTable(rulebook=rulebook, mode="device", **given)
    room = Room(rulebook, [deck()], seats=(1,), order=order)
    room.watch("seat 1")
    answer = room.do(1, c.Bet(seat=1, wagers={"ante": ante}))
    assert isinstance(answer, Answered), answer
    room.ready()
    while room.hosted.waits().why != "decision":
        room.clock.move(1)
    assert isinstance(room.do(1, c.Play(seat=1, times=4)), Answered)
    return room


def blind(room: Room) -> e.WagerSettled:
    entries = map(read_entry, room.store.entries("room"))
    events = [event for entry in entries for event in entry.events]
    return next(x for x in events if isinstance(x, e.WagerSettled) and x.wager == "blind")


@pytest.mark.clause("MA-10.e")
def test_the_record_names_the_limit_that_reduced_a_payment() -> None:
    room = room_with_a_royal_flush("uth-ma", 12_000, limits={"ante": {"min": "5", "max": "1000"}})
    paid = blind(room)
    # $120 at 500 to 1 is $60,000, but a hand wins at most $50,000, and its ante has already won $120.
    assert (paid.won, paid.cut, paid.cut_clause, paid.clause) == (
        4_988_000,
        1_012_000,
        "MA-10.e",
        "MA-10.c",
    )
    said = "a payout limit took off $10,120.00 [MA-10.e]"
    shown = next(x for x in room.hosted.view("seat 1").table.settled.values() if x.wager == "blind")
    assert (shown.cut, shown.cut_clause) == (1_012_000, "MA-10.e")
    assert any(said in line.text for line in room.hosted.view("seat 1").yours.log.values())
    said = "a payout limit took off $10,120 [MA-10.e]"
    assert any(said in line for line in story_lines(explain(room.store, "room", 1, "seat 1")))
    report = verify(room.store, "room", key=SIGNER.public)
    assert (report.faults, report.settled_again) == ((), 1)


@pytest.mark.clause("MA-13.d")
def test_the_lower_of_two_limits_is_named() -> None:
    # With a minimum of $160, a minimum bettor could win more than $75,000.
    room = room_with_a_royal_flush("uth-ma", 16_000, limits={"ante": {"min": "160", "max": "1000"}})
    paid = blind(room)
    assert (paid.won, paid.cut_clause) == (7_500_000 - 16_000, "MA-13.d")


@pytest.mark.parametrize(
    ("rulebook", "house", "clause"),
    [
        pytest.param("uth-card", {}, "CARD-25", marks=pytest.mark.clause("CARD-25")),
        pytest.param(
            "uth-proc", {"max_payout": "5000"}, "PROC-H.4-a", marks=pytest.mark.clause("PROC-H.4-a")
        ),
    ],
)
def test_every_rulebook_names_its_limit(rulebook: str, house: dict[str, Any], clause: str) -> None:
    t = table(rulebook, mode="device", deck=" ".join(deck()), house=house)
    t.bet(1, ante=120 if rulebook == "uth-card" else 25).deal().play(1, 4).deal().finish()
    paid = t.settled("blind", 1)
    assert paid.cut > 0
    assert paid.cut_clause == clause


@pytest.mark.clause("MA-10.e")
@pytest.mark.parametrize(("leave_out", "limit"), [((), 5_075_000), (("trips",), 5_050_000)])
def test_a_wager_that_the_table_leaves_out_does_not_raise_the_limit(
    leave_out: tuple[str, ...], limit: int
) -> None:
    # A minimum bettor with $100 wins 100 + 400 + 50,000 on ante, play and blind, and $5 x 50 on trips.
    limits = {"ante": {"min": "100", "max": "1000"}, "trips": {"min": "5", "max": "100"}}
    room = room_with_a_royal_flush("uth-ma", 12_000, limits=limits, leave_out=leave_out)
    settled = room.hosted.view("seat 1").table.settled.values()
    assert sum(x.net for x in settled) == limit
    assert verify(room.store, "room", key=SIGNER.public).faults == ()
    t = table("uth-ma", open=False, mode="device", deck=" ".join(deck()), limits=limits)
    t.open(leave_out=leave_out).ready()
    t.bet(1, ante=120).deal().play(1, 4).deal().finish()
    assert t.net(1) == f"{limit / 100:.2f}"
    if leave_out:
        refused = t.refuses(t.betting(1, ante=120, trips=5))
        assert refused.code == "not-offered"


WARNING = "a minimum bettor could win $75,480, but a hand is paid at most $75,000 (MA-13.d)"


@pytest.mark.clause("MA-10.e")
@pytest.mark.parametrize(("minimum", "warnings"), [("135", ()), ("136", (WARNING,))])
def test_a_high_minimum_is_noted_when_the_table_opens(minimum: str, warnings: tuple[str, ...]) -> None:
    limits = {name: {"min": minimum, "max": "1000"} for name in ("ante", "trips")}
    room = Room("uth-ma", seats=(1,), order=OpenTable(rulebook="uth-ma", limits=limits))
    for lines in (table_card(room.hosted).notes, notes(room.hosted.live.table)):
        assert tuple(line.rstrip(".") for line in lines if "minimum bettor" in line) == warnings


@pytest.mark.clause("MA-10.e")
def test_a_high_minimum_is_noted_when_the_minimum_changes() -> None:
    limits = {"ante": {"min": "100", "max": "1000"}, "trips": {"min": "136", "max": "1000"}}
    room = Room("uth-ma", seats=(1,), order=OpenTable(rulebook="uth-ma", limits=limits))
    for dollars, warning in ((135, ""), (136, WARNING)):
        change = c.ChangeMinimum(by="floor", wager="ante", amount=dollars * 100)
        assert room.hosted.send(change) is None
        events = read_entry(list(room.store.entries("room"))[-1]).events
        assert [x.warning for x in events if isinstance(x, e.LimitsChanged)] == [warning]
        assert [n for n in table_card(room.hosted).notes if "bettor" in n] == [warning] * bool(warning)
    assert verify(room.store, "room", key=SIGNER.public).faults == ()
