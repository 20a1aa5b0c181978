"""Tips for the dealer and match play coupons on the page: circles, the tip play, keys, phones and the record."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import ViewportSize, expect

from houseway.shoe import SeededEntropy
from page.houses import dollars, scripted, settled, state_of
from page.pages import PHONE, WIDE, Visitor
from page.test_sizes import SIDEWAYS, SMALL, check_in_reach, check_no_overflow
from server.houses import Running, running

BOT = [{"style": "practical", "seat": 5}]


@pytest.fixture
def house() -> Iterator[Running]:
    with running(entropy=SeededEntropy("tips")) as server:
        yield server


def chip(visitor: Visitor, face: str) -> None:
    visitor.page.get_by_role("radio", name=face, exact=True).click()


@pytest.mark.clause("SD-3-a", "SD-3-c")
@pytest.mark.parametrize("sizes", [[*SIDEWAYS, PHONE, SMALL], [WIDE]], ids=["phones", "wide"])
def test_tips_on_ante_and_play_are_placed_with_the_circles(
    house: Running, visit: Callable[..., Visitor], sizes: list[ViewportSize]
) -> None:
    visitor = visit(house.url, f"Tipper {len(sizes)}", view=sizes[-1])
    table = visitor.open_table("uth-sd", bots=BOT)
    visitor.take_seat(table, 3)
    visitor.bet("ante")
    visitor.button("Tip the dealer").click()
    chip(visitor, "$1")
    visitor.bet("ante", "ante", "blind")
    expect(visitor.ring("ante")).to_have_accessible_name("Ante: 5 dollars, tip 2 dollars")
    expect(visitor.ring("blind")).to_have_accessible_name("Blind: 5 dollars, tip 1 dollar")
    visitor.button("Stop tipping").click()
    expect(visitor.page.locator(".betting")).to_contain_text(
        "Ante $5, Blind $5, tip on ante $2 and tip on blind $1: $13.00 bet."
    )
    for _ in visitor.resized(sizes):
        check_no_overflow(visitor)
        check_in_reach(visitor, visitor.button("Tip the dealer"))
    visitor.ready()
    expect(visitor.choices().filter(has_text="Play 4×")).to_contain_text("bet $20.00")
    visitor.page.get_by_label("Add a tip play").check()
    expect(visitor.choices().filter(has_text="Play 4× with tip")).to_contain_text("bet $28.00")
    for _ in visitor.resized(sizes):
        check_no_overflow(visitor)
        check_in_reach(visitor, visitor.choices())
        check_in_reach(visitor, visitor.page.locator(".tip-play"))
    visitor.choose("Play 4× with tip")
    visitor.finish()
    tips = {line.wager: line.stake for line in settled(house, table, 3) if line.for_dealer}
    assert tips == {"ante": 200, "blind": 100, "play": 800}
    # The total counts the tips, as the record does.
    net = state_of(house, table).seats[3].chips - 100_000
    result = visitor.page.get_by_role("region", name="Settlement")
    if WIDE in sizes:
        expect(result).to_contain_text("Tip on play")
        expect(result.locator(".sum")).to_contain_text(dollars(net))


@pytest.mark.clause("SD-3-b")
def test_keys_place_a_tip_and_a_play_without_a_tip_keeps_the_tip_on_the_ante(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Keys")
    table = visitor.open_table("uth-sd")
    visitor.sit(table, 3)
    visitor.ring("ante").focus()
    visitor.page.keyboard.press("+")
    visitor.page.keyboard.press("t")
    expect(visitor.page.get_by_role("log")).to_contain_text("Chips are now tips for the dealer.")
    visitor.page.keyboard.press("+")
    expect(visitor.ring("ante")).to_have_accessible_name("Ante: 5 dollars, tip 5 dollars")
    visitor.page.keyboard.press("-")
    expect(visitor.ring("ante")).to_have_accessible_name("Ante: 5 dollars")
    visitor.page.keyboard.press("+")
    visitor.page.keyboard.press("t")
    visitor.page.keyboard.press("r")
    expect(visitor.choices().filter(has_text="Play 4×")).to_be_visible()
    visitor.page.keyboard.press("t")
    expect(visitor.choices().filter(has_text="with tip").first).to_be_visible()
    visitor.page.keyboard.press("t")
    visitor.choose("Play 4×")
    visitor.finish()
    assert [line.wager for line in settled(house, table, 3) if line.for_dealer] == ["ante"]


@pytest.mark.clause("SD-3-a")
def test_a_tip_without_a_wager_is_refused_with_its_clause(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Alone")
    visitor.sit(visitor.open_table("uth-sd"), 3)
    visitor.button("Tip the dealer").click()
    visitor.bet("ante")
    notice = visitor.page.locator(".play > hw-notice")
    expect(notice).to_contain_text("to tip on the ante, also bet the ante")
    expect(notice).to_contain_text("SD-3-a")
    visitor.bet("progressive")
    expect(notice).to_contain_text(
        "You cannot tip on the progressive. You can tip on ante, blind and trips."
    )


def test_tips_in_texas_shootout_are_offered_only_if_the_house_takes_them(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Shooter", view=PHONE)
    visitor.sit(visitor.open_table("shootout-sd"), 3)
    visitor.bet("wager")
    expect(visitor.button("Tip the dealer")).to_have_count(0)
    other = visit(house.url, "Tipping shooter", view=PHONE)
    table = other.open_table("shootout-sd", house={"tips": True})
    other.sit(table, 3)
    other.bet("wager")
    other.button("Tip the dealer").click()
    other.bet("wager")
    expect(other.ring("wager")).to_have_accessible_name("Primary wager: 5 dollars, tip 5 dollars")
    check_no_overflow(other)


@pytest.mark.clause("MA-6.a-b")
@pytest.mark.parametrize("view", [WIDE, SMALL], ids=["wide", "small"])
def test_a_coupon_goes_with_the_ante_if_the_house_takes_coupons(
    visit: Callable[..., Visitor], view: dict[str, int]
) -> None:
    with running(maker=lambda: scripted(["Kd 9s 8c 4h Jc", "As Ah", "2c 7d"])) as house:
        visitor = visit(house.url, "Coupon", view=view)
        plain = visitor.open_table("uth-ma")
        visitor.sit(plain, 3)
        visitor.bet("ante")
        expect(visitor.button("Use a match play coupon")).to_have_count(0)
        other = visit(house.url, "Takes coupons", view=view)
        table = other.open_table("uth-ma", house={"match_play": True})
        other.sit(table, 3)
        other.bet("ante")
        other.button("Use a match play coupon").click()
        expect(other.ring("ante")).to_have_accessible_name("Ante: 5 dollars, coupon")
        other.bet("ante")
        expect(other.ring("ante")).to_have_accessible_name("Ante: 10 dollars, coupon")
        expect(other.page.locator(".betting")).to_contain_text("$20.00 bet, with a $10 coupon.")
        check_no_overflow(other)
        check_in_reach(other, other.button("Take the coupon back"))
        other.ready()
        other.choose("Play 4×")
        other.finish()
        (line,) = [line for line in settled(house, table, 3) if line.coupon]
        assert (line.coupon, line.clause) == (1000, "MA-6.a-b")
        if view == WIDE:
            result = other.page.get_by_role("region", name="Settlement")
            expect(result).to_contain_text("Coupon $10")
