"""The practice room: answers by keyboard alone, nothing shown before the answer, states, guests, sizes and axe-core."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Response, expect

from houseway.rules.loader import load
from houseway.school.position_links import HASH_LETTERS
from houseway.school.practice_positions import PracticePosition
from houseway.server.practice_desk import COUNTS, SET, RunningPractice
from page.axe import AXE, violations
from page.pages import PHONE, WIDE, Visitor
from page.test_chair_access import ZERO
from page.test_pictures import take
from page.test_sizes import TARGET, TOO_SMALL, check_no_overflow
from server.houses import Running, running

HASH = load("uth-ma").hash[:HASH_LETTERS]
LINK = f"uth-ma~{HASH}~9d7c~6h4hQsAd4c"
SHORT = 6
"""The positions of a mixed session and of an exam in these tests."""
SMALLEST = 24
"""WCAG 2.2: the least size of a target in CSS pixels."""
VALUE = re.compile(r"[−-]?\d\.\d{4}")
"""A value in antes, as the page writes it. No other figure has four decimals."""
SECRET = {"values", "best", "verdict", "because", "themes", "kind", "difficulty", "picture"}
"""Fields that no unanswered position may have."""
# Parts of a position that cover each other.
COVERED = """() => {
  const parts = [...document.querySelectorAll(".practice-main :is(hw-card, .badge, .spot-head .caps, .spot-words, .spot-choice, .spot-acts .button, h1)")]
    .filter((one) => one.checkVisibility() && getComputedStyle(one.closest(".spot-acts") ?? one).position !== "fixed")
    .map((one) => [one, one.getBoundingClientRect()]);
  const covers = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  return parts.flatMap(([one, box], n) => parts.slice(n + 1).filter(([other, of]) => !one.contains(other) && covers(box, of))
    .map(([other]) => `${one.className || one.tagName} / ${other.className || other.tagName}`));
}"""


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running() as server, pytest.MonkeyPatch.context() as patch:
        for mode in ("mixed", "exam"):
            patch.setitem(COUNTS, mode, SHORT)
        yield server


class Session:
    """A visitor who practises, and the same session on the server, whose answers the test reads."""

    def __init__(self, house: Running, visitor: Visitor, mode: str = "mixed", **query: str) -> None:
        self.house, self.visitor, self.page = house, visitor, visitor.page
        asked = {"rulebook": "uth-ma", "mode": mode, "seed": "page", **query}
        visitor.go(f"/school/practice?{'&'.join(f'{name}={value}' for name, value in asked.items())}")
        expect(self.choices().first).to_be_visible()

    def choices(self) -> Locator:
        return self.page.locator("button.spot-choice")

    @property
    def running(self) -> RunningPractice:
        session = re.search(r"session=([\w-]+)", self.page.url)
        assert session is not None
        return self.house.serving.practices.sessions[session[1]]

    @property
    def asked(self) -> PracticePosition:
        assert self.running.asked is not None
        return self.running.asked

    def press(self, choice: str) -> None:
        self.page.keyboard.press(choice[0])

    def continue_(self) -> None:
        """Press Enter, once it is taken."""
        self.page.wait_for_timeout(310)
        self.page.keyboard.press("Enter")


def check_axe(visitor: Visitor, screen: str) -> None:
    """Check a screen with axe-core, and for counts out of 0."""
    assert AXE.exists() or os.environ.get("CI") != "true"
    visitor.still()
    assert not ZERO.search(visitor.page.locator("main").inner_text()), screen
    if AXE.exists():
        assert violations(visitor.page, AXE.read_text()) == [], screen


def test_a_session_by_keyboard_alone_shows_no_value_before_the_answer(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url)
    page = visitor.page
    replies: list[dict[str, Any]] = []

    def note(response: Response) -> None:
        if "/api/practice" in response.url:
            replies.append(response.json())

    page.on("response", note)
    visitor.go("/school/practice?rulebook=uth-ma&mode=mixed&seed=page")
    page.get_by_label("Your name").fill("Keys")
    page.keyboard.press("Enter")
    session = Session.__new__(Session)
    session.house, session.visitor, session.page = house, visitor, page
    expect(session.choices().first).to_be_visible()
    marks = []
    for number in range(1, SHORT + 1):
        expect(page.locator(".practice-head")).to_contain_text(f"{number} of {SHORT}")
        asked = session.asked
        spot = asked.position
        # Before the answer: cards and equal choices, and no value in the page or in any reply.
        assert not VALUE.search(page.locator("main").inner_text())
        expect(page.locator(".tag-best, .reason, .spot-words strong")).to_have_count(0)
        expect(session.choices()).to_have_count(len(spot.values))
        shown = replies[-1].get("next") or replies[-1].get("spot")
        assert shown is not None
        assert not SECRET & {key for part in (shown, *shown["choices"]) for key in part}
        choice = spot.best if number % 3 else spot.decision.choices[0]
        session.press(choice)
        values = page.locator(".spot-choice.value .spot-value")
        expect(values).to_have_text(
            [re.compile(f"{abs(float(value)):.4f}") for value in spot.values.values()]
        )
        expect(page.locator(".is-best")).to_have_attribute("data-choice", spot.best)
        expect(page.locator(".tag-yours")).to_have_count(1)
        verdict = page.locator(".verdict h2")
        if session.running.marks[-1] == "wrong":
            expect(verdict).to_contain_text("Cost you ")
        marks.append(session.running.marks[-1])
        expect(page.locator("#polite p").last).to_contain_text("more than")
        if number == 1:
            # The button takes no press at once, so that a double press does not skip the answer.
            expect(page.get_by_role("button", name="Next position")).to_be_focused()
        page.wait_for_timeout(310)
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"Practice: {marks.count('right')} of ")
    expect(page.locator(".sheet-mistakes li")).to_have_count(marks.count("wrong"))
    expect(
        page.get_by_text("The house has the edge, even against perfect play: 2.1850 % of the ante.")
    ).to_be_visible()
    expect(page.get_by_text(re.compile(r"Not enough decisions yet: \d+ of 100")).first).to_be_visible()
    check_axe(visitor, "score sheet")
    # No streak, no reward and no sound.
    assert not re.search(
        r"streak|in a row|level|bonus|reward|well done", page.locator("main").inner_text(), re.IGNORECASE
    )
    expect(page.locator("audio, video")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator(".practice-head")).to_contain_text(f"1 of {SHORT}")


def test_an_exam_shows_its_grades_at_the_end(house: Running, visit: Callable[..., Visitor]) -> None:
    session = Session(house, visit(house.url, "Exam"), "exam")
    page = session.page
    for number in range(1, SHORT + 1):
        expect(page.locator(".practice-head")).to_contain_text(f"{number} of {SHORT}")
        assert not VALUE.search(page.locator("main").inner_text())
        values = session.asked.position.values
        choice = min(values, key=lambda name: values[name])
        # A second press of the key does not answer the next position.
        page.wait_for_timeout(310)
        session.press(choice)
        session.press(choice)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Exam: ")
    assert len(session.running.marks) == SHORT
    rows = page.locator(".sheet-mistakes li")
    expect(rows).to_have_count(session.running.marks.count("wrong"))
    rows.first.get_by_role("link").click()
    expect(page.get_by_role("heading", name="A shared position")).to_be_visible()


def test_a_lost_connection_an_ended_session_and_an_error(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "States")
    session = Session(house, visitor, "street", street="after the river")
    page = session.page
    lost: list[Any] = []

    def lose(route: Any) -> None:
        """Let the first answer arrive, but lose its reply; then lose the next one."""
        if not lost:
            route.fetch()
        lost.append(route)
        route.abort("connectionrefused")

    page.route(re.compile("/answers$"), lose)
    session.press("fold")
    expect(page.get_by_text("Your answer is kept.")).to_be_visible()
    page.unroute(re.compile("/answers$"))
    expect(page.locator(".reason")).to_be_visible()
    assert len(session.running.marks) == 1
    # The position comes back later.
    page.get_by_role("button", name="Repeat later").click()
    expect(page.get_by_role("button", name="It will come back")).to_be_visible()
    # A reload continues the session.
    page.reload()
    expect(page.locator(".practice-head")).to_contain_text(f"2 of {SET}")
    house.serving.practices.sessions.clear()
    session.press("fold")
    expect(page.get_by_role("heading", name="This practice has ended")).to_be_visible()
    page.get_by_role("button", name="Start again").click()
    expect(page.locator(".practice-head")).to_contain_text(f"1 of {SET}")
    refusal = {
        "refused": [{"code": "record", "clause": None, "where": "record", "message": "the record is down"}]
    }
    page.route(
        re.compile(r"/api/practice\?"),
        lambda route: route.fulfill(status=503, content_type="application/json", body=json.dumps(refusal)),
    )
    visitor.go("/school/practice?rulebook=uth-ma")
    expect(page.get_by_role("alert").filter(has_text="The record is down")).to_be_visible()
    page.unroute(re.compile(r"/api/practice\?"))
    # A rulebook that is being solved says so.
    house.serving.practices.preparation = lambda book: "Texas Shootout is being solved: 3 of 9."
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("Texas Shootout is being solved: 3 of 9.")).to_be_visible()
    house.serving.practices.preparation = lambda book: ""
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".mode-card")).to_have_count(6)
    visitor.complaints = [one for one in visitor.complaints if not re.search("404|503", one)]


def test_guests_open_the_daily_position_and_a_link(house: Running, visit: Callable[..., Visitor]) -> None:
    faces = []
    for _ in range(2):
        guest = visit(house.url)
        guest.go("/school")
        expect(guest.page.locator(".daily hw-card").first).to_be_visible()
        guest.page.get_by_role("link", name="Decide", exact=True).click()
        expect(guest.page.locator("button.spot-choice").first).to_be_visible()
        assert not VALUE.search(guest.page.locator("main").inner_text())
        cards = guest.page.locator(".spot-felt hw-card")
        faces.append(cards.evaluate_all("cards => cards.map((card) => card.getAttribute('card'))"))
    assert faces[0] == faces[1]
    assert faces[0]
    page = guest.page
    guest.go(f"/school/position/{LINK}")
    expect(page.locator("button.spot-choice")).to_have_count(2)
    page.keyboard.press("1")
    expect(page.locator(".verdict h2")).to_have_text("Cost you 0.1000 antes, $1.00.")
    # 23 cards beat the hand, 7 are seen, and the other 22 do not beat it.
    drawn = [page.locator(f".card-picture > svg .{kind}").count() for kind in ("beats", "seen", "below")]
    assert drawn == [23, 7, 22]
    guest.go("/school/position/nothing")
    expect(page.get_by_text("This link is not complete; copy the whole link")).to_be_visible()
    guest.complaints = [one for one in guest.complaints if "404" not in one]


@pytest.mark.parametrize("view", [WIDE, PHONE], ids=lambda view: str(view["width"]))
def test_every_screen_is_accessible_and_nothing_overlaps(
    house: Running, visit: Callable[..., Visitor], view: Any
) -> None:
    touch = {"is_mobile": True, "has_touch": True} if view is PHONE else {}
    visitor = visit(house.url, f"Size {view['width']}", view=view, reduced_motion="reduce", **touch)
    page = visitor.page

    def check(screen: str) -> None:
        visitor.still()
        assert page.evaluate(COVERED) == [], screen
        check_no_overflow(visitor)
        assert page.evaluate(TOO_SMALL, TARGET if view is PHONE else SMALLEST) == [], screen
        check_axe(visitor, screen)

    visitor.go("/school")
    expect(page.locator(".daily hw-card").first).to_be_visible()
    check("landing")
    visitor.go("/school/practice?rulebook=uth-ma")
    expect(page.locator(".mode-card")).to_have_count(6)
    check("menu")
    for street in ("before the flop", "after the flop", "after the river"):
        session = Session(house, visitor, "street", street=street)
        sizes = session.choices().evaluate_all(
            "all => all.map((one) => { const { width, height } = one.getBoundingClientRect(); return [width, height].map(Math.round).join() })"
        )
        assert len(set(sizes)) == 1, "the choices are equal"
        boxes = [one.bounding_box() for one in session.choices().all()]
        assert all(box and box["y"] + box["height"] <= view["height"] for box in boxes), "they are in reach"
        if street == "after the flop":
            check("position")
        session.press(session.asked.position.decision.choices[-1])
        expect(page.locator(".reason figure")).to_be_visible()
        check(f"answer {street}")
        following = page.get_by_role("button", name="Next position").bounding_box()
        assert following is not None
        assert following["y"] + following["height"] <= view["height"]
    if view is WIDE:
        take(visitor, "practice")
    visitor.go(f"/school/position/{LINK}")
    page.get_by_role("button", name="Show the analysis").click()
    expect(page.locator(".reason")).to_be_visible()
    check("shared position")
