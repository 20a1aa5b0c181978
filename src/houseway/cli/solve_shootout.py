"""Texas Shootout solved: what `solve` says of it."""

from __future__ import annotations

from typing import Any

from rich.markup import escape
from rich.table import Table as Grid

from houseway.cli.output import counting, write_json
from houseway.cli.print_helpers import console, percent, print_facts
from houseway.exact.shootout import BestPlay, ShootoutSolution, TwoCards, solve
from houseway.report.solution_data import number
from houseway.rules.rulebook import Rulebook


def solve_shootout(book: Rulebook, *, threads: int, json: bool) -> int:
    """Solve the game and print it."""
    found = solve(book, threads=threads or None, progress=counting("counting the two-card hands"))
    if json:
        write_json(document(found))
    else:
        _print(book, found)
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
        "hands": [_hand(hand) for hand in found.hands],
    }


def _hand(hand: TwoCards) -> dict[str, Any]:
    played, dealer = float(hand.played), float(hand.dealer)
    return {"hand": hand.name, "ev": number(hand.value), "played": played, "dealer": dealer}


def _edge(play: BestPlay) -> str:
    edge, risk, split = percent(-play.value), percent(play.element_of_risk), percent(play.split, 3)
    return f"{edge} of the wager, {risk} of every unit wagered; {split} of hands split"


def _print(book: Rulebook, found: ShootoutSolution) -> None:
    out = console(110)
    out.print(f"[bold]{escape(book.title)}[/], best play against the house way, exactly")
    bonus = (
        (f"bonus {table}", f"edge {percent(-bet.value)}, hits {percent(bet.hits)}")
        for table, bet in found.bonus
    )
    facts = (
        ("value", f"{float(found.best.value):+.12f} of the wager"),
        ("house edge", _edge(found.best)),
        ("splitting any time", _edge(found.any_split)),
        ("never splitting", _edge(found.no_split)),
        *bonus,
        ("envy", f"{float(found.envy):.4f} cents for each hand another player plays"),
    )
    print_facts(out, facts)
    out.print()
    grid = Grid("hand", "worth", "you play it", "the dealer keeps it", box=None, padding=(0, 2))
    ranked = sorted(found.hands, key=lambda hand: -hand.value)
    for hand in ranked[:20]:
        played, kept = percent(hand.played, 3), percent(hand.dealer, 3)
        grid.add_row(hand.name, f"{float(hand.value):+.5f}", played, kept)
    out.print(grid)
    out.print(f"  and {len(ranked) - 20} more with --json", style="dim")
    out.print(f"rulebook {found.hash}", style="dim")
