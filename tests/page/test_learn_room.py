"""Learning the game on the page: the lesson by keyboard alone, the sheet of hands and words, the rules card, the rulebooks."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from page.axe import AXE, violations
from page.pages import PHONE, WIDE, Visitor
from page.test_practice_room import SMALLEST
from page.test_sizes import TARGET, TOO_SMALL, check_no_overflow
from server.houses import Running, running

# Parts of the lesson that cover each other. Parts below the bar with the choices do not count: they can be scrolled.
COVERED = """() => {
  const parts = [...document.querySelectorAll(".learn-felt :is(hw-card, .spot .ring, .spot-label, .note, .dealer > .caps, .script), "
    + ".idea :is(h2, .idea-says, hw-line, .hand-list li, .choice, .button)")]
    .filter((one) => one.checkVisibility()).map((one) => [one, one.getBoundingClientRect()]);
  const bar = document.querySelector(".idea-acts")?.getBoundingClientRect().top ?? Infinity;
  const covers = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5
    && Math.min(a.bottom, b.bottom, bar) - Math.max(a.top, b.top) > 1.5;
  return parts.flatMap(([one, box], n) => parts.slice(n + 1)
    .filter(([other, of]) => !one.contains(other) && !other.contains(one) && covers(box, of))
    .map(([other]) => `${one.className || one.tagName} / ${other.className || other.tagName}`));
}"""


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running() as server:
        yield server


class Lesson:
    """A visitor in the lesson, who presses keys only."""

    def __init__(self, visitor: Visitor, path: str = "/school/learn") -> None:
        self.visitor, self.page = visitor, visitor.page
        visitor.go(path)
        expect(self.page.locator(".idea-text > h2")).to_be_visible()

    def title(self, text: str) -> None:
        expect(self.page.locator(".idea-text > h2")).to_have_text(text)

    def enter(self, title: str) -> None:
        """Continue with Enter to the page with a title."""
        self.page.keyboard.press("Enter")
        self.title(title)

    def key(self, key: str, title: str) -> None:
        """Make a choice with its key once the choices accept presses."""
        expect(self.visitor.choices().first).to_have_attribute("aria-disabled", "false")
        self.page.keyboard.press(key)
        self.title(title)


def check_axe(visitor: Visitor, screen: str) -> None:
    if not AXE.exists() and os.environ.get("CI") != "true":
        return
    assert violations(visitor.page, AXE.read_text()) == [], screen


@pytest.mark.parametrize("view", [WIDE, PHONE], ids=lambda view: str(view["width"]))
def test_a_guest_learns_the_game_by_keyboard_alone(
    house: Running, visit: Callable[..., Visitor], view: Any
) -> None:
    touch = {"is_mobile": True, "has_touch": True} if view is PHONE else {}
    visitor = visit(house.url, view=view, reduced_motion="reduce", **touch)
    page = visitor.page

    def check(screen: str) -> None:
        visitor.still()
        assert page.evaluate(COVERED) == [], screen
        check_no_overflow(visitor)
        # Controls below the bar with the choices can be scrolled into reach.
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        assert page.evaluate(TOO_SMALL, TARGET if view is PHONE else SMALLEST) == [], screen
        check_axe(visitor, screen)

    visitor.go("/")
    page.get_by_role("link", name="Learn it in five minutes").press("Enter")
    lesson = Lesson(visitor, "/school/learn")
    lesson.title("You play against the dealer")
    # The heading of a page has the focus, so a screen reader reads it, and Tab goes on to its clauses.
    expect(page.locator(".idea-text > h2")).to_be_focused()
    check("first page")
    lesson.enter("The ante and the blind")
    lesson.key("b", "Your two cards")
    lesson.enter("Bet now, or wait")
    expect(visitor.choices().filter(has_text="Play 4×")).to_contain_text("bet $40.00")
    expect(page.locator("#polite")).to_contain_text(
        "Choices: Check: no bet; Play 3×: bet $30.00; Play 4×: bet $40.00."
    )
    check("before the flop")
    lesson.key("c", "The flop")
    lesson.key("c", "The turn and the river")
    fold = visitor.choices().filter(has_text="Fold")
    expect(fold).to_contain_text("lose $20.00")
    check("river")
    lesson.key("1", "The dealer qualifies")
    check("dealer")
    lesson.enter("The ante wins")
    expect(page.locator(".idea hw-line")).to_contain_text("+$10.00")
    lesson.enter("The blind pushes")
    expect(page.locator(".idea hw-line")).to_contain_text("MA-9.h.2-b")
    check("blind")
    lesson.enter("The play bet wins")
    # Arrows go back and forth.
    page.keyboard.press("ArrowLeft")
    lesson.title("The blind pushes")
    page.keyboard.press("ArrowRight")
    lesson.title("The play bet wins")
    lesson.enter("Which hand is higher?")
    expect(page.locator(".idea .hand-list li")).to_have_count(10)
    expect(page.locator(".idea .settlement .sum")).to_contain_text("+$20.00")
    check("end of a round")
    lesson.enter("A second round")
    lesson.key("b", "Jack and ten")
    lesson.key("4", "Four to a straight")
    for title in ("The seven comes", "The dealer does not qualify", "The ante pushes"):
        lesson.enter(title)
    expect(page.locator(".idea hw-line")).to_contain_text("MA-9.g-b")
    for title in ("The blind is paid", "The play bet wins", "Two rounds, three rules"):
        lesson.enter(title)
    expect(page.locator(".idea .settlement .sum")).to_contain_text("+$50.00")
    lesson.enter("A third round")
    lesson.key("b", "Seven and two")
    lesson.key("c", "Nothing yet")
    lesson.key("c", "Fold, or bet once more")
    lesson.key("f", "You folded")
    expect(page.locator(".idea hw-line")).to_have_count(2)
    lesson.enter("You know the game")
    expect(page.locator(".idea .settlement .sum")).to_contain_text("−$20.00")
    check("end of the lesson")
    expect(page.get_by_role("link", name="Sit down at a table")).to_be_visible()
    # The address leads back to the same place.
    Lesson(visitor, page.url.removeprefix(house.url)).title("You folded")


def test_another_choice_can_be_tried_and_cards_move_without_reduced_motion(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url)
    lesson = Lesson(visitor, "/school/learn?choice=bet&choice=4x")
    lesson.title("The flop")
    visitor.button("Back").click()
    lesson.title("Bet now, or wait")
    expect(visitor.page.get_by_text("You chose: Play 4×.")).to_be_visible()
    visitor.choose("Check")
    lesson.title("The flop")
    expect(visitor.choices()).to_have_count(2)
    # While cards move, Enter shows the next page at once.
    lesson.key("2", "The turn and the river")
    lesson.enter("The dealer qualifies")
    expect(visitor.page.locator(".learn-felt .dealer hw-card[card]")).to_have_count(2)


def test_a_lost_connection_keeps_the_place_and_a_bad_address_says_what_is_wrong(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, reduced_motion="reduce")
    page = visitor.page
    lesson = Lesson(visitor, "/school/learn?choice=bet")
    lesson.enter("Bet now, or wait")
    page.route("**/api/lessons/**", lambda route: route.abort())
    visitor.choose("Check")
    expect(page.get_by_role("alert").filter(has_text="The server does not answer")).to_be_visible()
    lesson.title("Bet now, or wait")
    page.unroute("**/api/lessons/**")
    visitor.button("Try again").click()
    lesson.title("The flop")
    visitor.go("/school/learn?choice=raise")
    expect(page.get_by_text("'raise' is not a choice here")).to_be_visible()
    page.get_by_role("link", name="Start over").click()
    lesson.title("You play against the dealer")
    visitor.complaints = [one for one in visitor.complaints if not re.search("400|ERR_FAILED", one)]


def test_the_text_table_shows_the_lesson_in_words(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, settings='{"text": "on"}')
    lesson = Lesson(visitor, "/school/learn?choice=bet")
    lesson.title("Your two cards")
    expect(visitor.page.locator(".learn-felt")).to_contain_text(
        "Your cards: ace of spades, eight of hearts"
    )
    # S reads the page aloud, with its title.
    visitor.page.keyboard.press("s")
    expect(visitor.page.locator("#polite p").last).to_contain_text(
        "Your two cards. You hold an ace and an eight."
    )


@pytest.mark.parametrize("view", [WIDE, PHONE], ids=lambda view: str(view["width"]))
def test_hands_and_words_are_one_key_away_at_the_table_and_in_practice(
    house: Running, visit: Callable[..., Visitor], view: Any
) -> None:
    visitor = visit(house.url, f"Words {view['width']}", view=view, reduced_motion="reduce")
    page = visitor.page
    sheet = page.get_by_role("dialog", name="Hands and words")

    def look(rulebook: str, hands: int, word: str) -> None:
        page.keyboard.press("g")
        expect(sheet.locator(".hand-list li")).to_have_count(hands)
        expect(sheet.locator(".word-list")).to_contain_text(word)
        check_axe(visitor, rulebook)
        check_no_overflow(visitor)
        page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()
        visitor.button("Hands and words").first.click()
        expect(sheet).to_be_visible()
        sheet.get_by_role("button", name="Close").click()
        expect(sheet).to_be_hidden()

    table = visitor.open_table("uth-ma")
    visitor.take_seat(table, 2)
    look("uth-ma", 10, "Qualify")
    # A clause of the sheet opens beside the table.
    page.keyboard.press("g")
    sheet.get_by_role("button", name="Clause MA-5.b.5").click()
    expect(page.locator(".drawer")).to_contain_text("A flush is five cards of one suit")
    table = visitor.open_table("shootout-sd")
    visitor.take_seat(table, 2)
    look("shootout-sd", 12, "House way")
    visitor.go("/school/practice?rulebook=uth-ma&mode=street&street=before the flop")
    expect(page.locator("button.spot-choice").first).to_be_visible()
    look("uth-ma", 10, "Qualify")
    # Keys do not act on what the sheet hides.
    page.keyboard.press("g")
    expect(sheet).to_be_visible()
    for key in ("4", "c", "1", "Enter"):
        page.keyboard.press(key)
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(page.locator("button.spot-choice").first).to_be_enabled()
    page.keyboard.press("c")
    expect(page.get_by_role("button", name=re.compile("Next position"))).to_be_visible()


@pytest.mark.parametrize("view", [WIDE, PHONE], ids=lambda view: str(view["width"]))
def test_the_rules_card_is_reachable_and_every_clause_opens(
    house: Running, visit: Callable[..., Visitor], view: Any
) -> None:
    visitor = visit(house.url, f"Card {view['width']}", view=view, reduced_motion="reduce")
    page = visitor.page
    visitor.go("/")
    page.get_by_role("link", name="rules card").click()
    expect(page.get_by_role("heading", name="How a round is played")).to_be_visible()
    expect(page.locator(".rules-card")).to_contain_text(
        "The blind pushes on a winning hand below a straight."
    )
    check_axe(visitor, "card")
    check_no_overflow(visitor)
    page.get_by_role("navigation", name="Contents").get_by_role("link", name="Postings").click()
    expect(page.locator("details.section[open]")).to_contain_text("the trips pay table")
    page.get_by_role("button", name="Clause MA-9.h.2-b").first.click()
    expect(page.locator("hw-drawer .drawer")).to_contain_text("The blind is not paid unless")
    # At a table, the card shows the table's own limits.
    table = visitor.open_table("uth-ma", limits={"ante": {"min": "15", "max": "90"}})
    visitor.take_seat(table, 2)
    if view is PHONE:
        visitor.button(re.compile("payouts, rounds, table")).click()
    else:
        visitor.button("Table menu").click()
    page.get_by_role("link", name="Rules card").first.click()
    expect(page.locator(".rules-card")).to_contain_text("$15 to $90")
    expect(page.locator(".shelf").get_by_role("link", name="Back to the table")).to_be_visible()


def test_the_rulebooks_room_has_contents_and_search_and_explains_differences(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url)
    page = visitor.page
    visitor.go("/rulebooks/uth-ma")
    listed = page.get_by_role("navigation", name="Contents").get_by_role("link")
    expect(listed).to_have_count(14)
    listed.filter(has_text="9: Play, showdown and settlement").click()
    expect(page.locator("#section-9")).to_be_focused()
    expect(page.locator("#section-9 h3")).to_be_in_viewport()
    check_axe(visitor, "rulebooks")
    # A clause of another document, and one of the same document.
    expect(page.locator('[id="MA-1.ante-a"] .conflicts')).to_contain_text(
        "Other documents say something different"
    )
    expect(page.locator('[id="MA-9.h.1"] .conflicts').first).to_contain_text(
        "This document also says something different"
    )
    page.get_by_role("searchbox").fill("cover all")
    expect(page.get_by_role("status")).to_contain_text("contain “cover all”")
    expect(page.locator(".clause mark").first).to_be_visible()
    assert listed.count() < 14
    page.get_by_role("searchbox").fill("zebra")
    expect(page.get_by_role("status")).to_contain_text("0 of 205 clauses contain")
