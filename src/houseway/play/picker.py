"""Choosing a rulebook, where none was named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import OptionList, Static

from houseway.play.drawing import BRASS, IVORY, SOFT
from houseway.play.style import CSS
from houseway.play.widgets import Marked
from houseway.rules.loading import load


class Picker(App[str]):
    """The rulebooks there are; what is chosen is the id of one."""

    CSS = CSS
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,ctrl+c", "quit", "Quit", priority=True)]

    def __init__(self, books: Sequence[str]) -> None:
        super().__init__()
        self._books = [load(name) for name in books]

    def compose(self) -> ComposeResult:
        """A list with a line for what is about to be opened."""
        with Vertical(id="picker"):
            yield Static(Text.assemble(("♠ houseway", f"bold {BRASS}"), ("   which table?", IVORY)))
            yield Marked(
                (
                    Text.assemble((f"{book.id:<13}", f"bold {BRASS}"), (book.title, IVORY))
                    for book in self._books
                ),
                "books",
            )
            keys = "↑ ↓ choose · Enter sits you down · Q quits · Play chips only."
            yield Static(Text(keys, style=SOFT))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Sit down there."""
        self.exit(self._books[event.option_index].id)
