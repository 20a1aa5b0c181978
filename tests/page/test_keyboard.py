"""Keyboard only: from the lobby to the next round, without a pointer."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, expect

from houseway.shoe import SeededEntropy
from page.pages import SocketProxy, Visitor
from server.houses import running

HELD = """() => {
  const held = new KeyboardEvent("keydown", { key: "Enter", repeat: true, bubbles: true, cancelable: true });
  if (document.activeElement.dispatchEvent(held)) throw new Error("a held Enter presses again");
}"""
FURTHEST = 80
"""Every element is reached with at most this many presses of Tab."""


def tab_to(visitor: Visitor, target: Locator) -> None:
    """Press Tab until an element has focus."""
    expect(target).to_be_visible()
    for _ in range(FURTHEST):
        if target.evaluate("element => element === document.activeElement"):
            return
        visitor.page.keyboard.press("Tab")
    raise AssertionError(f"{target} is not reached by the keyboard")


def press_choice(visitor: Visitor, name: str, key: str) -> None:
    """Press a choice's key once the choice is enabled."""
    choice = visitor.choices().filter(has_text=name)
    expect(choice).to_have_attribute("aria-disabled", "false")
    visitor.page.keyboard.press(key)


def test_a_round_is_played_by_the_keyboard_alone(visit: Callable[..., Visitor]) -> None:
    with running(entropy=SeededEntropy("keys")) as house:
        visit(house.url, "Host").open_table("uth-ma", name="Charles")
        visitor = visit(house.url)
        visitor.go("/")
        keys = visitor.page.keyboard
        tab_to(visitor, visitor.button("Sit down at Charles"))
        keys.press("Enter")
        field = visitor.page.get_by_role("textbox", name="What should we call you?")
        expect(field).to_be_focused()
        keys.type("Keys")
        keys.press("Enter")
        tab_to(visitor, visitor.ring("ante"))
        ring = visitor.ring("ante")
        keys.press("+")
        expect(ring).to_have_accessible_name("Ante: 5 dollars")
        keys.press("+")
        expect(ring).to_have_accessible_name("Ante: 10 dollars")
        keys.press("-")
        expect(ring).to_have_accessible_name("Ante: 5 dollars")
        _walk_to(visitor, visitor.ring("trips"))
        keys.press("Enter")
        expect(visitor.ring("trips")).to_have_accessible_name("Trips: 5 dollars")
        keys.press("]")
        keys.press("[")
        keys.press("r")
        press_choice(visitor, "Check", "c")
        press_choice(visitor, "Play 2×", "c")
        press_choice(visitor, "Play 1×", "1")
        keys.press("w")
        expect(visitor.page.get_by_role("alert").filter(has_text="Round 1")).to_have_count(1)
        visitor.rush()
        keys.press("x")
        paper = visitor.page.get_by_role("region", name="Clause")
        expect(paper).to_be_visible()
        keys.press("Escape")
        expect(paper).to_have_count(0)
        keys.press("r")
        expect(visitor.ring("ante")).to_have_accessible_name("Ante: nothing")
        keys.press("?")
        expect(visitor.page.get_by_role("heading", name="Keys")).to_be_visible()


def _walk_to(visitor: Visitor, target: Locator) -> None:
    """Move between the circles with the arrow keys."""
    for _ in range(10):
        if target.evaluate("element => element === document.activeElement"):
            return
        visitor.page.keyboard.press("ArrowRight")
    raise AssertionError("the arrows do not reach the circle")


def test_letter_keys_do_nothing_when_switched_off(visit: Callable[..., Visitor]) -> None:
    with running(entropy=SeededEntropy("keys")) as house:
        visitor = visit(house.url, "Off", settings='{"keys": "off", "coach": "off"}')
        table = visitor.open_table("uth-ma")
        visitor.sit(table, 3)
        visitor.bet("ante")
        visitor.ready()
        expect(visitor.choices().first).to_have_attribute("aria-disabled", "false")
        visitor.page.keyboard.press("c")
        visitor.page.keyboard.press("4")
        expect(visitor.choices().filter(has_text="Play 4×")).to_have_count(1)
        assert visitor.board() == []


def test_a_held_key_acts_once(visit: Callable[..., Visitor]) -> None:
    with running(entropy=SeededEntropy("keys")) as house:
        visitor = visit(house.url, "Held")
        proxy = SocketProxy(visitor)
        table = visitor.open_table("uth-ma")
        visitor.sit(table, 3)
        visitor.bet("ante")
        keys = visitor.page.keyboard
        for _ in range(4):
            # After the first press the key counts as held.
            keys.down("r")
        check, second = (
            visitor.choices().filter(has_text="Check"),
            visitor.choices().filter(has_text="Play 2×"),
        )
        expect(check).to_have_attribute("aria-disabled", "false")
        keys.up("r")
        keys.down("c")
        for _ in range(2):
            expect(second).to_have_attribute("aria-disabled", "false")
            keys.down("c")
        keys.up("c")
        visitor.page.get_by_role("button", name="Check").focus()
        # Holding Enter on a choice is not another press.
        visitor.page.evaluate(HELD)
        press_choice(visitor, "Play 2×", "2")
        visitor.rush()
        assert [message["type"] for message in proxy.sent].count("ready") == 1
        assert len(proxy.done("Check")) == 1
        assert len(proxy.done("Play")) == 1


def test_arrow_and_chip_keys_repeat_while_held(visit: Callable[..., Visitor]) -> None:
    with running(entropy=SeededEntropy("keys")) as house:
        visitor = visit(house.url, "Walks")
        visitor.sit(visitor.open_table("uth-ma"), 3)
        visitor.ring("ante").focus()
        for _ in range(3):
            visitor.page.keyboard.down("+")
        visitor.page.keyboard.up("+")
        expect(visitor.ring("ante")).to_have_accessible_name("Ante: 15 dollars")
        first = visitor.rings().first
        first.focus()
        for _ in range(visitor.rings().count()):
            visitor.page.keyboard.down("ArrowRight")
        visitor.page.keyboard.up("ArrowRight")
        expect(first).to_be_focused()


def test_a_double_press_on_check_cannot_fold(visit: Callable[..., Visitor]) -> None:
    """A button whose label changed ignores presses for a moment."""
    with running(entropy=SeededEntropy("keys")) as house:
        visitor = visit(house.url, "Twice")
        table = visitor.open_table("uth-ma")
        visitor.sit(table, 3)
        visitor.bet("ante")
        visitor.ready()
        visitor.choose("Check")
        check = visitor.choices().filter(has_text="Check")
        expect(check).to_have_attribute("aria-disabled", "false")
        check.dblclick(delay=20)
        expect(visitor.choices().filter(has_text="Fold")).to_be_visible()
        expect(visitor.choices().filter(has_text="Fold")).to_have_attribute("aria-disabled", "false")


def test_the_list_of_keys_shows_the_keys_that_work_now(visit: Callable[..., Visitor]) -> None:
    with running(entropy=SeededEntropy("keys")) as house:
        visitor = visit(house.url, "Lists")
        visitor.sit(visitor.open_table("uth-ma"), 3)
        listed = visitor.page.get_by_role("dialog", name="Keys").get_by_role("term")
        visitor.button("Table menu").click()
        visitor.button("Keys").click()
        always = ["arrows", "X", "W", "G", "?"]
        expect(listed).to_have_text(["+ −", "[ ]", *always])
        visitor.page.keyboard.press("Escape")
        visitor.bet("ante")
        visitor.page.keyboard.press("?")
        expect(listed).to_have_text(["R", "+ −", "[ ]", *always])
        visitor.page.keyboard.press("?")
        visitor.ready()
        expect(visitor.choices().first).to_have_attribute("aria-disabled", "false")
        visitor.page.keyboard.press("?")
        expect(listed).to_have_text(["C", "3", "4", *always])
        visitor.page.keyboard.press("?")
        visitor.finish("Check", "Play 1×")
        visitor.page.keyboard.press("?")
        expect(listed).to_have_text(["R", *always])


def test_wagers_are_placed_and_repeated_without_a_circle_in_focus(visit: Callable[..., Visitor]) -> None:
    with running(entropy=SeededEntropy("keys")) as house:
        visitor = visit(house.url, "Chips")
        visitor.sit(visitor.open_table("uth-ma"), 3)
        body, ante = visitor.page.locator("body"), visitor.ring("ante")
        expect(ante).to_have_accessible_name("Ante: nothing")
        body.press("+")
        expect(ante).to_have_accessible_name("Ante: 5 dollars")
        body.press("+")
        body.press("-")
        expect(ante).to_have_accessible_name("Ante: 5 dollars")
        visitor.ready()
        visitor.finish("Check", "Play 1×")
        body.press("r")
        expect(ante).to_have_accessible_name("Ante: nothing")
        body.press("s")
        expect(ante).to_have_accessible_name("Ante: 5 dollars")
        # A second press changes nothing.
        body.press("s")
        expect(ante).to_have_accessible_name("Ante: 5 dollars")


def test_r_does_not_skip_a_settlement(visit: Callable[..., Visitor]) -> None:
    with running(entropy=SeededEntropy("keys")) as house:
        visitor = visit(house.url, "Patient", settings='{"pace": "unhurried", "coach": "off"}')
        proxy = SocketProxy(visitor)
        visitor.sit(visitor.open_table("uth-ma"), 3)
        visitor.bet("ante")
        visitor.ready()
        for name in ("Check", "Check", "Play 1×"):
            visitor.rush()
            visitor.choose(name)
        settling = visitor.page.locator(".settling")
        expect(settling).to_be_visible()
        body = visitor.page.locator("body")
        body.press("r")
        expect(settling).to_be_visible()
        body.press("Space")
        expect(visitor.over()).to_be_visible()
        assert [message["type"] for message in proxy.sent].count("ready") == 1
        body.press("r")
        expect(visitor.ring("ante")).to_have_accessible_name("Ante: nothing")
