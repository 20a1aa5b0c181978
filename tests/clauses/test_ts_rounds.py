"""South Dakota, Texas Shootout: the worked rounds that stand beside the rulebook."""

import tomllib
from collections import defaultdict
from decimal import Decimal
from importlib import resources
from typing import Any

import pytest

from houseway.engine.cashier import Window
from houseway.engine.lines import Settlement

BOOK = "shootout-sd"
FILE = resources.files("houseway") / "rulebooks" / BOOK / "rounds.toml"
ROUNDS: list[dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))["round"]


@pytest.mark.parametrize("worked", [pytest.param(r, id=r["name"]) for r in ROUNDS])
def test_worked_round(worked: dict[str, Any]) -> None:
    answer = Window().settle({"rulebook": BOOK, **worked["round"]})
    assert isinstance(answer, Settlement)
    found: dict[str, dict[str, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
    split = {line.seat for line in answer.lines if line.hand == 2}
    for line in answer.lines:
        by_hand = line.seat in split and line.wager != "envy"
        name = f"{line.wager}.{line.hand}" if by_hand else line.wager
        found[str(line.seat)][name] += Decimal(line.net)
    for seat in answer.seats:
        found[str(seat.seat)]["net"] = Decimal(seat.net)
    expected = {
        seat: {name: Decimal(net) for name, net in nets.items()} for seat, nets in worked["expect"].items()
    }
    assert {seat: dict(nets) for seat, nets in found.items()} == expected
