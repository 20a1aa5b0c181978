"""The screen: full rounds of every rulebook by keyboard, at 80 × 24 and larger."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Input, Static

from houseway.audit.chain import Fault
from houseway.audit.entries import link
from houseway.audit.store import Head, StoreError
from houseway.engine.state import total
from houseway.play.app import TableApp
from houseway.play.game import Game
from houseway.play.open_game import GameOptions, keep, open_game
from houseway.play.screens import History, PaperScreen, RulebookPicker
from houseway.play.widgets import ChoiceButton, SpotCell
from play.tables import (
    BOOKS,
    LARGE,
    SMALL,
    Secret,
    StubCheck,
    golden,
    live_of,
    on_screen,
    open_seeded,
    press,
    report,
    screen_text,
)

SIDES = {"uth-sd": "t p", "uth-ma": "t p a", "uth-card": "t", "uth-proc": "t", "shootout-sd": "b"}
WAGERS = {
    "uth-sd": ("play", "ante", "blind", "trips", "progressive"),
    "uth-ma": ("ante", "blind", "play", "trips", "progressive", "cover all"),
    "uth-card": ("ante", "blind", "play", "trips"),
    "uth-proc": ("ante", "blind", "play", "trips"),
    "shootout-sd": ("wager", "bonus"),
}
KEEP = "1 4 k"
"""The keys that keep the first and the fourth card, two eights of spades."""


def check_layout(app: TableApp) -> None:
    """Check that every essential widget is fully on the screen and no line is cut off."""
    width, height = app.size
    for widget in app.screen.query(
        "#top, #board, #voice, .pod, #name, #own, .choice, #notice, #foot, SpotCell"
    ):
        if widget.display and widget.region.area:
            assert widget.region.right <= width, widget
            assert widget.region.bottom <= height, widget
            assert app.screen.find_widget(widget).visible_region.area == widget.region.area, widget
    for widget in app.screen.query("#top, #board, #name, #foot, #lines, SpotCell"):
        assert isinstance(widget, Static)
        text = str(widget.render())
        if widget.display and widget.region.area:
            assert max(map(len, text.splitlines()), default=0) <= widget.content_size.width, (widget, text)
            assert len(text.splitlines()) <= widget.content_size.height, (widget, text)
    assert "…" not in str(app.query_one("#lines").render())


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "130x40"])
@pytest.mark.parametrize("book", SIDES)
def test_a_round_with_every_side_bet_is_played_by_keyboard(book: str, size: tuple[int, int]) -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        check_layout(app)
        await press(pilot, f"up up {SIDES[book]}")
        check_layout(app)
        if size == SMALL:
            golden(f"{book}-1-bets.screen.txt", screen_text(app))
        await press(pilot, "space")
        check_layout(app)
        if size == SMALL:
            golden(f"{book}-2-turn.screen.txt", screen_text(app))
        await press(pilot, KEEP if book == "shootout-sd" else "c 2")
        check_layout(app)
        screen = screen_text(app)
        if size == SMALL:
            golden(f"{book}-3-settled.screen.txt", screen)
        seen_round = app.game.history[-1]
        lines = [line for line in seen_round.lines if line.seat == 1]
        rows = str(app.query_one("#lines").render()).splitlines()
        assert all(row in screen for row in rows)
        assert tuple(line.wager.replace("_", " ") for line in lines) == WAGERS[book]
        for line in lines:
            row = next(
                row for row in rows if str(line.clause) in row and line.wager.replace("_", " ") in row
            )
            assert line.result in row
            assert f"{abs(line.net) // 100}.{abs(line.net) % 100:02d}" in row
        await press(pilot, "space r")
        assert app.stakes.total == sum(
            stake for wager, stake in seen_round.bets(1).items() if wager != "play"
        )

    app = on_screen(open_seeded(book), drive, size)
    assert app.return_code in (0, None)


def test_a_split_fits_on_the_small_screen() -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "up b space")
        assert [choice.number for choice in app.query(ChoiceButton)]
        screen = screen_text(app)
        assert "Split 2♠ 2♥ / 9♥ 9♣" in screen
        await press(pilot, "S")
        check_layout(app)
        golden("shootout-sd-split.screen.txt", screen_text(app))

    on_screen(open_seeded("shootout-sd", "33"), drive)


def test_a_settled_wager_that_is_cut_off_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: a line shows the stake although there is no room for it. `check_layout` detects this."""
    monkeypatch.setattr("houseway.play.table_art.ROOMY", 0)

    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "up b space S")
        with pytest.raises(AssertionError):
            check_layout(app)

    on_screen(open_seeded("shootout-sd", "33"), drive)


def test_a_clause_can_be_read() -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "up space c c 1 down down question_mark")
        assert isinstance(app.screen, PaperScreen)
        clause = app.painter.mine[2].clause
        assert clause
        assert clause in screen_text(app)
        await press(pilot, "escape")
        assert not isinstance(app.screen, PaperScreen)
        await press(pilot, "space f")
        assert "you have no cards in this round" in screen_text(app)

    on_screen(open_seeded("uth-ma"), drive)


def test_a_wrong_key_is_rejected_with_its_clause() -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "9 9 9 space")
        assert "ante can be at most $100, not $999" in screen_text(app)
        assert "[house.posted_limits]" in screen_text(app)
        await press(pilot, "backspace backspace space f")
        assert "[MA-9.e]" in screen_text(app)
        await press(pilot, "question_mark")
        assert "MA-9.e" in screen_text(app)
        await press(pilot, "escape 1")
        assert "you can play 3x or 4x before the flop, not 1x" in screen_text(app)
        await press(pilot, "z")
        assert "'z' does nothing now. Press F1 to see the keys." in screen_text(app)

    on_screen(open_seeded("uth-ma"), drive)


def test_help_fits_on_one_screen() -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "f1")
        screen = screen_text(app)
        assert "Wagers" in screen
        assert "the same command resumes" in screen
        assert app.screen.query_one("#sheet").max_scroll_y == 0
        await press(pilot, "escape")
        assert "the same command resumes" not in screen_text(app)

    on_screen(open_seeded("uth-ma"), drive)


def test_the_history_lists_the_rounds_played() -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        for _ in range(3):
            await press(pilot, "up space 4 space")
        await press(pilot, "h")
        assert isinstance(app.screen, History)
        screen = screen_text(app)
        net = sum(seen_round.view.net[1] for seen_round in app.game.history)
        assert "Rounds played: 3" in screen
        assert f"{abs(net) // 100}.{abs(net) % 100:02d}" in screen
        await press(pilot, "up")
        mine = [line for line in app.game.history[1].lines if line.seat == 1]
        assert all(str(line.clause) in screen_text(app) for line in mine)

    on_screen(open_seeded("uth-ma"), drive)


def test_the_mouse_does_what_keys_do() -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        cells = {cell.wager: cell for cell in app.query(SpotCell)}
        await pilot.click(cells["ante"])
        await pilot.click(cells["trips"])
        await pilot.pause()
        assert app.stakes.wagers == {"ante": 500, "trips": 500}
        await pilot.click(cells["trips"], button=3)
        await pilot.pause()
        assert app.stakes.wagers["trips"] == 0
        await pilot.click(next(iter(app.query(ChoiceButton))))
        await pilot.pause()
        for _ in range(3):
            choices = list(app.query(ChoiceButton))
            await pilot.click(choices[0])
            await pilot.pause()
        assert app.game.history
        await pilot.click(app.query_one("#lines"), offset=(5, 1))
        await pilot.pause()
        assert isinstance(app.screen, PaperScreen)

    on_screen(open_seeded("uth-ma"), drive)


def test_a_game_can_be_quit_and_resumed(tmp_path: Path) -> None:
    before: list[str] = []

    async def first(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "up t space c")
        before.extend(app.game.round.hands[1, 1] + app.game.round.view.board)
        await press(pilot, "q")

    async def second(app: TableApp, pilot: Pilot[int]) -> None:
        assert "The round continues where you left it." in screen_text(app)
        assert [*app.game.round.hands[1, 1], *app.game.round.view.board] == before
        await press(pilot, "2")
        assert app.game.history[-1].view.net

    choices = GameOptions(rulebook="uth-ma", seed="7")
    for drive in (first, second):
        store, signer = keep(tmp_path / "r.db")
        assert on_screen(open_game(choices, store, signer), drive).return_code in (0, None)
        store.close()


def test_a_repeated_key_press_counts_once() -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "up space")
        # Both keys arrive before the screen has shown the result of the first.
        app.on_key(Key("c", "c"))
        app.on_key(Key("c", "c"))
        await pilot.pause()
        assert len(app.game.round.view.board) == 3
        await press(pilot, "c")
        assert len(app.game.round.view.board) == 5

    on_screen(open_seeded("uth-ma"), drive)


def test_seal_and_salt_are_shown_before_the_first_wager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.play.open_game.SystemEntropy", lambda: Secret("a"))

    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        seen_round = app.game.round
        assert f"sealed {seen_round.view.seal[:12]}…  salt {seen_round.salt[:12]}…" in screen_text(app)
        check_layout(app)
        await press(pilot, "e")
        assert seen_round.view.seal in screen_text(app)
        assert seen_round.salt in screen_text(app)

    on_screen(open_seeded("uth-ma", ""), drive)


def test_the_check_of_the_record_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.play.app.LOOK", 0.001)
    check = StubCheck()

    async def until_shown(app: TableApp, pilot: Pilot[int], says: str) -> None:
        for _ in range(400):
            await pilot.pause(0.002)
            if says in screen_text(app):
                return
        raise AssertionError(f"{says!r} is never shown")

    async def sound_one(app: TableApp, pilot: Pilot[int]) -> None:
        assert "The record" not in screen_text(app)
        check.report = report()
        await until_shown(app, pilot, "The record is sound (66 events).")
        check_layout(app)
        await press(pilot, "up space")
        assert "The record" not in screen_text(app)

    async def faulty(app: TableApp, pilot: Pilot[int]) -> None:
        await until_shown(app, pilot, "The record is not sound: event 5 is not as it was.")
        await press(pilot, "up space")
        assert "The record is not sound" in screen_text(app)

    on_screen(open_seeded("uth-ma"), sound_one, check=check)
    check.report = report(Fault(5, "changed", "event 5 is not as it was"))
    on_screen(open_seeded("uth-ma"), faulty, check=check)


def test_leaving_for_good_closes_the_table() -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "l")
        assert "Press L again to leave the table for good." in screen_text(app)
        assert app.game.view.table.section != "closed"
        await press(pilot, "l")

    app = on_screen(open_seeded("uth-ma"), drive)
    assert app.return_value == 0
    assert app.game.view.table.section == "closed"


def test_a_failed_write_ends_the_game_with_a_sentence() -> None:
    opened = open_seeded("uth-ma")

    def broken(*_: object) -> None:
        raise StoreError("the disk is full; make room")

    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        live_of(opened.game).house.store.append = broken  # type: ignore[method-assign, assignment]
        await press(pilot, "up space")

    app = on_screen(opened, drive)
    assert (app.problem, app.return_value) == ("the disk is full; make room", 2)


def test_a_real_table_is_shadowed_on_the_screen() -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "up tab up space")
        typed = ("7s Kh 9d", "c", "4c 2s", "f", "Kc 8d", "7c 7c", "7c 7d")
        await press(pilot, "4 c")
        for line in typed:
            if len(line) == 1:
                await press(pilot, line)
                continue
            app.query_one("#typed", Input).value = line
            await press(pilot, "enter")
        seen_round = app.game.history[-1]
        # $5 each: three sevens win the ante and a 4x play, the blind pushes; the other player folds.
        assert seen_round.view.net == {1: 2500, 2: -1000}
        assert "+$25" in screen_text(app)

    on_screen(open_seeded("uth-ma", "", shadow=True, bots=1), drive)


def test_a_person_deals_on_the_screen() -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "o down down down enter")
        assert "the next step is to " in screen_text(app)
        assert "[MA-" in screen_text(app)
        await rush(app, pilot, ["space"] * 50)
        assert app.game.history

    on_screen(open_seeded("uth-ma", mode="manual", dealer="person", floor="Flo"), drive)


def test_the_screen_can_use_four_suit_colours_or_no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "up space")
        assert "♥" in screen_text(app)
        assert "♦" in screen_text(app)

    plain = on_screen(open_seeded("uth-ma"), drive)
    four = on_screen(open_seeded("uth-ma"), drive, four_colours=True)
    assert plain.painter.pen.small("4d").style != four.painter.pen.small("4d").style
    assert plain.painter.pen.small("4h").style == four.painter.pen.small("4h").style
    monkeypatch.setenv("NO_COLOR", "1")
    on_screen(open_seeded("uth-ma"), drive)


def test_with_pauses_the_table_continues_automatically(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.play.app.PAUSE", 0.001)
    app = TableApp(open_seeded("uth-ma"))

    async def until(pilot: Pilot[int], why: str) -> None:
        for _ in range(400):
            await pilot.pause(0.002)
            if app.game.prompt is not None and app.game.prompt.kind == why:
                return
        raise AssertionError(f"the table never waited for {why}")

    async def run() -> None:
        async with app.run_test(size=SMALL) as pilot:
            await until(pilot, "bet")
            await press(pilot, "up space")
            await until(pilot, "decide")
            await press(pilot, "4")
            await until(pilot, "over")
            await pilot.pause(0.1)
            assert "MA-" in screen_text(app)

    asyncio.run(run())
    assert app.game.history


def test_a_rulebook_is_chosen_from_a_list() -> None:
    app = RulebookPicker([(book, f"the title of {book}") for book in BOOKS])

    async def run() -> None:
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("down", "down", "enter")

    asyncio.run(run())
    assert app.return_value == BOOKS[2]


KEYS = (
    "space", "space", "enter", "up", "up", "down", "left", "right", "c", "c", "f", "k", "s", "S", "4", "3", "2", "1",
    "t", "p", "a", "b", "r", "x", "m", "h", "y", "i", "f1", "question_mark", "escape", "escape", "tab", "0", "5",
    "backspace", "exclamation_mark", "o", "z", "plus", "minus",
)  # fmt: skip


CHARACTERS = {"space": " ", "question_mark": "?", "exclamation_mark": "!", "plus": "+", "minus": "-"}


def check_record(game: Game) -> None:
    """Check that the record chains to its head and that the total money is unchanged."""
    live = live_of(game)
    chain = Head.first(live.stream).chain
    for stored in live.house.store.entries(live.stream):
        chain = link(chain, stored.public)
        assert stored.chain == chain
    assert live.head.chain == chain
    before = total(live.state)
    live.reload()
    assert total(live.state) == before


def test_a_changed_record_is_noticed() -> None:
    """`check_record` detects a changed entry."""
    game = open_seeded("uth-ma").game
    while game.prompt is None:
        game.step()
    check_record(game)
    store = live_of(game).house.store
    entries = list(store.entries(live_of(game).stream))
    touched = replace(entries[2], public=entries[2].public.replace(b'"by":"dealer"', b'"by":"nobody"'))
    assert touched != entries[2]
    store.entries = lambda stream, after=0: iter([*entries[:2], touched, *entries[3:]])  # type: ignore[method-assign]
    with pytest.raises((AssertionError, StoreError)):
        check_record(game)


async def rush(app: TableApp, pilot: Pilot[int], keys: Sequence[str]) -> None:
    """Press keys quickly, without waiting for the screen."""
    for key in keys:
        app.post_message(Key(key, CHARACTERS.get(key, key if len(key) == 1 else None)))
        await asyncio.sleep(0)
    await pilot.pause()
    # On a busy machine a pause ends before the last key is handled.
    while app.is_running and app.message_queue_size:
        await pilot.pause()


def random_keys(seed: str, count: int) -> list[str]:
    rng = Random(seed)
    return [rng.choice(KEYS) for _ in range(count)]


@pytest.mark.parametrize("book", BOOKS)
def test_no_sequence_of_keys_breaks_the_table(book: str) -> None:
    """Twenty-four sequences for each rulebook run one after another on one screen."""

    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        for n in range(24):
            # Random keys rarely place a wager, so every fourth sequence starts with a bet.
            wager = ("escape", "x", "1", "0", "space") if n % 4 == 0 else ()
            keeps = KEEP.split() if book == "shootout-sd" else ()
            await rush(app, pilot, [*wager, *random_keys(f"{book}/{n}", 10), *keeps])
            assert app.is_running
        check_record(opened.game)

    opened = open_seeded(book, style="random")
    app = on_screen(opened, drive)
    assert app.return_code in (0, None)
    assert app.problem == ""
    assert app.game.history


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", BOOKS)
def test_no_sequence_of_keys_breaks_a_fresh_table(book: str) -> None:
    for seed in range(40):
        opened = open_seeded(book, str(seed), style="random")

        async def drive(
            app: TableApp, pilot: Pilot[int], seed: int = seed, game: Game = opened.game
        ) -> None:
            await rush(app, pilot, random_keys(str(seed), 60))
            check_record(game)

        assert on_screen(opened, drive).problem == ""
