"""The page in a real browser: people who play through it, and all that it asked for, was sent and said."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    WebSocketRoute,
    expect,
    sync_playwright,
)

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), ""
)
WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
PATIENCE = 60_000
"""Milliseconds until something that should come counts as missing."""
MOST_PRESSES = 12
"""Decisions a round can ask for, and a few more."""

expect.set_options(timeout=PATIENCE)


def need_a_browser() -> None:
    """Skip where there is no browser; in continuous integration that is a failure."""
    if not CHROMIUM and os.environ.get("CI") != "true":
        pytest.skip("no chromium on this machine: apt install chromium-headless-shell")
    assert CHROMIUM, "the page is tried in a browser: apt install chromium-headless-shell"


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser, closed at the end."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


class Visitor:
    """Somebody with a browser of their own."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        handle: str = "",
        *,
        view: Any = WIDE,
        settings: str = '{"pace": "brisk", "coach": "off"}',
        **given: Any,
    ) -> None:
        self.url = url
        self.context: BrowserContext = browser.new_context(viewport=view, **given)
        self.context.set_default_timeout(PATIENCE)
        # What this browser chose before: the page keeps it under this name.
        self.context.add_init_script(
            f"if (!localStorage.getItem('houseway')) localStorage.setItem('houseway', '{settings}')"
        )
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.elsewhere: list[str] = []
        self.frames: list[str] = []
        self.page.on("console", lambda said: self._said(said.type, said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._asked(request.url))
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._frame))
        if handle:
            self.introduce(handle)

    def _frame(self, frame: Any) -> None:
        self.frames.append(frame if isinstance(frame, str) else bytes(frame).decode())

    def _said(self, kind: str, text: str) -> None:
        # A house that a test kills cannot be reached for a while; the browser says so, and so does the page.
        if kind == "error" and "ERR_CONNECTION_REFUSED" not in text:
            self.complaints.append(text)

    def _asked(self, url: str) -> None:
        if urlsplit(url).netloc != urlsplit(self.url).netloc:
            self.elsewhere.append(url)

    def clean(self) -> None:
        """Nothing was complained of, and nobody but the house was asked."""
        assert self.complaints == []
        assert self.elsewhere == []

    def close(self) -> None:
        self.context.close()

    # --- beside the page ---

    def introduce(self, handle: str) -> None:
        """Be known under a handle, as somebody who was here before is."""
        answer = self.context.request.post(f"{self.url}/api/session", data={"handle": handle})
        assert answer.status == 201, answer.text()

    def open_table(self, rulebook: str, **order: Any) -> str:
        """A table opened by this person, without a clock."""
        wish = {"rulebook": rulebook, "clock": 0, **order}
        answer = self.context.request.post(f"{self.url}/api/tables", data=wish)
        assert answer.status == 201, answer.text()
        return str(answer.json()["table"])

    def take_seat(self, table: str, seat: int) -> None:
        """Sit down beside the page, before bots begin without one; then come to the table."""
        wish = {"type": "do", "key": "sit", "command": {"type": "Sit", "seat": seat}}
        answer = self.context.request.post(f"{self.url}/api/tables/{table}/commands", data=wish)
        assert answer.ok, answer.text()
        self.go(f"/table/{table}")
        expect(self.rings().first).to_be_visible()

    def asked(self, path: str) -> Any:
        """What the house says to this person."""
        answer = self.context.request.get(self.url + path)
        assert answer.ok, answer.text()
        return answer.json()

    # --- on the page ---

    def go(self, path: str) -> None:
        self.page.goto(self.url + path)

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name)

    def seats(self) -> Locator:
        """The places of the others and the free ones."""
        return self.page.get_by_role("group", name="Seats")

    def free(self, seat: int) -> Locator:
        """The button of a free seat: it has the number, and says that one sits there."""
        name = re.compile(rf"(?=.*\b{seat}\b)(?=.*\bsit\b)", re.IGNORECASE)
        return self.seats().get_by_role("button", name=name)

    def seat(self, seat: int) -> Locator:
        """The place of somebody else, with all that lies and stands there."""
        return self.page.locator(f'.pod[data-key="seat-{seat}"]')

    def sit(self, table: str, seat: int) -> None:
        """Come to a table and sit down at a seat."""
        self.go(f"/table/{table}")
        self.free(seat).click()
        self.page.get_by_role("group", name=f"Your place, seat {seat}").wait_for(state="attached")

    def rings(self) -> Locator:
        """The own circles that take chips or tell a clause."""
        return self.page.locator("button.ring")

    def ring(self, wager: str) -> Locator:
        return self.page.locator(f'button.ring[data-wager="{wager}"]')

    def bet(self, *wagers: str) -> None:
        """Put the chosen chip on each circle; once Ready is said, they lie there."""
        for wager in wagers:
            self.ring(wager).click()

    def ready(self) -> None:
        self.page.get_by_role("button", name="Ready", exact=True).click()

    def choices(self) -> Locator:
        """What may be answered now."""
        return self.page.get_by_role("group", name="Your choices").get_by_role("button")

    def choose(self, name: str) -> None:
        """Press a choice, once it takes a press."""
        chosen = self.choices().filter(has_text=name).first
        expect(chosen).to_have_attribute("aria-disabled", "false")
        chosen.click()
        expect(chosen.and_(self.page.locator(".sent, [aria-disabled=true]"))).to_have_count(0)

    def pick(self, *places: int) -> None:
        """Choose cards of the own hand by where they lie."""
        cards = self.page.get_by_role("group", name="Your place").get_by_role("button", pressed=False)
        for card in [cards.nth(place).element_handle() for place in places]:
            card.click()

    def over(self) -> Locator:
        """The button that leads to the next round."""
        return self.button("Next round")

    def rush(self) -> None:
        """Wait until something is asked or the round is over, without waiting for motion."""
        all_at_once = self.button("Skip ahead")
        asked = self.choices().first.or_(self.over()).or_(all_at_once).first
        expect(asked).to_be_visible()
        if all_at_once.is_visible():
            self.page.locator("body").press("Space")
        expect(self.choices().first.or_(self.over()).first).to_be_visible()

    def answer(self, *wishes: str) -> None:
        """The first of the wishes that is offered, or else the first choice; two cards are picked first."""
        if self.page.locator("button.pick").count():
            self.pick(0, 1)
        offered = self.choices().locator("strong").all_inner_texts()
        self.choose(next((wish for wish in wishes if wish in offered), offered[0]))

    def finish(self, *wishes: str) -> None:
        """Answer until the round is over."""
        for _ in range(MOST_PRESSES):
            self.rush()
            if self.over().is_visible():
                return
            self.answer(*wishes)
        raise AssertionError("the round does not end")

    def still(self) -> None:
        """Wait until nothing moves."""
        self.page.wait_for_function(STILL)

    # --- what is read there ---

    def cards(self) -> list[str]:
        """The own cards, as they lie."""
        place = self.page.get_by_role("group", name="Your place")
        return [card for card in place.locator("hw-card").evaluate_all(FACES) if card]

    def board(self) -> list[str]:
        found: list[str] = self.page.locator(".board hw-card").evaluate_all(FACES)
        return [card for card in found if card]

    def lines(self) -> list[tuple[str, str, str, str]]:
        """The settlement in the panel: wager, amount, reason, clause of every line."""
        found: list[list[str]] = (
            self.page.get_by_role("region", name="Settlement").locator("hw-line").evaluate_all(LINES)
        )
        return [(wager, amount, why, clause) for wager, amount, why, clause in found]


class Line:
    """The socket of a visitor's page: heard, cut and mended; to be there before the page is opened."""

    def __init__(self, one: Visitor) -> None:
        self._one = one
        self.said: list[Any] = []
        """What the page said, message by message."""
        self.instead: Callable[[Any], Any] = lambda message: None
        """What the page is told instead of the house's answer; None where the house hears the message."""
        one.page.route_web_socket(re.compile("/api/socket$"), self._open)

    def _open(self, page: WebSocketRoute) -> None:
        house = page.connect_to_server()
        self._ends = (page, house)
        page.on_message(lambda text: self._hear(page, house, text))

    def _hear(self, page: WebSocketRoute, house: WebSocketRoute, text: str | bytes) -> None:
        message = json.loads(text)
        self.said.append(message)
        instead = self.instead(message)
        if instead is None:
            house.send(text)
        elif instead:
            page.send(json.dumps(instead))

    def forward(self, message: Any) -> None:
        """Let the house hear a message after all."""
        self._ends[1].send(json.dumps(message))

    def done(self, command: str) -> list[str]:
        """The keys under which a command was sent."""
        return [
            one["key"] for one in self.said if one["type"] == "do" and one["command"]["type"] == command
        ]

    def cut(self) -> None:
        """Hang up, and let nobody through until the line is mended."""
        self._one.page.route(TICKETS, lambda route: route.abort("connectionrefused"))
        for end in self._ends:
            end.close()

    def mend(self) -> None:
        self._one.page.unroute(TICKETS)


TICKETS = re.compile("/api/tickets$")
STILL = "() => document.getAnimations().every((one) => one.playState !== 'running')"
FACES = "cards => cards.map(card => card.getAttribute('card') ?? '')"
LINES = """lines => lines.map(line => ["strong", "hw-money [aria-hidden]", ".why", "hw-clause"]
  .map(part => line.querySelector(part)?.textContent.trim() ?? ""))"""
