"""A sign lists what Cover All pays for each hand, and its settlement names the hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import ViewportSize, expect

from page.houses import scripted
from page.pages import Visitor
from server.houses import Running, running

LAPTOP: ViewportSize = {"width": 1280, "height": 800}
BOARD, OWN, BOT, DEALER = "Jh 8d 2s 7c 3h", "Ts 9s", "7d 7s", "Ad 8c"
# The payouts of sections 12(f) and 12(k), for seven hands down to two, including the dealer's.
PRINTED = {
    "royal flush": [70, 80, 100, 125, 150, 200],
    "straight flush": [30, 40, 40, 70, 80, 100],
    "four of a kind": [20, 30, 35, 40, 50, 70],
    "full house": [4, 4, 5, 6, 8, 12],
}


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    """Run a server that deals a straight to seat 3 and no higher hand."""
    with running(maker=lambda: scripted([BOARD, OWN, BOT, DEALER])) as server:
        yield server


def test_the_sign_lists_the_hands_and_the_settlement_names_the_highest(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Covered")
    visitor.take_seat(visitor.open_table("uth-ma", bots=[{"style": "best", "seat": 5}], pace="brisk"), 3)
    sign = visitor.page.locator(".sign")
    expect(sign.get_by_role("columnheader")).to_have_text(["Cover All", "7 hands", "6", "5", "4", "3", "2"])
    for hand, odds in PRINTED.items():
        row = sign.get_by_role("row").filter(
            has=visitor.page.get_by_role("rowheader", name=hand, exact=True)
        )
        first, *others = map(str, odds)
        expect(row.get_by_role("cell")).to_have_text([f"{first} to 1", *others])
    visitor.bet("ante", "cover_all")
    visitor.ready()
    visitor.finish("Check", "Play 1×")
    # Three hands were in play: a folded hand is not turned up, but it counts as dealt.
    for hand, odds in PRINTED.items():
        row = sign.get_by_role("row").filter(
            has=visitor.page.get_by_role("rowheader", name=hand, exact=True)
        )
        expect(row.get_by_role("cell")).to_have_text([f"{odds[4]} to 1"])
    (why,) = [why for wager, _, why, _ in visitor.lines() if wager == "Cover All"]
    assert why == "The highest hand at the table, seat 3's straight, jack high, is not paid"
    # A smaller felt has no room for the pay table but still names the hands.
    visitor.page.set_viewport_size(LAPTOP)
    expect(sign).to_contain_text("royal\u00a0flush\u00a0150 · straight\u00a0flush\u00a080")


@pytest.mark.clause("TS-11-d")
def test_a_player_can_read_the_house_way_beside_the_pay_tables(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Reader")
    visitor.take_seat(visitor.open_table("shootout-sd"), 3)
    visitor.page.get_by_role("tab", name="Payouts").click()
    # The felt shows the shoe, and a sign that refers to the list.
    expect(visitor.page.locator(".shoe-sign")).to_contain_text("Shoe")
    expect(visitor.page.locator(".sign")).to_contain_text("the first of 14 lines that fits")
    way = visitor.page.locator(".house-way")
    expect(way).to_contain_text("TS-11-d")
    lines = way.get_by_role("listitem")
    expect(lines).to_have_count(14)
    expect(lines.first).to_have_text("Pair of eights or higher")
    expect(lines.nth(1)).to_have_text("Ace with a jack or higher")


def test_a_small_felt_shows_the_payouts_of_cover_all_before_the_deal(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Small", view=LAPTOP)
    visitor.take_seat(visitor.open_table("uth-ma"), 3)
    sign = visitor.page.locator(".sign")
    for hand, odds in PRINTED.items():
        expect(sign.locator(".range").filter(has_text=hand)).to_contain_text(f"{odds[0]}–{odds[-1]}")
        expect(sign.locator(".range").filter(has_text=hand)).to_be_visible()
