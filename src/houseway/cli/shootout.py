"""Texas Shootout solved: what `solve` and `odds` say of four cards."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid

from houseway.cards import Card
from houseway.cli.output import BadInputError, counting, percent, write_json
from houseway.exact import UnsolvableError
from houseway.exact.shootout import BestPlay, Choice, ShootoutSolution, odds, solve
from houseway.report.solved import number
from houseway.rules.rulebook import Rulebook


def solve_shootout(book: Rulebook, *, threads: int, json: bool) -> int:
    """Solve the game and print it."""
    found = solve(book, threads=threads or None, progress=counting("counting the two-card hands"))
    if json:
        write_json(document(found))
    else:
        _print(book, found)
    return 0


def shootout_odds(book: Rulebook, four: Sequence[Card], *, json: bool) -> int:
    """Tell what every choice for four cards is worth."""
    try:
        choices = odds(book, four)
    except (UnsolvableError, ValueError) as error:
        raise BadInputError(str(error)) from error
    if json:
        actions = [{"action": choice.action, "ev": number(choice.value)} for choice in choices]
        write_json({"actions": actions, "best": choices[0].action})
    else:
        _advise(choices)
    return 0


def document(found: ShootoutSolution) -> dict[str, Any]:
    """Everything `houseway solve` says of the game, as data."""
    return {
        "rulebook": found.rulebook,
        "hash": found.hash,
        "deals": str(found.deals),
        "game": {
            "ev": number(found.best.value),
            "edge": float(-found.best.value),
            "element_of_risk": float(found.best.element_of_risk),
            "average_bet": float(found.best.staked),
            "split": number(found.best.split),
        },
        "any_split": {"ev": number(found.any_split.value), "split": number(found.any_split.split)},
        "no_split": {"ev": number(found.no_split.value)},
        "wagers": {
            "bonus": {
                table: {"ev": number(bet.value), "edge": float(-bet.value), "hits": number(bet.hits)}
                for table, bet in found.bonus
            },
            "envy": {"cents_per_other_hand": number(found.envy)},
        },
        "house_way": [{"line": line, "share": number(share)} for line, share in found.lines],
        "hands": [
            {
                "hand": hand.name,
                "ev": number(hand.value),
                "played": float(hand.played),
                "dealer": float(hand.dealer),
            }
            for hand in found.hands
        ],
    }


def _edge(play: BestPlay) -> str:
    return (
        f"{percent(-play.value)} of the wager, {percent(play.element_of_risk)} of every unit wagered; "
        f"{percent(play.split, 3)} of hands split"
    )


def _print(book: Rulebook, found: ShootoutSolution) -> None:
    out = Console(highlight=False, width=None if sys.stdout.isatty() else 110)
    value = found.best.value
    out.print(f"[bold]{escape(book.title)}[/], best play against the house way, exactly")
    for name, told in (
        ("value", f"{float(value):+.12f} of the wager"),
        ("house edge", _edge(found.best)),
        ("splitting any time", _edge(found.any_split)),
        ("never splitting", _edge(found.no_split)),
        *(
            (f"bonus {table}", f"edge {percent(-bet.value)}, hits {percent(bet.hits)}")
            for table, bet in found.bonus
        ),
        ("envy", f"{float(found.envy):.4f} cents for each hand another player plays"),
    ):
        out.print(f"  {name:<20}{told}")
    out.print()
    grid = Grid("hand", "worth", "you play it", "the dealer keeps it", box=None, padding=(0, 2))
    ranked = sorted(found.hands, key=lambda hand: -hand.value)
    for hand in ranked[:20]:
        grid.add_row(
            hand.name, f"{float(hand.value):+.5f}", percent(hand.played, 3), percent(hand.dealer, 3)
        )
    out.print(grid)
    out.print(f"  and {len(ranked) - 20} more with --json", style="dim")
    out.print(f"rulebook {found.hash}", style="dim")


def _advise(choices: Sequence[Choice]) -> None:
    out = Console(highlight=False)
    top = choices[0].value
    width = max(len(choice.action) for choice in choices) + 2
    for choice in choices:
        lost = float(top - choice.value)
        mark = "best" if choice is choices[0] else f"costs you {lost:.6f} of the wager"
        out.print(f"{choice.action:<{width}}{float(choice.value):+.6f}   {mark}")
