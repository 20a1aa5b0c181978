"""Choosing a table: a rulebook, where none was named, or a table of a house."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import OptionList, Static

from houseway.play.drawing import BRASS, IVORY, SOFT
from houseway.play.style import CSS
from houseway.play.widgets import Marked

T = TypeVar("T")


class Chooser(App[T], Generic[T]):
    """A list of tables; what is chosen is what a row stands for."""

    CSS = CSS
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
            yield Marked(
                (
                    Text.assemble((name.ljust(width), f"bold {BRASS}"), (about, IVORY))
                    for name, about in self._rows
                ),
                "books",
            )
            keys = "↑ ↓ choose · Enter sits you down · Q quits · Play chips only."
            yield Static(Text(keys, style=SOFT))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Sit down there."""
        self.exit(self._chosen[event.option_index])


class Picker(Chooser[str]):
    """The rulebooks there are; what is chosen is the id of one."""

    def __init__(self, books: Sequence[tuple[str, str]]) -> None:
        super().__init__([(name, name, title) for name, title in books])
