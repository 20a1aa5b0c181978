"""Round review and "Your play": a played round, its review, totals, an import with a wrong row, export and erasing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from page.axe import violations
from page.houses import scripted
from page.pages import PHONE, Visitor
from page.test_sizes import OVERFLOW, TARGET, TOO_SMALL
from server.houses import Running, running

CARDS = ["Jh 9c 8h 5s 2d", "Jd 3c", "Qd Ts"]
HEAD = "rulebook,hole,board,dealer,play,trips\n"
ROW = "uth-ma,Jd 3c,Jh 9c 8h 5s 2d,Qd Ts,1x,5\n"


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running(maker=lambda: scripted(CARDS)) as server:
        yield server


def play_a_round(visitor: Visitor) -> str:
    """Play a round at a table and return its ID."""
    table = visitor.open_table("uth-ma", name="Charles")
    visitor.take_seat(table, 1)
    visitor.bet("ante")
    visitor.ready()
    for choice in ("Check", "Check", "Play 1×"):
        visitor.choose(choice)
    return table


def check_screen(visitor: Visitor, axe: str, name: str) -> None:
    """Check that nothing overflows, targets are large enough, and axe finds nothing."""
    visitor.still()
    page = visitor.page
    assert page.evaluate(OVERFLOW) == 0, name
    assert page.evaluate(TOO_SMALL, TARGET) == [], name
    page.evaluate("scrollTo(0, 0)")
    assert violations(page, axe) == [], name


def test_a_round_is_reviewed_and_your_play_adds_up(
    house: Running, visit: Callable[..., Visitor], axe: str, tmp_path: Path
) -> None:
    ann = visit(house.url, "Ann", reduced_motion="reduce")
    page = ann.page
    table = play_a_round(ann)
    page.get_by_role("link", name="Review this round").click()
    expect(page.get_by_role("heading", name="Round 1, reviewed")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"/school/review/{table}/1\?seat=1$"))
    flop = page.get_by_role("region", name="After the flop")
    expect(flop).to_contain_text("Cost you 0.3410 antes, $1.71")
    expect(flop).to_contain_text("Your pair of jacks is ahead of 933 of the dealer’s 1,081 hands")
    expect(flop.locator(".yours")).to_contain_text("Check")
    expect(flop.locator(".best")).to_contain_text("+0.6156")
    outcome = page.get_by_role("region", name="The outcome")
    expect(outcome).to_contain_text("Dealer: straight, queen high")
    side = page.get_by_role("complementary", name="Result")
    expect(side).to_contain_text("0.3410 antes lost to one choice")
    expect(side).to_contain_text("The house has the edge, even against perfect play.")
    # The parts add up to the result.
    parts = side.locator(".sums dd").all_inner_texts()
    assert parts == ["−$13.18", "−$1.71", "−$0.11", "−$15.00"]
    check_screen(ann, axe, "review")
    page.keyboard.press("2")
    expect(flop.get_by_role("heading", name="After the flop")).to_be_focused()
    page.keyboard.press("1")
    page.keyboard.press("l")
    expect(page).to_have_url(re.compile(r"/lab\?rulebook=uth-ma&hand=J3o$"))
    page.go_back()
    expect(page.get_by_role("heading", name="Round 1, reviewed")).to_be_visible()
    page.get_by_role("link", name="Your play").click()
    expect(page.get_by_role("heading", name="Your play")).to_be_visible()
    expect(page.get_by_text("1 round since")).to_be_visible()
    # A file with a wrong row.
    ann.button("Import").click()
    wrong = tmp_path / "wrong.csv"
    wrong.write_text(HEAD + ROW + ROW.replace("Jd 3c", "Jd"))
    page.get_by_label("File", exact=True).set_input_files(wrong)
    ann.button("Import the file").click()
    problem = page.get_by_role("row", name="3 hole Hole must have 2 cards, not 1")
    expect(problem).to_be_visible()
    check_screen(ann, axe, "import")
    assert ann.get_json("/api/me/play")["rounds"] == 1
    right = tmp_path / "right.csv"
    right.write_text(HEAD + ROW * 60 + ROW.replace("1x", "fold") * 60)
    page.get_by_label("File", exact=True).set_input_files(right)
    ann.button("Import the file").click()
    expect(page.get_by_text("120 rounds imported.")).to_be_visible()
    expect(page.get_by_text("121 rounds since")).to_be_visible()
    ann.button("Close").click()
    expect(page.get_by_role("region", name="Lost to choices")).to_contain_text("After the river")
    check_screen(ann, axe, "play")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export").click()
    lines = Path(download.value.path()).read_text().splitlines()
    assert (json.loads(lines[0])["rounds"], len(lines)) == (121, 122)
    # The keys [ and ] change the round.
    page.get_by_role("link", name="Review your last round").click()
    expect(page.get_by_role("heading", name="Imported round 120, reviewed")).to_be_visible()
    page.keyboard.press("[")
    expect(page.get_by_role("heading", name="Imported round 119, reviewed")).to_be_visible()
    # Erasing asks once and offers the download first.
    page.go_back()
    page.goto(f"{house.url}/school/play")
    ann.button("Delete my data").click()
    ann.button("Erase my data…").click()
    expect(page.get_by_role("link", name="Download it first")).to_be_visible()
    page.get_by_role("group", name="Erase your data").get_by_role("button").first.click()
    expect(page.get_by_text("You have no rounds yet.")).to_be_visible()
    check_screen(ann, axe, "empty")


def test_the_rooms_fit_on_a_phone_and_show_what_is_missing(
    house: Running, visit: Callable[..., Visitor], axe: str
) -> None:
    bob = visit(house.url, view=PHONE, is_mobile=True, has_touch=True, reduced_motion="reduce")
    page = bob.page
    bob.go("/school/play")
    page.get_by_label("Your name").fill("Bob")
    bob.button("Continue").click()
    expect(page.get_by_text("You have no rounds yet.")).to_be_visible()
    text = HEAD + ROW * 30 + ROW.replace("1x", "4x") + ROW.replace("1x", "fold") * 60
    answer = bob.context.request.post(
        f"{house.url}/api/me/rounds", data={"name": "hands.csv", "text": text}
    )
    assert answer.json()["imported"] == 91, answer.text()
    page.reload()
    expect(page.get_by_role("heading", name="Lost to choices")).to_be_visible()
    check_screen(bob, axe, "play")
    bob.go("/school/review")
    expect(page.get_by_role("heading", name="Imported round 91, reviewed")).to_be_visible()
    check_screen(bob, axe, "review")
    # Offline, the values that were loaded last stay.
    bob.context.set_offline(True)
    bob.button("Previous round").click()
    expect(page.get_by_text("The server does not answer.")).to_be_visible()
    expect(page.get_by_role("heading", name="Imported round 91, reviewed")).to_be_visible()
    bob.context.set_offline(False)
    expect(page.get_by_role("heading", name="Imported round 90, reviewed")).to_be_visible()
    bob.complaints.clear()
    bob.go("/school/review/1-31")
    expect(page.get_by_role("heading", name="Imported round 31, reviewed")).to_be_visible()
    expect(page.get_by_role("region", name="After the river")).to_contain_text("You had played 4×.")
    bob.go("/school/review/nothing")
    expect(page.get_by_text("You have no such round")).to_be_visible()
    bob.complaints.clear()
