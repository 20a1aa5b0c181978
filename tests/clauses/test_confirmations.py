"""Confirmations by a named person before a table opens: cards, equipment, approvals and signs."""

from typing import Any

import pytest

from houseway.engine import commands as c
from houseway.engine import events as e
from table_driver import Driver, table

TWO = {"decks": 2, "shuffler": "device"}
PROGRESSIVE = {"tables": {"progressive": "PMG-02"}}
MAXIMUM = {"house": {"max_payout": "10000"}}


def by_hand(rulebook: str, **given: Any) -> Driver:
    """A table where a person deals, not opened yet."""
    return table(rulebook, open=False, **given).open(dealer="person")


ITEMS = [
    ("uth-ma", "confirm the deck", "MA-2.a-c", {}, "the deck meets 205 CMR 146.48"),
    ("uth-ma", "confirm each deck", "MA-2.b.1", {"house": TWO}, "the deck meets 205 CMR 146.48"),
    ("uth-ma", "confirm the cover cards", "MA-2.a-b", {}, "two solid yellow cover cards"),
    (
        "uth-ma", "confirm the dealing shoe", "MA-7.a-a", {},
        "the dealing shoe meets 205 CMR 146.51 and is in the place that the Commission approved",
    ),
    (
        "uth-ma", "confirm the dealing machine", "MA-8.a", {"mode": "device"},
        "the Commission approved the dealing machine, its place and its procedures",
    ),
    (
        "uth-ma", "confirm the Cover All mode", "MA-12.d", {"mode": "device"},
        "the shuffler is set to its Cover All mode",
    ),
    ("uth-sd", "post the limits", "SD-1-f", {}, "a sign with the limits of the table is posted"),
    (
        "uth-sd", "post the progressive schedule", "SD-18-c", PROGRESSIVE,
        "the progressive pay table PMG-02 is on a placard or the video sign",
    ),
    (
        "uth-proc", "post the maximum payout", "PROC-H.4-b", MAXIMUM,
        "a table card shows the maximum payout of $10,000",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rulebook", "step", "clause", "given", "item"),
    [pytest.param(*row, marks=pytest.mark.clause(row[2]), id=row[2]) for row in ITEMS],
)
def test_a_table_opens_once_a_named_person_has_confirmed_the_item(
    rulebook: str, step: str, clause: str, given: dict[str, Any], item: str
) -> None:
    t = by_hand(rulebook, **given).until(step)
    # Without the confirmation, no round opens and no card is shuffled.
    for later in ("shuffle", "open the round"):
        early = t.out_of_order(later)
        assert (early.code, early.clause) == ("out-of-order", clause)
    nameless = t.refuses(c.Perform(step=step))
    assert (nameless.code, nameless.clause) == ("name-missing", clause)
    machine = t.refuses(c.Perform(step=step, by="house"))
    assert (machine.code, machine.clause) == ("person-needed", clause)
    t.send(c.Perform(step=step, name="Ann"))
    confirmed = t.last(e.ItemConfirmed)
    assert (confirmed.item, confirmed.name, confirmed.clause) == (item, "Ann", clause)
    assert (confirmed.automatic, confirmed.exception) == (False, "")
    t.ready()
    assert t.state.round.number == 1


@pytest.mark.parametrize(
    ("rulebook", "step", "clause", "given"),
    [pytest.param(*row[:4], marks=pytest.mark.clause(row[2]), id=row[2]) for row in ITEMS],
)
def test_only_a_sign_may_be_missing_when_a_table_opens_and_the_exception_is_recorded(
    rulebook: str, step: str, clause: str, given: dict[str, Any]
) -> None:
    t = by_hand(rulebook, **given).until(step)
    without = c.Perform(step=step, name="Ann", exception="the printer is broken")
    offered = f'open without the step "{step}"' in t.legal("dealer")
    if clause not in ("SD-1-f", "PROC-H.4-b"):
        refused = t.refuses(without)
        assert (refused.code, refused.clause, offered) == ("confirmation-needed", clause, False)
        return
    t.send(without)
    flagged = t.last(e.ItemConfirmed)
    assert (flagged.exception, flagged.name, flagged.clause) == ("the printer is broken", "Ann", clause)
    assert offered
    assert t.ready().state.round.number == 1


@pytest.mark.clause("MA-2.b.1")
def test_each_of_two_decks_needs_its_own_confirmation() -> None:
    t = by_hand("uth-ma", house=TWO).ready()
    assert [x.deck for x in t.seen(e.ItemConfirmed) if x.clause == "MA-2.b.1"] == ["A", "B"]
    # The table's own items are confirmed once.
    assert [x.deck for x in t.seen(e.ItemConfirmed) if x.clause != "MA-2.b.1"] == ["", ""]


def test_items_that_do_not_apply_are_not_asked_for() -> None:
    assert not table("uth-proc").seen(e.ItemConfirmed)
    manual = [x.clause for x in table("uth-ma").seen(e.ItemConfirmed)]
    assert manual == ["MA-2.a-c", "MA-2.a-b", "MA-7.a-a"]


def test_a_machine_confirms_by_house_setting_and_every_event_says_so() -> None:
    t = table("uth-ma", mode="device")
    confirmed = t.seen(e.ItemConfirmed)
    assert len(confirmed) == 4
    assert {(x.automatic, x.by, x.name) for x in confirmed} == {(True, "house", "")}
    # Without the setting, the floor confirms by name, even if a machine deals.
    t = table("uth-ma", open=False, house={"auto_approve": False}).open()
    act = t.act
    assert act is not None
    assert (act.step, act.by, act.signed) == ("confirm the deck", "floor", True)
    assert t.refuses(c.Perform(step="confirm the deck", by="house")).code == "person-needed"
