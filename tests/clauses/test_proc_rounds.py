"""The worked rounds of the dealing procedures, settled."""

import tomllib
from importlib import resources
from typing import Any

import pytest

from houseway.engine.cashier import Window
from houseway.engine.lines import Settlement
from houseway.money import cents, dollars

BOOK = "uth-proc"
ROUNDS: list[dict[str, Any]] = tomllib.loads(
    resources.files("houseway").joinpath("rulebooks", BOOK, "rounds.toml").read_text(encoding="utf-8")
)["round"]


def _came_to(paid: Settlement) -> dict[str, dict[str, str]]:
    """What each wager and each seat won or lost."""
    sums: dict[str, dict[str, int]] = {}
    for line in paid.lines:
        seat = sums.setdefault(str(line.seat), {})
        sign = -1 if line.net.startswith("-") else 1
        seat[line.wager] = seat.get(line.wager, 0) + sign * cents(line.net.removeprefix("-"))
    found = {seat: {wager: dollars(net) for wager, net in of.items()} for seat, of in sums.items()}
    for total in paid.seats:
        found[str(total.seat)]["net"] = total.net
    return found


@pytest.mark.parametrize("worked", ROUNDS, ids=[r["name"] for r in ROUNDS])
def test_worked_round(worked: dict[str, Any]) -> None:
    paid = Window().settle({"rulebook": BOOK, **worked["round"]})
    assert isinstance(paid, Settlement)
    assert _came_to(paid) == worked["expect"]


def test_the_rounds_show_most_of_the_procedures() -> None:
    shown = {clause for worked in ROUNDS for clause in worked["shows"]}
    assert len(ROUNDS) >= 12
    assert {f"PROC-Q.{n}" for n in range(2, 8)} | {"PROC-N.1-a", "PROC-N.note-c", "PROC-H.4-a"} <= shown
