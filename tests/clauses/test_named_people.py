"""Approvals and verifications: by a named person, or automatically by a house setting, which every event records."""

from typing import Any

import pytest

from houseway.cards import codes
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import is_floor
from houseway.testing.driver import stacked
from table_driver import Driver, table

STRAIGHT_FLUSH = ("9h Th Jh 2c 2d", "Ac Kd", "7h 8h")
"""A straight flush: $7 on the blind wins $350."""


def at_approval(rulebook: str, **given: Any) -> Driver:
    """A table at which the floor must approve a payment: $350 on the blind, or any progressive award."""
    opening = {"dealer": given.pop("dealer", "machine")}
    if rulebook == "uth-sd":
        given["tables"] = {"progressive": "PMG-02"}
    mode = "manual" if rulebook == "uth-sd" else "device"
    t = table(rulebook, open=False, mode=mode, deck=stacked(mode, *STRAIGHT_FLUSH), **given)
    t.open(**opening).ready()
    t.bet(1, ante=7, **({"progressive": 5} if rulebook == "uth-sd" else {})).deal().play(1, 4)
    for _ in range(40):
        if t.state.round.asked is not None:
            return t
        option = next(iter(t.legal("dealer")), "")
        if option.startswith("key "):
            t.send(c.KeyAward(seat=1, hand=option.removeprefix("key ")))
        else:
            t.step()
    raise AssertionError("no approval was asked for")


CASES = [
    pytest.param("uth-proc", "PROC-H.7", marks=pytest.mark.clause("PROC-H.7")),
    pytest.param("uth-sd", "SD-18.a.iv", marks=pytest.mark.clause("SD-18.a.iv")),
]


@pytest.mark.parametrize(("rulebook", "clause"), CASES)
def test_a_payment_is_approved_by_a_named_person(rulebook: str, clause: str) -> None:
    t = at_approval(rulebook, dealer="person")
    unasked = t.refuses(c.Approve(by="house"))
    assert (unasked.code, unasked.clause) == ("person-needed", clause)
    nameless = t.refuses(c.Approve(by="floor"))
    assert (nameless.code, nameless.clause) == ("name-missing", clause)
    dealer = t.refuses(c.Approve(by="dealer", name="Dana"))
    assert (dealer.code, dealer.clause) == ("not-the-floor", clause)
    t.send(c.Approve(by="floor", name="Flo"))
    approved = t.last(e.PaymentApproved)
    assert (approved.name, approved.automatic, approved.clause) == ("Flo", False, clause)


@pytest.mark.parametrize(("rulebook", "clause"), CASES)
@pytest.mark.parametrize(
    ("dealer", "setting", "automatic"),
    [
        ("machine", None, True),
        ("person", None, False),
        ("machine", False, False),
        ("person", True, True),
    ],
)
def test_steps_are_automatic_by_default_if_the_dealer_is_automatic(
    rulebook: str, clause: str, dealer: str, setting: bool | None, automatic: bool
) -> None:
    house = {} if setting is None else {"house": {"auto_approve": setting}}
    t = at_approval(rulebook, dealer=dealer, **house)
    if not automatic:
        assert t.refuses(c.Approve(by="house")).clause == clause
        return
    t.send(c.Approve(by="house"))
    approved = t.last(e.PaymentApproved)
    assert (approved.by, approved.name, approved.automatic) == ("house", "", True)


@pytest.mark.clause("MA-3.b-a")
def test_one_person_cannot_both_inspect_and_verify() -> None:
    t = table("uth-ma", open=False).open(dealer="person").until("inspect the deck")
    t.send(c.Perform(step="inspect the deck", name="Ann"))
    assert t.last(e.DeckInspected).clause == "MA-3.b-a"
    for name in ("Ann", "ANN"):
        same = t.refuses(c.Perform(step="verify the deck", by="floorperson", name=name))
        assert (same.code, same.clause) == ("same-person", "MA-3.b-a")
    machine = t.refuses(c.Perform(step="verify the deck", by="house"))
    assert (machine.code, machine.clause) == ("person-needed", "MA-3.b-a")
    t.send(c.Perform(step="verify the deck", by="casino supervisor", name="Bo"))
    verified = t.last(e.DeckVerified)
    assert (verified.deck, verified.name, verified.automatic) == ("A", "Bo", False)


def test_a_machine_inspects_and_the_house_setting_verifies() -> None:
    t = table("uth-ma")
    assert t.last(e.DeckInspected).name == "the automatic dealer"
    verified = t.last(e.DeckVerified)
    assert (verified.by, verified.name, verified.automatic) == ("house", "", True)
    (step,) = [s for s in t.seen(e.StepTaken) if s.step == "verify the deck"]
    assert (step.by, step.automatic) == ("house", True)


@pytest.mark.parametrize(
    ("by", "floor"),
    [
        ("floor", True), ("floorperson", True), ("floor supervisor", True), ("supervisor Ann", True),
        ("casino supervisor", True), ("table game supervisor", True), ("Table Game Supervisor Bo", True),
        ("dealer", False), ("seat 1", False), ("house", False), ("Ann Floor", False), ("", False),
    ],
)  # fmt: skip
def test_every_title_of_the_floor_is_recognised(by: str, floor: bool) -> None:
    assert is_floor(by) is floor


@pytest.mark.clause("MA-4.d")
def test_a_casino_supervisor_orders_a_recut() -> None:
    t = table("uth-ma", open=False).open().until("load the shoe")
    t.send(c.Recut(by="casino supervisor"))
    assert (t.last(e.RecutOrdered).by, t.last(e.RecutOrdered).clause) == ("casino supervisor", "MA-4.d")


def test_a_step_that_needs_a_name_takes_no_cards() -> None:
    t = table("uth-ma", open=False).open(dealer="person")
    assert t.act is not None
    assert (t.act.cards, t.act.signed, codes(t.shoe.cards)) == (0, True, "")
