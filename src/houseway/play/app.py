"""The full-screen table: reads keys and mouse, and draws the state of the game."""

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
from houseway.play.coach import MOST_SHOWN, Coach, When
from houseway.play.decision import CardSelection
from houseway.play.event_text import Announcement
from houseway.play.open_game import OpenGame
from houseway.play.painter import LINES, Painter
from houseway.play.prompt import PlayError
from houseway.play.screens import KEYS, History, PaperScreen, StepPicker
from houseway.play.staff_commands import RECUT, misdeal, recut, report, type_line
from houseway.play.stakes import Stakes
from houseway.play.table_art import Pen
from houseway.play.wager_words import clause_text, house_way_text, pays_text, refusal_text, seal_text
from houseway.play.widgets import ChoiceButton, SpotCell

PAUSE = 0.45
"""Seconds between two events in a round; a quarter of this while the cards are prepared."""
NEEDED = (80, 24)
"""The smallest terminal that shows the whole table: columns and rows."""
WIDE, TALL = 118, 30
"""From this width, a side panel is shown; from this height, blank lines between the parts."""
BarChoice = tuple[str, str, int, Callable[[], None]]
"""A choice on the bar: label, key, cost in cents, action."""
NO_CLAUSE = "No clause has been shown yet. In plain mode (--plain), you can read any clause."
CHOICES = 8
"""The most choices the bar ever shows."""
LOOK = 0.25
"""Seconds between two checks for server messages, and for the result of the record check."""
SIDE_BETS = {"t": "trips", "p": "progressive", "a": "cover_all", "b": "bonus"}


class TableApp(App[int]):
    """A game at a table, on a full screen."""

    CSS_PATH = "style.tcss"
    TITLE = "houseway"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", "Quit", priority=True)]

    def __init__(
        self,
        opened: OpenGame,
        *,
        fast: bool = False,
        four_colours: bool = False,
        check: BackgroundCheck | None = None,
        coach: When | None = None,
    ) -> None:
        super().__init__()
        self.game = opened.game
        self.stakes = Stakes(self.game)
        self.selection = CardSelection(self.game)
        self.coach = Coach(self.game, coach)
        self.fast = fast
        self.problem = ""
        """The error that ended the game; empty if none did."""
        self.painter = Painter(self.game, Pen(four_colours=four_colours))
        self._notice = ("" if not opened.resumed else "The round continues where you left it.", "")
        self._check = check
        self._checked = ""
        """The result of the record check. A sound result disappears at the next action; a fault stays."""
        self._announcements: list[Announcement] = [Announcement("round", note) for note in opened.notes]
        self._voice = Announcement("dealer", self.game.table.book.title)
        self._revealed = len(self.game.round.lines)
        self._hurried = False
        """True to skip the pauses until the next prompt."""
        self._pausing: Timer | None = None
        self._selected = 0
        self._phase: str | None = None
        """The kind of the last prompt; None before the first prompt."""
        self._verdict = ""
        """The coach's last verdict, until the next decision or round."""
        self._warned = ""
        """The key that needs a second press to confirm."""
        self._actions: list[Callable[[], None]] = []
        self._ticking = False
        self._stale = False

    # --- the screen ---

    def compose(self) -> ComposeResult:
        """Lay out the top line, felt, panel, notice, choices and keys."""
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
                    yield Static(id="announcements")
                yield Static(id="pays", markup=False)
        yield Static(id="notice", markup=False)
        with Horizontal(id="bar"):
            yield Input(id="typed")
            yield from (ChoiceButton(n) for n in range(CHOICES))
            yield Static(id="waits", markup=False)
        yield Static(id="foot", markup=False)

    async def on_mount(self) -> None:
        """Add the spots of this rulebook and start the table."""
        log = self.query_one("#log", VerticalScroll)
        log.can_focus = False
        log.anchor()
        by_wager = {wager: key for key, wager in SIDE_BETS.items()}
        await self.query_one("#spots").mount_all(
            SpotCell(name, by_wager.get(name, "")) for name in self.painter.wagers
        )
        seats = range(1, self.game.table.seats + 1)
        await self.query_one("#pods").mount_all(
            Static(id=f"pod-{seat}", classes="pod") for seat in seats if self.game.seats != (seat,)
        )
        self.query_one("#pays", Static).update(pays_text(self.game.table, 42))
        self._fit(self.size)
        self.go_on()
        self._poll_check()
        if self.game.link.shared:
            self.set_interval(LOOK, self._listen)

    def on_resize(self, event: events.Resize) -> None:
        """Fit the table to the new size; `self.size` is still the old one."""
        self._fit(event.size)

    def _fit(self, size: Size) -> None:
        # The current screen may be a sheet over the table.
        table = self.screen_stack[0]
        table.set_class(size.width >= WIDE, "wide")
        table.set_class(size.height >= TALL, "tall")
        table.set_class(size.width < NEEDED[0] or size.height < NEEDED[1], "small")
        # Paint after the layout has changed.
        self.call_after_refresh(self.paint)

    def _poll_check(self) -> None:
        if self._check is None:
            return
        if self._check.done:
            self._checked = self._check.outcome
            self.repaint()
        else:
            self.set_timer(LOOK, self._poll_check)

    def repaint(self) -> None:
        """Paint once after the current message is handled."""
        if not self._stale:
            self._stale = True
            self.call_later(self.paint)

    def paint(self) -> None:
        """Draw the whole table."""
        self._stale = False
        if not self.is_running or len(self.screen_stack) > 1:
            return
        room = self.size.width - (44 if self.size.width >= WIDE else 0)
        draw, update = self.painter, self._update
        update("#top", draw.top(self.size.width - 2))
        update("#board", draw.board(room - 2))
        update("#voice", draw.voice(self._prompt_words(), room - 2))
        self._paint_pods(room)
        update("#name", draw.name(room - 4))
        update("#own", draw.own(self.selection))
        notice = self._notice[0] or self._coach_line() or self._checked
        # A long notice needs a second row, which is taken from the player's part of the screen.
        long = len(notice) > self.size.width - 2
        self.screen.set_class(long, "long")
        lines = draw.lines(self._revealed, self._selected, room - draw.own_width - 5, LINES - long)
        settling = bool(lines.plain)
        self.query_one("#spots").display = not settling
        self.query_one("#lines").display = settling
        update("#lines", lines)
        for cell in self.query(SpotCell):
            draw.spot(cell, self.stakes, betting=self.game.prompt_kind == "bet")
        update("#announcements", draw.log(self._announcements))
        update("#notice", Text(notice))
        choices = self._bar_choices()[:CHOICES]
        keys = draw.keys((label, key) for label, key, _, _ in choices)
        update("#foot", Text(keys, no_wrap=True, overflow="ellipsis"))
        update("#small", Text("{} × {} needed; this window has {} × {}.".format(*NEEDED, *self.size)))
        self._offer(choices)
        self.game.mark_prompted()

    def _prompt_words(self) -> Announcement:
        """Return the player's prompt on the player's turn, otherwise the dealer's words."""
        asked = self.game.prompt_kind == "decide" and bool(self.game.you or self.game.positions)
        return self.painter.turn() if asked else self._voice

    def _coach_line(self) -> str:
        """Return the values before a decision or the verdict after one, if the coach is on."""
        if self.coach.when == "before":
            return self.coach.values_line(most=MOST_SHOWN)
        return self._verdict

    def _paint_pods(self, room: int) -> None:
        table = self.game.view.table
        others = [seat for seat in table.seats if self.game.seats != (seat,)]
        for pod in self.query(".pod").results(Static):
            number = int((pod.id or "").removeprefix("pod-"))
            pod.display = number in others
            pod.set_class(table.awaits(number), "turn")
            if pod.display:
                pod.update(self.painter.pod(number, (room - 2) // len(others) - 2))

    def _update(self, name: str, drawn: Text) -> None:
        self.query_one(name, Static).update(drawn)

    def _offer(self, choices: list[BarChoice]) -> None:
        """Show the legal choices, or the only way to continue."""
        typed = self.query_one("#typed", Input)
        typing_cards = self.game.prompt_kind == "cards"
        typed.display = typing_cards
        if typing_cards and not typed.has_focus:
            typed.focus()
        elif not typing_cards and self.focused is not None:
            self.set_focus(None)
        self._actions = [do for _, _, _, do in choices]
        for choice in self.query(ChoiceButton):
            choice.display = choice.number < len(choices)
            if choice.display:
                label, key, costs, _ = choices[choice.number]
                choice.show(label, key, costs)
        waits = self.query_one("#waits", Static)
        waits.display = not choices
        waits.update(self.painter.waits())

    def _bar_choices(self) -> list[BarChoice]:
        """Return the choices that the bar offers at the current prompt."""
        kind = self.game.prompt_kind
        if kind == "bet":
            label = "Sit this round out" if self.stakes.sits_out else "Deal"
            deal: BarChoice = (label, "Space", self.stakes.total, self.bet_and_deal)
            return [deal, ("Rebet", "R", 0, self.rebet)] if self.game.last_bet[0] else [deal]
        if kind == "over":
            return [("Next round", "Space", 0, self.next_round)]
        options = self.game.options()
        if kind == "decide":
            offered = self.selection.bar_choices(options)
        elif kind == "act":
            offered = [(option.says, str(n) if n else "Space", option) for n, option in enumerate(options)]
        else:
            challenges = [option for option in options if isinstance(option.command, c.Challenge)]
            offered = [("Challenge", "!", option) for option in challenges if not kind]
        choices: list[BarChoice] = [
            (label, key, o.costs, partial(self.ask, o.command)) for label, key, o in offered
        ]
        if self.selection.may_tip(options):
            label = "No tip play" if self.selection.tipping else "Tip play"
            choices.append((label, "D", 0, self._toggle_tip))
        return choices + ([("Another step", "O", 0, self._show_steps)] if kind == "act" else [])

    # --- running the table ---

    def go_on(self) -> None:
        """Run the table, with a pause after each event, until the player is prompted."""
        if self._ticking:
            return
        self._ticking = True
        self._tick()

    def _tick(self) -> None:
        """Announce the next event or reveal the next settled wager, and schedule the following one."""
        quick = self.fast or self._hurried
        while self.game.prompt is None:
            if not self.answer(self.game.step, keep=True):
                return
            if not quick or self.game.link.shared:
                break
        if quick:
            self._revealed = len(self.painter.mine)
        elif self._revealed < len(self.painter.mine):
            self._revealed += 1
        kind = self.game.prompt_kind
        if self._phase is not None and kind != self._phase:
            self._notice, self._warned = ("", ""), ""
        if kind or self._phase is not None:
            self._phase = kind
        self._ticking = not kind or self._revealed < len(self.painter.mine)
        self.repaint()
        if self._ticking:
            pause = PAUSE if self.game.view.table.section == "round" else PAUSE / 4
            self._pausing = self.set_timer(LOOK / 10 if quick else pause, self._tick)
        self._hurried = self._hurried and self._ticking
        if kind == "left":
            self.exit(0)

    def _hurry(self) -> None:
        """Skip the pauses until the next prompt."""
        self._revealed = len(self.painter.mine)
        if self._ticking and not self._hurried and self._pausing is not None:
            self._hurried = True
            self._pausing.stop()
            self._tick()

    def _listen(self) -> None:
        """Show what other players do while the player is prompted."""
        if not self._ticking and self.answer(self.game.listen, keep=True):
            self.go_on()

    def _announce(self, announcements: list[Announcement]) -> None:
        """Add announcements to the log, and show the dealer's last words. A new round clears the log."""
        for announcement in announcements:
            if announcement.kind == "round" and not self.game.round.view.closed:
                self._announcements, self._selected, self._revealed = [], 0, 0
                self.stakes.clear()
                self.selection.clear()
                self._verdict = ""
            elif announcement.kind == "coach":
                self._verdict = announcement.text
        self._announcements += announcements
        spoken = [announcement for announcement in announcements if announcement.kind == "dealer"]
        quoted = [announcement for announcement in spoken if "“" in announcement.text]
        self._voice = (quoted or spoken or [self._voice])[-1]

    def answer(self, ask: Callable[[], list[Announcement] | Refusal | str], *, keep: bool = False) -> bool:
        """Call `ask` and show its result; return True if it was accepted. With `keep`, the notice stays."""
        try:
            answer = ask()
        except (StoreError, PlayError) as error:
            self.problem = str(error)
            self.exit(2)
            return False
        if isinstance(answer, Refusal):
            self._notice = (refusal_text(answer), answer.clause or "")
        elif isinstance(answer, str):
            self._notice = (answer, "")
        else:
            if not keep:
                self._notice = ("", "")
                self._checked = "" if self._check is None or self._check.sound else self._checked
            self._announce(answer)
        self.repaint()
        return isinstance(answer, list)

    def ask(self, command: c.Command) -> None:
        """Send a command and run the table."""
        if self.answer(partial(self.coach.ask, command)):
            self.selection.clear()
            self.go_on()

    def bet_and_deal(self) -> None:
        """Place the wagers and tell the dealer to deal."""
        sits_out = self.stakes.sits_out
        if sits_out and not self._sure("space", "No wager yet. Press Space again to sit this round out."):
            return
        if self.stakes.changed and not self.answer(self.stakes.place):
            return
        if self.answer(self.game.deal):
            if sits_out:
                self._announcements.append(Announcement("table", "You sit this round out."))
            self.go_on()

    def _toggle_tip(self) -> None:
        """Turn the dealer's tip play on or off."""
        self.selection.toggle_tip()
        self.repaint()

    def _sure(self, key: str, warning: str) -> bool:
        """Return True at the second press of a key in a row; the first press shows the warning."""
        sure = self._warned == key
        self._warned = "" if sure else key
        self._notice = ("" if sure else warning, "")
        self.repaint()
        return sure

    def rebet(self) -> None:
        """Repeat the last wagers and tips."""
        self.stakes.put(*self.game.last_bet)
        self.repaint()

    def next_round(self) -> None:
        """Continue to the next round."""
        self._revealed = len(self.painter.mine)
        if self.answer(self.game.go_on, keep=True):
            self.go_on()

    # --- keys and mouse ---

    def on_key(self, event: events.Key) -> None:
        """Handle a key, according to the prompt."""
        # A sheet over the table handles its own keys. If there is no screen, the app is closing.
        if len(self.screen_stack) != 1 or isinstance(self.focused, Input):
            return
        key = event.character if event.character and event.character.isprintable() else event.key
        key = {" ": "space", "return": "enter"}.get(key, key)
        kind = self.game.prompt_kind
        if self.screen.has_class("small") and key not in ("q", "Q"):
            return
        if {"enter": "space"}.get(key, key.lower()) != self._warned:
            self._warned = ""
        if self._sheet_key(key.lower()):
            return
        self._notice = ("", "")
        if self._table_key(key, kind):
            event.prevent_default()
        elif kind == "bet" and self.stakes.key(key, SIDE_BETS.get(key.lower(), "")):
            self._notice = (self.stakes.error, "")
        elif kind in ("", "over", "act") and key in ("up", "down"):
            last = max(0, len(self.painter.mine) - 1)
            self._selected = min(last, max(0, self._selected + (1 if key == "down" else -1)))
        else:
            self._decision_key(key, kind)
        self.repaint()

    def _table_key(self, key: str, kind: str) -> bool:
        match key, kind:
            case ("space" | "enter", "bet"):
                self.bet_and_deal()
            case ("space" | "enter", "over"):
                self.next_round()
            case ("space" | "enter", "act"):
                self._press(0)
            case ("space" | "enter", ""):
                self._hurry()
            case ("r" | "R", "bet"):
                if self.game.last_bet[0]:
                    self.rebet()
                else:
                    self._notice = ("You have not bet yet, so R has nothing to repeat.", "")
            case ("r" | "R", "over"):
                review = PaperScreen("Review", Text(self.coach.review()))
                self.call_later(self.push_screen, review, lambda _: self.repaint())
            case ("m" | "M", "bet"):
                self.answer(self.game.fresh_chips)
            case ("tab", "bet") if len(self.game.seats) > 1:
                if not self.stakes.changed or self.answer(self.stakes.place):
                    seats = self.game.seats
                    self.game.seat = seats[(seats.index(self.game.seat) + 1) % len(seats)]
                    self.stakes.clear()
            case ("o" | "O", "act"):
                self._show_steps()
            case (digit, "act") if digit.isdecimal() and 0 < int(digit) < len(self.game.options()):
                self._press(int(digit))
            case ("q" | "Q", _):
                self.exit(0)
            case ("l" | "L", _):
                sure = self._sure("l", "Press L again to leave the table for good.")
                if sure and self.answer(self.game.leave):
                    self.exit(0)
            case _:
                return False
        return True

    def _decision_key(self, key: str, kind: str) -> None:
        """Send the decision for a key. If it is not allowed now, the refusal gives the reason."""
        if kind == "decide" and self.selection.key(key):
            return
        command = self.selection.command(key, self.game.options())
        if command is not None:
            self.ask(command)
        elif len(key) == 1:
            self._notice = (f"{key!r} does nothing now. Press F1 to see the keys.", "")

    def _press(self, number: int) -> None:
        if number < len(self._actions):
            self._actions[number]()

    def on_click(self, event: events.Click) -> None:
        """Handle a click: make a choice, change the stake on a spot, open the clause of a settled line."""
        clicked = event.widget
        if isinstance(clicked, ChoiceButton):
            self._press(clicked.number)
        elif isinstance(clicked, SpotCell) and self.game.prompt_kind == "bet":
            self.stakes.select(clicked.wager)
            self.stakes.key("up" if event.button == 1 else "down")
            self._notice, self._warned = ("", ""), ""
            self.repaint()
        elif clicked is not None and clicked.id == "lines":
            row = self.painter.first + event.y
            if row < len(self.painter.mine):
                self._selected = row
                self._sheet_key("?")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Run the line that was typed: cards, or a command at a real table."""
        event.input.value = ""
        if self.answer(lambda: type_line(self.game, event.value.split())):
            self.go_on()

    # --- sheets ---

    def _sheet_key(self, key: str) -> bool:
        """Open the sheet for a key; False if the key has none."""
        game = self.game
        match key:
            case "?":
                sheet: PaperScreen | History = self._clause_sheet()
            case "h":
                try:
                    sheet = History(game.history, game, self.painter.pen)
                except StoreError as error:
                    self._notice = (f"The history cannot be read: {error}.", "")
                    return True
            case "y":
                sheet = PaperScreen("Pay tables", Text(pays_text(game.table)))
            case "w":
                sheet = PaperScreen("The house way", Text(house_way_text(game.table)))
            case "e":
                seal, salts = game.view.table.seal, game.salts
                sheet = PaperScreen("The seal", Text(seal_text(seal, game.round.salt, salts.cut)))
            case "v":
                sheet = PaperScreen("Exact values", Text(self.coach.values_text()))
            case "i" | "f1":
                sheet = PaperScreen("Keys", Text.from_markup(KEYS))
            case _:
                return False
        # Deferred, because otherwise the key that opens the sheet would also close it.
        self.call_later(self.push_screen, sheet, lambda _: self.repaint())
        return True

    def _clause_sheet(self) -> PaperScreen:
        """Return a sheet with the clause of the notice, of the selected settled wager, or of the dealer's
        words."""
        lines = self.painter.mine
        selected = lines[self._selected].clause if self._selected < len(lines) else ""
        clause = self._notice[1] or selected or self._prompt_words().clause or ""
        paragraphs = clause_text(self.game.table.book, clause) if clause else (NO_CLAUSE,)
        text = "\n\n".join(paragraphs)
        return PaperScreen(clause or "No clause", Text(text))

    def _show_steps(self) -> None:
        """Open the list of steps and reports, with the order for a recut if it is allowed."""
        self.game.mark_prompted()

        def perform(step: str | None) -> None:
            self.repaint()
            words = (step or "").split()
            if step == RECUT or words[:1] in (["report"], ["misdeal"]):
                handler = report if words[0] == "report" else misdeal
                command = recut(self.game) if step == RECUT else handler(self.game, words[1:])
                if isinstance(command, str):
                    self.answer(lambda: command)
                else:
                    self.ask(command)
            elif step:
                due = next((o.command for o in self.game.options() if o.says == step), None)
                self.ask(due or c.Perform(step=step))

        self.call_later(self.push_screen, StepPicker(self.game), perform)

    async def action_quit(self) -> None:
        """Quit. The record has the whole game."""
        self.exit(0)
