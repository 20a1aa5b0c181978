"""The facts about slips that the page shows: it reads none of them out of a sentence."""

from __future__ import annotations

import pytest

from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.judge import Verdict
from houseway.training.slip_facts import drill_for, paid_cents, seat_of_verdict


def verdict(kind: str = ch.MISSED, **parts: object) -> Verdict:
    return Verdict(kind=kind, entry=1, time=0, **parts)  # type: ignore[arg-type]


def test_a_slip_names_its_drill() -> None:
    kinds = (ch.OUT_OF_ORDER, ch.MISREAD, ch.UNSEEN, ch.LATE, ch.WRONG_RULING, ch.MISSED)
    assert [drill_for(verdict(kind)) for kind in kinds] == [
        "order", "hands", "rulings", "rulings", "rulings", "next",
    ]  # fmt: skip
    assert drill_for(verdict(ch.WRONG_AMOUNT, amount=-750)) == "payouts"
    assert drill_for(verdict(due=a.Take(seat=2, wager="blind"))) == "payouts"


@pytest.mark.parametrize(
    ("parts", "seat"),
    [
        ({"act": a.Ask(seat=4)}, 4),
        ({"due": a.Rack(what="seat 3 discards")}, 3),
        ({"due": a.TurnUp(place="seat 5")}, 5),
        ({"irregularity": "exposed card", "at": "seat 6"}, 6),
        ({"irregularity": "exposed card", "at": "dealer"}, 0),
        ({"act": a.TurnUp(place="board")}, 0),
    ],
)
def test_a_verdict_has_the_seat_that_it_is_about(parts: dict[str, object], seat: int) -> None:
    assert seat_of_verdict(verdict(ch.MISSED, **parts)) == seat


def test_only_a_payment_has_cents() -> None:
    assert paid_cents(verdict(act=a.Pay(seat=2, wager="blind", chips={500: 3}))) == 15_00
    assert paid_cents(verdict(act=a.Push(seat=2, wager="blind"))) == 0
