"""Clickable parts of the screen: spots, choices and list rows."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text
from textual.widgets import OptionList, Static

from houseway.engine.legal import Spot
from houseway.money import spoken
from houseway.play.table_art import BRASS, IVORY, SOFT
from houseway.wording import wager_name

LEAST = 8
"""Columns of the narrowest spot."""


class SpotCell(Static):
    """A spot on the layout: the wager's name, its stake and its limits."""

    def __init__(self, wager: str, key: str = "") -> None:
        super().__init__(classes="spot")
        self.wager = wager
        self._key = f" {key.upper()}" if key else ""
        self.styles.width = max(LEAST, len(wager_name(wager))) + 1

    def show(self, stake: int, spot: Spot | None, *, selected: bool, note: str = "") -> None:
        """Draw the spot; `spot` is None if no wager can be placed there now."""
        self.set_class(selected, "selected")
        amount = spoken(stake) if stake else "–"
        side = spot.beside if spot is not None else ()
        takes, key = note, ""
        if spot is not None:
            most = "" if spot.exact else "+" if spot.most is None else f"–{spot.most // 100}"
            takes, key = f"{spoken(spot.least)}{most}", self._key
        # The signs mark the selected spot, for terminals without colour.
        left, right = "▸◂" if selected else "<>" if side else "()"
        drawn = Text.assemble(
            (f"{wager_name(self.wager).upper()}\n", f"bold {BRASS if selected else IVORY}"),
            (f"{left}{amount:^6}{right}\n", f"bold {IVORY}" if stake else SOFT),
            (takes, SOFT),
            (key, BRASS),
            no_wrap=True,
        )
        self.update(drawn)


class ChoiceButton(Static):
    """A choice on the bar, with its cost and its key."""

    def __init__(self, number: int) -> None:
        super().__init__(classes="choice")
        self.number = number

    def show(self, label: str, key: str, costs: int = 0) -> None:
        """Draw the choice."""
        cost, shortcut = f"  {spoken(costs)}" if costs else "", f"  [{key}]" if key else ""
        self.update(Text.assemble((label, f"bold {IVORY}"), (cost, SOFT), (shortcut, BRASS)))


class MarkedList(OptionList):
    """A list that marks the highlighted row with a sign as well as colour."""

    def __init__(self, rows: Iterable[Text | str], name: str) -> None:
        self._rows = [Text("  ").append_text(Text(row) if isinstance(row, str) else row) for row in rows]
        super().__init__(*self._rows, id=name)

    def on_option_list_option_highlighted(self) -> None:
        """Move the sign to the highlighted row."""
        for n, row in enumerate(self._rows):
            sign = Text("▸ ") if n == self.highlighted else Text("  ")
            self.replace_option_prompt_at_index(n, sign.append_text(row[2:]))
