"""The pictures of the drill room, an exam and the score sheet in the documentation. See `test_pictures` for the setting."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from houseway.training import acts as a
from page.chair_driver import ChairDriver
from page.exam_results import real_result, sheet_json
from page.pages import WIDE, Visitor
from page.test_dealer_chair import advance
from page.test_drill_room import Drill
from page.test_pictures import take
from page.test_score_room import show_sheet
from server.houses import Running, running

SEED = "p"


@pytest.fixture
def house() -> Iterator[Running]:
    with running() as server:
        yield server


def test_pictures_of_a_drill_and_of_a_score_sheet_can_be_taken(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Noor")
    drill = Drill(house, visitor, "payouts", scope="hand", seed=SEED)
    # Settle hands until a hand with a play has two wagers left, one of which pays.
    for number in range(2, 40):
        parts = drill.open_parts()
        wagers = {part.wager for part, _ in parts} | set(drill.running.settled)
        waits = len(parts) == 1 and parts[0][1].answer.startswith("pay") and len(wagers) >= 4
        if waits and number > 10:
            break
        drill.pay(parts[0][1].answer if number != 6 else "push")
        if number == 6:
            expect(visitor.page.locator(".hand-note")).to_contain_text("Answer once more")
            drill.pay(drill.open_parts()[0][1].answer)
        expect(drill.heading()).to_have_text(f"Payment {number} of 60")
    drill.press("4", "4")
    expect(visitor.page.locator(".cut-chips")).to_contain_text("$50.00")
    # The meter is beside the bet that it pays.
    expect(
        visitor.page.locator(".bet", has=visitor.page.locator('[data-wager="progressive"]'))
    ).to_contain_text("main meter $")
    take(visitor, "drill")
    show_sheet(visitor, sheet_json(real_result(), signed=True))
    expect(visitor.page.locator(".verdict-word")).to_have_text("Passed")
    panel = visitor.page.get_by_role("complementary", name="The open slip")
    visitor.page.keyboard.press(".")
    expect(panel.get_by_role("heading", name="Blind paid on a pair")).to_be_visible()
    # The clause has its section.
    expect(panel.locator(".slip-clause")).to_contain_text("MA-9.h.2-b Massachusetts, section 9(h)(2)")
    expect(visitor.page.locator(".sheet-facts")).to_contain_text("This is the first attempt.")
    # The whole sheet, with the facts about the test at its end.
    visitor.resize({"width": WIDE["width"], "height": 1290})
    expect(visitor.page.locator(".sheet-facts")).to_be_in_viewport(ratio=1)
    take(visitor, "score")


def test_a_picture_of_an_exam_can_be_taken(
    house: Running, visit: Callable[..., Visitor], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The same cards in every picture.
    monkeypatch.setattr(house.serving.training, "_secret", lambda what: "picture")
    visitor = visit(house.url, "Noor", reduced_motion="reduce")
    driver = ChairDriver(house, visitor, rulebook="uth-ma", mode="device", exam="table-test")
    due = advance(driver, lambda act: isinstance(act, a.Ask) and driver.hosted.session.state.round.up > 0)
    assert isinstance(due, a.Ask)
    expect(visitor.page.locator(".corners")).to_contain_text("Table test")
    expect(visitor.page.locator(".panel-foot")).to_contain_text("Your acts are judged when it is over.")
    driver.press(driver.thing(f"seat-{due.seat}"))
    expect(visitor.page.locator(".slip, .judged, .sheet-head")).to_have_count(0)
    take(visitor, "exam")
