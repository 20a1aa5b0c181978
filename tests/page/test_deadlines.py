"""Deadlines and absent players on the page: plain words, placed next to the hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from houseway.shoe import SeededEntropy
from page.houses import HeldClock
from page.pages import PHONE, WIDE, Visitor
from server.houses import Running, running

CLOCK = 97
"""A number of seconds that no other timer at a table uses."""
SHARED = """([one, others]) => {
  const box = one.getBoundingClientRect();
  const meets = (other) => other.right > box.left + 1 && other.left < box.right - 1
    && other.bottom > box.top + 1 && other.top < box.bottom - 1;
  return others.filter((other) => meets(other.getBoundingClientRect())).map((other) => other.outerHTML.slice(0, 120));
}"""


@pytest.fixture
def clock() -> HeldClock:
    return HeldClock(CLOCK)


@pytest.fixture
def house(clock: HeldClock) -> Iterator[Running]:
    with running(entropy=SeededEntropy("deadlines"), clock=clock) as server:
        yield server


def notice(visitor: Visitor) -> Locator:
    return visitor.page.locator(".play > hw-notice")


def seat_two_players(
    house: Running, visit: Callable[..., Visitor], **options: Any
) -> tuple[Visitor, Visitor]:
    """Seat Ada at seat 1 and Ben at seat 3 of a table with a clock. The options apply to Ben's browser."""
    ada, ben = visit(house.url, "Ada"), visit(house.url, "Ben", **options)
    table = ada.open_table("uth-ma", clock=CLOCK)
    ada.sit(table, 1)
    ben.sit(table, 3)
    return ada, ben


def check_clear_of(visitor: Visitor, css: str) -> None:
    """Check that the notice covers none of these elements and is fully on the screen."""
    visitor.still()
    others = visitor.page.locator(css).element_handles()
    assert others
    assert visitor.page.evaluate(SHARED, [notice(visitor).element_handle(), others]) == []
    box, view = notice(visitor).bounding_box(), visitor.page.viewport_size
    assert box is not None
    assert view is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= view["height"]


def test_a_player_sees_what_the_table_did_when_time_ran_out(
    house: Running, clock: HeldClock, visit: Callable[..., Visitor]
) -> None:
    ada, ben = seat_two_players(house, visit)
    for visitor in (ada, ben):
        visitor.bet("ante")
        visitor.ready()
    ada.rush()
    ada.choose("Play 4×")
    # Each decision has its own deadline.
    for choice, sentence in (
        ("Play 4×", "checked before the flop"),
        ("Play 2×", "checked twice"),
        ("Play 1×", "checked twice and folded"),
    ):
        expect(ben.choices().filter(has_text=choice)).to_be_visible()
        clock.strike()
        expect(notice(ben)).to_contain_text(f"Your time ran out. The table {sentence} for you.")
        expect(notice(ben).get_by_role("button", name="Clause")).to_be_visible()
        expect(
            ben.page.get_by_role("alert").filter(has_text=f"Your time ran out. The table {sentence}")
        ).to_have_count(1)
        if choice == "Play 4×":
            expect(ben.choices().filter(has_text="Play 2×")).to_be_visible()
            for _ in ben.resized([WIDE, PHONE]):
                check_clear_of(ben, ".near hw-card, .near .name, .choices .choice, .board hw-card")
        # The other players see it too, as a notice and in the log of the round.
        expect(notice(ada)).to_contain_text(f"Ben's time ran out. The table {sentence} for Ben.")
        expect(ada.page.get_by_role("alert").filter(has_text="time ran out")).to_have_count(0)
    log = ada.page.locator(".log li")
    expect(log.filter(has_text="Ben checks (time ran out)")).to_have_count(2)
    expect(log.filter(has_text="Ben folds (time ran out)")).to_have_count(1)
    # The notice is gone in the next round.
    ada.finish()
    ben.finish()
    ada.over().click()
    ben.over().click()
    expect(ben.ring("ante")).to_be_visible()
    expect(notice(ben)).to_have_count(0)
    expect(notice(ada)).to_have_count(0)


def test_every_player_sees_the_time_left_for_the_acting_seat(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    ada, ben = seat_two_players(house, visit)
    for visitor in (ada, ben):
        visitor.bet("ante")
    expect(ada.seat(3).locator("hw-seconds")).to_have_count(0)
    ada.ready()
    expect(ada.seat(3)).to_contain_text(re.compile(r"betting · 9\d s"))
    ben.ready()
    ada.rush()
    expect(ben.seat(1)).to_contain_text(re.compile(r"decides · 9\d s"))
    expect(ada.page.locator("hw-seconds")).to_have_count(0)
    # A screen reader does not announce every second.
    assert "decides ·" not in ben.seat(1).locator(".who").aria_snapshot()


def test_a_player_without_a_wager_in_time_sees_that_they_sit_out(
    house: Running, clock: HeldClock, visit: Callable[..., Visitor]
) -> None:
    ada, ben, cleo = visit(house.url, "Ada"), visit(house.url, "Ben"), visit(house.url, "Cleo")
    table = ada.open_table("uth-ma", clock=CLOCK)
    for seat, visitor in ((1, ada), (3, ben), (5, cleo)):
        visitor.sit(table, seat)
    cleo.bet("ante")
    expect(ada.seat(5)).to_contain_text("$5")
    ada.bet("ante")
    ada.ready()
    expect(ben.page.locator("hw-clock")).to_be_visible()
    clock.strike()
    expect(notice(ben)).to_contain_text("Your time ran out. Betting is closed. You sit this round out.")
    expect(notice(cleo)).to_contain_text("Your time ran out. Betting is closed. Your bets are in play.")
    expect(ada.choices().first).to_be_visible()
    expect(notice(ada)).to_have_count(0)
    # Both the other players and the player who sits out see it.
    expect(ada.seat(3)).to_contain_text("sits out")
    expect(ada.seat(5)).not_to_contain_text("sits out")
    expect(ben.page.locator(".near .name")).to_have_text("3You sit out")


def test_an_absent_players_seat_shows_that_the_table_plays(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    ada, ben = seat_two_players(house, visit)
    seat = ben.page.url
    ben.go("/")
    expect(ada.seat(3)).to_contain_text("away: plays automatically")
    ben.page.goto(seat)
    expect(ada.seat(3)).not_to_contain_text("away")
