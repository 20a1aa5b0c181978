"""Betting on the page: rejected chips and missing wagers are explained in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, expect

from houseway.shoe import SeededEntropy
from page.houses import scripted
from page.pages import PHONE, WIDE, Visitor
from server.houses import Running, running


@pytest.fixture
def house() -> Iterator[Running]:
    with running(entropy=SeededEntropy("wagers")) as server:
        yield server


def notice(visitor: Visitor) -> Locator:
    return visitor.page.locator(".play > hw-notice")


def chip(visitor: Visitor, face: str) -> None:
    visitor.page.get_by_role("radio", name=face, exact=True).click()


@pytest.mark.parametrize("view", [WIDE, PHONE], ids=["wide", "phone"])
def test_pressing_ready_with_a_side_bet_alone_shows_which_wager_is_missing(
    house: Running, visit: Callable[..., Visitor], view: dict[str, int]
) -> None:
    visitor = visit(house.url, "Beside", view=view)
    visitor.sit(visitor.open_table("uth-ma"), 3)
    visitor.bet("trips")
    visitor.ready()
    sentence = "Not ready yet. Trips needs the ante. Bet the ante first."
    expect(notice(visitor)).to_have_text(f"{sentence}×")
    expect(visitor.page.get_by_role("alert").filter(has_text=sentence)).to_have_count(1)
    # With the ante the notice goes away and the round begins.
    visitor.bet("ante")
    expect(notice(visitor)).to_have_count(0)
    visitor.ready()
    expect(visitor.choices().first).to_be_visible()


def test_chips_over_the_limit_are_explained(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "Over")
    visitor.sit(visitor.open_table("uth-ma", limits={"ante": {"min": "5", "max": "110"}}), 3)
    chip(visitor, "$100")
    visitor.bet("ante")
    expect(notice(visitor)).to_have_count(0)
    visitor.bet("ante")
    expect(notice(visitor)).to_have_text("Ante must be at most $110. ×")
    expect(visitor.ring("ante")).to_have_accessible_name("Ante: 110 dollars")
    # The notice stays when the server accepts the allowed part, and goes away with the next accepted chip.
    expect(visitor.page.locator(".bankroll")).to_contain_text("$780.00")
    expect(notice(visitor)).to_have_count(1)
    visitor.bet("progressive")
    expect(notice(visitor)).to_have_count(0)
    visitor.bet("progressive")
    expect(notice(visitor)).to_contain_text("Progressive must be exactly $5.")
    # Notices about wagers go away when betting closes.
    visitor.ready()
    expect(visitor.choices().first).to_be_visible()
    expect(notice(visitor)).to_have_count(0)


def test_too_few_chips_are_explained(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "Poor")
    visitor.sit(visitor.open_table("uth-ma", limits={"ante": {"min": "5", "max": "1000"}}), 3)
    chip(visitor, "$500")
    visitor.bet("ante")
    expect(visitor.page.locator(".bankroll")).to_contain_text("$0.00")
    visitor.bet("ante")
    expect(notice(visitor)).to_have_text("You have $0.00 left. Ante and Blind would cost $1,000.00 more.×")
    visitor.bet("trips")
    expect(notice(visitor)).to_contain_text("You have $0.00 left. Trips would cost")
    expect(visitor.ring("ante")).to_have_accessible_name("Ante: 500 dollars")


def test_the_hand_is_named_while_the_player_must_act(visit: Callable[..., Visitor]) -> None:
    with running(maker=lambda: scripted(["Jh 8d 2s 7c 3h", "9s 9c", "Ad 8c"])) as house:
        visitor = visit(house.url, "Nines")
        visitor.sit(visitor.open_table("uth-ma"), 3)
        visitor.bet("ante")
        visitor.ready()
        visitor.choose("Check")
        expect(visitor.choices().filter(has_text="Play 2×")).to_be_visible()
        expect(visitor.page.locator(".near .name")).to_have_text("3You, to act: pair of nines")


def test_the_ready_key_does_not_sit_a_player_out(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "Hasty")
    visitor.sit(visitor.open_table("uth-card", bots=[]), 3)
    visitor.page.keyboard.press("r")
    expect(notice(visitor)).to_contain_text("You have no chips on the table.")
    expect(visitor.button("Sit out")).to_be_visible()
    visitor.bet("ante")
    visitor.page.keyboard.press("r")
    expect(visitor.choices().first).to_be_visible()


def test_a_press_on_another_seat_shows_its_settlement(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Looking")
    visitor.sit(visitor.open_table("uth-card", bots=[{"style": "random", "seat": 5}]), 3)
    visitor.bet("ante")
    visitor.ready()
    visitor.finish()
    result = visitor.page.get_by_role("region", name="Settlement")
    expect(result).to_contain_text("Settlement, seat 3")
    pod = (
        visitor.page.locator(".pod").filter(has_text="bot").or_(visitor.seat(5)).locator("button.who").first
    )
    pod.click()
    expect(result).to_contain_text(", seat 5")
    expect(result.locator("hw-clause button").first).to_be_visible()
    visitor.page.keyboard.press("Escape")
    expect(result).to_contain_text("Settlement, seat 3")


def test_an_opened_seat_on_a_phone_can_be_closed(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "Tapping", view=PHONE)
    visitor.sit(visitor.open_table("uth-card", bots=[{"style": "random", "seat": 5}]), 3)
    pod = visitor.page.locator(".pod").filter(has=visitor.page.locator("button.who", has_text="5"))
    pod.locator("button.who").click()
    expect(visitor.page.locator(".pod.opened")).to_have_count(1)
    visitor.page.keyboard.press("Escape")
    expect(visitor.page.locator(".pod.opened")).to_have_count(0)


def test_a_player_who_has_bet_cannot_stand_up(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "Standing")
    visitor.sit(visitor.open_table("uth-card", bots=[]), 3)
    menu = visitor.page.locator("#menu")
    visitor.button("Table menu").click()
    expect(menu.get_by_role("button", name="Stand up", exact=True)).to_be_visible()
    visitor.page.keyboard.press("Escape")
    visitor.bet("ante")
    visitor.button("Table menu").click()
    expect(menu.get_by_role("button", name="Keys")).to_be_visible()
    expect(menu.get_by_role("button", name="Stand up")).to_have_count(0)
    visitor.page.keyboard.press("Escape")
    visitor.ready()
    visitor.rush()
    # A player with cards stays seated.
    visitor.button("Table menu").click()
    expect(menu.get_by_role("button", name="Keys")).to_be_visible()
    expect(menu.get_by_role("button", name="Stand up")).to_have_count(0)
