"""The page on a phone and on the smallest supported screen: nothing overflows or is out of reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

from houseway.shoe import SeededEntropy
from page.houses import scripted
from page.pages import PHONE, WIDE, Visitor
from server.houses import Running, running

SMALL: ViewportSize = {"width": 320, "height": 640}
TABLET: ViewportSize = {"width": 1024, "height": 768}
SIDEWAYS: list[ViewportSize] = [{"width": 844, "height": 390}, {"width": 667, "height": 375}]
TARGET = 44
# Visible controls that are too small to press near their centre.
TOO_SMALL = """(given) => {
  // With a selector, these controls, also those that only arrow keys reach.
  const [least, listed] = Array.isArray(given) ? given : [given, ""];
  const reach = least / 2 - 1;
  const controls = [...document.querySelectorAll(listed || "button, a[href], input, select, summary")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled
      && !one.closest(".skips, [popover]:not(:popover-open)") && (listed || one.tabIndex >= 0));
  const small = (one) => {
    // A field is pressed through its label.
    const target = one.closest("label") ?? one;
    target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = target.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const meets = ([dx, dy]) => {
      const met = document.elementFromPoint(x + dx, y + dy);
      return met && target.contains(met);
    };
    if (!box.width || Math.min(box.width, box.height) >= least) return false;
    return ![[0, 0], [0, -reach], [0, reach], [-reach, 0], [reach, 0]].every(meets);
  };
  const said = (one) => {
    const box = one.getBoundingClientRect();
    const name = one.getAttribute("aria-label") ?? one.textContent.trim().slice(0, 30);
    return `${one.tagName.toLowerCase()}.${one.className} ${name}: ${Math.round(box.width)}×${Math.round(box.height)}`;
  };
  // A link within a sentence is as tall as its line.
  const inText = (one) => one.tagName === "A" && getComputedStyle(one).display === "inline";
  return controls.filter((one) => !inText(one) && small(one)).map(said);
}"""
BOXES = """(choices) => choices.map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [x, y, width, height, one.contains(document.elementFromPoint(x + width / 2, y + height / 2))];
})"""
CUT = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
# Options whose text does not fit into their select box beside the arrow.
CUT_CHOICES = """(picks) => picks.flatMap((pick) => {
  const style = getComputedStyle(pick);
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  pen.font = style.font;
  const room = pick.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 18;
  return [...pick.options].map((one) => one.textContent).filter((text) => pen.measureText(text).width > room);
})"""
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


# The buttons and the texts of the bar that lie on each other.
BAR_OVERLAPS = """() => {
  const parts = [...document.querySelectorAll(".bar button, .corner > *")]
    .filter((one) => one.checkVisibility() && !one.closest("[popover]"));
  const boxes = parts.map((one) => one.getBoundingClientRect());
  const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
  return parts.flatMap((one, n) => parts.slice(n + 1)
    .filter((other, m) => !one.contains(other) && !apart(boxes[n], boxes[n + 1 + m]))
    .map((other) => `${one.textContent} / ${other.textContent}`));
}"""
LAPTOPS: list[ViewportSize] = [
    {"width": width, "height": 800} for width in (1440, 1366, 1280, 1180, 1100, 1041, 1000, 920)
]


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running(entropy=SeededEntropy("sizes")) as server:
        yield server


def check_no_overflow(visitor: Visitor) -> None:
    """Check that the page does not scroll sideways."""
    assert visitor.page.evaluate(OVERFLOW) <= 0


def check_in_reach(visitor: Visitor, choices: Locator) -> None:
    """Check that the choices are on the screen without scrolling, large enough, and not covered."""
    expect(choices.first).to_be_visible()
    boxes = choices.evaluate_all(BOXES)
    assert boxes
    view = visitor.page.viewport_size
    assert view is not None
    for x, y, width, height, on_top in boxes:
        assert on_top
        assert height >= TARGET
        assert x >= 0
        assert y >= 0
        assert x + width <= view["width"]
        assert y + height <= view["height"]


def check_hand_in_view(visitor: Visitor) -> None:
    """Check that the visitor's cards are fully on the screen and not covered."""
    visitor.still()
    boxes = visitor.page.locator(".near hw-card").evaluate_all(BOXES)
    bar = visitor.page.locator(".bar").bounding_box()
    assert boxes
    assert bar is not None
    for x, y, width, height, on_top in boxes:
        assert on_top
        assert x >= 0
        assert x + width <= visitor.page.evaluate("innerWidth")
        assert y + height <= bar["y"] + 1


@pytest.mark.parametrize("rulebook", ["uth-ma", "shootout-sd"])
def test_a_round_is_played_on_a_phone(house: Running, visit: Callable[..., Visitor], rulebook: str) -> None:
    visitor = visit(house.url, f"phone {rulebook}", view=PHONE, is_mobile=True, has_touch=True)
    table = visitor.open_table(rulebook)
    phones = [SMALL, PHONE]
    visitor.go("/")
    expect(visitor.button("Sit down with three bots")).to_be_visible()
    for _ in visitor.resized(phones):
        check_no_overflow(visitor)
    visitor.sit(table, 3)
    expect(visitor.rings().first).to_be_visible()
    for _ in visitor.resized(phones):
        check_no_overflow(visitor)
    for ring in visitor.rings().all():
        ring.tap()
    visitor.ready()
    expect(visitor.choices().first).to_be_visible()
    for _ in visitor.resized(phones):
        check_no_overflow(visitor)
        check_in_reach(visitor, visitor.choices())
        check_hand_in_view(visitor)
    visitor.answer("Check")
    visitor.rush()
    for _ in visitor.resized(phones):
        check_no_overflow(visitor)
    visitor.finish("Check", "Play 1×")
    for _ in visitor.resized(phones):
        check_no_overflow(visitor)
        check_in_reach(visitor, visitor.over())
        check_hand_in_view(visitor)
    visitor.go(f"/table/{table}/round/1")
    expect(visitor.page.get_by_text("Shuffle verified")).to_be_visible()
    for _ in visitor.resized(phones):
        check_no_overflow(visitor)


@pytest.mark.parametrize("rulebook", ["uth-ma", "shootout-sd"])
def test_a_phone_in_landscape_shows_the_whole_table(
    house: Running, visit: Callable[..., Visitor], rulebook: str
) -> None:
    visitor = visit(house.url, f"side {rulebook}", view=SIDEWAYS[-1], is_mobile=True, has_touch=True)
    table = visitor.open_table(rulebook, bots=[{"style": "best", "seat": 5}], pace="brisk")

    def check_no_scrolling() -> None:
        check_no_overflow(visitor)
        assert visitor.page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0

    visitor.take_seat(table, 3)
    expect(visitor.rings().first).to_be_visible()
    for _ in visitor.resized(SIDEWAYS):
        check_no_scrolling()
        check_in_reach(visitor, visitor.button("Sit out"))
        beside, last = (
            visitor.page.locator(".panel-button").bounding_box(),
            visitor.button("Sit out").bounding_box(),
        )
        assert beside is not None
        assert last is not None
        assert last["x"] + last["width"] <= beside["x"]
    expect(visitor.rings().first).to_be_visible()
    for ring in visitor.rings().all():
        ring.tap()
    visitor.ready()
    expect(visitor.choices().first).to_be_visible()
    for _ in visitor.resized(SIDEWAYS):
        check_no_scrolling()
        check_in_reach(visitor, visitor.choices())
        check_hand_in_view(visitor)
        assert visitor.page.evaluate(TOO_SMALL, TARGET) == []
    visitor.finish("Check", "Play 1×")
    for view in visitor.resized(SIDEWAYS):
        check_no_scrolling()
        check_in_reach(visitor, visitor.over())
        check_hand_in_view(visitor)
        for x, y, width, height, on_top in visitor.page.locator(".board hw-card").evaluate_all(BOXES):
            assert on_top
            assert 0 <= x <= view["width"] - width
            assert 0 <= y <= view["height"] - height


def test_both_hands_of_a_split_are_on_the_screen(visit: Callable[..., Visitor]) -> None:
    """The player splits a pair of aces and a pair of nines; the dealer has kings."""
    hands = ["As Ad 9h 9s", "Ks Kc 5d 4d"]
    dealt = [hand.split()[turn] for turn in range(4) for hand in hands]
    views = [TABLET, PHONE, SMALL]
    with running(maker=lambda: scripted(["2h", *dealt, "2c 7d Jc 4h 5s"])) as house:
        visitor = visit(house.url, "Splitting", view=PHONE)
        visitor.sit(visitor.open_table("shootout-sd"), 3)
        expect(visitor.rings().first).to_be_visible()
        for ring in visitor.rings().all():
            ring.click()
        visitor.ready()
        expect(visitor.choices().filter(has_text="Split")).to_be_visible()
        for _ in visitor.resized(views):
            check_hand_in_view(visitor)
            check_in_reach(visitor, visitor.choices())
        visitor.choose("Split")
        visitor.finish()
        assert len(visitor.cards()) == 4
        expect(visitor.page.locator(".near .name")).to_contain_text("pair of aces; pair of nines")
        for _ in visitor.resized(views):
            check_no_overflow(visitor)
            check_hand_in_view(visitor)
            check_in_reach(visitor, visitor.over())


@pytest.mark.parametrize("rulebook", ["uth-ma", "shootout-sd"])
def test_a_tablet_shows_the_hand_without_scrolling_and_no_text_in_the_panel_is_cut_off(
    house: Running, visit: Callable[..., Visitor], rulebook: str
) -> None:
    visitor = visit(house.url, f"panel {rulebook}"[:24], view=TABLET)
    visitor.sit(visitor.open_table(rulebook), 3)
    expect(visitor.rings().first).to_be_visible()
    for ring in visitor.rings().all():
        ring.click()
    visitor.ready()
    expect(visitor.choices().first).to_be_visible()
    check_in_reach(visitor, visitor.choices())
    check_hand_in_view(visitor)
    visitor.finish("Check", "Play 1×")
    check_in_reach(visitor, visitor.over())
    panel = visitor.page.get_by_role("complementary", name="Table information")
    for view in visitor.resized([WIDE, PHONE]):
        if view == PHONE:
            visitor.button("Coach, payouts, rounds, table").click()
        for name in ("Result", "Coach", "Payouts", "Rounds"):
            panel.get_by_role("tab", name=name).click()
            tab = panel.get_by_role("tabpanel", name=name)
            expect(tab).to_be_visible()
            assert tab.evaluate("one => one.scrollWidth - one.clientWidth") <= 0, name


def test_a_shared_link_says_where_it_leads(house: Running, visit: Callable[..., Visitor]) -> None:
    phones = [SMALL, PHONE]
    host = visit(house.url, "Host")
    table = host.open_table("uth-ma", name="Charles")
    host.take_seat(table, 3)
    guest = visit(house.url, view=PHONE, is_mobile=True, has_touch=True)
    guest.go(f"/table/{table}")
    main = guest.page.get_by_role("main")
    expect(main.get_by_role("heading", name="Join Table Charles")).to_be_visible()
    expect(main).to_contain_text("with Host")
    for _ in guest.resized(phones):
        check_no_overflow(guest)
        box = main.locator("form").bounding_box()
        assert box is not None
        assert box["x"] >= 8, "it does not touch the edge"
        check_in_reach(guest, guest.button("Join"))
    guest.page.get_by_role("textbox", name="Your name at the table").fill("Guest")
    guest.button("Join").tap()
    expect(guest.page.get_by_text("You are watching.")).to_be_visible()
    expect(guest.free(5)).to_be_visible()
    for _ in guest.resized(phones):
        check_no_overflow(guest)


@pytest.mark.parametrize("rulebook", ["uth-ma", "shootout-sd"])
def test_the_top_bar_is_not_cut_off_and_shows_the_visitors_role(
    house: Running, visit: Callable[..., Visitor], rulebook: str
) -> None:
    visitor = visit(house.url, f"bar {rulebook}", view=SMALL, is_mobile=True, has_touch=True)
    table = visitor.open_table(rulebook)
    visitor.go(f"/table/{table}")
    where = visitor.page.locator(".top .where")
    expect(where).to_contain_text("watching")
    visitor.free(3).tap()
    expect(visitor.rings().first).to_be_visible()
    expect(where).to_contain_text("round 1")
    expect(where).not_to_contain_text("watching")
    expect(visitor.page.locator(".bankroll")).to_contain_text("play chips")
    for _ in visitor.resized([SMALL, PHONE]):
        assert visitor.page.locator(".top .where > *").evaluate_all(CUT) == []
        check_no_overflow(visitor)


def test_no_room_overflows_on_the_smallest_screen(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, view=SMALL, is_mobile=True, has_touch=True)
    for path in ("/lab", "/rulebooks/uth-ma", "/record", "/chair"):
        visitor.go(path)
        expect(visitor.page.locator("main h1").first).to_be_visible()
        visitor.page.wait_for_load_state("networkidle")
        check_no_overflow(visitor)


@pytest.mark.parametrize("view", [WIDE, PHONE], ids=["wide", "phone"])
def test_every_control_is_large_enough_to_press(
    house: Running, visit: Callable[..., Visitor], view: dict[str, int]
) -> None:
    visitor = visit(house.url, f"targets {view['width']}", view=view)
    table = visitor.open_table("uth-ma", bots=[{"style": "random", "seat": 1}], pace="brisk")
    visitor.go("/")
    expect(visitor.button("Sit down at")).not_to_have_count(0)
    small = {"lobby": visitor.page.evaluate(TOO_SMALL, TARGET)}
    visitor.take_seat(table, 3)
    visitor.bet("ante")
    expect(visitor.button("Clear")).to_have_attribute("aria-disabled", "false")
    small["wagers"] = visitor.page.evaluate(TOO_SMALL, TARGET)
    visitor.ready()
    expect(visitor.choices().first).to_be_visible()
    small["choices"] = visitor.page.evaluate(TOO_SMALL, TARGET)
    visitor.finish("Check", "Play 1×")
    small["result"] = visitor.page.evaluate(TOO_SMALL, TARGET)
    assert {place: controls for place, controls in small.items() if controls} == {}


def test_the_names_of_rulebooks_in_the_lab_are_not_cut_off(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url)
    visitor.go("/lab")
    picks = visitor.page.locator(".bench > header select")
    expect(picks.first.locator("option")).not_to_have_count(0)
    assert picks.evaluate_all(CUT_CHOICES) == []


def test_the_bar_has_room_for_chips_buttons_and_corners(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Laptop", settings='{"pace": "brisk", "coach": "off"}')
    visitor.sit(visitor.open_table("uth-ma", bots=[{"style": "best", "seat": 1}], pace="brisk"), 3)
    visitor.bet("ante", "trips", "cover_all")
    expect(visitor.button("Clear")).to_have_attribute("aria-disabled", "false")
    for view in visitor.resized(LAPTOPS):
        assert visitor.page.evaluate(BAR_OVERLAPS) == [], view
        check_in_reach(visitor, visitor.page.get_by_role("button", name="Ready", exact=True))
    visitor.ready()
    expect(visitor.choices().first).to_be_visible()
    for view in visitor.resized(LAPTOPS):
        assert visitor.page.evaluate(BAR_OVERLAPS) == [], view
        check_in_reach(visitor, visitor.choices())


def test_the_coach_has_a_strip_where_its_panel_is_closed(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Strip", settings='{"pace": "brisk", "coach": "before"}')
    visitor.sit(visitor.open_table("uth-ma"), 3)
    visitor.bet("ante")
    visitor.ready()
    expect(visitor.choices().first).to_be_visible()
    strip = visitor.page.locator(".coach-strip")
    for view in visitor.resized([TABLET, {"width": 834, "height": 1112}, PHONE, *SIDEWAYS]):
        expect(strip).to_be_visible()
        check_in_reach(visitor, visitor.choices())
        check_hand_in_view(visitor)
        box = strip.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= view["height"]
    visitor.resize(WIDE)
    expect(strip).to_be_hidden()
