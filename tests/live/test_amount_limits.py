"""Amounts that no table can have are refused in every command."""

from __future__ import annotations

from typing import Any, get_type_hints

import msgspec
import pytest

from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.live.amount_limits import too_large
from live.live_rounds import LiveRound

HUGE = 10**25
DECK = "As Ah Kd Qc Qd 9s 7h 4c 2d"
COMMANDS = [
    kind
    for kind in vars(c).values()
    if isinstance(kind, type) and issubclass(kind, c.Command) and kind.__module__ == c.__name__
]
FIELDS = [
    (kind, name, hint)
    for kind in COMMANDS
    for name, hint in get_type_hints(kind).items()
    if hint in (int, int | None, dict[str, int]) and kind is not c.SyncMeters
]


def build(kind: type[c.Command], name: str, value: object) -> c.Command:
    empty = {str: "", int: 1, tuple: (), dict: {}}
    needed = {
        field.name: empty.get(getattr(field.type, "__origin__", field.type), ())
        for field in msgspec.structs.fields(kind)
        if field.required
    }
    fields: dict[str, Any] = {**needed, name: value}
    return kind(**fields)


def test_every_number_is_covered() -> None:
    assert {(c.Mispay, "amount", int), (c.Bet, "wagers", dict[str, int]), (c.Sit, "chips", int)} <= set(
        FIELDS
    )
    assert len(FIELDS) > 40


@pytest.mark.parametrize(("kind", "name", "hint"), FIELDS, ids=lambda v: getattr(v, "__name__", str(v)))
@pytest.mark.parametrize("sign", [1, -1])
def test_a_huge_number_is_refused_in_every_field(
    kind: type[c.Command], name: str, hint: object, sign: int
) -> None:
    limit = 10**12
    for amount, refused in ((sign * HUGE, True), (sign * (limit + 1), True), (sign * limit, False)):
        value = {"ante": 100, "trips": amount} if hint == dict[str, int] else amount
        answer = too_large(build(kind, name, value))
        assert (answer is not None) == refused
        if answer is not None:
            assert (answer.code, answer.where) == ("too-large", f"{kind.__name__}.{name}")
            assert answer.message == f"{name} must be at most $10,000,000,000.00; send a smaller amount"


def test_a_table_refuses_a_huge_mispayment_and_continues() -> None:
    table = LiveRound("uth-ma", DECK)
    table.send(c.Sit(seat=1, player="Ann", chips=100_000))
    before = table.live.head
    answer = table.refused(c.Mispay(seat=1, wager="ante", amount=HUGE))
    assert isinstance(answer, Refusal)
    assert answer.code == "too-large"
    assert table.live.head == before
    table.send(c.Bet(seat=1, wagers={"ante": 1000}))
