"""The table on a screen: keys and mouse in, the felt out; what is shown comes from the game alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.geometry import Size
from textual.timer import Timer
from textual.widgets import Input, Static

from houseway.audit.store import StoreError
from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.live.background_check import BackgroundCheck
from houseway.play.decision import Chosen
from houseway.play.event_text import Announcement
from houseway.play.open_game import Opened
from houseway.play.painter import LINES, Painter
from houseway.play.port import PlayError
from houseway.play.screens import KEYS, History, PaperScreen, Steps
from houseway.play.stakes import Stakes
from houseway.play.table_art import Pen
from houseway.play.wager_words import clause_text, pays_text, seal_text, sentence
from houseway.play.widgets import ChoiceButton, SpotCell

PAUSE = 0.45
"""Seconds between two things that happen by themselves in a round; cards are made ready faster."""
NEEDED = (80, 24)
"""Columns and rows without which the table cannot be shown whole."""
WIDE, TALL = 118, 30
"""From so many columns there is a panel at the side, from so many rows there is air between the lines."""
Way = tuple[str, str, int, Callable[[], None]]
"""A choice on the bar: label, key, cost, what it does."""
CHOICES = 8
"""The most choices the bar ever shows."""
LOOK = 0.25
"""Seconds between two looks at what others do, and at whether the record is checked."""
SIDE_BETS = {"t": "trips", "p": "progressive", "a": "cover_all", "b": "bonus"}


class TableApp(App[int]):
    """One game on a screen."""

    CSS_PATH = "style.tcss"
    TITLE = "houseway"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", "Quit", priority=True)]

    def __init__(
        self,
        opened: Opened,
        *,
        fast: bool = False,
        four_colours: bool = False,
        check: BackgroundCheck | None = None,
    ) -> None:
        super().__init__()
        self.game = opened.game
        self.stakes = Stakes(self.game)
        self.chosen = Chosen(self.game)
        self.fast = fast
        self.problem = ""
        """What ended the game, where something did."""
        self.painter = Painter(self.game, Pen(four_colours=four_colours))
        self._notice = ("" if not opened.resumed else "The round goes on where it stood.", "")
        self._check = check
        self._checked = ""
        """What the check of the record has shown; a fault stays, that it is sound is told once."""
        self._heard: list[Announcement] = [Announcement("round", note) for note in opened.notes]
        self._voice = Announcement("dealer", self.game.table.book.title)
        self._revealed = len(self.game.seen.lines)
        self._hurried = False
        """Whether what happens by itself is told without pauses, until the player is awaited."""
        self._pausing: Timer | None = None
        self._selected = 0
        self._phase: str | None = None
        """What the player was last awaited for; None before the first time."""
        self._warned = ""
        """The key that does what was warned of, if it comes once more."""
        self._offered: list[Callable[[], None]] = []
        self._ticking = False
        self._stale = False

    # --- the screen ---

    def compose(self) -> ComposeResult:
        """Top line, felt, panel, notice, choices, keys."""
        yield Static(id="small")
        yield Static(id="top")
        with Horizontal(id="room"):
            with Vertical(id="felt"):
                yield Static(id="board")
                yield Static(id="voice")
                yield Horizontal(id="pods")
                with Vertical(id="place"):
                    yield Static(id="name")
                    with Horizontal():
                        yield Static(id="own")
                        yield Horizontal(id="spots")
                        yield Static(id="lines")
            with Vertical(id="side"):
                with VerticalScroll(id="log"):
                    yield Static(id="told")
                yield Static(id="pays", markup=False)
        yield Static(id="notice", markup=False)
        with Horizontal(id="bar"):
            yield Input(id="typed")
            yield from (ChoiceButton(n) for n in range(CHOICES))
            yield Static(id="waits", markup=False)
        yield Static(id="foot", markup=False)

    async def on_mount(self) -> None:
        """Lay out the spots of this rulebook and let the table begin."""
        log = self.query_one("#log", VerticalScroll)
        log.can_focus = False
        log.anchor()
        by_wager = {wager: key for key, wager in SIDE_BETS.items()}
        await self.query_one("#spots").mount_all(
            SpotCell(name, by_wager.get(name, "")) for name in self.painter.wagers
        )
        every = range(1, self.game.table.seats + 1)
        await self.query_one("#pods").mount_all(
            Static(id=f"pod-{seat}", classes="pod") for seat in every if self.game.seats != (seat,)
        )
        self.query_one("#pays", Static).update(pays_text(self.game.table, 42))
        self._fit(self.size)
        self.go_on()
        self._look_at_check()
        if self.game.link.shared:
            self.set_interval(LOOK, self._listen)

    def on_resize(self, event: events.Resize) -> None:
        """Use the room there is now: `size` tells the old one until this is handled."""
        self._fit(event.size)

    def _fit(self, size: Size) -> None:
        # A sheet may lie over the table.
        table = self.screen_stack[0]
        table.set_class(size.width >= WIDE, "wide")
        table.set_class(size.height >= TALL, "tall")
        table.set_class(size.width < NEEDED[0] or size.height < NEEDED[1], "small")
        # Once the room is laid out anew.
        self.call_after_refresh(self.paint)

    def _look_at_check(self) -> None:
        if self._check is None:
            return
        if self._check.done:
            self._checked = self._check.outcome
            self.repaint()
        else:
            self.set_timer(LOOK, self._look_at_check)

    def repaint(self) -> None:
        """Draw anew once what happens now has happened."""
        if not self._stale:
            self._stale = True
            self.call_later(self.paint)

    def paint(self) -> None:
        """Draw everything as it stands."""
        self._stale = False
        if not self.is_running or len(self.screen_stack) > 1:
            return
        room = self.size.width - (44 if self.size.width >= WIDE else 0)
        draw, update = self.painter, self._update
        update("#top", draw.top(self.size.width - 2))
        update("#board", draw.board(room - 2))
        update("#voice", draw.voice(self._voice, room - 2))
        self._paint_pods(room)
        update("#name", draw.name(room - 4))
        update("#own", draw.own(self.chosen))
        notice = self._notice[0] or self._checked
        # A long notice takes a row of the player's place.
        long = len(notice) > self.size.width - 2
        self.screen.set_class(long, "long")
        lines = draw.lines(self._revealed, self._selected, room - draw.own_width - 5, LINES - long)
        settling = bool(lines.plain)
        self.query_one("#spots").display = not settling
        self.query_one("#lines").display = settling
        update("#lines", lines)
        for cell in self.query(SpotCell):
            draw.spot(cell, self.stakes, betting=self.game.why == "bet")
        update("#told", draw.log(self._heard))
        update("#notice", Text(notice))
        ways = self._ways()[:CHOICES]
        keys = draw.keys((label, key) for label, key, _, _ in ways)
        update("#foot", Text(keys, no_wrap=True, overflow="ellipsis"))
        update("#small", Text("{} × {} needed; this window has {} × {}.".format(*NEEDED, *self.size)))
        self._offer(ways)
        self.game.prompted()

    def _paint_pods(self, room: int) -> None:
        lies = self.game.view.table
        taken = [seat for seat in lies.seats if self.game.seats != (seat,)]
        for pod in self.query(".pod").results(Static):
            number = int((pod.id or "").removeprefix("pod-"))
            pod.display = number in taken
            pod.set_class(lies.turn == number, "turn")
            if pod.display:
                pod.update(self.painter.pod(number, (room - 2) // len(taken) - 2))

    def _update(self, name: str, drawn: Text) -> None:
        self.query_one(name, Static).update(drawn)

    def _offer(self, ways: list[Way]) -> None:
        """The choices of the moment: exactly what is legal, or the one way to go on."""
        typed = self.query_one("#typed", Input)
        wanted = self.game.why == "cards"
        typed.display = wanted
        if wanted and not typed.has_focus:
            typed.focus()
        elif not wanted and self.focused is not None:
            self.set_focus(None)
        self._offered = [do for _, _, _, do in ways]
        for choice in self.query(ChoiceButton):
            choice.display = choice.number < len(ways)
            if choice.display:
                label, key, costs, _ = ways[choice.number]
                choice.show(label, key, costs)
        waits = self.query_one("#waits", Static)
        waits.display = not ways
        waits.update(self.painter.waits())

    def _ways(self) -> list[Way]:
        why = self.game.why
        if why == "bet":
            label = "Sit this round out" if self.stakes.sits_out else "Deal"
            deal: Way = (label, "Space", self.stakes.total, self.bet_and_deal)
            return [deal, ("Rebet", "R", 0, self.rebet)] if self.game.last_bet else [deal]
        if why == "over":
            return [("Next round", "Space", 0, self.next_round)]
        options = self.game.options()
        if why == "decide":
            offered = self.chosen.ways(options)
        elif why == "act":
            offered = [(option.says, "Space", option) for option in options]
        else:
            challenges = [option for option in options if isinstance(option.command, c.Challenge)]
            offered = [("Challenge", "!", option) for option in challenges if not why]
        ways = [(label, key, o.costs, partial(self.ask, o.command)) for label, key, o in offered]
        return ways + ([("Another act", "O", 0, self._show_steps)] if why == "act" else [])

    # --- going on ---

    def go_on(self) -> None:
        """Let happen what happens by itself, with a pause between, until the player is awaited."""
        if self._ticking:
            return
        self._ticking = True
        self._tick()

    def _tick(self) -> None:
        quick = self.fast or self._hurried
        while self.game.awaited is None:
            if not self.answer(self.game.step, keep=True):
                return
            if not quick or self.game.link.shared:
                break
        if quick:
            self._revealed = len(self.painter.mine)
        elif self._revealed < len(self.painter.mine):
            self._revealed += 1
        why = self.game.why
        if self._phase is not None and why != self._phase:
            self._notice, self._warned = ("", ""), ""
        if why or self._phase is not None:
            self._phase = why
        self._ticking = not why or self._revealed < len(self.painter.mine)
        self.repaint()
        if self._ticking:
            dealing = self.game.view.table.section == "round"
            pause = PAUSE if dealing else PAUSE / 4
            self._pausing = self.set_timer(LOOK / 10 if quick else pause, self._tick)
        self._hurried = self._hurried and self._ticking
        if why == "left":
            self.exit(0)

    def _hurry(self) -> None:
        """Tell all that happens by itself at once."""
        self._revealed = len(self.painter.mine)
        if self._ticking and not self._hurried and self._pausing is not None:
            self._hurried = True
            self._pausing.stop()
            self._tick()

    def _listen(self) -> None:
        """Take in what others did while the player is awaited; the clock runs on."""
        if not self._ticking and self.answer(self.game.listen, keep=True):
            self.go_on()

    def _hear(self, sayings: list[Announcement]) -> None:
        for one in sayings:
            if one.kind == "round" and not self.game.seen.view.closed:
                self._heard, self._selected, self._revealed = [], 0, 0
                self.stakes.clear()
                self.chosen.clear()
        self._heard += sayings
        spoken = [one for one in sayings if one.kind == "dealer"]
        quoted = [one for one in spoken if "“" in one.text]
        self._voice = (quoted or spoken or [self._voice])[-1]

    def answer(self, ask: Callable[[], list[Announcement] | Refusal | str], *, keep: bool = False) -> bool:
        """Do something and tell what came of it; whether it was done. `keep` leaves a notice standing."""
        try:
            answer = ask()
        except (StoreError, PlayError) as error:
            self.problem = str(error)
            self.exit(2)
            return False
        if isinstance(answer, Refusal):
            self._notice = (sentence(answer), answer.clause or "")
        elif isinstance(answer, str):
            self._notice = (answer, "")
        else:
            if not keep:
                self._notice = ("", "")
                self._checked = "" if self._check is None or self._check.sound else self._checked
            self._hear(answer)
        self.repaint()
        return isinstance(answer, list)

    def ask(self, command: c.Command) -> None:
        """Send what the player asks for and go on."""
        if self.answer(partial(self.game.ask, command)):
            self.chosen.clear()
            self.go_on()

    def bet_and_deal(self) -> None:
        """Put down what was staked and let the dealer begin."""
        out = self.stakes.sits_out
        if out and not self._sure("space", "No wager yet; Space again sits this round out."):
            return
        if self.stakes.changed and not self.answer(partial(self.game.bet, self.stakes.wagers)):
            return
        if self.answer(self.game.deal):
            if out:
                self._heard.append(Announcement("table", "You sit this round out."))
            self.go_on()

    def _sure(self, key: str, warning: str) -> bool:
        """Whether this is asked for the second time in a row; the first time warns."""
        sure = self._warned == key
        self._warned = "" if sure else key
        self._notice = ("" if sure else warning, "")
        self.repaint()
        return sure

    def rebet(self) -> None:
        """Stake what was staked last."""
        self.stakes.put(self.game.last_bet)
        self.repaint()

    def next_round(self) -> None:
        """Leave the round behind."""
        self._revealed = len(self.painter.mine)
        if self.answer(self.game.go_on, keep=True):
            self.go_on()

    # --- keys and mouse ---

    def on_key(self, event: events.Key) -> None:
        """What a key means now."""
        # Over the table lies a sheet; without a screen the game is over.
        if len(self.screen_stack) != 1 or isinstance(self.focused, Input):
            return
        key = event.character if event.character and event.character.isprintable() else event.key
        key = {" ": "space", "return": "enter"}.get(key, key)
        why = self.game.why
        if self.screen.has_class("small") and key not in ("q", "Q"):
            return
        if {"enter": "space"}.get(key, key.lower()) != self._warned:
            self._warned = ""
        if self._sheet_key(key.lower()):
            return
        self._notice = ("", "")
        if self._table_key(key, why):
            event.prevent_default()
        elif why == "bet" and self.stakes.key(key, SIDE_BETS.get(key.lower(), "")):
            self._notice = (self.stakes.slip, "")
        elif why in ("", "over", "act") and key in ("up", "down"):
            last = max(0, len(self.painter.mine) - 1)
            self._selected = min(last, max(0, self._selected + (1 if key == "down" else -1)))
        else:
            self._decision_key(key, why)
        self.repaint()

    def _table_key(self, key: str, why: str) -> bool:
        match key, why:
            case ("space" | "enter", "bet"):
                self.bet_and_deal()
            case ("space" | "enter", "over"):
                self.next_round()
            case ("space" | "enter", "act"):
                self._press(0)
            case ("space" | "enter", ""):
                self._hurry()
            case ("r" | "R", "bet"):
                if self.game.last_bet:
                    self.rebet()
                else:
                    self._notice = ("There is no bet to repeat yet.", "")
            case ("m" | "M", "bet"):
                self.answer(self.game.fresh_chips)
            case ("tab", "bet") if len(self.game.seats) > 1:
                if not self.stakes.changed or self.answer(partial(self.game.bet, self.stakes.wagers)):
                    seats = self.game.seats
                    self.game.seat = seats[(seats.index(self.game.seat) + 1) % len(seats)]
                    self.stakes.clear()
            case ("o" | "O", "act"):
                self._show_steps()
            case ("q" | "Q", _):
                self.exit(0)
            case ("l" | "L", _):
                sure = self._sure("l", "L again leaves for good.")
                if sure and self.answer(self.game.leave):
                    self.exit(0)
            case _:
                return False
        return True

    def _decision_key(self, key: str, why: str) -> None:
        """A decision, asked of the table even where it is not offered: the refusal says why not."""
        if why == "decide" and self.chosen.key(key):
            return
        command = self.chosen.command(key, self.game.options())
        if command is None:
            if len(key) == 1:
                self._notice = (f"{key!r} does nothing now; F1 shows the keys.", "")
            return
        self.ask(command)

    def _press(self, number: int) -> None:
        if number < len(self._offered):
            self._offered[number]()

    def on_click(self, event: events.Click) -> None:
        """What a press means: a choice, a chip more or less on a spot, the clause of a settled line."""
        pressed = event.widget
        if isinstance(pressed, ChoiceButton):
            self._press(pressed.number)
        elif isinstance(pressed, SpotCell) and self.game.why == "bet":
            self.stakes.select(pressed.wager)
            self.stakes.key("up" if event.button == 1 else "down")
            self._notice, self._warned = ("", ""), ""
            self.repaint()
        elif pressed is not None and pressed.id == "lines":
            row = self.painter.first + event.y
            if row < len(self.painter.mine):
                self._selected = row
                self._sheet_key("?")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Cards were typed."""
        event.input.value = ""
        if self.answer(partial(self.game.type_cards, event.value)):
            self.go_on()

    # --- sheets ---

    def _sheet_key(self, key: str) -> bool:
        """Open the sheet that a key stands for; False for a key that stands for none."""
        game = self.game
        match key:
            case "?":
                sheet: PaperScreen | History = self._clause_sheet()
            case "h":
                try:
                    sheet = History(game.history, game, self.painter.pen)
                except StoreError as error:
                    self._notice = (f"The rounds played cannot be told: {error}.", "")
                    return True
            case "y":
                sheet = PaperScreen("Pay tables", Text(pays_text(game.table)))
            case "e":
                sheet = PaperScreen("The seal", Text(seal_text(game.view.table.seal, game.seen.salt)))
            case "i" | "f1":
                sheet = PaperScreen("houseway: keys", Text.from_markup(KEYS))
            case _:
                return False
        # Later, so that the key that opens a sheet does not close it.
        self.call_later(self.push_screen, sheet, lambda _: self.repaint())
        return True

    def _clause_sheet(self) -> PaperScreen:
        """What the marked clause says: of a refusal, of a settled line, of the dealer's words."""
        lines = self.painter.mine
        marked = lines[self._selected].clause if self._selected < len(lines) else ""
        clause = self._notice[1] or marked or self._voice.clause or ""
        text = "\n\n".join(clause_text(self.game.table.book, clause))
        return PaperScreen(clause or "No clause", Text(text))

    def _show_steps(self) -> None:
        """The dealer's steps, to perform any of them."""
        self.game.prompted()

        def perform(step: str | None) -> None:
            self.repaint()
            if step:
                due = next((o.command for o in self.game.options() if o.says == step), None)
                self.ask(due or c.Perform(step=step))

        self.call_later(self.push_screen, Steps(self.game), perform)

    async def action_quit(self) -> None:
        """Stop here; the record has everything."""
        self.exit(0)
