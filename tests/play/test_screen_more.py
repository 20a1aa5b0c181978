"""More of the screen: resizing, typing errors, keys that need a second press, no colour."""

from __future__ import annotations

import asyncio

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from houseway.play.app import TableApp
from houseway.play.screens import RulebookPicker
from houseway.play.widgets import SpotCell
from play.tables import BOOKS, SMALL, on_screen, open_seeded, press, screen_text
from play.test_screen import check_layout

WIDE = (120, 24)


def text(app: TableApp, name: str) -> str:
    """Return the text of a widget."""
    return str(app.query_one(name, Static).render())


async def resize(pilot: Pilot[int], size: tuple[int, int]) -> None:
    """Resize the window and wait for the new layout."""
    await pilot.resize_terminal(*size)
    await pilot.pause(0.05)
    await pilot.pause()


@pytest.mark.parametrize("keys", ["up", "up space", "up space 4"], ids=["bets", "turn", "settled"])
@pytest.mark.parametrize("sizes", [(WIDE, SMALL), (SMALL, WIDE)], ids=["shrunk", "grown"])
def test_a_resized_window_looks_like_one_opened_at_that_size(
    keys: str, sizes: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    screens: list[str] = []

    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, keys)
        await resize(pilot, sizes[1])
        check_layout(app)
        assert app.query_one("#side").region.width == (44 if sizes[1] == WIDE else 0)
        screens.append(screen_text(app))

    for first in (sizes[0], sizes[1]):
        on_screen(open_seeded("uth-ma"), drive, first)
    assert screens[0] == screens[1]


def test_a_window_resized_under_a_sheet_is_redrawn() -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "f1")
        await resize(pilot, WIDE)
        await press(pilot, "escape")
        assert app.query_one("#side").region.width == 44
        check_layout(app)

    on_screen(open_seeded("uth-ma"), drive)


@pytest.mark.parametrize("size", [(79, 24), (80, 23)])
def test_a_window_that_is_too_small_says_so(size: tuple[int, int]) -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await resize(pilot, size)
        assert f"80 × 24 needed; this window has {size[0]} × {size[1]}." in screen_text(app)
        assert "DEALER" not in screen_text(app)
        await press(pilot, "up")
        assert not app.stakes.total
        await resize(pilot, SMALL)
        assert "needed" not in screen_text(app)
        check_layout(app)

    on_screen(open_seeded("uth-ma"), drive)


@pytest.mark.parametrize(
    ("keys", "wagers"),
    [
        ("4 x 1 0", {"ante": 1000}),
        ("1 0 right 5 x 2 0", {"ante": 2000}),
        ("4 up 1 0", {"ante": 1000}),
        ("5 full_stop 5", {"ante": 550}),
        ("full_stop 2 5", {"ante": 25}),
        ("5 full_stop 5 backspace backspace 0", {"ante": 5000}),
    ],
)
def test_a_typed_amount_is_the_wager(keys: str, wagers: dict[str, int]) -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, keys)
        assert app.stakes.wagers == wagers

    on_screen(open_seeded("uth-ma"), drive)


@pytest.mark.parametrize("keys", ["5 full_stop 5 5 5", "5 full_stop full_stop", "1 2 3 4 5 6 7 8"])
def test_an_invalid_amount_is_rejected(keys: str) -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        *before, last = keys.split()
        await press(pilot, " ".join(before))
        assert text(app, "#notice") == ""
        staked = dict(app.stakes.wagers)
        await press(pilot, last)
        assert "two digits for cents" in text(app, "#notice")
        assert app.stakes.wagers == staked

    on_screen(open_seeded("uth-ma"), drive)


def test_space_skips_pauses_until_the_player_must_act(monkeypatch: pytest.MonkeyPatch) -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        app.fast = False
        await press(pilot, "up space")
        assert app.game.prompt is None, "the dealer pauses"
        await press(pilot, "space")
        assert app.game.prompt is not None
        assert app.game.prompt.kind == "decide"
        await press(pilot, "c")
        assert app.game.prompt is None, "and pauses again"

    monkeypatch.setattr("houseway.play.app.PAUSE", 3600)
    on_screen(open_seeded("uth-ma"), drive)


def test_sitting_out_takes_a_second_space() -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        assert "Sit this round out" in screen_text(app)
        await press(pilot, "space")
        assert "No wager yet. Press Space again to sit this round out." in screen_text(app)
        await press(pilot, "right space")
        assert app.game.prompt is not None
        assert app.game.prompt.kind == "bet"
        await press(pilot, "space")
        assert not app.game.round.bets(1)
        assert "sitting this round out" in text(app, "#name")
        assert "You sit this round out." in text(app, "#announcements")
        await press(pilot, "space up")
        assert "sitting" not in text(app, "#name")
        assert "Sit this round out" not in screen_text(app)

    on_screen(open_seeded("uth-ma"), drive)


def test_a_lone_player_cannot_sit_out() -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        assert "Sit this round out" not in screen_text(app)
        await press(pilot, "space")
        assert "place a wager first" in screen_text(app)

    on_screen(open_seeded("uth-ma", bots=0), drive)


def test_another_key_cancels_leaving() -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "l up l")
        assert app.game.view.table.section != "closed"
        await press(pilot, "h escape l")
        assert app.game.view.table.section != "closed"

    on_screen(open_seeded("uth-ma"), drive)


def test_the_chosen_spot_is_marked_without_colour() -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        for wager in ("ante", "trips", "progressive"):
            marked = [cell.wager for cell in app.query(SpotCell) if "▸" in str(cell.render())]
            assert marked == [wager]
            await press(pilot, "right")

    on_screen(open_seeded("uth-ma"), drive)


def test_the_chosen_rulebook_is_marked_without_colour() -> None:
    app = RulebookPicker([(book, f"the title of {book}") for book in BOOKS])

    async def run() -> None:
        async with app.run_test(size=SMALL) as pilot:
            for book in BOOKS[:3]:
                await pilot.pause()
                strips = app.screen._compositor.render_strips()
                rows = ["".join(part.text for part in strip) for strip in strips]
                assert [book in row for row in rows if "▸" in row] == [True]
                await pilot.press("down")

    asyncio.run(run())


def test_a_message_disappears_when_it_no_longer_applies() -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "up space z")
        assert "'z' does nothing now" in text(app, "#notice")
        await press(pilot, "c")
        assert text(app, "#notice") == ""
        await press(pilot, "c 1 z")
        assert "'z' does nothing now" in text(app, "#notice")
        await press(pilot, "down")
        assert text(app, "#notice") == ""
        await press(pilot, "z space")
        assert text(app, "#notice") == ""

    on_screen(open_seeded("uth-ma"), drive)


@pytest.mark.parametrize("keys", ["up t p a", "up t p a space", "up t p a space 4"])
def test_a_message_of_two_lines_does_not_hide_the_keys(keys: str) -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, keys)
        app._notice = ("Not allowed: " + "a long reason " * 8, "")
        app.repaint()
        await pilot.pause()
        await pilot.pause()
        assert app.query_one("#notice").region.height == 2
        assert "Q quit" in screen_text(app).splitlines()[-1]
        check_layout(app)

    on_screen(open_seeded("uth-ma"), drive)


def test_the_key_line_lists_what_is_legal() -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        assert "rebet" not in text(app, "#foot")
        await press(pilot, "up space")
        assert text(app, "#foot").startswith("C check  3 4 play  V values  ?")
        await press(pilot, "c")
        assert text(app, "#foot").startswith("C check  2 play  V values  ?")
        await press(pilot, "c")
        assert text(app, "#foot").startswith("F fold  1 play  V values  ?")
        await press(pilot, "f space")
        assert "R rebet" in text(app, "#foot")

    on_screen(open_seeded("uth-ma"), drive)


def test_the_pay_tables_fit_on_the_small_screen() -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "y end")
        rows = [row.strip("│ ▁▂▃▄▅▆▇█") for row in screen_text(app).splitlines()]
        assert any(row.startswith("royal flush") and row.endswith("200 to 1") for row in rows)

    on_screen(open_seeded("uth-ma"), drive)
