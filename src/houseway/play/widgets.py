"""What one can press on the table: spots, choices, settled lines."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text
from textual.message import Message
from textual.widgets import OptionList, Static

from houseway.engine.legal import Spot
from houseway.money import spoken
from houseway.play.drawing import BRASS, IVORY, SOFT
from houseway.play.words import named

LEAST = 8
"""Columns of the narrowest spot."""


class SpotCell(Static):
    """A place on the layout for a wager: its name, what lies there, what it takes."""

    class Pressed(Message):
        """A spot was pressed: with the left button to add, with another to take away."""

        def __init__(self, wager: str, *, add: bool) -> None:
            self.wager = wager
            self.add = add
            super().__init__()

    def __init__(self, wager: str, key: str = "") -> None:
        super().__init__(classes="spot")
        self.wager = wager
        self._key = f" {key.upper()}" if key else ""
        self.styles.width = max(LEAST, len(named(wager))) + 1

    def show(self, stake: int, spot: Spot | None, *, selected: bool, note: str = "") -> None:
        """Draw it; without a spot nothing can be put there now."""
        self.set_class(selected, "selected")
        amount = spoken(stake) if stake else "–"
        side = spot.beside if spot is not None else ()
        takes, key = note, ""
        if spot is not None:
            most = "" if spot.exact else "+" if spot.most is None else f"–{spot.most // 100}"
            takes, key = f"{spoken(spot.least)}{most}", self._key
        # The sign tells the selected spot where there is no colour.
        left, right = "▸◂" if selected else "<>" if side else "()"
        self.update(
            Text.assemble(
                (named(self.wager).upper(), f"bold {BRASS if selected else IVORY}"),
                "\n",
                (f"{left}{amount:^6}{right}", f"bold {IVORY}" if stake else SOFT),
                "\n",
                (takes, SOFT),
                (key, BRASS),
                no_wrap=True,
            )
        )

    def on_click(self, event: object) -> None:
        """Add with the left button, take away with another."""
        self.post_message(self.Pressed(self.wager, add=getattr(event, "button", 1) == 1))


class Choice(Static):
    """Something that may be done now, with its key and what it costs."""

    class Pressed(Message):
        """A choice was pressed."""

        def __init__(self, number: int) -> None:
            self.number = number
            super().__init__()

    def __init__(self, number: int) -> None:
        super().__init__(classes="choice")
        self.number = number

    def show(self, label: str, key: str, costs: int = 0) -> None:
        """Draw it."""
        text = Text.assemble((label, f"bold {IVORY}"), (f"  {spoken(costs)}" if costs else "", SOFT))
        if key:
            text.append_text(Text.assemble(("  ", ""), (f"[{key}]", BRASS)))
        self.update(text)

    def on_click(self) -> None:
        """Do it."""
        self.post_message(self.Pressed(self.number))


class Marked(OptionList):
    """A list whose highlighted row bears a sign too: colour is never alone."""

    def __init__(self, rows: Iterable[Text | str], name: str) -> None:
        self._rows = [Text("  ").append_text(Text(row) if isinstance(row, str) else row) for row in rows]
        super().__init__(*self._rows, id=name)

    def on_option_list_option_highlighted(self) -> None:
        """Move the sign."""
        for n, row in enumerate(self._rows):
            sign = Text("▸ ") if n == self.highlighted else Text("  ")
            self.replace_option_prompt_at_index(n, sign.append_text(row[2:]))


class Lines(Static):
    """Settled wagers, one a row."""

    class Pressed(Message):
        """A row was pressed."""

        def __init__(self, row: int) -> None:
            self.row = row
            super().__init__()

    def on_click(self, event: object) -> None:
        """Open the clause of the row."""
        self.post_message(self.Pressed(int(getattr(event, "y", 0))))
