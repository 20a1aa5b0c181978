"""Games for the play tests: opened in memory, with transcripts and screens as text."""

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
from houseway.play.in_process import LocalTable
from houseway.play.open_game import GameOptions, OpenGame, keep, open_game
from houseway.play.plain_screen import play
from houseway.rules.loader import rulebook_ids
from houseway.shoe import SeededEntropy

BOOKS = rulebook_ids()
SMALL, LARGE = (80, 24), (130, 40)
GOLDEN = Path(__file__).parent / "golden"
SEAL = re.compile(r"(?<=sealed)(:? )[0-9a-f]{12,64}")


class Secret(SeededEntropy):
    """A seeded source of bytes in place of the operating system's."""

    live = True  # type: ignore[misc]


class StubCheck(BackgroundCheck):
    """A record check with a preset result, or still running."""

    def __init__(self, report: VerificationReport | None = None, error: str = "") -> None:
        super().__init__("", "t", b"")
        self.report, self.error = report, error


def report(*faults: Fault) -> VerificationReport:
    """Return the report of a check of 66 events."""
    return VerificationReport("t", 66, 1, 1, "", faults, ())


Drive = Callable[[TableApp, Pilot[int]], Awaitable[None]]


def open_seeded(rulebook: str, seed: str = "7", record: Path | None = None, **options: Any) -> OpenGame:
    """Open a game with seeded cards."""
    return open_game(GameOptions(rulebook=rulebook, seed=seed, **options), *keep(record))


def game(rulebook: str, seed: str = "7", **options: Any) -> Game:
    """Open a game with seeded cards and return only the game."""
    return open_seeded(rulebook, seed, **options).game


def live_of(g: Game) -> LiveTable:
    """Return the live table of a local game."""
    assert isinstance(g.link, LocalTable)
    return g.link.live


def transcript(rulebook: str, *lines: str, json: bool = False, **options: Any) -> str:
    """Return what plain mode prints for some lines of input."""
    out = io.StringIO()
    assert play(open_seeded(rulebook, **options), io.StringIO("\n".join(lines) + "\n"), out, json=json) == 0
    return out.getvalue()


def screen_text(app: TableApp) -> str:
    """Return the screen as text."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(part.text for part in strip).rstrip() for strip in strips)


def on_screen(
    opened_game: OpenGame, drive: Drive, size: tuple[int, int] = SMALL, **options: Any
) -> TableApp:
    """Run a screen, drive it from the first paint, and return the app."""
    app = TableApp(opened_game, fast=True, **options)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await drive(app, pilot)

    asyncio.run(run())
    return app


async def press(pilot: Pilot[int], keys: str) -> None:
    """Press keys one after another, waiting after each."""
    for key in keys.split():
        await pilot.press(key)
        await pilot.pause()


def golden(name: str, text: str) -> None:
    """Compare with the reviewed golden file; GOLDEN=write replaces the file, to be reviewed again."""
    file = GOLDEN / name
    text = SEAL.sub(r"\1············", text).rstrip() + "\n"
    if os.environ.get("GOLDEN") == "write":
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")
