"""Games for the tests of play: opened in memory, told to a text, drawn to a text."""

from __future__ import annotations

import asyncio
import io
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from houseway.audit.chain import Fault
from houseway.audit.verify import VerificationReport
from houseway.live import LiveTable
from houseway.live.background_check import BackgroundCheck
from houseway.play.app import TableApp
from houseway.play.game import Game
from houseway.play.in_process import InProcess
from houseway.play.open_game import GameOptions, OpenGame, keep, open_game
from houseway.play.plain import play
from houseway.rules.loader import rulebook_ids
from houseway.shoe import Seeded

BOOKS = rulebook_ids()
SMALL, LARGE = (80, 24), (130, 40)
GOLDEN = Path(__file__).parent / "golden"
SEAL = re.compile(r"(?<=sealed)(:? )[0-9a-f]{12,64}")


class Secret(Seeded):
    """Bytes that repeat, for a game that takes them for the kernel's."""

    live = True  # type: ignore[misc]


class Checked(BackgroundCheck):
    """A check of the record that has come to its end, or not yet."""

    def __init__(self, report: VerificationReport | None = None, error: str = "") -> None:
        super().__init__("", "t", b"")
        self.report, self.error = report, error


def report(*faults: Fault) -> VerificationReport:
    """What a check of 66 events has shown."""
    return VerificationReport("t", 66, 1, 1, "", faults, ())


Drive = Callable[[TableApp, Pilot[int]], Awaitable[None]]


def opened(rulebook: str, seed: str = "7", record: Path | None = None, **given: Any) -> OpenGame:
    """A game with seeded cards."""
    return open_game(GameOptions(rulebook=rulebook, seed=seed, **given), *keep(record))


def game(rulebook: str, seed: str = "7", **given: Any) -> Game:
    """The game alone."""
    return opened(rulebook, seed, **given).game


def live_of(g: Game) -> LiveTable:
    """The table a game of one's own runs at."""
    assert isinstance(g.link, InProcess)
    return g.link.live


def told(rulebook: str, *lines: str, json: bool = False, **given: Any) -> str:
    """What plain mode prints for some lines of input."""
    out = io.StringIO()
    assert play(opened(rulebook, **given), io.StringIO("\n".join(lines) + "\n"), out, json=json) == 0
    return out.getvalue()


def drawn(app: TableApp) -> str:
    """The screen as text."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(part.text for part in strip).rstrip() for strip in strips)


def on_screen(found: OpenGame, drive: Drive, size: tuple[int, int] = SMALL, **given: Any) -> TableApp:
    """A screen driven from the first paint on."""
    app = TableApp(found, fast=True, **given)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await drive(app, pilot)

    asyncio.run(run())
    return app


async def press(pilot: Pilot[int], keys: str) -> None:
    """Press keys one after another, each seen through."""
    for key in keys.split():
        await pilot.press(key)
        await pilot.pause()


def golden(name: str, text: str) -> None:
    """Compare with what a person has read and kept; with GOLDEN=write it is kept anew, to be read again."""
    file = GOLDEN / name
    text = SEAL.sub(r"\1············", text).rstrip() + "\n"
    if os.environ.get("GOLDEN") == "write":
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")
