"""Screens shown before the table (lists to choose from) and over it (clause, help, history, steps)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import ClassVar, Generic, TypeVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static

from houseway.play.game import Game
from houseway.play.player_round import PlayerRound
from houseway.play.staff_commands import misdeal_lines, recut_lines, report_lines
from houseway.play.table_art import BRASS, IVORY, SOFT, Pen, join_lines, settled_rows
from houseway.play.wager_words import signed
from houseway.play.widgets import MarkedList
from houseway.rules.odds_words import wording
from houseway.school.reason_words import edge_words

T = TypeVar("T")

KEYS = resources.files("houseway.play").joinpath("keys_help.txt").read_text("utf-8").rstrip()


class PaperScreen(ModalScreen[None]):
    """A sheet of text over the table."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,space,enter,question_mark,h,i,f1,y,e,w", "dismiss", "Close"),
    ]

    def __init__(self, head: str, text: Text | str) -> None:
        super().__init__()
        self._head = head
        self._text = text

    def compose(self) -> ComposeResult:
        """Lay out the heading and the text."""
        with VerticalScroll(id="sheet") as sheet:
            sheet.border_subtitle = "Esc closes"
            yield Static(self._head, id="sheet-head", markup=False)
            yield Static(self._text, id="sheet-text")


class History(ModalScreen[None]):
    """The rounds played, one per line, with every wager of the highlighted round."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,h,space", "dismiss", "Close")]

    def __init__(self, played: Sequence[PlayerRound], game: Game, pen: Pen) -> None:
        super().__init__()
        self._played = played
        self._game = game
        self._pen = pen

    def compose(self) -> ComposeResult:
        """Lay out the list of rounds and the wagers of one."""
        with VerticalScroll(id="sheet", classes="dark") as sheet:
            sheet.border_subtitle = "↑ ↓ choose a round · Esc closes"
            total = sum(
                played.view.net.get(seat, 0) for played in self._played for seat in self._game.seats
            )
            yield Static(f"Rounds played: {len(self._played)}   net {signed(total)}", id="sheet-head")
            yield MarkedList((self._row(n) for n in range(len(self._played))), "rounds")
            yield Static(id="round")
            yield Static(edge_words(None))

    def on_mount(self) -> None:
        """Highlight the last round."""
        rounds = self.query_one("#rounds", OptionList)
        rounds.focus()
        if self._played:
            rounds.highlighted = len(self._played) - 1
        else:
            self.query_one("#round", Static).update("You have not finished a round yet.")

    def _row(self, n: int) -> Text:
        played = self._played[n]
        own = self._pen.small_cards(played.hands.get((self._game.you, 1), ()))
        nets = [played.view.net[seat] for seat in self._game.seats if seat in played.view.net]
        net = signed(sum(nets)) if nets else "–"
        head, board = f"{played.view.round:>4}  {net:>11}   ", self._pen.small_cards(played.view.board)
        return Text.assemble(head, own, "   ", board)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the wagers of the highlighted round."""
        played = self._played[event.option_index]
        seats = self._game.seats
        mine = [line for line in played.lines if not seats or line.seat in seats]
        hand = played.dealer_hand_text(self._game.table)
        dealer = Text.assemble("dealer ", self._pen.small_cards(played.dealer), f"  {hand}")
        self.query_one("#round", Static).update(
            join_lines([dealer, *settled_rows(mine, -1, 70, wording(self._game.table.book))])
        )


class StepPicker(ModalScreen[str]):
    """The list of the dealer's steps and reports. The table refuses a step that is out of order."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss", "Close")]

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._steps = [*game.table.steps, *recut_lines(game), *report_lines(game), *misdeal_lines(game)]

    def compose(self) -> ComposeResult:
        """Lay out the list of steps."""
        with VerticalScroll(id="sheet", classes="dark"):
            yield Static("Choose a step to perform, or an irregularity to report.", id="sheet-head")
            yield MarkedList(self._steps, "steps")

    def on_mount(self) -> None:
        """Focus the list."""
        self.query_one("#steps").focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Perform the selected step."""
        self.dismiss(self._steps[event.option_index])


class Chooser(App[T], Generic[T]):
    """A list to choose from; returns the value of the chosen row."""

    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,ctrl+c", "quit", "Quit", priority=True)]

    def __init__(self, rows: Sequence[tuple[T, str, str]]) -> None:
        super().__init__()
        self._values = [value for value, _, _ in rows]
        self._rows = [(name, about) for _, name, about in rows]

    def compose(self) -> ComposeResult:
        """Lay out the list."""
        width = max(13, *(len(name) + 2 for name, _ in self._rows))
        with Vertical(id="picker"):
            yield Static(Text.assemble(("♠ houseway", f"bold {BRASS}"), ("   Choose a table", IVORY)))
            rows = [(Text(name.ljust(width), f"bold {BRASS}"), about) for name, about in self._rows]
            yield MarkedList((Text.assemble(name, (about, IVORY)) for name, about in rows), "books")
            yield Static(Text("↑ ↓ choose · Enter sit down · Q quit · Play chips only", style=SOFT))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Return the selected row's value."""
        self.exit(self._values[event.option_index])


class RulebookPicker(Chooser[str]):
    """The list of rulebooks; returns the id of the chosen one."""

    def __init__(self, books: Sequence[tuple[str, str]]) -> None:
        super().__init__([(name, name, title) for name, title in books])
