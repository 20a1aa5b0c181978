"""What opens before the table, a list of tables, or over it: a clause, help, rounds played, steps."""

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
from houseway.play.player_round import SeenRound
from houseway.play.table_art import BRASS, IVORY, SOFT, Pen, joined, settled
from houseway.play.wager_words import signed
from houseway.play.widgets import Marked

T = TypeVar("T")

KEYS = resources.files("houseway.play").joinpath("keys_help.txt").read_text("utf-8").rstrip()


class PaperScreen(ModalScreen[None]):
    """A sheet of paper over the table; any closing key puts it away."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,space,enter,question_mark,h,i,f1,y,e", "dismiss", "Close"),
    ]

    def __init__(self, head: str, text: Text | str) -> None:
        super().__init__()
        self._head = head
        self._text = text

    def compose(self) -> ComposeResult:
        """The sheet."""
        with VerticalScroll(id="sheet") as sheet:
            sheet.border_subtitle = "Esc closes"
            yield Static(self._head, id="sheet-head", markup=False)
            yield Static(self._text, id="sheet-text")


class History(ModalScreen[None]):
    """The rounds played: a line each, and of the marked one every wager."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,h,space", "dismiss", "Close")]

    def __init__(self, played: Sequence[SeenRound], game: Game, pen: Pen) -> None:
        super().__init__()
        self._played = played
        self._game = game
        self._pen = pen

    def compose(self) -> ComposeResult:
        """The list of rounds and the lines of one."""
        with VerticalScroll(id="sheet", classes="dark") as sheet:
            sheet.border_subtitle = "↑ ↓ another round · Esc closes"
            total = sum(seen.view.net.get(self._game.you, 0) for seen in self._played)
            yield Static(f"Rounds played: {len(self._played)}   net {signed(total)}", id="sheet-head")
            yield Marked((self._row(n) for n in range(len(self._played))), "rounds")
            yield Static(id="round")

    def on_mount(self) -> None:
        """Mark the last round."""
        rounds = self.query_one("#rounds", OptionList)
        rounds.focus()
        if self._played:
            rounds.highlighted = len(self._played) - 1
        else:
            self.query_one("#round", Static).update("No round is over yet.")

    def _row(self, n: int) -> Text:
        seen = self._played[n]
        own = self._pen.smalls(seen.hands.get((self._game.you, 1), ()))
        net = signed(seen.view.net[self._game.you]) if self._game.you in seen.view.net else "–"
        head, board = f"{seen.view.round:>4}  {net:>11}   ", self._pen.smalls(seen.view.board)
        return Text.assemble(head, own, "   ", board)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the wagers of the marked round."""
        seen = self._played[event.option_index]
        mine = [line for line in seen.lines if self._game.you in (0, line.seat)]
        told = seen.dealer_calls(self._game.table)
        dealer = Text.assemble("dealer ", self._pen.smalls(seen.dealer), f"  {told}")
        self.query_one("#round", Static).update(joined([dealer, *settled(mine, -1, 70)]))


class Steps(ModalScreen[str]):
    """The dealer's steps, to perform any: what is out of order is refused with its clause."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "dismiss", "Close")]

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._steps = list(game.table.steps)

    def compose(self) -> ComposeResult:
        """The list of steps."""
        with VerticalScroll(id="sheet", classes="dark"):
            yield Static("Which act?", id="sheet-head")
            yield Marked(self._steps, "steps")

    def on_mount(self) -> None:
        """Let the keys go to the list."""
        self.query_one("#steps").focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Perform it."""
        self.dismiss(self._steps[event.option_index])


class Chooser(App[T], Generic[T]):
    """A list of tables; what is chosen is what a row stands for."""

    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,ctrl+c", "quit", "Quit", priority=True)]

    def __init__(self, rows: Sequence[tuple[T, str, str]]) -> None:
        super().__init__()
        self._chosen = [chosen for chosen, _, _ in rows]
        self._rows = [(name, about) for _, name, about in rows]

    def compose(self) -> ComposeResult:
        """A list with a line for what is about to be opened."""
        width = max(13, *(len(name) + 2 for name, _ in self._rows))
        with Vertical(id="picker"):
            yield Static(Text.assemble(("♠ houseway", f"bold {BRASS}"), ("   which table?", IVORY)))
            named = [(Text(name.ljust(width), f"bold {BRASS}"), about) for name, about in self._rows]
            yield Marked((Text.assemble(name, (about, IVORY)) for name, about in named), "books")
            keys = "↑ ↓ choose · Enter sits you down · Q quits · Play chips only."
            yield Static(Text(keys, style=SOFT))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Sit down there."""
        self.exit(self._chosen[event.option_index])


class Picker(Chooser[str]):
    """The rulebooks there are; what is chosen is the id of one."""

    def __init__(self, books: Sequence[tuple[str, str]]) -> None:
        super().__init__([(name, name, title) for name, title in books])
