"""What a page says when the time is up, or when somebody is gone: in plain words, and beside the hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from houseway.shoe import Seeded
from page.houses import HeldClock
from page.pages import PHONE, WIDE, Visitor
from server.houses import Running, running

CLOCK = 97
"""Seconds nothing else at a table takes."""
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
    with running(entropy=Seeded("deadlines"), clock=clock) as found:
        yield found


def notice(one: Visitor) -> Locator:
    return one.page.locator(".play > hw-notice")


def both(house: Running, visit: Callable[..., Visitor], **given: Any) -> tuple[Visitor, Visitor]:
    """Ada at seat 1 and Ben, who may be given another screen, at seat 3 of a table with a clock."""
    ada, ben = visit(house.url, "Ada"), visit(house.url, "Ben", **given)
    table = ada.open_table("uth-ma", clock=CLOCK)
    ada.sit(table, 1)
    ben.sit(table, 3)
    return ada, ben


def clear_of(one: Visitor, css: str) -> None:
    """The notice lies over none of these, and all of it is on the screen."""
    one.still()
    others = one.page.locator(css).element_handles()
    assert others
    assert one.page.evaluate(SHARED, [notice(one).element_handle(), others]) == []
    box, view = notice(one).bounding_box(), one.page.viewport_size
    assert box is not None
    assert view is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= view["height"]


@pytest.mark.parametrize("view", [WIDE, PHONE], ids=["wide", "phone"])
def test_what_the_table_did_in_one_s_place_is_said(
    house: Running, clock: HeldClock, visit: Callable[..., Visitor], view: dict[str, int]
) -> None:
    ada, ben = both(house, visit, view=view)
    for one in (ada, ben):
        one.bet("ante")
        one.ready()
    ada.rush()
    ada.choose("Play 4×")
    # Each decision has a clock of its own.
    for choice, said in (
        ("Play 4×", "checked before the flop"),
        ("Play 2×", "checked twice"),
        ("Play 1×", "checked twice and folded"),
    ):
        expect(ben.choices().filter(has_text=choice)).to_be_visible()
        clock.strike()
        expect(notice(ben)).to_contain_text(f"Your time ran out. The table {said} for you.")
        expect(notice(ben).get_by_role("button", name="Clause")).to_be_visible()
        expect(
            ben.page.get_by_role("alert").filter(has_text=f"Your time ran out. The table {said}")
        ).to_have_count(1)
        if choice == "Play 4×":
            expect(ben.choices().filter(has_text="Play 2×")).to_be_visible()
            clear_of(ben, ".near hw-card, .near .name, .choices .choice, .board hw-card")
        # The others are told too, in the same breath and in the list of the round.
        expect(notice(ada)).to_contain_text(f"Ben's time ran out. The table {said} for Ben.")
        expect(ada.page.get_by_role("alert").filter(has_text="time ran out")).to_have_count(0)
    log = ada.page.locator(".log li")
    expect(log.filter(has_text="Ben checks (time ran out)")).to_have_count(2)
    expect(log.filter(has_text="Ben folds (time ran out)")).to_have_count(1)
    # A new round begins without it.
    ada.finish()
    ben.finish()
    ada.over().click()
    ben.over().click()
    expect(ben.ring("ante")).to_be_visible()
    expect(notice(ben)).to_have_count(0)
    expect(notice(ada)).to_have_count(0)


def test_everybody_sees_how_long_the_seat_waited_for_has(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    ada, ben = both(house, visit)
    for one in (ada, ben):
        one.bet("ante")
    expect(ada.seat(3).locator("hw-seconds")).to_have_count(0)
    ada.ready()
    expect(ada.seat(3)).to_contain_text(re.compile(r"betting · 9\d s"))
    ben.ready()
    ada.rush()
    expect(ben.seat(1)).to_contain_text(re.compile(r"decides · 9\d s"))
    expect(ada.page.locator("hw-seconds")).to_have_count(0)
    # A reader is not told every second.
    assert "decides ·" not in ben.seat(1).locator(".who").aria_snapshot()


def test_who_had_no_wager_out_in_time_is_told_of_sitting_out(
    house: Running, clock: HeldClock, visit: Callable[..., Visitor]
) -> None:
    ada, ben, cleo = visit(house.url, "Ada"), visit(house.url, "Ben"), visit(house.url, "Cleo")
    table = ada.open_table("uth-ma", clock=CLOCK)
    for seat, one in ((1, ada), (3, ben), (5, cleo)):
        one.sit(table, seat)
    cleo.bet("ante")
    expect(ada.seat(5)).to_contain_text("$5")
    ada.bet("ante")
    ada.ready()
    expect(ben.page.locator("hw-clock")).to_be_visible()
    clock.strike()
    expect(notice(ben)).to_contain_text("Your time ran out. Betting is closed; you sit this round out.")
    expect(notice(cleo)).to_contain_text(
        "Your time ran out. Betting is closed; your wagers count as placed."
    )
    expect(ada.choices().first).to_be_visible()
    expect(notice(ada)).to_have_count(0)
    # Who plays on sees who does not, and who does not sees it too.
    expect(ada.seat(3)).to_contain_text("sits out")
    expect(ada.seat(5)).not_to_contain_text("sits out")
    expect(ben.page.locator(".near .name")).to_have_text("3You sit out")


def test_a_seat_whose_player_is_gone_says_that_the_table_acts(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    ada, ben = both(house, visit)
    seat = ben.page.url
    ben.go("/")
    expect(ada.seat(3)).to_contain_text("away: plays automatically")
    ben.page.goto(seat)
    expect(ada.seat(3)).not_to_contain_text("away")
