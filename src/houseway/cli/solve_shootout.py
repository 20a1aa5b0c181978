"""`solve` for Texas Shootout."""

from __future__ import annotations

from typing import Any

from rich.markup import escape
from rich.table import Table as Grid

from houseway.cli.output import counting, write_json
from houseway.cli.print_helpers import console, percent, print_facts
from houseway.exact.shootout import BestPlay, ShootoutSolution, TwoCards, solve
from houseway.report.solution_data import number
from houseway.rules.rulebook import Rulebook


def solve_shootout(book: Rulebook, *, threads: int | None, json: bool) -> int:
    """Solve the game and print the result."""
    solution = solve(book, threads=threads, progress=counting("counting the two-card hands"))
    if json:
        write_json(document(solution))
    else:
        _print(book, solution)
    return 0


def document(solution: ShootoutSolution) -> dict[str, Any]:
    """Return the solution as a JSON document."""
    return {
        "rulebook": solution.rulebook,
        "hash": solution.hash,
        "deals": str(solution.deals),
        "game": {
            "ev": number(solution.best.value),
            "edge": float(-solution.best.value),
            "element_of_risk": float(solution.best.element_of_risk),
            "average_bet": float(solution.best.staked),
            "split": number(solution.best.split),
        },
        "any_split": {"ev": number(solution.any_split.value), "split": number(solution.any_split.split)},
        "no_split": {"ev": number(solution.no_split.value)},
        "wagers": {
            "bonus": {
                table: {"ev": number(bet.value), "edge": float(-bet.value), "hits": number(bet.hits)}
                for table, bet in solution.bonus
            },
            "envy": {"cents_per_other_hand": number(solution.envy)},
        },
        "house_way": [{"line": line, "share": number(share)} for line, share in solution.lines],
        "hands": [_hand(hand) for hand in solution.hands],
    }


def _hand(hand: TwoCards) -> dict[str, Any]:
    played, dealer = float(hand.played), float(hand.dealer)
    return {"hand": hand.name, "ev": number(hand.value), "played": played, "dealer": dealer}


def _edge(play: BestPlay) -> str:
    edge, risk, split = percent(-play.value), percent(play.element_of_risk), percent(play.split, 3)
    return f"{edge} of the first wager, {risk} of all money wagered; {split} of hands split"


def _print(book: Rulebook, solution: ShootoutSolution) -> None:
    out = console(110)
    out.print(f"[bold]{escape(book.title)}[/], best play against the house way, exactly")
    bonus = (
        (f"bonus {table}", f"edge {percent(-bet.value)}, hits {percent(bet.hits)}")
        for table, bet in solution.bonus
    )
    facts = (
        ("value", f"{float(solution.best.value):+.12f} of the wager"),
        ("house edge", _edge(solution.best)),
        ("splitting any hand", _edge(solution.any_split)),
        ("never splitting", _edge(solution.no_split)),
        *bonus,
        ("envy", f"{float(solution.envy):.4f} cents for each hand another player plays"),
    )
    print_facts(out, facts)
    out.print()
    grid = Grid("hand", "worth", "you play it", "the dealer keeps it", box=None, padding=(0, 2))
    ranked = sorted(solution.hands, key=lambda hand: -hand.value)
    for hand in ranked[:20]:
        played, dealer = percent(hand.played, 3), percent(hand.dealer, 3)
        grid.add_row(hand.name, f"{float(hand.value):+.5f}", played, dealer)
    out.print(grid)
    out.print(f"  and {len(ranked) - 20} more with --json", style="dim")
    out.print(f"rulebook hash {solution.hash}", style="dim")
