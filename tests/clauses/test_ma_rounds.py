"""The worked rounds of the Massachusetts rules, each against the amounts written beside it."""

import tomllib
from collections import defaultdict
from importlib import resources
from typing import Any

import pytest

from houseway.engine.cashier import Window
from houseway.engine.lines import Settlement
from houseway.money import cents

BOOK = "uth-ma"
ROUNDS = tomllib.loads(
    resources.files("houseway").joinpath("rulebooks", BOOK, "rounds.toml").read_text(encoding="utf-8")
)["round"]


def amount(text: str) -> int:
    """Cents of a net amount, which may be below nothing."""
    return -cents(text[1:]) if text.startswith("-") else cents(text)


@pytest.mark.parametrize("worked", ROUNDS, ids=[r["name"] for r in ROUNDS])
def test_a_worked_round(worked: dict[str, Any]) -> None:
    answer = Window().settle({"rulebook": BOOK, **worked["round"]})
    assert isinstance(answer, Settlement), answer
    nets: dict[str, dict[str, int]] = {str(s.seat): defaultdict(int) for s in answer.seats}
    for line in answer.lines:
        nets[str(line.seat)][line.wager] += amount(line.net)
    for seat in answer.seats:
        nets[str(seat.seat)]["net"] = amount(seat.net)
    wanted = {n: {w: amount(net) for w, net in seat.items()} for n, seat in worked["expect"].items()}
    assert nets == wanted
