"""Every screen of the dealer's chair, checked by axe-core for accessibility and for counts out of 0, wide and on a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import expect

from houseway.training import acts as a
from page.axe import violations
from page.chair_driver import ChairDriver
from page.chair_steps import reload, send
from page.exam_results import exam_sheet
from page.pages import PHONE, WIDE, Visitor
from page.test_dealer_chair import advance, report_exposed
from page.test_drill_room import Drill
from page.test_score_room import RESULT
from server.houses import Running, running

ZERO = re.compile(r"\bof 0\b")
Check = Callable[[str], None]


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running() as server, pytest.MonkeyPatch.context() as patch:
        # The rounds of find the mistake are always the same.
        patch.setattr(
            "houseway.server.find_sessions.secrets", SimpleNamespace(token_hex=lambda size: "p13")
        )
        yield server


def table_screens(house: Running, visitor: Visitor, check: Check) -> None:
    """Open the table of a session: empty, with chips in the hand, the report, the ruling and the judgement."""
    page = visitor.page
    driver = ChairDriver(house, visitor, rulebook="uth-ma", mode="device", seats=6, rounds=2, seed="7")
    check("empty table")
    advance(driver, lambda act: isinstance(act, a.Ask) and driver.hosted.session.state.round.up > 0)
    send(driver, a.TurnUp(place="dealer"))
    reload(driver)
    page.keyboard.press("i")
    expect(page.get_by_role("group", name="What happened")).to_be_visible()
    check("report")
    page.keyboard.press("Escape")
    report_exposed(visitor, "dealer")
    check("ruling")
    for row in page.locator(".ruling-row").all():
        row.get_by_role("button").first.click()
    page.get_by_role("button", name="Rule").click()
    expect(page.locator(".judged-rows")).to_be_visible()
    check("judged ruling")
    page.get_by_role("button", name="Continue").click()
    advance(driver, lambda act: act == a.TakeStep(what="close"))
    page.keyboard.press("e")
    expect(page.locator(".slip.open")).to_be_visible()
    check("judged round")
    page.get_by_role("button", name="Next round").click()
    due = advance(driver, lambda act: isinstance(act, a.Pay))
    assert isinstance(due, a.Pay)
    if page.locator(".seat-pills").is_visible():
        page.get_by_role("button", name=f"Show seat {due.seat},").click()
    driver.press(driver.thing(f"wager-{due.seat}-1-{due.wager}"))
    for tube in (500, 100, 50):
        driver.press(driver.thing(f"tube-{tube}"))
    check("chips in the hand")


def other_screens(house: Running, visitor: Visitor, check: Check) -> None:
    """Open the landing room, an exam, the drills, a score sheet, an empty sheet and find the mistake."""
    page = visitor.page
    visitor.go("/chair")
    expect(page.get_by_role("button", name="Take the chair")).to_be_visible()
    check("landing")
    exam = ChairDriver(house, visitor, rulebook="uth-ma", exam="practice")
    check("exam")
    ended = visitor.context.request.delete(f"{house.url}/api/training/{exam.session}")
    assert ended.ok, ended.text()
    visitor.go(f"/chair/score/{exam.session}")
    expect(page.locator(".verdict-word")).to_have_text("Not passed")
    check("sheet of an exam that was ended")
    visitor.go("/chair/drills")
    expect(page.get_by_role("heading", name="Drills", level=1)).to_be_visible()
    check("drill menu")
    for drill in ("payouts", "hands", "order", "rulings"):
        opened = Drill(house, visitor, drill, **({"scope": "hand"} if drill == "payouts" else {}))
        if drill == "payouts":
            opened.pay("push" if opened.open_parts()[0][1].answer != "push" else "take")
            expect(page.locator(".hand-note")).to_contain_text("Answer once more")
        check(f"drill of {drill}")
    body = json.dumps(exam_sheet(passed=True))
    page.route(RESULT, lambda route: route.fulfill(content_type="application/json", body=body))
    visitor.go("/chair/score/s1")
    expect(page.locator(".verdict-word")).to_have_text("Passed")
    check("score sheet")
    visitor.go("/chair/find")
    page.get_by_role("group", name="Level").get_by_role("button", name="3").click()
    check("find the mistake, menu")
    visitor.button("Start").click()
    expect(page.get_by_text("One mistake in this round, or none.")).to_be_visible()
    page.locator("body").press("End")
    page.get_by_role("button", name="Amount", exact=True).click()
    check("find the mistake")
    visitor.button("There was no mistake").click()
    expect(page.locator("#judgement")).to_be_visible()
    check("find the mistake, judged")


# Each theme with one of the widths: the same rules style both widths.
@pytest.mark.parametrize(("view", "theme"), [(WIDE, "dark"), (PHONE, "light")], ids=["wide", "phone"])
@pytest.mark.parametrize("screens", [table_screens, other_screens])
def test_axe_finds_nothing_in_the_chair(
    house: Running, visit: Callable[..., Visitor], axe: str, view: dict[str, int], theme: Any, screens: Any
) -> None:
    more = {"is_mobile": True, "has_touch": True} if view is PHONE else {}
    name = f"{screens.__name__.split('_')[0]} {view['width']}"
    visitor = visit(house.url, name, view=view, color_scheme=theme, reduced_motion="reduce", **more)
    found: dict[str, list[str]] = {}

    def check(screen: str) -> None:
        visitor.still()
        # Nothing is counted out of 0.
        assert not ZERO.search(visitor.page.locator("main").inner_text()), screen
        if listed := violations(visitor.page, axe):
            found[screen] = listed

    screens(house, visitor, check)
    assert found == {}
