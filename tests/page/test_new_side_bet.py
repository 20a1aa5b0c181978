"""The side bet of the tutorial in docs/side-bets.md on the page: it is drawn, bet, settled and explained."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from package_copy import PackageCopy
from page.pages import Visitor
from server.houses import Process


def test_pocket_pairs_is_bet_on_the_page(tmp_path: Path, visit: Callable[..., Visitor]) -> None:
    copy = PackageCopy(tmp_path)
    house = Process(
        tmp_path / "house.db", "--rulebooks", str(tmp_path / "pairs.toml"), env=copy.env
    ).start()
    try:
        one = visit(house.url, "Walker")
        one.sit(one.open_table("pairs"), 3)
        one.bet("ante", "pocket_pairs")
        expect(one.ring("pocket_pairs")).to_have_accessible_name("Pocket pairs: 5 dollars")
        one.ready()
        one.rush()
        first, second = one.cards()
        one.finish("4x")
        ((amount, why),) = [(amount, why) for name, amount, why, _ in one.lines() if name == "Pocket pairs"]
    finally:
        house.stop()
    if first[0] != second[0]:
        assert (amount, why) == ("−$5.00", "No pair in the two hole cards is not paid")
    else:
        odds, won = ("30 to 1", "+$150.00") if first[0] == "A" else ("5 to 1", "+$25.00")
        assert amount == won
        assert why.endswith(f"in the two hole cards pays {odds}")
