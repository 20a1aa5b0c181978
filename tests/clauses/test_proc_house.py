"""The dealing procedures' house rules on payment: the maximum payout, approvals, one wager at a time."""

from typing import Any

import pytest

from houseway.rules import loader
from houseway.testing import refused, settled

ROYAL: dict[str, Any] = {"board": "Qh Jh Th 2c 2d", "dealer": "9s 9d", "hole": "Ah Kh"}


@pytest.mark.clause("PROC-H.4-a")
def test_without_a_posted_maximum_everything_is_paid() -> None:
    paid = settled("uth-proc", ante="25", play=4, **ROYAL)
    assert paid.net("blind") == "12500.00"
    assert paid.settlement.caps == []
    setting = loader.load("uth-proc").house["max_payout"]
    assert (setting.assumed, setting.required, setting.basis.clause("device")) == (
        None,
        False,
        "PROC-H.4-a",
    )


@pytest.mark.clause("PROC-H.4-a")
def test_a_hands_payments_stop_at_the_posted_maximum() -> None:
    paid = settled("uth-proc", ante="25", play=4, trips="25", house={"max_payout": "10000"}, **ROYAL)
    assert [paid.net(w) for w in ("ante", "blind", "play", "trips")] == ["25.00", "9975.00", "0.00", "0.00"]
    assert paid.seat_net() == "10000.00"
    [cut] = paid.settlement.caps
    assert (cut.clause, cut.limit, cut.due, cut.paid) == ("PROC-H.4-a", "10000.00", "13875.00", "10000.00")


@pytest.mark.clause("PROC-H.4-a")
@pytest.mark.parametrize("amount", ["0", "ten", -5, True])
def test_a_maximum_payout_that_is_not_an_amount_is_refused(amount: object) -> None:
    [reason] = refused("uth-proc", ante="25", play=4, house={"max_payout": amount}, **ROYAL)
    assert (reason.code, reason.clause, reason.where) == ("bad-setting", "PROC-H.4-a", "house.max_payout")


@pytest.mark.clause("PROC-H.6-a")
def test_each_wager_is_paid_separately() -> None:
    paid = settled("uth-proc", "7s Kh 9d 4c 2s", "Kc Qd", hole="7c 7d", ante="5", trips="5", play=1)
    won = [(line.wager, line.net) for line in paid.lines() if line.result == "win"]
    assert won == [("ante", "5.00"), ("play", "5.00"), ("trips", "15.00")]
    separately = loader.load("uth-proc").options["paid_separately"]
    assert (separately.value, separately.clause("device")) == (True, "PROC-H.6-a")


@pytest.mark.clause("PROC-H.7")
def test_a_payout_over_300_dollars_needs_the_floor_supervisor() -> None:
    paid = settled(
        "uth-proc", "9h 9s 4d Kc Ks", "3h 5c",
        {"hole": "9c 9d", "ante": "10", "trips": "10", "play": 4},
        {"hole": "Kd Kh", "ante": "10", "trips": "25", "play": 4},
    )  # fmt: skip
    assert (paid.net("trips", seat=1), paid.net("trips", seat=2)) == ("300.00", "750.00")
    [needed] = paid.settlement.approvals
    assert (needed.seat, needed.wager, needed.amount) == (2, "trips", "750.00")
    assert (needed.who, needed.clause) == ("floor supervisor", "PROC-H.7")


@pytest.mark.clause("PROC-H.7")
@pytest.mark.parametrize(
    ("blind", "approvals"),
    [
        pytest.param("6", [], id="$300"),
        pytest.param("6.01", [("blind", "300.50")], id="$300.50"),
        pytest.param("7", [("blind", "350.00")], id="$350"),
    ],
)
def test_300_dollars_need_no_approval(blind: str, approvals: list[tuple[str, str]]) -> None:
    paid = settled("uth-proc", "9h Th 2c 2d Jh", "Ac Kd", hole="7h 8h", ante=blind, play=4)
    assert [(a.wager, a.amount) for a in paid.settlement.approvals] == approvals


@pytest.mark.clause("PROC-H.7")
def test_a_payment_cut_by_the_maximum_needs_no_approval() -> None:
    paid = settled("uth-proc", ante="25", play=4, trips="25", house={"max_payout": "300"}, **ROYAL)
    assert paid.net("blind") == "275.00"
    assert paid.settlement.approvals == []
    free = settled("uth-proc", ante="25", play=4, trips="25", **ROYAL)
    assert [(a.wager, a.amount) for a in free.settlement.approvals] == [
        ("blind", "12500.00"), ("trips", "1250.00"),
    ]  # fmt: skip
