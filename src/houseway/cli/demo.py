"""Print a worked round with comments. `python -m houseway` without a command does this."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from houseway.cli.settlement_output import show_settlement
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.rules.loader import load

BOOK = "uth-ma"


def demo() -> int:
    """Print a worked round of the Massachusetts rules: an explanation, the cards and the settlement."""
    console = Console(highlight=False, markup=False)
    example = load(BOOK).rounds[0]
    data = {"rulebook": BOOK, **example["round"]}
    window = Window()
    settled = window.settle(data, show_cards=True)
    if not isinstance(settled, Settlement):
        return 1
    console.print(Text(example["name"], style="bold underline"))
    console.print(example["tells"] + "\n")
    show_settlement(data, window, settled, console)
    console.print(
        f"\nRead a clause:          houseway clause {settled.lines[0].clause}"
        f"\nRead the rules card:    houseway show {BOOK}"
        "\nSettle your own round:  houseway settle round.json\nSee all commands:       houseway --help"
    )
    return 0
