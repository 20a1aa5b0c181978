"""The page in a real browser: what it asks for, what it is sent, what it complains of."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
PATIENCE = 30_000

if os.environ.get("CI") != "true" and not CHROMIUM:
    pytest.skip("no chromium on this machine: apt install chromium", allow_module_level=True)


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser, closed at the end."""
    assert CHROMIUM, "CI needs a browser: apt install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


class Visitor:
    """Somebody with a browser of their own."""

    def __init__(self, browser: Browser, url: str, *, view: Any = WIDE, **given: Any) -> None:
        self.url = url
        self.context: BrowserContext = browser.new_context(viewport=view, **given)
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.elsewhere: list[str] = []
        self.frames: list[str] = []
        self.page.on("console", lambda said: self._said(said.type, said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._asked(request.url))
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._frame))

    def _frame(self, frame: Any) -> None:
        self.frames.append(frame if isinstance(frame, str) else bytes(frame).decode())

    def _said(self, kind: str, text: str) -> None:
        # A house that is killed in a test cannot be reached for a while; the page says so itself.
        if kind == "error" and "ERR_CONNECTION_REFUSED" not in text and "WebSocket" not in text:
            self.complaints.append(text)

    def _asked(self, url: str) -> None:
        if urlsplit(url).netloc != urlsplit(self.url).netloc:
            self.elsewhere.append(url)

    def go(self, path: str) -> None:
        self.page.goto(self.url + path)

    def introduce(self, handle: str) -> None:
        """Be known under a handle, as a person who was here before is."""
        answer = self.context.request.post(f"{self.url}/api/session", data={"handle": handle})
        assert answer.status == 201, answer.text()

    def open_table(self, **order: Any) -> str:
        """A table opened by this person."""
        answer = self.context.request.post(f"{self.url}/api/tables", data={"clock": 0, **order})
        assert answer.status == 201, answer.text()
        return str(answer.json()["table"])

    def asked(self, path: str) -> Any:
        """What the house says to this person."""
        answer = self.context.request.get(self.url + path)
        assert answer.ok, answer.text()
        return answer.json()

    def sit(self, table: str, seat: int) -> None:
        """Come to a table and sit down at a seat."""
        self.go(f"/table/{table}")
        self.page.locator(".seat .who, hw-seat .who").first.wait_for()
        self.free(seat).click()
        expect(self.page.locator(".betting, hw-actions .choice, .waiting").first).to_be_visible()

    def free(self, seat: int) -> Locator:
        """The button of a free seat."""
        return self.page.get_by_role("button", name=f"Sit at seat {seat}")

    def ring(self, wager: str) -> Locator:
        """One's own circle of a wager."""
        return self.page.locator(f'button.ring[data-wager="{wager}"]')

    def bet(self, *wagers: str) -> None:
        for wager in wagers:
            self.ring(wager).click()

    def ready(self) -> None:
        self.page.get_by_role("button", name="Ready", exact=True).click()

    def choices(self) -> list[str]:
        """What may be done now, as it stands on the buttons."""
        return self.page.locator("hw-actions .choice strong").all_inner_texts()

    def choose(self, name: str) -> None:
        """Press a choice, once it takes a press."""
        button = self.page.locator("hw-actions .choice", has_text=name).first
        expect(button).to_have_attribute("aria-disabled", "false")
        button.click()

    def clean(self) -> None:
        """Nothing complained of, nobody else asked."""
        assert self.complaints == []
        assert self.elsewhere == []

    def close(self) -> None:
        self.context.close()
