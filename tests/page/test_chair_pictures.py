"""The pictures of the drill room and the score sheet in the documentation. See `test_pictures` for the setting."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from page.exam_results import exam_sheet
from page.pages import Visitor
from page.test_drill_room import Drill
from page.test_pictures import take
from page.test_score_room import RESULT
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
    body = json.dumps(exam_sheet())
    visitor.page.route(RESULT, lambda route: route.fulfill(content_type="application/json", body=body))
    visitor.go("/chair/score/s1")
    expect(visitor.page.locator(".verdict-word")).to_have_text("Passed")
    take(visitor, "score")
