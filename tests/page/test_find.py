"""Find the mistake on the page: a whole round by keyboard, and one by pointer on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from houseway.server.find_sessions import FindSession
from page.pages import PHONE, Visitor
from page.test_dealer_chair import UNNAMED
from page.test_pictures import take
from page.test_sizes import OVERFLOW, TARGET, TOO_SMALL
from server.houses import Running, running

SEED = "p13"
"""In the first round of this seed at level 3, the dealer forgets half a dollar."""


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running() as server, pytest.MonkeyPatch.context() as patch:
        patch.setattr("houseway.server.find_sessions.secrets.token_hex", lambda size: SEED)
        yield server


def answer_of(house: Running, handle: str) -> Any:
    """The answer of a person's round, which only the server knows."""
    session: FindSession = house.serving.finding.session(handle)
    return session._round.answer


def frames_of(visitor: Visitor) -> list[str]:
    """Collect the text of every reply about the session."""
    texts: list[str] = []
    visitor.page.on(
        "response", lambda reply: texts.append(reply.text()) if "/api/find" in reply.url else None
    )
    return texts


def start(visitor: Visitor, level: str) -> None:
    visitor.go("/chair/find")
    visitor.page.get_by_role("group", name="Level").get_by_role("button", name=level).click()
    visitor.button("Start").click()
    expect(visitor.page.get_by_text("One mistake in this round, or none.")).to_be_visible()


def test_a_round_by_keyboard(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "Keys")
    page, frames = visitor.page, frames_of(visitor)
    start(visitor, "3")
    answer = answer_of(house, "Keys")
    assert answer.name == "half dollar of a blind payment forgotten"
    page.locator("body").press("Space")
    expect(page.get_by_text("Playing 0:0")).to_be_visible()
    page.locator("body").press("Space")
    expect(page.get_by_text("Stopped at")).to_be_visible()
    for _ in range(answer.step):
        if f"Event {answer.step} of" in (page.locator(".event strong").text_content() or ""):
            break
        page.locator("body").press("ArrowRight")
    says = f"on seat {answer.seats[0]}'s blind."
    expect(page.locator(".event")).to_contain_text(says)
    # Screen readers hear each event.
    expect(page.locator("#polite")).to_contain_text(says)
    page.locator("body").press("1")
    expect(page.get_by_role("button", name="Amount", exact=True)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("group", name="Seat", exact=True).get_by_role(
        "button", name=str(answer.seats[0]), exact=True
    ).press("Enter")
    page.get_by_role("group", name="Wager", exact=True).get_by_role("button", name="Blind").press("Enter")
    paid = page.get_by_label("The dealer paid").input_value().lstrip("$")
    page.get_by_label("It should be").fill(f"{float(paid) + 0.5:.2f}")
    expect(page.locator(".difference")).to_have_text("$0.50 underpaid")
    take(visitor, "find")
    assert not any(answer.clause in text or "judgement" in text for text in frames)
    page.get_by_label("It should be").press("Enter")
    # The round continues, and the answer opens at its end.
    expect(page.get_by_text("You see the answer when it ends.")).to_be_visible()
    page.locator("body").press("End")
    expect(page.get_by_role("heading", name="Right")).to_be_visible()
    expect(page.locator(".clause-paper")).to_contain_text(answer.clause)
    expect(page.locator(".mark-at.planted")).to_have_count(1)
    expect(page.locator(".tally")).to_contain_text("1 of 1")
    page.locator("body").press("Enter")
    expect(page.locator(".find-left header")).to_contain_text("Round 2 of 20")


def test_a_round_by_pointer_on_a_phone_with_reduced_motion(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Thumb", view=PHONE, reduced_motion="reduce")
    page = visitor.page
    start(visitor, "3")
    answer = answer_of(house, "Thumb")
    # A flag at the last event points back.
    page.locator("body").press("End")
    expect(page.locator(".mark-at.last")).to_have_count(1)
    assert page.evaluate(OVERFLOW) <= 0
    assert (
        page.evaluate(
            TOO_SMALL, [TARGET, ".watched-seat button.who, .find-panel button, .bet-strip button"]
        )
        == []
    )
    visitor.button("First event").click()
    visitor.button("Next event").click()
    visitor.button("Next event").click()
    # Every seat has its name on the felt, and the bets of the chosen seat are below it, with their amounts.
    expect(page.locator(".watched-seat .who strong").first).to_be_visible()
    # A report before the mistake is a false call; the answer opens at once without motion.
    page.locator(".watched-seat .who").first.click()
    expect(page.get_by_role("group", name="Bets of seat 1")).to_be_visible()
    visitor.button("Burn or stub").click()
    visitor.button("Report this").click()
    expect(page.get_by_role("heading", name="False call")).to_be_visible()
    expect(page.get_by_text(f"Event {answer.step}", exact=True)).to_be_visible()
    assert page.evaluate(OVERFLOW) <= 0
    assert page.evaluate(TOO_SMALL, TARGET) == []
    # The last event: the name of its phase and the flag stay on the screen.
    page.locator("body").press("End")
    expect(page.get_by_text("Event 120 of 120")).to_be_visible()
    assert page.evaluate(OVERFLOW) <= 0
    last = page.get_by_role("link", name="Record").bounding_box()
    assert last is not None
    assert last["x"] + last["width"] <= PHONE["width"]
    visitor.button("Next round").click()
    expect(page.locator(".find-left header")).to_contain_text("Round 2 of 20")


def test_on_a_phone_a_bet_is_chosen_below_the_felt_with_its_amount(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Strip", view=PHONE, reduced_motion="reduce")
    start(visitor, "3")
    page, answer = visitor.page, answer_of(house, "Strip")
    for _ in range(answer.step):
        page.locator("body").press("ArrowRight")
    page.locator(".watched-seat .who").nth(answer.seats[0] - 1).click()
    bet = page.get_by_role("group", name=f"Bets of seat {answer.seats[0]}").get_by_role(
        "button", name=re.compile(r"^Blind \$[\d.]+ \+ \$[\d.]+$", re.IGNORECASE)
    )
    bet.click()
    expect(bet).to_have_attribute("aria-pressed", "true")
    wager = page.get_by_role("group", name="Wager", exact=True).get_by_role("button", name="Blind")
    expect(wager).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(UNNAMED) == []
    expect(page.get_by_role("heading", level=1, name="Find the mistake")).to_have_count(1)


def test_a_part_that_the_watcher_does_not_know(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "Unsure", view=PHONE, reduced_motion="reduce")
    start(visitor, "3")
    page, answer = visitor.page, answer_of(house, "Unsure")
    page.locator("body").press("End")
    unsure = visitor.button("I do not know: report without it")
    expect(unsure).to_have_count(0)
    # The page offers the places that the server knows.
    visitor.button("Hand read").click()
    places = page.get_by_role("group", name="Place", exact=True).get_by_role("button")
    expect(places).to_have_text(["Dealer", "Board", "Deck"])
    visitor.button("Amount").click()
    page.get_by_role("group", name="Seat", exact=True).get_by_role(
        "button", name=str(answer.seats[0]), exact=True
    ).click()
    page.get_by_role("group", name="Wager", exact=True).get_by_role("button", name="Blind").click()
    expect(page.get_by_text("Type the amounts.")).to_be_visible()
    assert page.evaluate(TOO_SMALL, [TARGET, ".find-panel button"]) == []
    unsure.click()
    expect(page.get_by_role("heading", name="Named, wrong amount")).to_be_visible()
    expect(page.locator(".graded .differs")).to_contain_text("no amount")


def test_signed_out_offline_and_expired(house: Running, visit: Callable[..., Visitor]) -> None:
    stranger = visit(house.url)
    stranger.go("/chair/find")
    expect(stranger.page.get_by_text("Sign in first.")).to_be_visible()
    visitor = visit(house.url, "Away")
    start(visitor, "1")
    visitor.context.set_offline(True)
    visitor.page.locator("body").press("End")
    visitor.page.locator("body").press("n")
    expect(visitor.page.get_by_text("The server does not answer.")).to_be_visible()
    visitor.context.set_offline(False)
    house.serving.finding._by_handle.clear()
    visitor.page.locator("body").press("n")
    expect(visitor.page.get_by_text("The session has ended. Start a new one.")).to_be_visible()
    # The browser logs the failed requests.
    assert len(visitor.complaints) == 2
    visitor.complaints.clear()
