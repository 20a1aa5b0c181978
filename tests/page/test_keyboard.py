"""Everything by the keyboard: from the lobby to the next round, without a pointer."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, expect

from houseway.shoe import Seeded
from page.pages import Line, Visitor
from server.houses import running

HELD = """() => {
  const held = new KeyboardEvent("keydown", { key: "Enter", repeat: true, bubbles: true, cancelable: true });
  if (document.activeElement.dispatchEvent(held)) throw new Error("a held Enter presses again");
}"""
FURTHEST = 80
"""Presses of Tab within which everything is reached."""


def tab_to(one: Visitor, target: Locator) -> None:
    """Walk to an element as a keyboard does."""
    expect(target).to_be_visible()
    for _ in range(FURTHEST):
        if target.evaluate("element => element === document.activeElement"):
            return
        one.page.keyboard.press("Tab")
    raise AssertionError(f"{target} is not reached by the keyboard")


def press_choice(one: Visitor, name: str, key: str) -> None:
    """Answer by key, once the choice takes it."""
    choice = one.choices().filter(has_text=name)
    expect(choice).to_have_attribute("aria-disabled", "false")
    one.page.keyboard.press(key)


def test_a_round_is_played_by_the_keyboard_alone(visit: Callable[..., Visitor]) -> None:
    with running(entropy=Seeded("keys")) as house:
        visit(house.url, "Host").open_table("uth-ma", name="Charles")
        one = visit(house.url)
        one.go("/")
        keys = one.page.keyboard
        tab_to(one, one.button("Sit down at Charles"))
        keys.press("Enter")
        field = one.page.get_by_role("textbox", name="What should we call you?")
        expect(field).to_be_focused()
        keys.type("Keys")
        keys.press("Enter")
        tab_to(one, one.ring("ante"))
        ring = one.ring("ante")
        keys.press("+")
        expect(ring).to_have_accessible_name("Ante: 5 dollars")
        keys.press("+")
        expect(ring).to_have_accessible_name("Ante: 10 dollars")
        keys.press("-")
        expect(ring).to_have_accessible_name("Ante: 5 dollars")
        _walk_to(one, one.ring("trips"))
        keys.press("Enter")
        expect(one.ring("trips")).to_have_accessible_name("Trips: 5 dollars")
        keys.press("]")
        keys.press("[")
        keys.press("r")
        press_choice(one, "Check", "c")
        press_choice(one, "Play 2×", "c")
        press_choice(one, "Play 1×", "1")
        keys.press("w")
        expect(one.page.get_by_role("alert").filter(has_text="Round 1")).to_have_count(1)
        one.rush()
        keys.press("x")
        paper = one.page.get_by_role("region", name="Clause")
        expect(paper).to_be_visible()
        keys.press("Escape")
        expect(paper).to_have_count(0)
        keys.press("r")
        expect(one.ring("ante")).to_have_accessible_name("Ante: nothing")
        keys.press("?")
        expect(one.page.get_by_role("heading", name="Keys")).to_be_visible()


def _walk_to(one: Visitor, target: Locator) -> None:
    """Walk among the circles by the arrows."""
    for _ in range(10):
        if target.evaluate("element => element === document.activeElement"):
            return
        one.page.keyboard.press("ArrowRight")
    raise AssertionError("the arrows do not reach the circle")


def test_letters_do_nothing_in_a_field_or_switched_off(visit: Callable[..., Visitor]) -> None:
    with running(entropy=Seeded("keys")) as house:
        one = visit(house.url, "Off", settings='{"keys": "off", "coach": "off"}')
        table = one.open_table("uth-ma")
        one.sit(table, 3)
        one.bet("ante")
        one.ready()
        expect(one.choices().first).to_have_attribute("aria-disabled", "false")
        one.page.keyboard.press("c")
        one.page.keyboard.press("4")
        expect(one.choices().filter(has_text="Play 4×")).to_have_count(1)
        assert one.board() == []


def test_a_key_that_is_held_does_its_work_once(visit: Callable[..., Visitor]) -> None:
    with running(entropy=Seeded("keys")) as house:
        one = visit(house.url, "Held")
        line = Line(one)
        table = one.open_table("uth-ma")
        one.sit(table, 3)
        one.bet("ante")
        keys = one.page.keyboard
        for _ in range(4):
            # From the second time on it is a key that is held.
            keys.down("r")
        check, second = one.choices().filter(has_text="Check"), one.choices().filter(has_text="Play 2×")
        expect(check).to_have_attribute("aria-disabled", "false")
        keys.up("r")
        keys.down("c")
        for _ in range(2):
            expect(second).to_have_attribute("aria-disabled", "false")
            keys.down("c")
        keys.up("c")
        one.page.get_by_role("button", name="Check").focus()
        # Who holds Enter on a choice has not pressed it again either.
        one.page.evaluate(HELD)
        press_choice(one, "Play 2×", "2")
        one.rush()
        assert [message["type"] for message in line.said].count("ready") == 1
        assert len(line.done("Check")) == 1
        assert len(line.done("Play")) == 1


def test_arrows_and_chips_may_be_held(visit: Callable[..., Visitor]) -> None:
    with running(entropy=Seeded("keys")) as house:
        one = visit(house.url, "Walks")
        one.sit(one.open_table("uth-ma"), 3)
        one.ring("ante").focus()
        for _ in range(3):
            one.page.keyboard.down("+")
        one.page.keyboard.up("+")
        expect(one.ring("ante")).to_have_accessible_name("Ante: 15 dollars")
        first = one.rings().first
        first.focus()
        for _ in range(one.rings().count()):
            one.page.keyboard.down("ArrowRight")
        one.page.keyboard.up("ArrowRight")
        expect(first).to_be_focused()


def test_a_double_press_on_check_cannot_fold(visit: Callable[..., Visitor]) -> None:
    """A slot whose label changed takes no press for a moment."""
    with running(entropy=Seeded("keys")) as house:
        one = visit(house.url, "Twice")
        table = one.open_table("uth-ma")
        one.sit(table, 3)
        one.bet("ante")
        one.ready()
        one.choose("Check")
        check = one.choices().filter(has_text="Check")
        expect(check).to_have_attribute("aria-disabled", "false")
        check.dblclick(delay=20)
        expect(one.choices().filter(has_text="Fold")).to_be_visible()
        expect(one.choices().filter(has_text="Fold")).to_have_attribute("aria-disabled", "false")


def test_the_list_of_keys_has_those_that_work_now(visit: Callable[..., Visitor]) -> None:
    with running(entropy=Seeded("keys")) as house:
        one = visit(house.url, "Lists")
        one.sit(one.open_table("uth-ma"), 3)
        listed = one.page.get_by_role("dialog", name="Keys").get_by_role("term")
        one.button("Table menu").click()
        one.button("Keys").click()
        always = ["arrows", "X", "W", "?"]
        expect(listed).to_have_text(["+ −", "[ ]", *always])
        one.page.keyboard.press("Escape")
        one.bet("ante")
        one.page.keyboard.press("?")
        expect(listed).to_have_text(["R", "+ −", "[ ]", *always])
        one.page.keyboard.press("?")
        one.ready()
        expect(one.choices().first).to_have_attribute("aria-disabled", "false")
        one.page.keyboard.press("?")
        expect(listed).to_have_text(["C", "3", "4", *always])
        one.page.keyboard.press("?")
        one.finish("Check", "Play 1×")
        one.page.keyboard.press("?")
        expect(listed).to_have_text(["R", *always])
