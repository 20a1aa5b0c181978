"""One commented round at the table, for a first look."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from houseway.cli.settlement_output import show_settlement
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.rules.loader import load

BOOK = "uth-ma"


def demo() -> int:
    """Show a worked round of Massachusetts: its story, its cards, its settlement."""
    console = Console(highlight=False, markup=False)
    told = load(BOOK).rounds[0]
    data = {"rulebook": BOOK, **told["round"]}
    window = Window()
    settled = window.settle(data, show_cards=True)
    if not isinstance(settled, Settlement):
        return 1
    console.print(Text(told["name"], style="bold underline"))
    console.print(told["tells"] + "\n")
    show_settlement(data, window, settled, console)
    console.print(
        f"\nWhat does a clause say? houseway clause {settled.lines[0].clause}"
        f"\nThe whole rules card:   houseway show {BOOK}"
        "\nSettle your own round:  houseway settle round.json\nAll commands:           houseway --help"
    )
    return 0
