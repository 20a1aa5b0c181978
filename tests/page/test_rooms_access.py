"""Every room outside the dealer's chair, checked by axe-core for accessibility: wide and on a phone, dark and light."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import expect

from houseway.server.solver import Solver
from houseway.shoe import SeededEntropy
from page.axe import violations
from page.pages import PHONE, WIDE, Visitor
from page.test_sizes import TOO_SMALL
from server.houses import Running, running

DARK, LIGHT = "dark", "light"
# The rooms of which each has an address, with a part that is shown once the room is complete.
ROOMS = {
    "/lab?rulebook=uth-ma": "table.side-bets",
    "/school": "#daily",
    "/school/play": "h1",
    "/school/practice": "h1",
    "/school/daily": ".spot-felt",
    "/rulebooks/uth-ma": ".clause",
    "/rulebooks/uth-ma?with=uth-card": ".beside",
    "/record": "h1",
    "/chair/classes": "h1",
}
# The rooms whose own colours differ between the themes; the others use only what these use too.
IN_BOTH_THEMES = ("/lab?rulebook=uth-ma", "/school/daily", "/rulebooks/uth-ma?with=uth-card")
SMALLEST = 24
"""The smallest side of a target in pixels, WCAG 2.5.8. The table and the lobby are checked for larger targets."""
Check = Callable[[str], None]


@pytest.fixture(scope="module")
def house(solver: Solver) -> Iterator[Running]:
    with running(entropy=SeededEntropy("access")) as server:
        server.serving.solver = solver
        yield server


def play(visitor: Visitor, check: Check) -> None:
    """Open the lobby, play a round, and open its record and its review."""
    table = visitor.open_table("uth-ma", bots=[{"style": "best", "seat": 2}], pace="brisk")
    visitor.go("/")
    expect(visitor.page.locator(".table-card").first).to_be_visible()
    check("lobby")
    visitor.take_seat(table, 3)
    visitor.bet("ante", "trips")
    check("wagers")
    visitor.ready()
    visitor.rush()
    expect(visitor.page.locator(".values, .coach-strip .value").first).to_be_attached()
    check("decision")
    visitor.finish("Check", "Play 1×")
    check("settlement")
    visitor.button("Settings").click()
    check("settings")
    visitor.go(f"/table/{table}/round/1")
    expect(visitor.page.locator(".seal.matches")).to_be_visible()
    check("record of a round")
    visitor.go(f"/school/review/{table}/1?seat=3")
    expect(visitor.page.locator(".street").first).to_be_visible()
    check("review of a round")


@pytest.mark.parametrize("theme", [DARK, LIGHT])
@pytest.mark.parametrize("view", [WIDE, PHONE], ids=lambda view: str(view["width"]))
def test_axe_finds_nothing_in_the_rooms(
    house: Running, visit: Callable[..., Visitor], axe: str, view: dict[str, int], theme: Any
) -> None:
    more = {"is_mobile": True, "has_touch": True} if view is PHONE else {}
    visitor = visit(
        house.url, f"{theme} {view['width']}", view=view, color_scheme=theme, reduced_motion="reduce",
        settings='{"pace": "brisk", "coach": "before"}', **more,
    )  # fmt: skip
    found: dict[str, list[str]] = {}

    def check(screen: str) -> None:
        visitor.still()
        assert visitor.page.locator("html").get_attribute("data-theme") == theme
        # On a phone the felt is drawn behind the table, where axe does not see it. It is the same in both themes.
        felt = [".felt-frame"] if (view, theme) == (PHONE, LIGHT) else []
        if listed := violations(visitor.page, axe, felt):
            found[screen] = listed
        if screen in ROOMS or screen.startswith("record"):
            assert visitor.page.evaluate(TOO_SMALL, SMALLEST) == [], screen

    play(visitor, check)
    # On a phone the light rooms have the colours of the wide ones.
    rooms = ROOMS if theme == DARK else IN_BOTH_THEMES if view is WIDE else ()
    for room in rooms:
        visitor.go(room)
        expect(visitor.page.locator(ROOMS[room]).first).to_be_visible()
        check(room)
    assert found == {}


def test_a_theme_of_the_settings_overrides_the_system(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Themes", color_scheme="dark")
    visitor.go("/")
    root = visitor.page.locator("html")
    ground = partial(root.evaluate, "root => getComputedStyle(root).backgroundColor")
    expect(root).to_have_attribute("data-theme", DARK)
    dark = ground()
    visitor.page.emulate_media(color_scheme="light")
    expect(root).to_have_attribute("data-theme", LIGHT)
    light = ground()
    assert dark != light
    visitor.button("Settings").click()
    visitor.page.get_by_role("group", name="Theme").get_by_role("button", name="dark").click()
    expect(root).to_have_attribute("data-theme", DARK)
    assert ground() == dark
    visitor.page.reload()
    expect(root).to_have_attribute("data-theme", DARK)
