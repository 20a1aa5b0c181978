"""The page in a real browser: visitors who play through it, with its requests, frames and errors."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    ViewportSize,
    WebSocketRoute,
    expect,
    sync_playwright,
)

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), ""
)
WIDE: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
PATIENCE = 25_000
"""Milliseconds to wait for something expected."""
MOST_PRESSES = 12
"""A number of decisions that no round exceeds."""

expect.set_options(timeout=PATIENCE)


def need_a_browser() -> None:
    """Skip the test without a browser; in CI, fail instead."""
    if not CHROMIUM and os.environ.get("CI") != "true":
        pytest.skip("no chromium on this machine: apt install chromium-headless-shell")
    assert CHROMIUM, "page tests need a browser: apt install chromium-headless-shell"


@contextmanager
def browsing() -> Iterator[Browser]:
    """Open a browser and close it at the end."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


class Visitor:
    """A person with a separate browser context."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        handle: str = "",
        *,
        view: Any = WIDE,
        settings: str = '{"pace": "brisk", "coach": "off"}',
        **options: Any,
    ) -> None:
        self.url = url
        self.context: BrowserContext = browser.new_context(
            viewport=view, **{"color_scheme": "dark", **options}
        )
        self.context.set_default_timeout(PATIENCE)
        # Earlier settings of this browser: the page stores them under this key.
        self.context.add_init_script(
            f"if (!localStorage.getItem('houseway')) localStorage.setItem('houseway', '{settings}')"
        )
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.elsewhere: list[str] = []
        self.frames: list[str] = []
        self.page.on("console", lambda message: self._log_console(message.type, message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._log_request(request.url))
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._frame))
        if handle:
            self.introduce(handle)

    def _frame(self, frame: Any) -> None:
        self.frames.append(frame if isinstance(frame, str) else bytes(frame).decode())

    def _log_console(self, kind: str, text: str) -> None:
        # A server that a test kills cannot be reached for a while, which the browser logs as an error.
        if kind == "error" and "ERR_CONNECTION_REFUSED" not in text:
            self.complaints.append(text)

    def _log_request(self, url: str) -> None:
        if urlsplit(url).netloc != urlsplit(self.url).netloc:
            self.elsewhere.append(url)

    def assert_no_errors(self) -> None:
        """Check that no error was logged and that every request went to the server."""
        assert self.complaints == []
        assert self.elsewhere == []

    def close(self) -> None:
        self.context.close()

    # --- over HTTP ---

    def introduce(self, handle: str) -> None:
        """Create a session under a handle, as a returning visitor has."""
        answer = self.context.request.post(f"{self.url}/api/session", data={"handle": handle})
        assert answer.status == 201, answer.text()

    def open_table(self, rulebook: str, **order: Any) -> str:
        """Open a table without a clock and return its name."""
        request = {"rulebook": rulebook, "clock": 0, **order}
        answer = self.context.request.post(f"{self.url}/api/tables", data=request)
        assert answer.status == 201, answer.text()
        return str(answer.json()["table"])

    def take_seat(self, table: str, seat: int) -> None:
        """Sit down over HTTP, so that bots do not start without the visitor, then open the table."""
        self.act(table, {"type": "Sit", "seat": seat})
        self.go(f"/table/{table}")
        expect(self.rings().first).to_be_visible()

    def act(self, table: str, command: dict[str, Any]) -> None:
        """Send a command to a table over HTTP."""
        request = {"type": "do", "key": secrets.token_hex(8), "command": command}
        answer = self.context.request.post(f"{self.url}/api/tables/{table}/commands", data=request)
        assert answer.ok, answer.text()

    def get_json(self, path: str) -> Any:
        """Return the JSON the server sends this visitor."""
        answer = self.context.request.get(self.url + path)
        assert answer.ok, answer.text()
        return answer.json()

    # --- on the page ---

    def go(self, path: str) -> None:
        self.page.goto(self.url + path)

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name)

    def seats(self) -> Locator:
        """Return the other players' seats and the free ones."""
        return self.page.get_by_role("group", name="Seats")

    def free(self, seat: int) -> Locator:
        """Return the button of a free seat. Its label has the seat's number and "sit"."""
        name = re.compile(rf"(?=.*\b{seat}\b)(?=.*\bsit\b)", re.IGNORECASE)
        return self.seats().get_by_role("button", name=name)

    def seat(self, seat: int) -> Locator:
        """Return another player's seat with its cards, chips and labels."""
        return self.page.locator(f'.pod[data-key="seat-{seat}"]')

    def sit(self, table: str, seat: int) -> None:
        """Open a table and sit down at a seat."""
        self.go(f"/table/{table}")
        self.free(seat).click()
        self.page.get_by_role("group", name=f"Your place, seat {seat}").wait_for(state="attached")

    def rings(self) -> Locator:
        """Return the visitor's betting circles."""
        return self.page.locator("button.ring")

    def ring(self, wager: str) -> Locator:
        return self.page.locator(f'button.ring[data-wager="{wager}"]')

    def bet(self, *wagers: str) -> None:
        """Put the selected chip on each circle."""
        for wager in wagers:
            self.ring(wager).click()

    def ready(self) -> None:
        self.page.get_by_role("button", name="Ready", exact=True).click()

    def choices(self) -> Locator:
        """Return the buttons of the current choices."""
        return self.page.get_by_role("group", name="Your choices").get_by_role("button")

    def choose(self, name: str) -> None:
        """Press a choice once it is enabled."""
        chosen = self.choices().filter(has_text=name).first
        expect(chosen).to_have_attribute("aria-disabled", "false")
        chosen.click()
        expect(chosen.and_(self.page.locator(".sent, [aria-disabled=true]"))).to_have_count(0)

    def pick(self, *places: int) -> None:
        """Select cards of the visitor's hand by position."""
        cards = self.page.get_by_role("group", name="Your place").get_by_role("button", pressed=False)
        for card in [cards.nth(place).element_handle() for place in places]:
            card.click()

    def over(self) -> Locator:
        """Return the button for the next round."""
        return self.button("Next round")

    def rush(self) -> None:
        """Skip animations and wait for a decision or the end of the round."""
        all_at_once = self.button("Skip ahead")
        anything = self.choices().first.or_(self.over()).or_(all_at_once).first
        expect(anything).to_be_visible()
        if all_at_once.is_visible():
            self.page.locator("body").press("Space")
        expect(self.choices().first.or_(self.over()).first).to_be_visible()

    def answer(self, *preferred: str) -> None:
        """Press the first choice of `preferred` that is offered, or else the first choice. If needed, select two cards before."""
        if self.page.locator("button.pick").count():
            self.pick(0, 1)
        offered = self.choices().locator("strong").all_inner_texts()
        self.choose(next((choice for choice in preferred if choice in offered), offered[0]))

    def finish(self, *preferred: str) -> None:
        """Make choices until the round is over."""
        for _ in range(MOST_PRESSES):
            self.rush()
            if self.over().is_visible():
                return
            self.answer(*preferred)
        raise AssertionError("the round does not end")

    def still(self) -> None:
        """Wait until no animation is running."""
        self.page.wait_for_function(STILL)

    def resize(self, view: ViewportSize) -> None:
        """Change the size of the window, and wait until the page has been laid out."""
        self.page.set_viewport_size(view)
        self.page.evaluate(LAID_OUT)

    def resized(self, views: Iterable[ViewportSize]) -> Iterator[ViewportSize]:
        """Change the window to each of these sizes in turn."""
        for view in views:
            self.resize(view)
            yield view

    # --- reading the page ---

    def cards(self) -> list[str]:
        """Return the visitor's cards in their order."""
        place = self.page.get_by_role("group", name="Your place")
        return [card for card in place.locator("hw-card").evaluate_all(FACES) if card]

    def board(self) -> list[str]:
        faces: list[str] = self.page.locator(".board hw-card").evaluate_all(FACES)
        return [card for card in faces if card]

    def lines(self) -> list[tuple[str, str, str, str]]:
        """Return the settlement in the panel: wager, amount, reason and clause of every line."""
        rows: list[list[str]] = (
            self.page.get_by_role("region", name="Settlement").locator("hw-line").evaluate_all(LINES)
        )
        return [(wager, amount, why, clause) for wager, amount, why, clause in rows]


class SocketProxy:
    """A proxy for the socket of a visitor's page, to be created before the page is opened."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self.sent: list[Any] = []
        """The messages the page sent."""
        self.instead: Callable[[Any], Any] = lambda message: None
        """The reply the proxy sends instead of the server; None forwards the message to the server."""
        self.altered: Callable[[Any], Any] = lambda message: message
        """The message the page gets instead of one from the server."""
        visitor.page.route_web_socket(re.compile("/api/socket$"), self._open)

    def _open(self, page: WebSocketRoute) -> None:
        house = page.connect_to_server()
        self._ends = (page, house)
        page.on_message(lambda text: self._receive(page, house, text))
        house.on_message(lambda text: page.send(json.dumps(self.altered(json.loads(text)))))

    def _receive(self, page: WebSocketRoute, house: WebSocketRoute, text: str | bytes) -> None:
        message = json.loads(text)
        self.sent.append(message)
        instead = self.instead(message)
        if instead is None:
            house.send(text)
        elif instead:
            page.send(json.dumps(instead))

    def forward(self, message: Any) -> None:
        """Forward a message to the server."""
        self._ends[1].send(json.dumps(message))

    def done(self, command: str) -> list[str]:
        """Return the keys under which a command was sent."""
        return [
            message["key"]
            for message in self.sent
            if message["type"] == "do" and message["command"]["type"] == command
        ]

    def cut(self) -> None:
        """Close the connection and block new ones until `restore`."""
        self._visitor.page.route(TICKETS, lambda route: route.abort("connectionrefused"))
        for end in self._ends:
            end.close()

    def restore(self) -> None:
        self._visitor.page.unroute(TICKETS)


TICKETS = re.compile("/api/tickets$")
# Sizes that depend on a container's size settle after some frames: wait until five frames in a row have the same boxes.
LAID_OUT = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const boxes = () => [...document.querySelectorAll("body *")].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x, y, width, height].join();
  }).join(" ");
  for (let same = 0, before = "", n = 0; same < 5 && n < 100; n += 1) {
    await frame();
    const now = boxes();
    same = now === before ? same + 1 : 0;
    before = now;
  }
}"""
STILL = "() => document.getAnimations().every((one) => one.playState !== 'running')"
FACES = "cards => cards.map(card => card.getAttribute('card') ?? '')"
LINES = """lines => lines.map(line => ["strong", "hw-money [aria-hidden]", ".why", "hw-clause"]
  .map(part => line.querySelector(part)?.textContent.trim() ?? ""))"""
