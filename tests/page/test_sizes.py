"""The page on a phone and on the smallest screen it promises: nothing overflows, everything is in reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, expect

from houseway.shoe import Seeded
from page.houses import scripted
from page.pages import PHONE, WIDE, Visitor
from server.houses import Running, running

SMALL = {"width": 320, "height": 640}
SIDEWAYS = [{"width": 844, "height": 390}, {"width": 667, "height": 375}]
TARGET = 44
# Visible controls whose target is too small: where the pointer does not meet them around their middle.
TOO_SMALL = """(least) => {
  const reach = least / 2 - 1;
  const controls = [...document.querySelectorAll("button, a[href], input, select, summary")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled
      && !one.closest(".skips, [popover]:not(:popover-open)") && one.tabIndex >= 0);
  const small = (one) => {
    // What is pressed to reach a field is its label.
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
  // A link within a sentence is as high as its line.
  const inText = (one) => one.tagName === "A" && getComputedStyle(one).display === "inline";
  return controls.filter((one) => !inText(one) && small(one)).map(said);
}"""
BOXES = """(choices) => choices.map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [x, y, width, height, one.contains(document.elementFromPoint(x + width / 2, y + height / 2))];
})"""
CUT = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
# Choices wider than the box they are chosen in, its arrow left out.
CUT_CHOICES = """(picks) => picks.flatMap((pick) => {
  const style = getComputedStyle(pick);
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  pen.font = style.font;
  const room = pick.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 18;
  return [...pick.options].map((one) => one.textContent).filter((text) => pen.measureText(text).width > room);
})"""
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running(entropy=Seeded("sizes")) as found:
        yield found


def fits(one: Visitor) -> None:
    """Nothing has to be scrolled sideways."""
    assert one.page.evaluate(OVERFLOW) <= 0


def in_reach(one: Visitor, choices: Locator) -> None:
    """Choices lie on the screen without scrolling, high enough for a thumb, and nothing lies over them."""
    boxes = choices.evaluate_all(BOXES)
    assert boxes
    view = one.page.viewport_size
    assert view is not None
    for x, y, width, height, on_top in boxes:
        assert on_top
        assert height >= TARGET
        assert x >= 0
        assert y >= 0
        assert x + width <= view["width"]
        assert y + height <= view["height"]


def hand_in_view(one: Visitor) -> None:
    """The own cards lie on the screen whole, and neither the bar nor anything else covers them."""
    one.still()
    boxes = one.page.locator(".near hw-card").evaluate_all(BOXES)
    bar = one.page.locator(".bar").bounding_box()
    assert boxes
    assert bar is not None
    for x, y, width, height, on_top in boxes:
        assert on_top
        assert x >= 0
        assert x + width <= one.page.evaluate("innerWidth")
        assert y + height <= bar["y"] + 1


@pytest.mark.parametrize(
    ("rulebook", "view"), [("uth-ma", PHONE), ("uth-ma", SMALL), ("shootout-sd", PHONE)]
)
def test_a_round_is_played_on_a_phone(
    house: Running, visit: Callable[..., Visitor], rulebook: str, view: dict[str, int]
) -> None:
    one = visit(house.url, f"{rulebook} {view['width']}", view=view, is_mobile=True, has_touch=True)
    table = one.open_table(rulebook)
    one.go("/")
    expect(one.button("Sit down with three bots")).to_be_visible()
    fits(one)
    one.sit(table, 3)
    expect(one.rings().first).to_be_visible()
    fits(one)
    for ring in one.rings().all():
        ring.tap()
    one.ready()
    expect(one.choices().first).to_be_visible()
    fits(one)
    in_reach(one, one.choices())
    hand_in_view(one)
    one.answer("Check")
    one.rush()
    fits(one)
    one.finish("Check", "Play 1×")
    fits(one)
    in_reach(one, one.over())
    hand_in_view(one)
    one.go(f"/table/{table}/round/1")
    expect(one.page.get_by_text("Shuffle verified")).to_be_visible()
    fits(one)


@pytest.mark.parametrize("view", SIDEWAYS, ids=lambda v: str(v["width"]))
@pytest.mark.parametrize("rulebook", ["uth-ma", "shootout-sd"])
def test_a_phone_held_sideways_has_all_of_the_table_in_view(
    house: Running, visit: Callable[..., Visitor], rulebook: str, view: dict[str, int]
) -> None:
    one = visit(house.url, f"side {rulebook} {view['width']}", view=view, is_mobile=True, has_touch=True)
    table = one.open_table(rulebook, bots=[{"style": "best", "seat": 5}], pace="brisk")

    def whole() -> None:
        fits(one)
        assert one.page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0

    one.take_seat(table, 3)
    expect(one.rings().first).to_be_visible()
    whole()
    in_reach(one, one.button("Sit out"))
    beside, last = one.page.locator(".panel-button").bounding_box(), one.button("Sit out").bounding_box()
    assert beside is not None
    assert last is not None
    assert last["x"] + last["width"] <= beside["x"]
    for ring in one.rings().all():
        ring.tap()
    one.ready()
    expect(one.choices().first).to_be_visible()
    whole()
    in_reach(one, one.choices())
    hand_in_view(one)
    assert one.page.evaluate(TOO_SMALL, TARGET) == []
    one.finish("Check", "Play 1×")
    whole()
    in_reach(one, one.over())
    hand_in_view(one)
    for x, y, width, height, on_top in one.page.locator(".board hw-card").evaluate_all(BOXES):
        assert on_top
        assert 0 <= x <= view["width"] - width
        assert 0 <= y <= view["height"] - height


@pytest.mark.parametrize(
    "view", [PHONE, SMALL, {"width": 1024, "height": 768}], ids=lambda v: str(v["width"])
)
def test_two_hands_of_a_split_lie_on_the_screen(
    visit: Callable[..., Visitor], view: dict[str, int]
) -> None:
    """A pair of aces and a pair of nines, beside kings."""
    hands = ["As Ad 9h 9s", "Ks Kc 5d 4d"]
    dealt = [hand.split()[turn] for turn in range(4) for hand in hands]
    with running(maker=lambda: scripted(["2h", *dealt, "2c 7d Jc 4h 5s"])) as house:
        one = visit(house.url, "Splitting", view=view)
        one.sit(one.open_table("shootout-sd"), 3)
        for ring in one.rings().all():
            ring.click()
        one.ready()
        expect(one.choices().filter(has_text="Split")).to_be_visible()
        hand_in_view(one)
        in_reach(one, one.choices())
        one.choose("Split")
        one.finish()
        assert len(one.cards()) == 4
        expect(one.page.locator(".near .name")).to_contain_text("pair of aces; pair of nines")
        fits(one)
        hand_in_view(one)
        in_reach(one, one.over())


def test_a_tablet_has_the_hand_and_the_choices_in_view(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    one = visit(house.url, "Tablet", view={"width": 1024, "height": 768})
    one.sit(one.open_table("uth-ma"), 3)
    one.bet("ante")
    one.ready()
    expect(one.choices().first).to_be_visible()
    in_reach(one, one.choices())
    hand_in_view(one)
    one.finish("Check", "Play 1×")
    in_reach(one, one.over())


@pytest.mark.parametrize("view", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("rulebook", ["uth-ma", "shootout-sd"])
def test_nothing_in_the_panel_is_cut(
    house: Running, visit: Callable[..., Visitor], rulebook: str, view: dict[str, int]
) -> None:
    one = visit(house.url, f"panel {rulebook} {view['width']}"[:24], view=view)
    one.sit(one.open_table(rulebook), 3)
    for ring in one.rings().all():
        ring.click()
    one.ready()
    one.finish("Check", "Play 1×")
    if view is PHONE:
        one.button("Coach, payouts, rounds, table").click()
    panel = one.page.get_by_role("complementary", name="Panel")
    for name in ("Result", "Coach", "Payouts", "Rounds"):
        panel.get_by_role("tab", name=name).click()
        shown = panel.get_by_role("tabpanel", name=name)
        expect(shown).to_be_visible()
        assert shown.evaluate("one => one.scrollWidth - one.clientWidth") <= 0, name


@pytest.mark.parametrize("view", [PHONE, SMALL], ids=lambda v: str(v["width"]))
def test_the_door_of_a_shared_link_says_where_it_leads(
    house: Running, visit: Callable[..., Visitor], view: dict[str, int]
) -> None:
    host = visit(house.url, f"Host {view['width']}")
    table = host.open_table("uth-ma", name="Charles")
    host.take_seat(table, 3)
    guest = visit(house.url, view=view, is_mobile=True, has_touch=True)
    guest.go(f"/table/{table}")
    main = guest.page.get_by_role("main")
    expect(main.get_by_role("heading", name="Join Table Charles")).to_be_visible()
    expect(main).to_contain_text(f"with Host {view['width']}")
    fits(guest)
    box = main.locator("form").bounding_box()
    assert box is not None
    assert box["x"] >= 8, "it does not touch the edge"
    in_reach(guest, guest.button("Join"))
    guest.page.get_by_role("textbox", name="Your name at the table").fill(f"Guest {view['width']}")
    guest.button("Join").tap()
    expect(guest.page.get_by_text("You are watching.")).to_be_visible()
    expect(guest.free(5)).to_be_visible()
    fits(guest)


@pytest.mark.parametrize("view", [PHONE, SMALL], ids=lambda v: str(v["width"]))
@pytest.mark.parametrize("rulebook", ["uth-ma", "shootout-sd"])
def test_the_bar_above_a_table_is_whole_and_says_what_one_is(
    house: Running, visit: Callable[..., Visitor], rulebook: str, view: dict[str, int]
) -> None:
    one = visit(house.url, f"bar {rulebook} {view['width']}", view=view, is_mobile=True, has_touch=True)
    table = one.open_table(rulebook)
    one.go(f"/table/{table}")
    where = one.page.locator(".top .where")
    expect(where).to_contain_text("watching")
    one.free(3).tap()
    expect(one.rings().first).to_be_visible()
    expect(where).to_contain_text("round 1")
    expect(where).not_to_contain_text("watching")
    expect(one.page.locator(".bankroll")).to_contain_text("play chips")
    assert one.page.locator(".top .where > *").evaluate_all(CUT) == []
    fits(one)


@pytest.mark.parametrize("path", ["/lab", "/rulebooks/uth-ma", "/record"])
def test_no_room_overflows_on_the_smallest_screen(
    house: Running, visit: Callable[..., Visitor], path: str
) -> None:
    one = visit(house.url, view=SMALL, is_mobile=True, has_touch=True)
    one.go(path)
    expect(one.page.locator("main h1").first).to_be_visible()
    one.page.wait_for_load_state("networkidle")
    fits(one)


@pytest.mark.parametrize("view", [WIDE, PHONE], ids=["wide", "phone"])
def test_every_control_is_large_enough_to_press(
    house: Running, visit: Callable[..., Visitor], view: dict[str, int]
) -> None:
    one = visit(house.url, f"targets {view['width']}", view=view)
    table = one.open_table("uth-ma", bots=[{"style": "random", "seat": 1}], pace="brisk")
    one.go("/")
    expect(one.button("Sit down at")).not_to_have_count(0)
    small = {"lobby": one.page.evaluate(TOO_SMALL, TARGET)}
    one.take_seat(table, 3)
    one.bet("ante")
    expect(one.button("Clear")).to_have_attribute("aria-disabled", "false")
    small["wagers"] = one.page.evaluate(TOO_SMALL, TARGET)
    one.ready()
    expect(one.choices().first).to_be_visible()
    small["choices"] = one.page.evaluate(TOO_SMALL, TARGET)
    one.finish("Check", "Play 1×")
    small["result"] = one.page.evaluate(TOO_SMALL, TARGET)
    assert {place: found for place, found in small.items() if found} == {}


def test_a_choice_of_rulebook_in_the_lab_is_not_cut(house: Running, visit: Callable[..., Visitor]) -> None:
    one = visit(house.url)
    one.go("/lab")
    picks = one.page.locator(".bench > header select")
    expect(picks.first.locator("option")).not_to_have_count(0)
    assert picks.evaluate_all(CUT_CHOICES) == []
