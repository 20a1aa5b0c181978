"""Putting wagers down: what a circle does not take, and what is missing, is said in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, expect

from houseway.shoe import Seeded
from page.houses import scripted
from page.pages import PHONE, WIDE, Visitor
from server.houses import Running, running


@pytest.fixture
def house() -> Iterator[Running]:
    with running(entropy=Seeded("wagers")) as found:
        yield found


def notice(one: Visitor) -> Locator:
    return one.page.locator(".play > hw-notice")


def chip(one: Visitor, face: str) -> None:
    one.page.get_by_role("radio", name=face, exact=True).click()


@pytest.mark.parametrize("view", [WIDE, PHONE], ids=["wide", "phone"])
def test_ready_with_a_side_bet_alone_says_what_is_missing(
    house: Running, visit: Callable[..., Visitor], view: dict[str, int]
) -> None:
    one = visit(house.url, "Beside", view=view)
    one.sit(one.open_table("uth-ma"), 3)
    one.bet("trips")
    one.ready()
    said = "Not ready yet. Trips needs the ante. Bet the ante first."
    expect(notice(one)).to_have_text(f"{said}×")
    expect(one.page.get_by_role("alert").filter(has_text=said)).to_have_count(1)
    # Once they lie there nothing is missing any more, and the round begins.
    one.bet("ante")
    expect(notice(one)).to_have_count(0)
    one.ready()
    expect(one.choices().first).to_be_visible()


def test_chips_over_the_limit_are_said_not_to_be_taken(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    one = visit(house.url, "Over")
    one.sit(one.open_table("uth-ma", limits={"ante": {"min": "5", "max": "110"}}), 3)
    chip(one, "$100")
    one.bet("ante")
    expect(notice(one)).to_have_count(0)
    one.bet("ante")
    expect(notice(one)).to_have_text("Ante must be at most $110. ×")
    expect(one.ring("ante")).to_have_accessible_name("Ante: 110 dollars")
    # The notice stays while the house takes what fits, and goes with the next chip that is taken.
    expect(one.page.locator(".bankroll")).to_contain_text("$780.00")
    expect(notice(one)).to_have_count(1)
    one.bet("progressive")
    expect(notice(one)).to_have_count(0)
    one.bet("progressive")
    expect(notice(one)).to_contain_text("Progressive must be exactly $5.")
    # What was said of wagers is over when they are closed.
    one.ready()
    expect(one.choices().first).to_be_visible()
    expect(notice(one)).to_have_count(0)


def test_chips_one_does_not_have_are_said_to_be_missing(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    one = visit(house.url, "Poor")
    one.sit(one.open_table("uth-ma", limits={"ante": {"min": "5", "max": "1000"}}), 3)
    chip(one, "$500")
    one.bet("ante")
    expect(one.page.locator(".bankroll")).to_contain_text("$0.00")
    one.bet("ante")
    expect(notice(one)).to_have_text("You have $0.00 left. Ante and Blind would cost $1,000.00 more.×")
    one.bet("trips")
    expect(notice(one)).to_contain_text("You have $0.00 left. Trips would cost")
    expect(one.ring("ante")).to_have_accessible_name("Ante: 500 dollars")


def test_the_hand_keeps_its_name_while_one_is_to_act(visit: Callable[..., Visitor]) -> None:
    with running(maker=lambda: scripted(["Jh 8d 2s 7c 3h", "9s 9c", "Ad 8c"])) as house:
        one = visit(house.url, "Nines")
        one.sit(one.open_table("uth-ma"), 3)
        one.bet("ante")
        one.ready()
        one.choose("Check")
        expect(one.choices().filter(has_text="Play 2×")).to_be_visible()
        expect(one.page.locator(".near .name")).to_have_text("3You, to act: pair of nines")


def test_the_ready_key_sits_nobody_out(house: Running, visit: Callable[..., Visitor]) -> None:
    one = visit(house.url, "Hasty")
    one.sit(one.open_table("uth-card", bots=[]), 3)
    one.page.keyboard.press("r")
    expect(notice(one)).to_contain_text("You have no chips on the table.")
    expect(one.button("Sit out")).to_be_visible()
    one.bet("ante")
    one.page.keyboard.press("r")
    expect(one.choices().first).to_be_visible()


def test_what_came_of_another_seats_wagers_is_one_press_away(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    one = visit(house.url, "Looking")
    one.sit(one.open_table("uth-card", bots=[{"style": "random", "seat": 5}]), 3)
    one.bet("ante")
    one.ready()
    one.finish()
    result = one.page.get_by_role("region", name="Settlement")
    expect(result).to_contain_text("Settlement, seat 3")
    pod = one.page.locator(".pod").filter(has_text="bot").or_(one.seat(5)).locator("button.who").first
    pod.click()
    expect(result).to_contain_text(", seat 5")
    expect(result.locator("hw-clause button").first).to_be_visible()
    one.page.keyboard.press("Escape")
    expect(result).to_contain_text("Settlement, seat 3")


def test_a_seat_looked_at_on_a_phone_closes_again(house: Running, visit: Callable[..., Visitor]) -> None:
    one = visit(house.url, "Tapping", view=PHONE)
    one.sit(one.open_table("uth-card", bots=[{"style": "random", "seat": 5}]), 3)
    pod = one.page.locator(".pod").filter(has=one.page.locator("button.who", has_text="5"))
    pod.locator("button.who").click()
    expect(one.page.locator(".pod.opened")).to_have_count(1)
    one.page.keyboard.press("Escape")
    expect(one.page.locator(".pod.opened")).to_have_count(0)


def test_standing_up_in_mid_round_says_what_it_costs(house: Running, visit: Callable[..., Visitor]) -> None:
    one = visit(house.url, "Standing")
    one.sit(one.open_table("uth-card", bots=[]), 3)
    one.button("Table menu").click()
    expect(one.button("Stand up: no more wagers on this hand")).to_have_count(0)
    one.page.keyboard.press("Escape")
    one.bet("ante")
    one.ready()
    one.rush()
    one.button("Table menu").click()
    expect(one.button("Stand up: no more wagers on this hand")).to_be_visible()
